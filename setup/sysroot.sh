#!/bin/sh
# The files of Debian packages of another architecture, to compile and run against: sysroot.sh ARCHITECTURE OUT PACKAGE...
# They and what they need are fetched by apt into OUT/apt and unpacked into OUT/root; nothing of this machine is changed.
# Nothing is done where the same was unpacked before.
set -eu

architecture=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
if [ -f "$out/packages" ] && [ "$(cat "$out/packages")" = "$*" ]; then
    exit 0
fi

rm -rf "$out/root" "$out/packages"
mkdir -p "$out/apt/lists/partial" "$out/apt/archives/partial" "$out/root"
: >"$out/apt/status"
fetch() {
    apt-get -q -y -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$out/apt" -o Dir::State::lists="$out/apt/lists" -o Dir::State::status="$out/apt/status" \
        -o Dir::Cache="$out/apt" -o Dir::Cache::archives="$out/apt/archives" -o APT::Sandbox::User=root \
        -o Debug::NoLocking=1 "$@" >>"$out/apt.log" 2>&1
}
: >"$out/apt.log"
if ! fetch update || ! fetch install --download-only --no-install-recommends "$@"; then
    tail -n 5 "$out/apt.log" >&2
    echo "sysroot: the packages of $architecture cannot be had: $out/apt.log" >&2
    exit 1
fi
# A folder that Debian has as a link to the one in usr.
mkdir -p "$out/root/usr/lib" "$out/root/usr/bin" "$out/root/usr/sbin"
for folder in lib bin sbin; do
    ln -s "usr/$folder" "$out/root/$folder"
done
for package in "$out"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$out/root" --keep-directory-symlink --no-same-owner
done
# Links to places of the root, which are this machine's otherwise.
find "$out/root" -type l | while read -r link; do
    target=$(readlink "$link")
    case $target in
    /*) ln -sfn "$out/root$target" "$link" ;;
    esac
done
echo "$*" >"$out/packages"
