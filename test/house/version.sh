#!/bin/sh
# The API belongs to its version: version.sh ROOT BUILD CC LIBRARY.SO... docs/api.json is what the headers declare, what
# the libraries export is what it names, a changed symbol under the same version is refused, and a program finds out at
# run time that it was compiled for another version. The comparison is left out where Python is not installed.
set -eu

root=$1
build=$2
cc=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A program of the headers of another version: version_is MAJOR MINOR PATCH RESULT, 0 where it must fit.
version_is() {
    cp -R "$root/include" "$scratch/include"
    for part in MAJOR:$1 MINOR:$2 PATCH:$3; do
        sed -i "s/^#define FR_VERSION_${part%:*} .*/#define FR_VERSION_${part%:*} ${part#*:}/" "$scratch/include/fureai/base.h"
    done
    $cc -std=c17 -Wall -Wextra -Werror -I"$scratch/include" "$scratch/program.c" -o "$scratch/program" -L"$build/lib" -lfureai
    result=0
    LD_LIBRARY_PATH=$build/lib "$scratch/program" || result=$?
    rm -r "$scratch/include"
    if [ $result -ne "$4" ]; then
        echo "version: headers of $1.$2.$3: result $result, not $4"
        exit 1
    fi
}
cat >"$scratch/program.c" <<'CODE'
#include "fureai/base.h"
#include <stdio.h>
int main(void) {
    fr_error error = {0};
    fr_status status = fr_version_check(&error);
    if (status == FR_OK) { return error.message[0] == '\0' && fr_version_check(NULL) == FR_OK ? 0 : 2; }
    printf("version: %s\n", error.message);
    return status == FR_ERROR_VERSION && error.status == status ? 1 : 2;
}
CODE
number() {
    awk -v name="FR_VERSION_$1" '$2 == name { print $3 }' "$root/include/fureai/base.h"
}
major=$(number MAJOR)
minor=$(number MINOR)
patch=$(number PATCH)
version_is "$major" "$minor" "$patch" 0
version_is "$major" "$minor" $((patch + 1)) 0
version_is "$major" $((minor + 1)) 0 1
version_is $((major + 1)) "$minor" 0 1
[ "$major" -ne 0 ] || version_is 0 $((minor - 1)) 0 1

if ! command -v python3 >/dev/null 2>&1; then
    echo "version: the comparison of the API is left out, python3 is not installed"
    exit 0
fi
api="python3 $root/docs/reference/api.py"
$api "$root/include/fureai" "$cc" >"$scratch/api.json"
if ! $api --compare "$root/docs/api.json" "$scratch/api.json"; then
    echo "version: the headers declare something else than docs/api.json. What is new goes there by \`make api\`; what is"
    echo "changed or removed needs a new version in include/fureai/base.h first."
    exit 1
fi

# What is declared and what the libraries export are the same.
for library in "$@"; do
    nm -D --defined-only "$library" | awk '$2 ~ /^[TBDR]$/ { print $3 }'
done | sort >"$scratch/exported"
python3 - "$scratch/api.json" >"$scratch/declared" <<'CODE'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    headers = json.load(file)["headers"]
print("\n".join(sorted(name for symbols in headers.values() for name, what in symbols.items() if what["kind"] in ("function", "variable"))))
CODE
LC_ALL=C sort "$scratch/exported" -o "$scratch/exported"
LC_ALL=C sort "$scratch/declared" -o "$scratch/declared"
count=$(wc -l <"$scratch/exported")
undeclared=$(LC_ALL=C comm -23 "$scratch/exported" "$scratch/declared")
if [ -n "$undeclared" ]; then
    echo "version: exported, but not in the API:" $undeclared
    exit 1
fi
# A build without some library exports less.
if [ -e "$build/lib/libfureai-world.so" ] && [ -e "$build/lib/libfureai-gl.so" ]; then
    missing=$(LC_ALL=C comm -13 "$scratch/exported" "$scratch/declared")
    if [ -n "$missing" ]; then
        echo "version: in the API, but not exported:" $missing
        exit 1
    fi
fi

# The comparison can fail: a changed argument and a lost function under the same version, and an addition.
sed 's/"const fr_vec3 \*"/"fr_vec3 *"/' "$scratch/api.json" >"$scratch/changed.json"
grep -v '"fr_clock_ns"' "$scratch/api.json" >"$scratch/less.json"
expect() {
    result=0
    $api --compare "$1" "$2" >/dev/null || result=$?
    if [ $result -ne "$3" ]; then
        echo "version: the comparison finds $result, not $3"
        exit 1
    fi
}
expect "$scratch/api.json" "$scratch/changed.json" 2
expect "$scratch/api.json" "$scratch/less.json" 2
expect "$scratch/less.json" "$scratch/api.json" 1
sed '1s/"version": "[^"]*"/"version": "99.0.0"/' "$scratch/less.json" >"$scratch/newer.json"
expect "$scratch/api.json" "$scratch/newer.json" 3
echo "version: $count exported symbols, as declared"
