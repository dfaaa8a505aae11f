#!/bin/sh
# The private words that the project left behind: vocabulary.sh ROOT. STYLE: a word of the field beats a word of our own.
# A line of C with one of them, alone or as a part of a name, is an error; vocabulary.txt lists the words and what to
# write instead, and the few phrases in which a word is plain English.
set -eu
house=$(cd "$(dirname "$0")" && pwd)

# Lines below a folder that hold a word of the list.
found_below() {
    (cd "$1" && find include src tools devices experiments python examples -name '*.[ch]' 2>/dev/null | sort | xargs awk -v list="$house/vocabulary.txt" '
        BEGIN {
            while ((getline line < list) > 0) {
                if (line ~ /^#/ || line == "") continue
                if (sub(/^allow: */, "", line)) allowed[++allow_count] = line
                else { sub(/ +[|] .*$/, "", line); pattern = pattern (pattern == "" ? "" : "|") line }
            }
            pattern = "(^|[^a-z])(" pattern ")([^a-z]|$)"
        }
        {
            text = tolower($0)
            for (i = 1; i <= allow_count; i++) gsub(allowed[i], "", text)
            if (text ~ pattern) print FILENAME ":" FNR ": " $0
        }')
}

# The check itself must refuse a private word in a comment and in a name.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base"
for line in '// Finds its way.' 'int fr__way_count;' 'int is_told;'; do
    echo "$line" >"$scratch/src/base/a.c"
    if [ -z "$(found_below "$scratch")" ]; then
        echo "vocabulary: the check accepts '$line'"
        exit 1
    fi
done

found=$(found_below "$1")
if [ -n "$found" ]; then
    echo "$found"
    echo "vocabulary: $(echo "$found" | wc -l) lines with words of vocabulary.txt"
    exit 1
fi
echo "vocabulary: words of the field"
