#!/bin/sh
# Sizes of files, functions and headers: sizes.sh ROOT.
set -eu

root=$1
house=$(cd "$(dirname "$0")" && pwd)
check() {
    files=$(find include src tools experiments devices python examples test bench fuzz \
        \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null | sort)
    awk -f "$house/sizes.awk" "$house/long_functions.txt" $files
}

# The check itself must refuse a function of 61 lines, in a test too, and a file of 801.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for folder in src/base test/base; do
    mkdir -p "$scratch/$folder"
    awk 'BEGIN { print "static int f(int a,\n             int b) {"; for (i = 0; i < 58; i++) print "    a++;"; print "}" }' \
        >"$scratch/$folder/a.c"
    if (cd "$scratch" && check >/dev/null); then
        echo "sizes: the check accepts a function of 61 lines in $folder"
        exit 1
    fi
    rm "$scratch/$folder/a.c"
done
awk 'BEGIN { for (i = 0; i < 801; i++) print "extern int x;" }' >"$scratch/src/base/a.c"
if (cd "$scratch" && check >/dev/null); then
    echo "sizes: the check accepts a file of 801 lines"
    exit 1
fi

cd "$root"
check
