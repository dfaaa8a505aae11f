#!/bin/sh
# The command-line tool stays thin: tool.sh ROOT. It parses, calls one room and prints, so no file of tools/ adds a mover
# or a corrector to a world, every C file of tools/fureai lies in frame/, commands/ or picture/, and all of them together
# hold at most so many lines.
set -eu
limit=13760 # it only goes down, but for the lines of a new command or of what a command newly reports or opens

# thin ROOT LINES: names what is wrong below ROOT; fails when there is anything.
thin() {
    wrong=0
    if grep -rnE 'fr_world_add_(mover|corrector)[[:space:]]*\(' "$1/tools" --include='*.[ch]'; then
        echo "tool: what acts in a world is an actor of room actor, not a part of the tool"
        wrong=1
    fi
    if find "$1/tools/fureai" -name '*.[ch]' | grep -vE '/tools/fureai/(frame|commands|picture)/[a-z0-9_]+\.[ch]$'; then
        echo "tool: a file lies in frame/, commands/ or picture/"
        wrong=1
    fi
    lines=$(find "$1/tools/fureai" -name '*.[ch]' -exec cat {} + | wc -l)
    if [ "$lines" -gt "$2" ]; then
        echo "tool: $lines lines in tools/fureai, more than $2: what computes belongs to a room"
        wrong=1
    fi
    return $wrong
}

# The check can fail: for a mover, for a file in no folder, for too many lines.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
mkdir -p "$trial/tools/fureai/frame" "$trial/tools/fureai/commands"
echo 'int a;' >"$trial/tools/fureai/frame/a.c"
fails() {
    if thin "$trial" "$1" >/dev/null; then
        echo "tool: the check accepts $2"
        exit 1
    fi
}
thin "$trial" 1 || exit 1
fails 0 "too many lines"
echo 'int b(void) { return fr_world_add_mover(world, &mover); }' >"$trial/tools/fureai/commands/b.c"
fails 9 "a mover"
rm "$trial/tools/fureai/commands/b.c"
echo 'int c;' >"$trial/tools/fureai/c.c"
fails 9 "a file in no folder"

thin "$1" "$limit" || exit 1
echo "tool: $(find "$1/tools/fureai" -name '*.[ch]' -exec cat {} + | wc -l) lines in frame, commands and picture"
