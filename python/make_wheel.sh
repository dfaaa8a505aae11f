#!/bin/sh
# Builds the wheel: make_wheel.sh PYTHON BUILD CMAKE SOURCE. What BUILD holds is installed into BUILD/python/prefix, the
# package is built in a copy of SOURCE, and the wheel is left in BUILD/python/wheel. Nothing is fetched.
set -eu

python=$1
build=$2
cmake=$3
source=$4
out=$build/python
mkdir -p "$out"
rm -rf "$out/prefix" "$out/wheel" "$out/source"
"$cmake" --install "$build" --prefix "$out/prefix" >"$out/install.log" 2>&1 || { cat "$out/install.log"; exit 1; }
cp -R "$source" "$out/source"
if ! (cd "$out/source" && FUREAI_PREFIX=$out/prefix "$python" -m build --wheel --no-isolation --outdir "$out/wheel" . >"$out/wheel.log" 2>&1); then
    cat "$out/wheel.log"
    exit 1
fi
echo "python: $(ls "$out"/wheel/*.whl)"
