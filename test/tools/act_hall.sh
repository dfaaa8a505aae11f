#!/bin/sh
# The hall of people that an example writes is a scene whose script is carried out to its end: act_hall.sh FUREAI HALL.PY.
set -u
command -v python3 >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! python3 "$2" 12 "$folder/hall" || ! "$1" act "$folder/hall/script.json" --check >"$folder/out" 2>&1; then
    tail -n 30 "$folder/out"
    exit 1
fi
for count in 0 4001 many; do
    if python3 "$2" "$count" "$folder/none" 2>/dev/null || test -e "$folder/none"; then
        echo "hall.py takes $count people"
        exit 1
    fi
done
