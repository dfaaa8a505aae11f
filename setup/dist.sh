#!/bin/sh
# The archive of the source: dist.sh BUILD. What git has of the last commit, and the page as it was built, so that a package
# builds without a network: BUILD/dist/fureai-VERSION.tar.xz, the same bytes for the same commit and page.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
page=$build/share/fureai/viewer
if [ ! -e "$page/index.html" ]; then
    echo "dist: the page is not built; npm is needed for it" >&2
    exit 1
fi
if [ -n "$(git -C "$root" status --porcelain)" ]; then
    echo "dist: what is not committed is not in the archive"
fi
version=$(awk '/^#define FR_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' "$root/include/fureai/base.h")
name=fureai-$version
time=$(git -C "$root" log -1 --format=%ct)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git -C "$root" archive --prefix="$name/" HEAD | tar -x -C "$scratch"
cp -R "$page" "$scratch/$name/viewer/page"
rm -rf "$scratch/$name/viewer/page/reference" # made again from the headers
mkdir -p "$build/dist"
tar -c -C "$scratch" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner "$name" | xz -T0 >"$build/dist/$name.tar.xz.new"
mv "$build/dist/$name.tar.xz.new" "$build/dist/$name.tar.xz"
ls -l "$build/dist/$name.tar.xz" | awk '{ print $NF ", " $5 " bytes" }'
