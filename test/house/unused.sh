#!/bin/sh
# Exported functions that nothing but tests uses: unused.sh ROOT. A function of a public header is used where another
# room, a program, an example, a benchmark or a document names it. Those that are not stand in unused.txt with a reason.
set -eu

cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The functions of headers, as "room name".
for header in include/fureai/*.h; do
    room=$(basename "$header" .h)
    tr '\n' ' ' <"$header" | grep -oE 'FR_API [^;(]*[ *]fr_[a-z0-9_]+\(' | grep -oE 'fr_[a-z0-9_]+\($' | tr -d '(' |
        sed "s/^/$room /"
done | sort -u >"$folder/functions"

# Every name a file outside test and fuzz uses, as "room name"; the room is "-" outside src.
words() { grep -ohE --exclude=api.json 'fr_[a-z0-9_]+' "$@" 2>/dev/null | sort -u; }
for room in src/*/; do
    room=$(basename "$room")
    words -r "src/$room" | sed "s/^/$room /"
done >"$folder/uses"
words -r tools devices experiments python/src examples bench docs README.md | sed 's/^/- /' >>"$folder/uses"

unused() {
    awk -v uses="$folder/uses" '
        BEGIN { while ((getline line < uses) > 0) { split(line, part, " "); used[part[2]] = used[part[2]] " " part[1] " " } }
        { others = used[$2]; gsub(" " $1 " ", "", others); if (others !~ /[^ ]/) print $2 }' "$1"
}
echo "base fr_without_callers" >"$folder/probe"
[ -n "$(unused "$folder/probe")" ] || { echo "unused: the check finds nothing"; exit 1; }

unused "$folder/functions" | sort >"$folder/unused"
awk '$1 ~ /^fr_/ && NF > 1 { print $1 }' test/house/unused.txt | sort >"$folder/justified"
fresh=$(comm -23 "$folder/unused" "$folder/justified")
stale=$(comm -13 "$folder/unused" "$folder/justified")
if [ -n "$fresh" ]; then
    echo "unused: only tests use these: use them, describe them in docs, make them private or delete them:" $fresh
    exit 1
fi
if [ -n "$stale" ]; then
    echo "unused: used by now, or gone: remove these from unused.txt:" $stale
    exit 1
fi
echo "unused: $(wc -l <"$folder/functions") functions, $(wc -l <"$folder/unused") used by tests alone, each with a reason"
