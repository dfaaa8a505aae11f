#!/bin/sh
# The page of man and the completions of shells: manual.sh TOOL. Every command and every option of the tool's tables, as
# `fureai --json help` has them, is in the page; groff has no complaint of it, and the shells that are installed none of theirs.
set -eu

tool=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tool" help --man >"$folder/fureai.1"
for shell in bash fish zsh; do
    "$tool" help --completion $shell >"$folder/$shell"
done

# The names of commands stand in the document beside a summary.
"$tool" --json help | tr '{}' '\n\n' | sed -n 's/.*"name": *"\([^"]*\)", *"summary".*/\1/p' >"$folder/commands"
"$tool" --json help | tr '{}' '\n\n' | sed -n 's/.*"name": *"\([^"]*\)", *"value".*/\1/p' >"$folder/options"
[ "$(wc -l <"$folder/commands")" -gt 10 ] && [ "$(wc -l <"$folder/options")" -gt 50 ] || {
    echo "manual: the document of help is not understood"
    exit 1
}
missing() {
    while read -r name; do
        grep -q "^\.SH FUREAI $name\$" "$1" || echo "$name"
    done <"$folder/commands"
    while read -r name; do
        grep -q -e "^\.BI \"..-*$(echo "$name" | sed 's/-/./g')[ \"]" -e "\\\\-$name[ \"]" "$1" || echo "--$name"
    done <"$folder/options"
}
grep -v '^\.SH FUREAI clash$' "$folder/fureai.1" >"$folder/short.1"
[ "$(missing "$folder/short.1")" = clash ] || { echo "manual: the check does not see that a command is missing"; exit 1; }
lost=$(missing "$folder/fureai.1")
[ -z "$lost" ] || { echo "manual: not in the page:" $lost; exit 1; }

if command -v groff >/dev/null 2>&1; then
    complaints=$(groff -man -ww -Tascii "$folder/fureai.1" 2>&1 >/dev/null)
    [ -z "$complaints" ] || { echo "manual: groff: $complaints"; exit 1; }
fi
for shell in bash fish zsh; do
    if command -v $shell >/dev/null 2>&1; then $shell -n "$folder/$shell"; fi
done

# What bash offers.
if command -v bash >/dev/null 2>&1; then
    cat >"$folder/try.sh" <<'TRY'
source "$1"
expect() {
    wanted=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _fureai
    [ "${COMPREPLY[*]}" = "$wanted" ] || { echo "manual: '$*' is completed to '${COMPREPLY[*]}', not to '$wanted'"; exit 1; }
}
expect "clash collide convert" fureai c
expect "collide" fureai --threads 4 --quiet coll
expect "--check" fureai clash a.obj --ch
expect "baseline avx2" fureai --simd ""
expect "bash fish zsh" fureai help --completion ""
expect "shape" fureai help sh
expect "" fureai clash part
TRY
    bash "$folder/try.sh" "$folder/bash"
fi
echo "manual: $(wc -l <"$folder/commands") commands and $(wc -l <"$folder/options") options in the page"
