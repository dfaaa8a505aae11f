#!/bin/sh
# Exported functions that no test calls under bounds of memory: bounded.sh ROOT. A function of a public header that may
# allocate is covered where a making of test_every_failure or test_every_bound (test/failing.h) calls it; bounded.awk
# says how that is found. Those that are not stand in bounded.txt with a reason.
set -eu

cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

entries=$(for header in include/fureai/*.h; do
    tr '\n' ' ' <"$header" | grep -oE 'FR_API [^;(]*[ *]fr_[a-z0-9_]+\(' | grep -oE 'fr_[a-z0-9_]+\($' | tr -d '('
done | sort -u | tr '\n' ' ')
find src test -name '*.[ch]' | sort | xargs awk -v entries="$entries" -f test/house/bounded.awk | sort >"$folder/judged"

for name in fr_mesh_create_box fr_model_read fr_world_tick fr_collide_static; do
    grep -q "^$name allocates covered$" "$folder/judged" || { echo "bounded: the check misses $name"; exit 1; }
done
for name in fr_pose_apply fr_mesh_release; do
    grep -q "^$name still " "$folder/judged" || { echo "bounded: the check thinks that $name allocates"; exit 1; }
done

sed -n 's/ allocates uncovered$//p' "$folder/judged" >"$folder/uncovered"
awk '$1 ~ /^fr_/ && NF > 1 { print $1 }' test/house/bounded.txt | sort >"$folder/justified"
fresh=$(comm -23 "$folder/uncovered" "$folder/justified")
stale=$(comm -13 "$folder/uncovered" "$folder/justified")
if [ -n "$fresh" ]; then
    echo "bounded: these may allocate, and no making of test_every_failure calls them:" $fresh
    exit 1
fi
if [ -n "$stale" ]; then
    echo "bounded: covered by now, or gone: remove these from bounded.txt:" $stale
    exit 1
fi
allocating=$(grep -c ' allocates ' "$folder/judged")
echo "bounded: $allocating functions may allocate, all but $(wc -l <"$folder/justified") under bounds, each with a reason"
