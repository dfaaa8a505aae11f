#!/bin/sh
# Writes the tables of a page anew from measured results, see page.awk: page.sh PAGE RESULTS. A page that stays the same
# is not touched; where something is missing the page stays as it was.
set -eu

page=$1
results=$2
here=$(cd "$(dirname "$0")" && pwd)
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v results="$results" -f "$here/results.awk" -f "$here/page.awk" "$page" >"$new"
cmp -s "$new" "$page" || cat "$new" >"$page"
