#!/bin/sh
# Each public header alone: headers.sh ROOT CC [CXX]. In C17 and, where there is a compiler for it, in C++17.
set -eu

root=$1
cc=$2
cxx=${3:-}
flags="-fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Werror -pedantic -I$root/include"
count=0
for header in "$root"/include/fureai/*.h; do
    name=fureai/$(basename "$header")
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$name" "$name" |
        $cc -std=c17 $flags -x c -
    if [ -n "$cxx" ]; then
        printf '#include "%s"\n#include "%s"\nint main() { return 0; }\n' "$name" "$name" |
            $cxx -std=c++17 $flags -x c++ -
    fi
    count=$((count + 1))
done
echo "headers: $count compile alone in C17${cxx:+ and in C++17}"
