#!/bin/sh
# Builds the foreign project of this folder in a scratch folder: consumer.sh WAY ROOT BUILD CC CMAKE, where WAY is
# find_package, pkg-config or add_subdirectory.
set -eu

way=$1
root=$2
build=$3
cc=$4
cmake=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

# Without optimisation, because what is tried is that it builds.
build_and_run() {
    $cmake -S "$root/test/consumer" -B "$scratch/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS=-O0 "$@" \
        >"$scratch/log" 2>&1 &&
        $cmake --build "$scratch/build" --parallel 2 >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    for program in consumer consumer_static consumer_model consumer_model_static consumer_gl consumer_gl_static \
        consumer_devices consumer_devices_static consumer_world consumer_world_static; do
        if [ -e "$scratch/build/$program" ] || [ $program = consumer ]; then
            "$scratch/build/$program"
        fi
    done
}

case $way in
find_package)
    $cmake --install "$build" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
    # Moved, because nothing that is installed may hold the path it was installed to.
    mv "$prefix" "$scratch/moved"
    build_and_run -DCMAKE_PREFIX_PATH="$scratch/moved"
    # The tool finds what lies beside it: the scenario, its scene, and the classes of its objects.
    script=$scratch/moved/share/fureai/examples/scenario.json
    if [ -x "$scratch/moved/bin/fureai" ] && [ -e "$scratch/moved/share/fureai/objects" ]; then
        "$scratch/moved/bin/fureai" act "$script" --check >"$scratch/log" || { cat "$scratch/log"; exit 1; }
    fi
    ;;
pkg-config)
    if ! command -v pkg-config >/dev/null 2>&1; then
        echo "skipped: pkg-config is not installed"
        exit 77
    fi
    $cmake --install "$build" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
    mv "$prefix" "$scratch/moved"
    PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name fureai.pc)")
    export PKG_CONFIG_PATH
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir fureai)
    export LD_LIBRARY_PATH
    $cc -std=c17 "$root/test/consumer/consumer.c" -o "$scratch/consumer" $(pkg-config --cflags --libs fureai)
    "$scratch/consumer"
    if pkg-config --exists fureai-model; then
        $cc -std=c17 "$root/test/consumer/consumer_model.c" -o "$scratch/consumer_model" \
            $(pkg-config --cflags --libs fureai-model)
        "$scratch/consumer_model"
        # The static libraries by their names: what they need in turn is in Libs.private.
        $cc -std=c17 "$root/test/consumer/consumer_model.c" -o "$scratch/consumer_model_static" \
            $(pkg-config --static --cflags --libs fureai-model | sed 's/-l\(fureai[-a-z]*\)/-l:lib\1.a/g')
        "$scratch/consumer_model_static"
    fi
    if pkg-config --exists fureai-gl; then
        $cc -std=c17 "$root/test/consumer/consumer_gl.c" -o "$scratch/consumer_gl" \
            $(pkg-config --cflags --libs fureai-gl)
        "$scratch/consumer_gl"
    fi
    if pkg-config --exists fureai-devices; then
        $cc -std=c17 "$root/test/consumer/consumer_devices.c" -o "$scratch/consumer_devices" \
            $(pkg-config --cflags --libs fureai-devices)
        "$scratch/consumer_devices"
    fi
    if pkg-config --exists fureai-world; then
        $cc -std=c17 "$root/test/consumer/consumer_world.c" -o "$scratch/consumer_world" \
            $(pkg-config --cflags --libs fureai-world)
        "$scratch/consumer_world"
    fi
    ;;
add_subdirectory)
    build_and_run -DFUREAI_SOURCE="$root"
    ;;
*)
    echo "consumer.sh: no way '$way'" >&2
    exit 2
    ;;
esac
