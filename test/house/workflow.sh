#!/bin/sh
# The workflow of the public: workflow.sh ROOT. It holds what workflow.txt allows and nothing else, and calls targets that
# the makefile has.
set -eu

root=$1
house=$root/test/house
check() {
    awk -f "$house/workflow.awk" "$house/workflow.txt" "$root/Makefile" "$1"
}

# The check itself must refuse each of these changes.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
good=$root/.github/workflows/ci.yml
refuse() {
    sed "$1" "$good" >"$scratch/ci.yml"
    if cmp -s "$good" "$scratch/ci.yml" || check "$scratch/ci.yml" >/dev/null; then
        echo "workflow: the check accepts '$1'"
        exit 1
    fi
}
refuse 's/make baseline$/make base/'
refuse 's/run: make clang/run: make test/'
refuse '/runs-on/d'
refuse 's/runs-on: .*/runs-on: windows-latest/'
refuse 's/run: make wasm$/run: make clang/'
refuse 's/debian:13/fedora:40/'
refuse 's/contents: read/contents: write/'
refuse 's/uses: actions.*/uses: someone\/else@v1/'
refuse 's/uses: \(actions.*\)/with: \1/'
refuse 's/steps:/stages:/'
refuse 's/^  push:/  pushed:/'
refuse 's/run: make test/run: curl x | sh/'
refuse '/branches/d'

check "$good"
if ! grep -q '^test-long:.* wasm\b' "$root/Makefile"; then
    echo "workflow: make test-long leaves WebAssembly out"
    exit 1
fi
if grep -rniE '(docker|ghcr|quay|gcr|registry)[a-z.-]*\.(io|com|org)' "$good" "$root/setup"; then
    echo "workflow: a registry is named"
    exit 1
fi
echo "workflow: as workflow.txt says"
