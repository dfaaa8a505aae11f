#!/bin/sh
# The fuzzing targets: fuzz.sh ROOT. Every fuzz/fuzz_NOUN.c is in the list of CMake and has a corpus and a dictionary whose
# lines libFuzzer reads; no file of a corpus is large, nor all of them together.
set -eu

root=$1
file_bytes=16384
all_bytes=12000000

check() {
    failed=0
    for source in fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        noun=${name#fuzz_}
        grep -qE "fr_fuzz\($name[ )]" fuzz/CMakeLists.txt || { echo "fuzz: $name is not in fuzz/CMakeLists.txt"; failed=1; }
        [ -n "$(ls "fuzz/corpus/$noun" 2>/dev/null)" ] || { echo "fuzz: $noun has no corpus"; failed=1; }
        if ! grep -q '^"' "fuzz/dictionary/$noun.dict" 2>/dev/null; then
            echo "fuzz: $noun has no dictionary"
            failed=1
        elif grep -vnE '^(#.*|"([^"\\]|\\x[0-9a-f]{2})+")$' "fuzz/dictionary/$noun.dict"; then
            echo "fuzz: fuzz/dictionary/$noun.dict has a line that libFuzzer does not read"
            failed=1
        fi
    done
    find fuzz/corpus -type f -printf '%s %p\n' | awk -v most="$file_bytes" -v all="$all_bytes" '
        $1 > most { print "fuzz: " $2 " has " $1 " bytes"; failed = 1 }
        { sum += $1; count++ }
        END {
            if (sum > all) { print "fuzz: the corpora have " sum " bytes"; failed = 1 }
            printf "fuzz: %d inputs, %d bytes\n", count, sum
            exit failed
        }' || failed=1
    return $failed
}

# The check itself must refuse a target that is not listed, one without a dictionary, and a large file.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
refuse() {
    if (cd "$scratch" && check >/dev/null); then
        echo "fuzz: the check accepts $1"
        exit 1
    fi
}
mkdir -p "$scratch/fuzz/corpus/a" "$scratch/fuzz/dictionary"
echo 'fr_fuzz(fuzz_a)' >"$scratch/fuzz/CMakeLists.txt"
echo '"\x0a"' >"$scratch/fuzz/dictionary/a.dict"
echo 'x' >"$scratch/fuzz/corpus/a/x"
: >"$scratch/fuzz/fuzz_a.c"
(cd "$scratch" && check >/dev/null)
echo '"\n"' >"$scratch/fuzz/dictionary/a.dict"
refuse "a line of a dictionary that is wrong"
rm "$scratch/fuzz/dictionary/a.dict"
refuse "a target without a dictionary"
echo '"a"' >"$scratch/fuzz/dictionary/a.dict"
: >"$scratch/fuzz/fuzz_b.c"
refuse "a target that is not listed"
rm "$scratch/fuzz/fuzz_b.c"
awk 'BEGIN { for (i = 0; i < 16385; i++) printf "x" }' >"$scratch/fuzz/corpus/a/x"
refuse "a large file"

cd "$root"
check
