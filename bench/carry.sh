#!/bin/sh
# Puts what load.sh runs into a folder that can be copied to another machine: carry.sh BUILD FOLDER. There is nothing to
# install there: the libraries that the programs load, and Redis where it is installed here, go with them. There:
# sh FOLDER/load.sh FOLDER
set -eu

build=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/bin" "$folder/lib" "$folder/program"
cp "$here/load.sh" "$here/load.awk" "$here/results.awk" "$folder"
# Each program begins by the loader that it was linked for, with its own libraries.
for program in "$build/bin/bench_audience" "$build/bin/bench_serve" "$(command -v redis-server || true)"; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    cp -L "$program" "$folder/program/$name"
    strip "$folder/program/$name" 2>/dev/null || true
    ldd "$program" | grep -o '/[^ ]*' | while read -r library; do cp -Ln "$library" "$folder/lib/"; done
    cat >"$folder/bin/$name" <<'END'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
PATH=$here/bin:$PATH
export PATH
exec "$(ls "$here"/lib/ld-linux*.so* | head -n 1)" --library-path "$here/lib" "$here/program/$(basename "$0")" "$@"
END
    chmod +x "$folder/bin/$name"
done
echo "carry: $(du -sm "$folder" | cut -f 1) MB in $folder"
