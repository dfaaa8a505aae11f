#!/bin/sh
# Names that cross files: defined_once.sh LIBRARY.A... Each is defined once over all libraries: two rooms with one name
# would link, and one of them would get the other's function.
set -eu

# Common, weak and local symbols are none of ours; what counts is a capital letter for code or data.
twice_of() { awk '$2 ~ /^[BDGRST]$/ { print $3 }' | sort | uniq -d; }

if [ -z "$(printf '0 T fr__x\n0 D fr__y\n0 T fr__x\n' | twice_of)" ]; then
    echo "defined_once: the check accepts a name that is defined twice"
    exit 1
fi

symbols=$(nm --defined-only "$@" 2>/dev/null)
twice=$(echo "$symbols" | twice_of)
if [ -n "$twice" ]; then
    echo "defined_once: defined more than once:" $twice
    exit 1
fi
echo "defined_once: $(echo "$symbols" | grep -c ' fr_') names, each defined once"
