#!/bin/sh
# The path of a newcomer, from the README to a clash report of files of their own: newcomer.sh ROOT. In a fresh clone the
# commands of the README's first two sections are run as they stand there, `make run` until its page is served, and the
# first program on the two files. Ends with 77 where ROOT is no git checkout.
set -eu

root=$1
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || exit 77
scratch=$(mktemp -d)
server=
clean_up() {
    if [ -n "$server" ]; then kill -TERM "-$server" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT
git clone -q "$root" "$scratch/fureai"
cd "$scratch/fureai"

# The commands of a section: its ```sh blocks, without comments.
commands_of() {
    awk -v title="## $1" '
        /^## /      { on = $0 == title }
        /^```sh/    { block = on; next }
        /^```/      { block = 0 }
        block       { sub(/ +#.*/, ""); print }' README.md
}

# The server of `make run` is a process group of its own, so that all of it can be ended.
run_and_look() {
    setsid sh -c "$1 PORT=0" >run.log 2>&1 &
    server=$!
    waited=0
    until grep -q 'http://127.0.0.1:' run.log; do
        sleep 1
        waited=$((waited + 1))
        if [ "$waited" -gt 1500 ] || ! kill -0 "$server" 2>/dev/null; then
            tail -n 20 run.log
            return 1
        fi
    done
    address=$(grep -o 'http://127.0.0.1:[0-9]*' run.log | head -n 1)
    python3 - "$address" <<'END'
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1] + "/").read()
assert b"<canvas" in page, page[:200]
END
    kill -TERM "-$server"
    wait "$server" || true
    server=
}

count=0
commands_of "Two commands" >two
commands_of "Your own two files" >own
[ "$(grep -c . two)" -eq 2 ] || { echo "newcomer: not two commands"; cat two; exit 1; }
grep -q '^make run *$' two && run_and_look "make run"
make build >build.log 2>&1 || { tail -n 20 build.log; exit 1; }
build/bin/fureai shape sphere_960 part.stl
build/bin/fureai shape shuttle_528 other.stl
while read -r line; do
    sh -ec "$line" || { echo "newcomer: fails: $line"; exit 1; }
    count=$((count + 1))
done <own
[ "$count" -ge 3 ] || { echo "newcomer: only $count commands"; exit 1; }
grep -q '<img\|<svg' clash.html || { echo "newcomer: the report has no picture"; exit 1; }
grep -q 'protrusion' clash.html || { echo "newcomer: the report has no clash"; exit 1; }
[ -s two_spheres.png ]

# The first program of the README, on the same two files.
program_of() {
    awk '/^```c$/ { on = 1; next } on && /^```/ { exit } on' "$1"
}
program_of README.md >two_files.c
program_of README.ja.md | cmp - two_files.c || { echo "newcomer: README.ja.md has another program"; exit 1; }
cc -std=c17 -Iinclude two_files.c -o two_files -Lbuild/lib -lfureai-model -lfureai
LD_LIBRARY_PATH=build/lib ./two_files part.stl other.stl | grep -E '^[1-9][0-9]* pairs of faces collide$'
echo "newcomer: the page was served, $count commands and the first program run"
