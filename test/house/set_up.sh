#!/bin/sh
# The set-up is quick when nothing is missing: set_up.sh ROOT. Skipped where something is missing.
set -eu

root=$1
if ! sh "$root/setup/install.sh" --check base >/dev/null 2>&1; then
    echo "skipped: packages of setup/packages.txt are missing, or this is no Debian machine"
    exit 77
fi
start=$(date +%s%N)
sh "$root/setup/install.sh" base
ms=$((($(date +%s%N) - start) / 1000000))
echo "set-up: $ms ms with nothing missing"
[ "$ms" -lt 2000 ]
