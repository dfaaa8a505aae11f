#!/bin/sh
# Debian packages of the source archive: packages.sh BUILD. They are built without a network in a clean Debian 12, looked at
# by lintian, installed in another clean one, and tried there (debian/tests). They lie in BUILD/packages then. As root,
# with debootstrap; 77 where that cannot be.
set -eu

build=$(cd "$1" && pwd)
version=$(sed -n 's/^fureai (\([0-9.]*\)-.*/\1/p;q' "$(dirname "$0")/../debian/changelog")
archive=$build/dist/fureai-$version.tar.xz
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
    echo "packages: left out: they need root and debootstrap (apt-get install debootstrap)"
    exit 77
fi
[ -e "$archive" ] || { echo "packages: $archive is not there: make dist"; exit 1; }

# The mirror that this machine uses.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)
scratch=$(mktemp -d /var/tmp/fureai-packages-XXXXXX)
trap 'for at in built tried; do umount -q "$scratch/$at/proc" 2>/dev/null || true; done; rm -rf "$scratch"' EXIT
quiet() {
    "$@" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; exit 1; }
}
inside() {
    folder=$scratch/$1
    shift
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$folder" "$@"
}
prepare() {
    if [ -e /etc/apt/apt.conf.d ]; then cp -R /etc/apt/apt.conf.d "$scratch/$1/etc/apt/"; fi
    cp /etc/resolv.conf "$scratch/$1/etc/resolv.conf"
    echo "deb $mirror bookworm main" >"$scratch/$1/etc/apt/sources.list"
    mount -t proc proc "$scratch/$1/proc"
    quiet inside "$1" apt-get update
}

echo "packages: a clean Debian"
quiet debootstrap --variant=minbase bookworm "$scratch/built" "$mirror"
cp -a "$scratch/built" "$scratch/tried"

prepare built
mkdir "$scratch/built/build"
cp "$archive" "$scratch/built/build/fureai_$version.orig.tar.xz"
tar -x -C "$scratch/built/build" -f "$archive"
echo "packages: what the build needs"
quiet inside built apt-get install --yes --no-install-recommends dpkg-dev lintian
quiet inside built sh -c "cd /build/fureai-$version && apt-get build-dep --yes --no-install-recommends ."
echo "packages: build, without a network"
quiet unshare --net env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$scratch/built" \
    sh -c "cd /build/fureai-$version && DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage --no-sign"
inside built sh -c "cd /build && lintian --allow-root --fail-on error --tag-display-limit 0 fureai_*.changes" >"$scratch/lintian" || {
    cat "$scratch/lintian"
    echo "packages: lintian has errors"
    exit 1
}
echo "packages: lintian: no error, $(grep -c '^W:' "$scratch/lintian" || true) warnings"
grep '^W:' "$scratch/lintian" || true
rm -rf "$build/packages"
mkdir -p "$build/packages"
cp "$scratch"/built/build/*.deb "$scratch"/built/build/*.dsc "$scratch"/built/build/*.tar.* "$build/packages"

prepare tried
mkdir "$scratch/tried/packages"
cp "$build"/packages/*.deb "$scratch/tried/packages"
rm -f "$scratch"/tried/packages/*dbgsym*
echo "packages: installed in a clean Debian"
quiet inside tried sh -c "apt-get install --yes --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config python3"
cp "$(dirname "$0")/../debian/tests/two-files" "$scratch/tried/packages/two-files"
inside tried sh /packages/two-files
quiet inside tried sh -c "apt-get purge --yes fureai libfureai-dev python3-fureai 'libfureai0*'"
if inside tried sh -c 'ls /usr/lib/*/libfureai* /usr/share/fureai /usr/include/fureai' 2>/dev/null; then
    echo "packages: the files above are left after removal"
    exit 1
fi
ls "$build"/packages/*.deb
