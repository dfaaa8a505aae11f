#!/bin/sh
# The newest version of CHANGELOG.md is the header's: changelog.sh ROOT.
set -eu

root=$1
header=$(awk '/^#define FR_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' "$root/include/fureai/base.h")
newest=$(awk '/^## / { print $2; exit }' "$root/CHANGELOG.md")
echo "changelog: newest $newest, header $header"
[ "$newest" = "$header" ]
