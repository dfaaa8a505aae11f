#!/bin/sh
# Core opens nothing: core_symbols.sh LIBFUREAI.A. Every function that the objects of core call is ours or is named in
# core_symbols.txt, and only the task pool starts a thread.
set -eu

library=$1
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
for symbol in fopen socket fork printf exit sin pthread_create; do
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
echo "core: $(nm -u "$library" | grep -c ':$') objects call nothing outside test/house/core_symbols.txt"
