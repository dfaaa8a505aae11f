#!/bin/sh
# Installs the missing packages of a group of setup/packages.txt (base where none is named). As root or through sudo
# without a password; otherwise prints the one line to run. Fails when a required package is missing in the end.
set -u

group=${1:-base}
here=$(dirname "$0")
required=$(awk -F '|' -v group="$group" '/^[^#]/ { gsub(/[ \t]/, "", $1); gsub(/[ \t]/, "", $2); gsub(/[ \t]/, "", $4) }
    /^[^#]/ && $1 == group && $4 == "required" { print $2 }' "$here/packages.txt")
optional=$(awk -F '|' -v group="$group" '/^[^#]/ { gsub(/[ \t]/, "", $1); gsub(/[ \t]/, "", $2); gsub(/[ \t]/, "", $4) }
    /^[^#]/ && $1 == group && $4 == "optional" { print $2 }' "$here/packages.txt")
if [ -z "$required$optional" ]; then
    echo "setup: setup/packages.txt has no group '$group'" >&2
    exit 2
fi

# The packages named on the command line that are not installed, one a line, by one call of dpkg-query.
missing_of() {
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '
        BEGIN { for (i = 1; i < ARGC; i++) { wanted[i] = ARGV[i]; ARGV[i] = "" } count = ARGC - 1 }
        $2 == "installed" { there[$1] = 1 }
        END { for (i = 1; i <= count; i++) if (!(wanted[i] in there)) print wanted[i] }' "$@"
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: not a Debian machine; going on with what is here. On Debian these would be installed:"
    echo "setup:" $required $optional
    exit 0
fi

missing=$(missing_of $required $optional)
[ -z "$missing" ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    as_root=none
fi

if [ "$as_root" != none ]; then
    echo "setup: installing" $missing
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    if ! { $as_root apt-get update && $as_root apt-get install --yes --no-install-recommends $missing; } >"$log" 2>&1; then
        # One package that cannot be had must not keep the others away.
        for package in $missing; do
            $as_root apt-get install --yes --no-install-recommends "$package" >>"$log" 2>&1 ||
                echo "setup: could not install $package"
        done
        missing=$(missing_of $required $optional)
        [ -n "$missing" ] && tail -n 20 "$log"
    fi
    rm -f "$log"
fi

still=$(missing_of $required)
if [ -n "$still" ]; then
    echo "setup: missing:" $still >&2
    echo "setup: run: sudo apt-get install" $(missing_of $required $optional) >&2
    exit 1
fi
left=$(missing_of $optional)
if [ -n "$left" ]; then
    echo "setup: going on without the optional" $left
fi
exit 0
