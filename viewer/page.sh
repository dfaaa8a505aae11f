#!/bin/sh
# Builds the page without a server: page.sh CHECKOUT WORK OUT MODULE, after build.sh has made WORK. MODULE is the folder of
# fureai_server.mjs. The old page stays until the new one is whole.
set -eu

checkout=$1
work=$2
out=$3
module=$4

if [ ! -f "$work/node_modules/.installed.json" ]; then
    echo "page: it needs the packages of the viewer: make build" >&2
    exit 1
fi
mkdir -p "$(dirname "$out")"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
rm -rf "$out.new"
(cd "$work" && node_modules/.bin/vite build --logLevel warn --config vite.page.config.ts --outDir "$out.new")
node "$checkout/viewer/make_page.mjs" "$checkout" "$out.new" "$module"
rm -rf "$out"
mv "$out.new" "$out"
