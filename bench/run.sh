#!/bin/sh
# Runs every benchmark of a build, then its rivals: run.sh BUILD [OPTIONS of every benchmark]. The results go to
# bench/results/MACHINE/TOPIC.csv (MACHINE: FUREAI_MACHINE, or made from the processor's name), and where a rival has a
# case of the same topic and name its time over ours is printed: above 1, we are faster. A rival that knows that its
# count of pairs is not the true one says so by a counter "true pairs"; then the line tells both.
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
        # What a line of counters tells of a rival that finds more or fewer pairs than there are.
        function other_count(counters, fields, count, i, found, expected) {
            count = split(counters, fields, /[;=]/)
            for (i = 1; i < count; i += 2) {
                if (fields[i] == "true pairs") {
                    expected = fields[i + 1]
                } else if (fields[i] ~ /^pairs/) {
                    found = fields[i + 1]
                }
            }
            return expected != "" && found != expected ? "; it finds " found " pairs of " expected : ""
        }
        # How often a sample does what is measured, where a line of counters tells it.
        function updates(counters) {
            return match(counters, /updates=[0-9.]+/) ? substr(counters, RSTART + 8, RLENGTH - 8) : 1
        }
        FNR > 1 && $1 == "fureai" { ours[$2, $3] = $6 / updates($7) }
        FNR > 1 && $1 != "fureai" && (($2, $3) in ours) && ours[$2, $3] > 0 {
            printf "%-36s %7d threads: %s / fureai = %.2f (medians)%s\n", $2, $3, $1, $6 / updates($7) / ours[$2, $3],
                other_count($7)
        }' "$file"
    echo
done
echo "results: $results"
