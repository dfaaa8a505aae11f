#!/bin/sh
# Builds that lack a library: without.sh ROOT CMAKE CC. Without hiredis, libqrencode and SQLite the tool still serves;
# without OpenSSL it has no server; without sockets the server has sessions alone. Each is configured, says what it leaves
# out, is built without a warning, and refuses what it lacks with a sentence.
set -eu

root=$1
cmake=$2
cc=$3
scratch=$(mktemp -d)
server=
clean_up() {
    if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT
cd "$scratch"
count=0
cat >room.json <<'END'
{ "fureai": 1, "step": 0.02, "steps": 100, "objects": [ { "name": "cup", "shape": "sphere_168", "position": [0, 1.5, 0] } ] }
END

# build NAME TARGETS OPTIONS...: configures and builds in the folder NAME.
build() {
    name=$1
    targets=$2
    shift 2
    "$cmake" -S "$root" -B "$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$cc" -DFUREAI_WERROR=ON \
        -DFUREAI_EXAMPLES=OFF -DFUREAI_BENCH=OFF -DFUREAI_VIEWER=OFF -DFUREAI_PYTHON=OFF -DFUREAI_HOUSE_TESTS=OFF "$@" \
        >configure.log 2>&1 || { tail -n 20 configure.log; exit 1; }
    # shellcheck disable=SC2086
    "$cmake" --build "$name" --parallel "${JOBS:-2}" --target $targets >build.log 2>&1 || { tail -n 20 build.log; exit 1; }
    tool=$name/bin/fureai
}

# leaves_out TEXT...: the summary of the last build names each.
leaves_out() {
    for text in "$@"; do
        grep -q "left out: $text" configure.log || { echo "without: '$text' is not said to be left out"; exit 1; }
        count=$((count + 1))
    done
}

# refuses STATUS SENTENCE ARGUMENTS...: what the tool does then.
refuses() {
    status=$1
    sentence=$2
    shift 2
    is=0
    timeout 60 "$tool" "$@" >out.txt 2>&1 || is=$?
    if [ "$is" -ne "$status" ] || ! grep -q "$sentence" out.txt; then
        echo "without: '$tool $*' ends with $is, not $status, or does not say '$sentence':"
        cat out.txt
        exit 1
    fi
    count=$((count + 1))
}

# serves OPTIONS...: begins at a free port, and ends well.
serves() {
    rm -f address.txt
    "$tool" serve room.json --port 0 "$@" >address.txt 2>serve.log &
    server=$!
    waited=0
    until grep -qs 'http://127.0.0.1:' address.txt; do
        sleep 0.1
        waited=$((waited + 1))
        if [ "$waited" -gt 600 ]; then cat serve.log; exit 1; fi
    done
    kill -TERM "$server"
    wait "$server" || { cat serve.log; exit 1; }
    server=
    count=$((count + 1))
}

build libraries fureai_tool -DFUREAI_TESTS=OFF -DHIREDIS_INCLUDE_DIR= -DHIREDIS_LIBRARY= -DQRENCODE_INCLUDE_DIR= \
    -DQRENCODE_LIBRARY= -DSQLITE_INCLUDE_DIR= -DSQLITE_LIBRARY=
leaves_out 'edge servers: libhiredis not found' 'QR codes .*: libqrencode not found' '.*journal of the server: libsqlite3 not found'
serves
serves --store room.store
grep -q '"scene": *"room"' room.store || { echo "without: the store is none"; exit 1; }
refuses 3 'this build has no Redis' serve --edge unix:none --port 0
refuses 3 'this build has no Redis' serve room.json --broadcast unix:none --port 0
refuses 3 'this build has no journals' journal room.store

build tls fureai_tool -DFUREAI_TESTS=OFF -DOPENSSL_SSL_LIBRARY= -DOPENSSL_CRYPTO_LIBRARY=
leaves_out 'the server: OpenSSL not found' 'commands journal and serve of the tool'
refuses 2 "unknown command 'serve'" serve room.json
refuses 1 'this build has no sockets: act cannot connect' act "$root/examples/maintenance.json" --connect ws://127.0.0.1:1

build sockets fureai_tool -DFUREAI_SOCKETS=OFF
leaves_out 'sockets of the server: FUREAI_SOCKETS is off'
refuses 3 'this build has no sockets' serve room.json --port 0
refuses 1 'this build has no sockets: act cannot connect' act "$root/examples/maintenance.json" --connect ws://127.0.0.1:1
if grep -q 'cmocka not found' configure.log; then
    echo "without: sessions are not tried: cmocka not found"
else
    "$cmake" --build sockets --parallel "${JOBS:-2}" --target test_server_session >build.log 2>&1 ||
        { tail -n 20 build.log; exit 1; }
    sockets/test/server/test_session >session.log 2>&1 || { cat session.log; exit 1; }
    count=$((count + 1))
fi

# The check can fail: a sentence that is not there is missed.
if (refuses 3 'this sentence is nowhere' serve room.json --port 0) >/dev/null; then
    echo "without: the check accepts a wrong sentence"
    exit 1
fi
echo "without: three builds that lack libraries were made, $count looks at them"
