#!/bin/sh
# Every demo has a picture for the gallery, a JPEG of 320 x 200, and no picture is left over: gallery.sh ROOT.
set -eu

root=$1

# The width and height of a JPEG, as its frame header (marker ffc0 .. ffc2) says.
size_of() {
    od -An -v -tu1 "$1" | awk '
        { for (i = 1; i <= NF; i++) byte[n++] = $i }
        END {
            if (byte[0] != 255 || byte[1] != 216) { print "no JPEG"; exit }
            at = 2
            while (at + 8 < n && byte[at] == 255) {
                if (byte[at + 1] >= 192 && byte[at + 1] <= 194) {
                    print byte[at + 7] * 256 + byte[at + 8] "x" byte[at + 5] * 256 + byte[at + 6]
                    exit
                }
                at += 2 + byte[at + 2] * 256 + byte[at + 3]
            }
            print "no JPEG"
        }'
}

check() {
    wrong=0
    for demo in "$1"/*.json; do
        name=$(basename "$demo" .json)
        picture=$1/pictures/$name.jpg
        if ! test -s "$picture"; then
            echo "gallery: demos/$name.json has no picture pictures/$name.jpg: FUREAI_SHOTS=gallery FUREAI_DEMOS=$name" \
                "cmake --build build --target viewer_pictures"
            wrong=1
            continue
        fi
        size=$(size_of "$picture")
        if test "$size" != 320x200; then
            echo "gallery: demos/pictures/$name.jpg: $size, not 320x200"
            wrong=1
        fi
    done
    for picture in "$1"/pictures/*; do
        name=$(basename "$picture" .jpg)
        if ! test -f "$1/$name.json"; then
            echo "gallery: demos/pictures/$(basename "$picture") has no demo"
            wrong=1
        fi
    done
    return $wrong
}

# The check itself must find a demo without a picture, a picture without a demo, and one that is none.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
refuse() {
    if check "$scratch/demos" >/dev/null; then
        echo "gallery: the check accepts $1"
        exit 1
    fi
}
mkdir -p "$scratch/demos/pictures"
echo '{}' >"$scratch/demos/door.json"
cp "$root/demos/pictures/door.jpg" "$scratch/demos/pictures/door.jpg"
check "$scratch/demos"
echo '{}' >"$scratch/demos/bare.json"
refuse "a demo without a picture"
echo 'no picture' >"$scratch/demos/pictures/bare.jpg"
refuse "a picture that is none"
rm "$scratch/demos/bare.json" "$scratch/demos/pictures/bare.jpg"
cp "$root/demos/pictures/door.jpg" "$scratch/demos/pictures/gone.jpg"
refuse "a picture without a demo"

check "$root/demos"
echo "gallery: $(ls "$root"/demos/*.json | wc -l) demos, each with its picture"
