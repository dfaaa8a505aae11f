#!/bin/sh
# The scripts of people among the examples, as they are installed: act_examples.sh FUREAI CMAKE BUILD SHARE. Each is carried
# out to its end.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! "$2" --install "$3" --prefix "$folder" --component data >"$folder/log" 2>&1; then
    cat "$folder/log"
    exit 1
fi
failed=0
for name in maintenance meeting desk; do
    script=$folder/$4/fureai/examples/$name.json
    if ! "$1" act "$script" --check >"$folder/out" 2>&1; then
        echo "$name:"
        tail -n 30 "$folder/out"
        failed=1
    fi
done
exit $failed
