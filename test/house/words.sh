#!/bin/sh
# What has no place in the tree: words.sh ROOT. Notes of unfinished work, code that is switched off, files named for
# nothing, tabs and blanks at the ends of lines in C, a source file that does not begin by saying what it holds.
set -eu

cd "$1"
wrong=0
folders=$(for folder in include src tools algorithms experiments devices cluster python examples test bench fuzz; do
    if [ -d $folder ]; then echo $folder; fi
done)
files=$(find $folders -name '*.[ch]' -o -name '*.cpp')

if grep -nE '(^|[^A-Za-z_])(TODO|FIXME|XXX|HACK)([^A-Za-z_]|$)|^[ 	]*#[ 	]*if 0|not yet implemented' $files; then
    echo "words: unfinished work is not noted in the source"
    wrong=1
fi
if grep -nE '	|[ ]+$' $files; then
    echo "words: tabs, or blanks at the end of a line"
    wrong=1
fi
if find $folders -name '*.[ch]' | grep -E '/(utils?|misc|helpers?|common)\.[ch]$'; then
    echo "words: a file is named for what it holds"
    wrong=1
fi
if grep -rnE '^(<<<<<<< |>>>>>>> )' $folders docs demos setup viewer/src viewer/test ./*.md; then
    echo "words: two versions of a text stand side by side"
    wrong=1
fi
# The first line of a source file is a sentence about what it holds.
begins() { head -n 1 "$1" | grep -qE '^// .'; }
scratch=$(mktemp)
echo '#include "fureai/base.h"' >"$scratch"
if begins "$scratch"; then
    echo "words: the check accepts a file without a first sentence"
    wrong=1
fi
rm -f "$scratch"
for file in $(find include src tools algorithms experiments devices cluster python examples -name '*.c' 2>/dev/null); do
    if ! begins "$file"; then
        echo "$file:1: words: a file begins with a sentence that says what it holds"
        wrong=1
    fi
done
exit $wrong
