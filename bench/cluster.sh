#!/bin/sh
# How much faster fureai-mpi is by more ranks: cluster.sh BUILD [RANKS...], by 1 and 2 ranks unless given. A sweep of two
# balls, a clash of five and distributed faces of 200, 10^6 triangles each, CLUSTER_TRIES (3) times; the run with the
# least time counts, since other programs disturb. CLUSTER_STACKS (500) stacks of twice as many slices make a ball of the
# sweep. Prints a table: seconds from the start of the ranks to their end, reading included; what the model expects;
# seconds of shared work on the rank that had most; processor time of the busiest rank, which a busy machine disturbs
# less; how even the shared work was (the mean over the most); and the efficiency: the time of one rank over that of N,
# times N.
set -eu

bin=$1/bin
shift
ranks=${*:-1 2}
tries=${CLUSTER_TRIES:-3}
stacks=${CLUSTER_STACKS:-500}
bin=$(cd "$bin" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none

cat >sweep.json <<END
{ "fureai": 1, "step": 0.1, "steps": 4, "objects": [
  { "name": "a", "shape": "sphere:${stacks}x$((stacks * 2))", "velocity": [0.2, 0, 0], "angular_velocity_deg": [0, 5, 0] },
  { "name": "b", "shape": "sphere:${stacks}x$((stacks * 2))", "position": [1.2, 0.3, 0.1], "angular_velocity_deg": [9, 0, 0] } ] }
END
edge=$((stacks * 16 / 25)) # five balls of as many triangles as the two
"$bin/fureai" --quiet shape "sphere:${edge}x$((edge * 2))" ball.obj >/dev/null
for i in 1 2 3 4 5; do
    awk -v x="$i" '$1 == "v" { printf "v %.9g %s %s\n", $2 + 1.3 * x, $3, $4; next } { print }' ball.obj >"$i.obj"
done

# 200 turning balls in a block: the distributed faces.
stacks_of_block=$((stacks * 7 / 100))
awk -v n="$stacks_of_block" 'BEGIN {
    printf "{ \"fureai\": 1, \"step\": 0.01, \"steps\": 40, \"objects\": ["
    for (i = 0; i < 200; i++) {
        printf "%s{ \"name\": \"o%d\", \"shape\": \"sphere:%dx%d\", \"position\": [%g, %g, %g],", i ? "," : "", i, n, 2 * n,
            1.9 * (i % 5), 1.91 * (int(i / 5) % 5), 1.92 * int(i / 25)
        printf " \"velocity\": [%g, %g, 0], \"angular_velocity_deg\": [%g, %g, 2] }", (i * 7 % 21 - 10) / 100,
            (i * 5 % 21 - 10) / 100, i * 3 % 11 - 5, i * 9 % 11 - 5
    }
    print "] }"
}' >block.json

echo "$(uptime | sed 's/.*load/load/')"
printf '%-6s  %5s  %9s  %9s  %9s  %11s  %6s  %s\n' job ranks total_s model_s shared_s processor_s even efficiency
for job in sweep clash faces; do
    one=
    for n in $ranks; do
        best=
        for _ in $(seq "$tries"); do
            case $job in
            sweep) set -- sweep sweep.json ;;
            clash) set -- clash 1.obj 2.obj 3.obj 4.obj 5.obj ;;
            faces) set -- faces block.json --steps 40 ;;
            esac
            mpirun -n "$n" "$bin/fureai-mpi" --cost "$@" >/dev/null 2>cost || { cat cost; exit 1; }
            line=$(awk '/shared work .* in all/ { for (i = 1; i < NF; i++) {
                        if ($i == "processor") processor = $(i + 1)
                        if ($i == "work") sum = $(i + 1)
                        if ($i == "rank") most = $(i + 1) } }
                / took / { for (i = 1; i < NF; i++) {
                        if ($i == "took") total = $(i + 1)
                        if ($i == "modelled") model = $(i + 1) } }
                END { printf "%.4f %.4f %.4f %.4f %.4f", total / 1000, model / 1000, most / 1000, sum / 1000,
                      processor / 1000 }' cost)
            best=$(printf '%s\n%s\n' "${best:-$line}" "$line" | sort -g | head -n 1)
        done
        # shellcheck disable=SC2086
        set -- $best
        one=${one:-$(awk "BEGIN { print $1 * $n }")} # of the first number of ranks, which is 1 as a rule
        awk "BEGIN { printf \"%-6s  %5d  %9.3f  %9.3f  %9.3f  %11.3f  %6.2f  %.2f\n\", \"$job\", $n, $1, $2, $3, $5,
            ($3 > 0) ? $4 / ($n * ($3 + 1e-9)) : 1, $one / ($n * $1) }"
    done
done
