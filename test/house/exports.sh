#!/bin/sh
# Exported symbols: exports.sh LIBRARY.SO... Each begins with fr_ and none with fr__.
set -eu

wrong_of() { awk '$2 ~ /^[A-Z]$/ && ($3 !~ /^fr_/ || $3 ~ /^fr__/) { print $3 }'; }

for symbol in fr__private other Fr_x; do
    if [ -z "$(echo "0000 T $symbol" | wrong_of)" ]; then
        echo "exports: the check accepts $symbol"
        exit 1
    fi
done

for library in "$@"; do
    symbols=$(nm -D --defined-only "$library")
    wrong=$(echo "$symbols" | wrong_of)
    if [ -n "$wrong" ]; then
        echo "exports: $(basename "$library") exports:" $wrong
        exit 1
    fi
    echo "exports: $(basename "$library"): $(echo "$symbols" | grep -c ' fr_') symbols, all fr_"
done
