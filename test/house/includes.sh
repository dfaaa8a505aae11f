#!/bin/sh
# Which room includes which: includes.sh ROOT. Checks the tree, then shows on a small wrong tree that the check fails.
set -eu

root=$1
house=$(cd "$(dirname "$0")" && pwd)

# Checks the tree in the current folder.
check() {
    files=$(find include src tools algorithms experiments devices cluster python examples -name '*.[ch]' 2>/dev/null | sort)
    awk -f "$house/includes.awk" "$house/rooms.txt" $files
}

cd "$root"
check || { echo "includes: wrong; the table is test/house/rooms.txt"; exit 1; }
echo "includes: $(find include src -name '*.[ch]' | wc -l) files of the rooms follow the table"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
refused=0
accepted=0

# refuses FILE LINE: a tree whose only file has this one line must be refused.
refuses() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$scratch/tree/$1"
    if (cd "$scratch/tree" && check >/dev/null); then
        echo "includes: the check accepts $1 with: $2"
        exit 1
    fi
    refused=$((refused + 1))
}
accepts() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$scratch/tree/$1"
    if ! (cd "$scratch/tree" && check); then
        echo "includes: the check refuses $1 with: $2"
        exit 1
    fi
    accepted=$((accepted + 1))
}
refuses src/base/a.c '#include "fureai/math.h"'
refuses src/base/a.c '  #  include "math/wide.h"'
refuses src/base/a.c '#include <sys/socket.h>'
refuses src/base/a.c '#include "fureai/fureai.h"'
refuses src/base/a.c '#include "../math/wide.h"'
refuses src/math/a.c '#include <pthread.h>'
refuses src/math/a.c '#include "fureai/shape.h"'
refuses src/shape/a.c '#include "fureai/model.h"'
refuses src/octree/a.c '#include "fureai/sector.h"'
refuses src/model/a.c '#include "shape/mesh.h"'
refuses src/world/a.c '#include "fureai/model.h"'
refuses src/attic/a.c '#include "fureai/base.h"'
refuses include/fureai/base.h '#include "math.h"'
refuses include/fureai/math.h '#include "../../src/math/wide.h"'
refuses include/fureai/world_scenes.h '#include "scene.h"'
refuses include/fureai/attic_door.h '#include "base.h"'
refuses src/world/a.c '#include "fureai/protocol_messages.h"'
refuses tools/fureai/a.c '#include "math/wide.h"'
refuses examples/a.c '#include "../src/math/wide.h"'
refuses python/src/a.c '#include "math/wide.h"'
refuses src/collide/a.c '#include "collide/faithful/face_cycle.h"'
refuses src/world/a.c '#include "collide/faithful/face_cycle.h"'
refuses src/collide/faithful/a.c '#include "collide/judge.h"'
refuses src/collide/faithful/a.c '#include "judge.h"'
refuses src/collide/faithful/a.c '#include "fureai/world.h"'
refuses include/fureai/collide.h '#include "collide/faithful/face_cycle.h"'
accepts src/math/a.c '#include "fureai/base.h"'
accepts src/math/a.c '#include "wide.h"'
accepts src/shape/a_kernel.c '#include <immintrin.h>'
accepts src/shape/a.c '#include "math/wide.h"'
accepts src/model/a.c '#include <zlib.h>'
accepts src/model/a.c '#include "fureai/shape.h"'
accepts src/scene/a.c '#include "fureai/model.h"'
accepts include/fureai/math.h '#include "base.h"'
accepts include/fureai/protocol.h '#include "protocol_messages.h"'
accepts tools/fureai/a.c '#include "fureai/fureai.h"'
accepts tools/fureai/a.c '#include "command.h"'
accepts python/src/a.c '#include "module.h"'
accepts src/collide/faithful/a.c '#include "collide/faithful/face_cycle.h"'
accepts src/collide/faithful/a.c '#include "fureai/shape.h"'
accepts experiments/a.c '#include "collide/faithful/face_cycle.h"'
echo "includes: the check refuses $refused wrong lines and accepts $accepted right ones"
