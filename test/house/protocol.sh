#!/bin/sh
# Files that are made of the library's tables: protocol.sh ROOT PROGRAM. The viewer's reader and writer and the tables of
# docs/protocol.md are those of the protocol's description, viewer/src/hand_table.ts is that of room hand, and
# viewer/test/hand_cases.ts, measure_cases.ts, section_cases.ts and direction_cases.ts have results of functions. To renew
# them: PROGRAM typescript, markdown, hand, hand_cases, measure_cases, section_cases, direction_cases.
set -eu

root=$1
program=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The part of a document between its two marks.
tables_of() { sed -n '/^<!-- made by protocol_text -->$/,/^<!-- end -->$/p' "$1" | sed '1d;$d'; }

# same WHAT FILE FILE
same() {
    if ! diff -u "$2" "$3" >"$scratch/difference"; then
        head -n 20 "$scratch/difference"
        echo "protocol: $1 is not what the description says"
        return 1
    fi
}

"$program" typescript >"$scratch/protocol.ts"
"$program" markdown >"$scratch/tables.md"
"$program" hand >"$scratch/hand_table.ts"
"$program" hand_cases >"$scratch/hand_cases.ts"
"$program" measure_cases >"$scratch/measure_cases.ts"
"$program" section_cases >"$scratch/section_cases.ts"
"$program" direction_cases >"$scratch/direction_cases.ts"
tables_of "$root/docs/protocol.md" >"$scratch/documented.md"
sed '1d' "$scratch/protocol.ts" >"$scratch/shorter.ts"
if same x "$scratch/shorter.ts" "$scratch/protocol.ts" >/dev/null; then
    echo "protocol: the check accepts a file that differs"
    exit 1
fi
[ -s "$scratch/tables.md" ]
[ -s "$scratch/hand_table.ts" ]
[ -s "$scratch/hand_cases.ts" ]
[ -s "$scratch/measure_cases.ts" ]
[ -s "$scratch/section_cases.ts" ]
[ -s "$scratch/direction_cases.ts" ]
same viewer/src/protocol.ts "$root/viewer/src/protocol.ts" "$scratch/protocol.ts"
same viewer/src/hand_table.ts "$root/viewer/src/hand_table.ts" "$scratch/hand_table.ts"
same viewer/test/hand_cases.ts "$root/viewer/test/hand_cases.ts" "$scratch/hand_cases.ts"
same viewer/test/measure_cases.ts "$root/viewer/test/measure_cases.ts" "$scratch/measure_cases.ts"
same viewer/test/section_cases.ts "$root/viewer/test/section_cases.ts" "$scratch/section_cases.ts"
same viewer/test/direction_cases.ts "$root/viewer/test/direction_cases.ts" "$scratch/direction_cases.ts"
same docs/protocol.md "$scratch/documented.md" "$scratch/tables.md"
echo "protocol: viewer and document are those of the description"
