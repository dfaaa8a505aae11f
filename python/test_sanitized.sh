#!/bin/sh
# The tests of the module with the address and undefined-behaviour sanitizers: test_sanitized.sh PYTHON BUILD SOURCE CC. The
# module is built against the sanitized libraries of BUILD, and the sanitizer is loaded before the interpreter, which leaks
# by itself: leaks are not looked for. The check itself must find an error that a small program has.
set -eu

python=$1
build=$2
source=$3
cc=$4
out=$build/python_sanitized # beside what CMake makes for the folder
rm -rf "$out"
mkdir -p "$out/fureai" "$out/prefix"
cp "$source"/fureai/* "$out/fureai" 2>/dev/null || true
ln -s "$(dirname "$source")/include" "$out/prefix/include"
ln -s "$build/lib" "$out/prefix/lib"
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1"
cp -R "$source" "$out/source"
if ! (cd "$out/source" && CC=$cc LDSHARED="$cc -shared" FUREAI_PREFIX=$out/prefix FUREAI_PYTHON_CFLAGS="$sanitize -Werror" \
    FUREAI_PYTHON_LDFLAGS="$sanitize -Wl,-rpath,$build/lib" \
    "$python" setup.py --quiet build_ext --build-lib "$out" >"$out/log" 2>&1); then
    cat "$out/log"
    exit 1
fi

asan=$($cc -print-file-name=libasan.so)
ubsan=$($cc -print-file-name=libubsan.so)
export LD_PRELOAD="$asan $ubsan" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:handle_segv=1 PYTHONMALLOC=malloc PYTHONPATH="$out"
cd "$out"
if "$python" -c 'import ctypes, fureai
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
ctypes.memset(c.malloc(8), 0, 9)' >/dev/null 2>&1 || ! nm -D fureai/_fureai.abi3.so | grep -q __asan_report; then
    echo "python: the sanitizer finds nothing"
    exit 1
fi
"$python" -m unittest discover -s "$source/tests" -p 'test_[!e]*.py' # the examples add nothing but time
