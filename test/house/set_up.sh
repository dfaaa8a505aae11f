#!/bin/sh
# The set-up: set_up.sh ROOT. On made-up machines: without rights it prints the one line to run and fails; elsewhere than
# on Debian it goes on. On this machine: with nothing missing it takes less than 2 seconds (skipped otherwise).
set -eu

root=$1
install=$root/setup/install.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A machine that has these commands alone.
for command in awk dirname sh; do
    ln -s "$(command -v $command)" "$scratch/$command"
done
printf '#!/bin/sh\necho 1000\n' >"$scratch/id"

PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out"
grep -q 'libcmocka-dev' "$scratch/out"
echo "set-up: a machine that is not Debian goes on"

# Debian with one package there, no root, no sudo.
printf '#!/bin/sh\necho "gcc installed"\n' >"$scratch/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$scratch/apt-get"
chmod +x "$scratch/id" "$scratch/dpkg-query" "$scratch/apt-get"
if PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out" 2>&1; then
    echo "set-up: passes with required packages missing"
    exit 1
fi
lines=$(grep -c 'apt-get install' "$scratch/out")
grep 'apt-get install' "$scratch/out" | grep -q ' libcmocka-dev '
if [ "$lines" -ne 1 ] || grep 'apt-get install' "$scratch/out" | grep -q ' gcc '; then
    cat "$scratch/out"
    exit 1
fi
echo "set-up: without rights it prints the one line to run"

# Whoever only wants to run it needs neither the second compiler nor the libraries of the tests.
if PATH=$scratch "$scratch/sh" "$install" run 2>&1 | grep 'apt-get install' | grep -qE ' (clang|libgmp-dev|libcmocka-dev|libcairo2-dev|libgl1-mesa-dri) '; then
    echo "set-up: running asks for what tests need"
    exit 1
fi
if PATH=$scratch "$scratch/sh" "$install" basement >"$scratch/out" 2>&1 || ! grep -q "no group 'basement'" "$scratch/out"; then
    echo "set-up: a group that is not there is accepted"
    exit 1
fi

# The runtime of clang bears the number of the clang that the lists of packages have.
printf '#!/bin/sh\nprintf "clang\\n  Depends: clang-19\\n"\n' >"$scratch/apt-cache"
chmod +x "$scratch/apt-cache"
PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out" 2>&1 || true
grep 'apt-get install' "$scratch/out" | grep -q ' libclang-rt-19-dev '
echo "set-up: it asks for the runtime of the clang that is there"

if ! sh "$install" --check run build test >/dev/null 2>&1; then
    echo "skipped: packages of setup/packages.txt are missing here, or this is no Debian machine"
    exit 77
fi
start=$(date +%s%N)
sh "$install" run build test
ms=$((($(date +%s%N) - start) / 1000000))
echo "set-up: $ms ms with nothing missing"
[ "$ms" -lt 2000 ]
