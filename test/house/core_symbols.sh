#!/bin/sh
# Core opens nothing: core_symbols.sh ROOT LIBFUREAI.A OTHER.A... Every function that the objects of core call is ours or
# is named in core_symbols.txt, and only the task pool starts a thread. No library and no program sorts or searches by
# the C library, whose qsort allocates: base_order.h has one sort and one search.
set -eu

root=$1
library=$2
shift
house=$(cd "$(dirname "$0")" && pwd)

# Prints "object symbol" for each call that is not open to core.
refused() {
    awk -v list="$house/core_symbols.txt" '
        BEGIN {
            while ((getline line < list) > 0) {
                if (line ~ /^#/ || line == "") continue
                gsub(/\*/, ".*", line)
                patterns[++count] = "^" line "$"
            }
        }
        /:$/ { object = substr($0, 1, length($0) - 1); next }
        $1 == "U" {
            if ($2 ~ /^fr_/) next
            if ($2 == "pthread_create" && object !~ /^task_pool/) { print object, $2; next }
            for (i = 1; i <= count; i++) if ($2 ~ patterns[i]) next
            print object, $2
        }'
}

# The check itself must refuse what it is there for.
for symbol in fopen socket fork printf exit sin pthread_create qsort bsearch; do
    if [ -z "$(printf 'x.c.o:\n         U %s\n' $symbol | refused)" ]; then
        echo "core: the check accepts $symbol"
        exit 1
    fi
done
[ -z "$(printf 'task_pool.c.o:\n         U pthread_create\n' | refused)" ]

found=$(nm -u "$library" | refused)
if [ -n "$found" ]; then
    echo "core calls what it may not (object, function; the list is test/house/core_symbols.txt):"
    echo "$found"
    exit 1
fi

# Prints "object symbol" for each sort or search of the C library.
sorts() {
    awk '/:$/ { object = substr($0, 1, length($0) - 1); next } $1 == "U" && $2 ~ /^(qsort|qsort_r|bsearch)$/ { print object, $2 }'
}
[ -n "$(printf 'x.c.o:\n         U qsort\n' | sorts)" ]
found=$(for each in "$@"; do nm -u "$each" | sorts; done)
found="$found$(cd "$root" && grep -rnE '\b(qsort|qsort_r|bsearch) *\(' tools experiments devices examples --include='*.[ch]' || true)"
if [ -n "$found" ]; then
    echo "these sort or search by the C library, not by fureai/base_order.h:"
    echo "$found"
    exit 1
fi
echo "core: $(nm -u "$library" | grep -c ':$') objects call nothing outside test/house/core_symbols.txt"
