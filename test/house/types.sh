#!/bin/sh
# Names of types: types.sh ROOT. A type of src/ or include/ has one meaning: its name is defined in one place. What is
# exempt is in types_twice.txt, each with its reason.
set -eu
house=$(cd "$(dirname "$0")" && pwd)

# The names that are defined in more than one place below a folder, with the places.
twice_below() {
    find "$1/src" "$1/include" -name '*.[ch]' 2>/dev/null | sort | xargs awk -v root="$1/" -v exempt="$house/types_twice.txt" '
        BEGIN {
            while ((getline line < exempt) > 0)
                if (line !~ /^#/ && split(line, words, " ") > 1) is_exempt[words[1]] = 1
        }
        /^typedef (struct|enum|union) [a-z_0-9]+ \{/ { note($3) }
        /^(struct|enum|union) [a-z_0-9]+ \{/ { note($2) }
        function note(name) {
            place = substr(FILENAME, length(root) + 1) ":" FNR
            places[name] = (name in places) ? places[name] " " place : place
            count[name]++
        }
        END { for (name in count) if (count[name] > 1 && !(name in is_exempt)) print name ": " places[name] }' | sort
}

# The check itself must refuse a name that two files define.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base" "$scratch/src/math"
printf 'typedef struct search {\n    int a;\n} search;\n' >"$scratch/src/base/a.c"
cp "$scratch/src/base/a.c" "$scratch/src/math/b.c"
if [ -z "$(twice_below "$scratch")" ]; then
    echo "types: the check accepts a name with two meanings"
    exit 1
fi

twice=$(twice_below "$1")
if [ -n "$twice" ]; then
    echo "$twice"
    echo "types: a name has one meaning"
    exit 1
fi
echo "types: every name of a type is defined in one place"
