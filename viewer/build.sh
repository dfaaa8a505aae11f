#!/bin/sh
# Builds the page: build.sh SOURCE WORK OUT NPM MODULE. MODULE is the folder of the package for JavaScript, which predicts what
# hands hold; where there is none the page does without. Works on a copy in WORK, so that the source stays as it is and builds do not
# meet; packages are installed when their list changed. Packages that cannot be had leave the page out, with a note; a page
# that does not build fails.
set -eu

source=$1
work=$2
out=$3
npm=$4
module=$5

mkdir -p "$work"
work=$(cd "$work" && pwd)
for part in src public; do
    rm -rf "${work:?}/$part"
    cp -R "$source/$part" "$work/$part"
done
cp "$source"/.npmrc "$source"/*.html "$source"/*.json "$source"/*.ts "$work"

if ! cmp -s "$work/package-lock.json" "$work/node_modules/.installed.json"; then
    rm -rf "$work/node_modules"
    if ! (cd "$work" && "$npm" ci --include=dev --ignore-scripts --prefer-offline --fetch-retries=1 >npm.log 2>&1); then
        echo "viewer: left out: its packages cannot be had; npm says in $work/npm.log:"
        tail -n 3 "$work/npm.log"
        rm -rf "$work/node_modules"
        exit 0
    fi
    cp "$work/package-lock.json" "$work/node_modules/.installed.json"
fi

# The old page is served until the new one is whole.
rm -rf "$out.new"
(cd "$work" && node_modules/.bin/vite build --logLevel warn --outDir "$out.new")
if command -v python3 >/dev/null 2>&1; then
    python3 "$source/../docs/reference/make.py" "$source/../include/fureai" "$out.new/reference" >"$work/reference.log"
fi
for file in fureai.mjs fureai.wasm; do
    if [ -f "$module/$file" ]; then
        cp "$module/$file" "$out.new/$file"
    fi
done
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv "$out.new" "$out"
