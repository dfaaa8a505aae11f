#!/bin/sh
# Fuzzes every target of a build for some seconds each: run.sh BUILD SECONDS [NOUN ...]. Starts from fuzz/corpus/NOUN/,
# from the seeds that make_seeds writes to BUILD/seed/NOUN/ and from what earlier runs found in BUILD/corpus/NOUN/,
# where new inputs go; words are those of fuzz/dictionary/NOUN.dict. An input that fails is left in the folder BUILD.
set -eu

build=$1
seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
failed=0
if [ -x "$build/fuzz/make_seeds" ]; then
    "$build/fuzz/make_seeds" "$here" "$build/seed"
fi
[ $# -gt 0 ] || set -- $(for program in "$build"/fuzz/fuzz_*; do basename "$program" | sed 's/^fuzz_//'; done)
for noun in "$@"; do
    mkdir -p "$build/corpus/$noun" "$build/seed/$noun"
    echo "== $noun, $seconds s"
    if ! "$build/fuzz/fuzz_$noun" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -print_funcs=0 -dict="$here/dictionary/$noun.dict" -artifact_prefix="$build/$noun-" \
        "$build/corpus/$noun" "$build/seed/$noun" "$here/corpus/$noun" >"$build/$noun.log" 2>&1; then
        tail -n 40 "$build/$noun.log"
        failed=1
    fi
    grep -E '^stat::(number_of_executed_units|average_exec_per_sec)' "$build/$noun.log" || true
done
exit $failed
