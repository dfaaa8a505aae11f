#!/bin/sh
# Fuzzes every target of a build for some seconds each: run.sh BUILD SECONDS. Starts from fuzz/corpus/NOUN/ and from
# what earlier runs found in BUILD/corpus/NOUN/, where new inputs go. An input that fails is left in the folder BUILD.
set -eu

build=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
failed=0
for program in "$build"/fuzz/fuzz_*; do
    [ -x "$program" ] || continue
    noun=$(basename "$program" | sed 's/^fuzz_//')
    mkdir -p "$build/corpus/$noun"
    echo "== $noun, $seconds s"
    if ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$noun-" "$build/corpus/$noun" "$here/corpus/$noun" >"$build/$noun.log" 2>&1; then
        tail -n 40 "$build/$noun.log"
        failed=1
    fi
    grep -E '^stat::(number_of_executed_units|average_exec_per_sec)' "$build/$noun.log" || true
done
exit $failed
