#!/bin/sh
# A machine with what running needs and no more can configure the build: configure.sh ROOT CMAKE CC. What is found here is hidden:
# the test library, rational arithmetic, OpenGL, and by pkg-config cairo.
set -eu

root=$1
cmake=$2
cc=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
if ! PKG_CONFIG_LIBDIR=$scratch "$cmake" -S "$root" -B "$scratch/build" -G Ninja -DCMAKE_C_COMPILER="$cc" \
    -DCMOCKA_INCLUDE_DIR= -DCMOCKA_LIBRARY= -DGMP_INCLUDE_DIR= -DGMP_LIBRARY= -DEPOXY_INCLUDE_DIR= -DEPOXY_LIBRARY= >"$log" 2>&1; then
    grep -A6 'CMake Error' "$log" | head -40
    exit 1
fi
for missing in 'cmocka not found' 'GMP not found' 'libepoxy not found' 'cairo not found'; do
    grep -q "left out.*$missing" "$log" || { echo "configure: '$missing' is not said"; exit 1; }
done
echo "configure: $(grep -c 'left out' "$log") parts are left out, and said to be"
