#!/bin/sh
# Code in the documents: documents.sh ROOT BUILD CC. Every ```c block with a main in README.md and docs/ is compiled
# against the library and run, every ```sh run and ```python run block is run with the tool on the path; a ```text block that directly
# follows is what it must print. Every command and option that docs/serving.md names is in such a block. Files of the
# checkout that pages and help name on a line of the tool must be there.
set -eu

root=$1
build=$2
cc=$3
house=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PATH=$build/bin:$PATH
LD_LIBRARY_PATH=$build/lib
export PATH LD_LIBRARY_PATH

libraries="-lfureai"
for library in devices gl model world; do
    if [ -e "$build/lib/libfureai-$library.so" ]; then
        libraries="-lfureai-$library $libraries"
    fi
done

# Whether home and edges can be tried. A build without hiredis has a sentence for it.
has_redis() {
    command -v redis-server >/dev/null 2>&1 && ! grep -q 'this build has no Redis' "$build/lib/libfureai-world.so"
}

# The first program that a block uses and this machine does not have; nothing where all are here.
lacks() {
    if grep -q redis-server "$1" && ! has_redis; then
        echo "redis-server or hiredis"
        return
    fi
    for program in openssl sqlite3; do
        if grep -qE "(^|[(| ])$program " "$1" && ! command -v "$program" >/dev/null 2>&1; then
            echo "$program"
            return
        fi
    done
}

# Runs every block of one document.
try() {
    document=$1
    folder=$2
    mkdir -p "$folder"
    awk -v out="$folder" -f "$house/documents.awk" "$document"
    # In the page's order: a later block may use the files of an earlier one.
    for source in $(cd "$folder" && ls | grep -E '\.(c|sh|py)$' | sort -n); do
        source=$folder/$source
        block=${source%.*}
        case $source in
        *.c)
            $cc -std=c17 -Wall -Wextra -Werror -I"$root/include" "$source" -o "$block.program" -L"$build/lib" \
                $libraries -lm || return 1
            run="$block.program"
            ;;
        *.py)
            if ! command -v python3 >/dev/null 2>&1; then
                echo "documents: Python in $(basename "$document") is left out: python3 is not installed"
                continue
            fi
            run="python3 $source"
            ;;
        *)
            missing=$(lacks "$source")
            if [ -n "$missing" ]; then
                echo "documents: block $(basename "$block") of $(basename "$document") is left out: $missing is not installed"
                continue
            fi
            run="sh -e $source"
            ;;
        esac
        if ! (cd "$folder" && $run >"$block.printed"); then
            echo "documents: block $(basename "$block") of $document failed"
            return 1
        fi
        if [ -e "$block.expected" ] && ! diff -u "$block.expected" "$block.printed"; then
            echo "documents: block $(basename "$block") of $document prints something else"
            return 1
        fi
        count=$((count + 1))
    done
}

# The check itself must refuse code that prints something else, that fails, and that does not compile.
count=0
printf '```c\n#include <stdio.h>\nint main(void) { puts("a"); }\n```\n\n```text\nb\n```\n' >"$scratch/prints.md"
printf '```sh run\nfalse\n```\n' >"$scratch/fails.md"
printf '```c\nint main(void) { return x; }\n```\n' >"$scratch/wrong.md"
for wrong in prints fails wrong; do
    if (try "$scratch/$wrong.md" "$scratch/$wrong") >/dev/null 2>&1; then
        echo "documents: the check accepts a wrong block ($wrong)"
        exit 1
    fi
done

number=0
for document in "$root"/README.md "$root"/docs/*.md; do
    number=$((number + 1))
    case $(basename "$document") in
    gl.md)
        if [ ! -e "$build/lib/libfureai-gl.so" ]; then
            echo "documents: gl.md is left out: this build has no libfureai-gl"
            continue
        fi
        ;;
    protocol.md | scene.md)
        if [ ! -e "$build/lib/libfureai-world.so" ]; then
            echo "documents: $(basename "$document") is left out: this build has no libfureai-world"
            continue
        fi
        ;;
    esac
    try "$document" "$scratch/document-$number"
done
echo "documents: $count blocks of $number documents compiled, run and compared"

# A page for those who run servers: all of its commands are run.
all_run() {
    not_run=$(awk -f "$house/all_run.awk" "$1")
    if [ -n "$not_run" ]; then
        echo "$not_run"
        return 1
    fi
}
printf 'With `--here`.\n\n```sh run\nfureai serve --there\n```\n' >"$scratch/option.md"
printf '```sh\nfureai serve\n```\n' >"$scratch/block.md"
printf 'Say `fureai serve room.json`.\n' >"$scratch/text.md"
for wrong in option block text; do
    if (all_run "$scratch/$wrong.md") >/dev/null; then
        echo "documents: the check accepts a command that is not run ($wrong)"
        exit 1
    fi
done
all_run "$root/docs/serving.md"

# What a person may paste.
named_files() {
    grep -h '^ *\(\$ \)\?\(build/bin/\)\?fureai ' "$@" | grep -o '\(demos\|test\)/[a-zA-Z0-9_./]*[a-z]' | sort -u
}
all_there() {
    for named in $(named_files "$@"); do
        if [ ! -e "$root/$named" ]; then
            echo "documents: $named is named, but not there"
            return 1
        fi
        count=$((count + 1))
    done
}
count=0
printf 'fureai collide demos/nowhere.json\n' >"$scratch/nowhere.md"
if (all_there "$scratch/nowhere.md") >/dev/null; then
    echo "documents: the check accepts a file that is not there"
    exit 1
fi
if [ -x "$build/bin/fureai" ]; then
    commands=$("$build/bin/fureai" help | awk '/^Commands:/ { on = 1 } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
    for command in $commands; do
        "$build/bin/fureai" help "$command"
    done >"$scratch/help"
    all_there "$scratch/help"
fi
all_there "$root"/README.md "$root"/docs/*.md
echo "documents: $count files of the checkout that are named are there"
