#!/bin/sh
# Builds the wheel for aarch64 on another machine, and tries it under qemu: make_wheel_aarch64.sh PYTHON BUILD CMAKE SOURCE [TESTS].
# BUILD is that of the preset aarch64-wheel, with Debian's libraries and its Python in BUILD/sysroot. The package is compiled as for
# this machine, with the compiler and the configuration of the other; then the wheel is unpacked, and its module imported and
# tested by the Python of aarch64.
set -eu

python=$1
build=$2
cmake=$3
source=$4
root=$build/sysroot/root
data=$(cd "$root/usr/lib/python3.11" && ls -d _sysconfigdata__aarch64-linux-gnu.py)

export CC="aarch64-linux-gnu-gcc --sysroot=$root"
export LDSHARED="$CC -shared"
export CFLAGS="-I$root/usr/include/python3.11"
export _PYTHON_HOST_PLATFORM=linux-aarch64
export _PYTHON_SYSCONFIGDATA_NAME="${data%.py}"
export PYTHONPATH="$build/sysroot/python"
mkdir -p "$PYTHONPATH"
cp "$root/usr/lib/python3.11/$data" "$PYTHONPATH/"
sh "$source/make_wheel.sh" "$python" "$build" "$cmake" "$source"
unset CC LDSHARED CFLAGS _PYTHON_HOST_PLATFORM _PYTHON_SYSCONFIGDATA_NAME PYTHONPATH

wheel=$(ls "$build"/python/wheel/*-abi3-linux_aarch64.whl)
rm -rf "$build/python/tried"
mkdir -p "$build/python/tried"
(cd "$build/python/tried" && "$python" -m zipfile -e "$wheel" .)
for file in $(find "$build/python/tried" -name '*.so' -o -name '*.so.*' -o -path '*/bin/fureai'); do
    if ! aarch64-linux-gnu-readelf -h "$file" | grep -q 'Machine: *AArch64'; then
        echo "python: $file is not for aarch64"
        exit 1
    fi
done
# The Python of the other machine begins no program, which this one could not run.
run() {
    PYTHONHOME="$root/usr" PYTHONPATH="$build/python/tried" PYTHONDONTWRITEBYTECODE=1 \
        qemu-aarch64 -L "$root" "$root/usr/bin/python3.11" "$@"
}
run -c "import fureai, platform; assert platform.machine() == 'aarch64'; print('python: fureai', fureai.__version__, 'imported on', platform.machine())"
cd "$source/tests"
for name in ${5:-collide mesh model octree pose query radar sector space}; do
    if ! run -m unittest "test_$name" >"$build/python/tried.log" 2>&1; then
        cat "$build/python/tried.log"
        exit 1
    fi
    echo "python: test_$name, $(grep '^Ran ' "$build/python/tried.log")"
done
