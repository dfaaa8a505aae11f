#!/bin/sh
# Runs every benchmark of a build, then its rivals: run.sh BUILD [OPTIONS of every benchmark]. The results go to
# bench/results/MACHINE/TOPIC.csv (MACHINE: FUREAI_MACHINE, or made from the processor's name), and where a rival has a
# case of the same topic and name its time over ours is printed: above 1, we are faster.
set -eu

build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
machine=${FUREAI_MACHINE:-$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null |
    tr 'A-Z' 'a-z' | sed 's/([^)]*)//g; s/@.*//; s/[^a-z0-9]\{1,\}/-/g; s/^-//; s/-$//')}
results=$here/results/${machine:-$(uname -m)}
mkdir -p "$results"

for program in "$build"/bin/bench_*; do
    [ -x "$program" ] || continue
    topic=$(basename "$program" | sed 's/^bench_//')
    file=$results/$topic.csv
    rm -f "$file"
    "$program" --csv "$file" "$@"
    for rival in "$build"/bin/rival_"$topic"_*; do
        if [ -x "$rival" ]; then
            "$rival" --csv "$file" "$@"
        fi
    done
    awk -F ',' '
        FNR > 1 && $1 == "fureai" { ours[$2, $3] = $6 }
        FNR > 1 && $1 != "fureai" && (($2, $3) in ours) && ours[$2, $3] > 0 {
            printf "%-36s %7d threads: %s / fureai = %.2f (medians)\n", $2, $3, $1, $6 / ours[$2, $3]
        }' "$file"
    echo
done
echo "results: $results"
