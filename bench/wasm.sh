#!/bin/sh
# Compares WebAssembly under Node.js with the native baseline, each on one thread: wasm.sh BUILD BUILD_WASM [CASE...], the
# builds of presets bench (or release) and wasm, both with bench_collide. They run by turns, ROUNDS (3) times, and of each case
# the quietest run counts. The results go to bench/results/MACHINE/wasm.csv (MACHINE as of run.sh); the ratios are printed.
set -eu

build=$1
wasm=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
machine=${FUREAI_MACHINE:-$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null |
    tr 'A-Z' 'a-z' | sed 's/([^)]*)//g; s/@.*//; s/[^a-z0-9]\{1,\}/-/g; s/^-//; s/-$//')}
results=$here/results/${machine:-$(uname -m)}
mkdir -p "$results"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 0 ]; then
    set -- 'W1 960 @1.9 64 poses' 'W1 3968 @1.9 64 poses' 'W1 960 @2.5 64 poses' 'W1 3968 @2.5 64 poses' \
        'W2 100k @1.9 8 poses' 'W2 1M @1.9 4 poses' 'W3 100k deforming a frame' 'W4 1000 bodies 20 frames' \
        'W4 10000 bodies 20 frames'
fi
round=0
while [ "$round" -lt "${ROUNDS:-3}" ]; do
    "$build/bin/bench_collide" --threads 1 --baseline --csv "$scratch/native" "$@" >/dev/null
    node --no-experimental-fetch "$wasm/bin/bench_collide.js" --threads 1 --csv "$scratch/wasm" "$@" >/dev/null
    round=$((round + 1))
done
{
    sed 's/^fureai,/baseline,/' "$scratch/native"
    sed -n 's/^fureai,/wasm,/p' "$scratch/wasm"
} >"$scratch/all"
awk -v file="$scratch/all" -f "$here/results.awk" -f "$here/quieter.awk" >"$results/wasm.csv"
awk -F , '
    $1 == "baseline" { native[$2] = $5 }
    $1 == "wasm" && native[$2] > 0 { printf "%-28s native %9.3f ms  wasm %9.3f ms  %.2f times\n", $2, native[$2], $5, $5 / native[$2] }
' "$results/wasm.csv"
