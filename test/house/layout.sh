#!/bin/sh
# The layout of the source: layout.sh ROOT. Every C file is as clang-format leaves it; skipped where that is not installed
# or is of another version than the one the layout is kept with, since versions differ in taste.
set -eu
root=$1
if ! command -v clang-format >/dev/null 2>&1 || ! clang-format --version | grep -q 'version 14\.'; then
    echo "layout: skipped, clang-format 14 is not installed"
    exit 77
fi
cd "$root"

if printf 'int  x;\n' | clang-format --dry-run --Werror --assume-filename=x.c >/dev/null 2>&1; then
    echo "layout: the check accepts what is not laid out"
    exit 1
fi
find include src tools experiments devices python test bench fuzz examples -name '*.[ch]' -o -name '*.cpp' | sort |
    xargs clang-format --dry-run --Werror
echo "layout: as clang-format leaves it"
