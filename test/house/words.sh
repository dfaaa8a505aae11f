#!/bin/sh
# What has no place in the tree: words.sh ROOT. Notes of unfinished work, code that is switched off, files named for
# nothing, tabs and blanks at the ends of lines in C.
set -eu

cd "$1"
wrong=0
folders=$(for folder in include src tools algorithms experiments devices cluster examples test bench fuzz; do
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
exit $wrong
