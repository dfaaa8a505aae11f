#!/bin/sh
# Runs every benchmark of a build and its rivals: run.sh BUILD [OPTIONS of every benchmark]. A topic's programs run by
# turns, ROUNDS (2) times, and of each case the quieter round counts: a machine that is slow for a while is slow for all.
# The results go to bench/results/MACHINE/TOPIC.csv (MACHINE: FUREAI_MACHINE, or made from the processor's name); how the
# rivals compare is printed, and at last the tables of docs/performance.md are written again from these files. Of the topic
# python the cases run from Python too, where FUREAI_PYTHON, or python3, has the module.
set -eu

build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
machine=${FUREAI_MACHINE:-$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null |
    tr 'A-Z' 'a-z' | sed 's/([^)]*)//g; s/@.*//; s/[^a-z0-9]\{1,\}/-/g; s/^-//; s/-$//')}
results=$here/results/${machine:-$(uname -m)}
mkdir -p "$results"
all=$(mktemp)
trap 'rm -f "$all"' EXIT

for program in "$build"/bin/bench_*; do
    [ -x "$program" ] || continue
    topic=$(basename "$program" | sed 's/^bench_//')
    : >"$all"
    round=0
    while [ "$round" -lt "${ROUNDS:-2}" ]; do
        for one in "$program" "$build"/bin/rival_"$topic"_*; do
            if [ -x "$one" ]; then
                "$one" --csv "$all" "$@"
            fi
        done
        if [ "$topic" = python ] && "${FUREAI_PYTHON:-python3}" -c 'import fureai' 2>/dev/null; then
            "${FUREAI_PYTHON:-python3}" "$here/bench_python.py" --csv "$all"
        fi
        round=$((round + 1))
    done
    awk -v file="$all" -f "$here/results.awk" -f "$here/quieter.awk" >"$results/$topic.csv"
    awk -v file="$results/$topic.csv" -f "$here/results.awk" -f "$here/ratios.awk"
    echo
done
for page in "$here/../README.md" "$here/../docs/performance.md"; do
    sh "$here/page.sh" "$page" "$here/results"
done
echo "results: $results"
