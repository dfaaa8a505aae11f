#!/bin/sh
# The goals of the server under load, on a machine that does nothing else: load.sh BUILD [CASE...]. Servers, watchers and
# those who disturb share the processors LOAD_CPUS (0,1); memory is watched for LOAD_SECONDS (600), the rest has LOAD_REPEATS
# (9) samples, and each kind of disturbance by itself 5. Without cases all are measured: watch, edges, write, disturb,
# kinds, memory. The results go to LOAD_CSV (a file that is made), and each goal is printed with what was measured; the
# status is 1 where one is missed. The journal is written in the current folder.
set -eu

build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
csv=${LOAD_CSV:-load.csv}
cases=${*:-watch edges write disturb kinds memory}
rm -f "$csv"

# Where these can be asked for: two processors, and the priority of real time, so that other programs take nothing.
pin=
if command -v taskset >/dev/null 2>&1 && taskset -c "${LOAD_CPUS:-0,1}" true 2>/dev/null; then
    pin="taskset -c ${LOAD_CPUS:-0,1}"
fi
if command -v chrt >/dev/null 2>&1 && $pin chrt --rr 1 true 2>/dev/null; then
    pin="$pin chrt --rr 1"
fi
echo "load: ${pin:-as any program}; $(uptime | sed 's/.*load/load/')"

for case in $cases; do
    repeats=${LOAD_REPEATS:-9}
    case $case in
    watch) set -- bench_audience watch/200 ;;
    edges) set -- bench_audience edges/2/400 ;;
    write) set -- bench_serve write/2000 ;;
    disturb) set -- bench_serve disturb/200 ;;
    kinds)
        set -- bench_serve disturb/slow disturb/garbage disturb/passing disturb/idle
        repeats=${LOAD_REPEATS:-5}
        ;;
    memory)
        set -- bench_serve memory/200
        repeats=${LOAD_SECONDS:-600}
        ;;
    *)
        echo "load: there is no case '$case'"
        exit 2
        ;;
    esac
    program=$1
    shift
    # The smoke run shows that all can be measured; its figures are none.
    $pin "$build/bin/$program" "$@" ${LOAD_SMOKE:+--smoke} --repeats "$repeats" --csv "$csv"
done
awk -f "$here/results.awk" -f "$here/load.awk" "$csv"
