#!/bin/sh
# Writes the API as data: api.sh FILE. Refuses to where a symbol of the file changed or went and the version did not.
set -eu

file=$1
folder=$(dirname "$0")
python3 "$folder/api.py" "$folder/../../include/fureai" >"$file.new"
trap 'rm -f "$file.new"' EXIT
result=0
if [ -e "$file" ]; then
    python3 "$folder/api.py" --compare "$file" "$file.new" || result=$?
fi
if [ $result -eq 2 ]; then
    echo "api: the symbols above changed or went: write a new version into include/fureai/base.h first"
    exit 1
fi
mv "$file.new" "$file"
