#!/bin/sh
# Draws the pictures of the pages again: make.sh FUREAI, with the path of the tool.
set -eu
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
scenes=$here/../../test/scenes
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A shape by name, as it is.
shape() {
    "$tool" --quiet shape "$1" "$scratch/$1.obj" --picture "$here/$1.png" --picture-size 400x300 >/dev/null
}
for name in shuttle_528 head_1816 chair torus capsule sphere_168; do
    shape "$name"
done

# Colliding faces of a scene; the title is the scene's name, so it is drawn from its folder.
colliding() {
    (cd "$scenes" && "$tool" --quiet collide "$1.json" --step "$2" $4 --view "$3" --picture "$here/$1.png" \
        --picture-size 800x600 >/dev/null)
}
colliding two_spheres 12 0,1,6 --static
colliding chair_and_head 25 5,2,3 --static
colliding spun_rod 0 2,1,6 --first

# What the radar sees.
(cd "$scenes" && "$tool" --quiet radar two_spheres_apart.json --mover left --move 3,0,0 --picture "$here/radar.png" \
    --picture-size 900x360 >/dev/null)

# What the radar's demonstrations come to.
"$tool" --quiet radar --demo tree --view 4,2,6 --picture "$here/tree.png" --picture-size 500x400 >/dev/null
"$tool" --quiet radar --demo grasp --view 3,2,6 --picture "$here/grasp.png" --picture-size 500x400 >/dev/null

# The room whose objects are of classes.
(cd "$here/../../demos" && "$tool" --quiet collide room.json --static --view -4,5,-3 --perspective --picture "$here/room.png" \
    --picture-size 800x600 >/dev/null)

# What a pen touches.
(cd "$here/../../demos" && "$tool" --quiet touch touch.json --picture "$here/touch.png" --picture-size 800x600 >/dev/null)

# Cells of shapes; the title is the file's name.
cells() {
    (cd "$scratch" && "$tool" --quiet octree "$@" --picture-size 600x450 >/dev/null)
}
cells shuttle_528.obj --depth 6 --picture "$here/octree_shuttle.png"
cells chair.obj --depth 5 --move '0,0,0;0,1,0,30' --rule overlap --picture "$here/octree_chair.png"

# A demo, which may have models beside it.
(cd "$here/../../demos" && "$tool" --quiet collide door.json --step 260 --static --view 3,3,6 --picture "$here/door.png" \
    --picture-size 800x600 >/dev/null)

# What a bat sweeps, and a range.
(cd "$here/../../examples" && "$tool" --quiet sector swing.json --view 1,-2,6 --picture "$here/swing.png" \
    --picture-size 800x600 >/dev/null)

# Paths by the source's planner.
"$tool" --quiet experiment kitamura-4.4 --view 0,0,1 --picture "$here/plan_leaves.png" --picture-size 480x480 >/dev/null
"$tool" --quiet experiment kitamura-4.7 --view 1,1,4 --picture "$here/plan_turned.png" --picture-size 600x450 >/dev/null
"$tool" --quiet experiment kitamura-4.8 --picture "$here/plan_shuttle.png" --picture-size 600x450 >/dev/null

# A path among faces.
(cd "$here/../../test/scenes" && "$tool" --quiet plan plan_w2.json --view 3,4,9 --picture "$here/plan_path.png" \
    --picture-size 900x600 >/dev/null)

# A piston that a hand has put together.
(cd "$here/../../demos" && "$tool" --quiet assemble piston.json --aid --view 5,3,3 --picture "$here/piston.png" \
    --picture-size 640x480 >/dev/null)

# Where four strings can pull to all sides.
"$tool" --quiet device map --grid 11,11,11 --picture "$here/strings.png" --picture-size 640x480 >/dev/null

# Skills of a performer, as strips of postures; the title is the file's name.
"$(dirname "$tool")/human" "$scratch" >/dev/null
for clip in "$scratch"/*.ahmc; do
    name=$(basename "$clip" .ahmc)
    (cd "$scratch" && "$tool" --quiet motion "$name.ahmc" --picture "$here/skill_$name.png" --picture-size 1000x720 >/dev/null)
done
