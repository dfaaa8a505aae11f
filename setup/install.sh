#!/bin/sh
# install.sh [--check] [GROUP...]: installs the missing packages of groups of packages.txt (run where none is named), as
# root or through sudo without a password; otherwise prints the one line to run. Fails when a required package is
# missing in the end. With --check it installs nothing: it prints what is missing and fails when there is something.
set -u

check=no
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
groups=${*:-run}
list=$(dirname "$0")/packages.txt

# The number of clang, which the package of its runtime bears in its name: of the one here, else of the one that would
# be installed; nothing where the lists of packages are not here yet.
clang_number() {
    if command -v clang >/dev/null 2>&1; then
        clang -dumpversion | awk -F . '{ print $1 }'
    elif command -v apt-cache >/dev/null 2>&1; then
        apt-cache depends clang 2>/dev/null | awk '/Depends: clang-[0-9]+$/ { sub(/.*-/, ""); print; exit }'
    fi
}

# The packages of the group that are `required` or `optional`, less those whose command is here already.
packages() {
    awk -F ' *[|] *' -v groups=" $groups " -v need="$1" -v clang="$clang" '
        index(groups, " " $1 " ") && $4 == need { sub(/CLANG/, clang, $2); print $2, $5 }' "$list" |
        while read -r package stands_for_it; do
            if [ -z "$stands_for_it" ] || ! command -v "$stands_for_it" >/dev/null 2>&1; then
                echo "$package"
            fi
        done
}
clang=$(clang_number)
required=$(packages required)
optional=$(packages optional)
for group in $groups; do
    if ! awk -v group="$group" '$1 == group { found = 1 } END { exit !found }' "$list"; then
        echo "setup: packages.txt has no group '$group'" >&2
        exit 2
    fi
done

# Which of the packages named are not installed, by one call of dpkg-query.
missing_of() {
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk -v wanted="$*" '
        $2 == "installed" { there[$1] = 1 }
        END {
            count = split(wanted, names, " ")
            for (i = 1; i <= count; i++) if (!(names[i] in there)) print names[i]
        }'
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: not a Debian machine: going on with what is here. Debian's names of what is used:"
    echo "setup:" $required $optional
    [ $check = no ]
    exit
fi

# How far apt is, by the lines of its status, every ten per cent; all else goes to the log.
show_progress() {
    awk -F : -v log_file="$log" '
        !/^(dl|pm)status:/ { print >>log_file; next }
        {
            line = sprintf("setup: %s, %d %%", $1 == "dlstatus" ? "fetching" : "installing", int($3 / 10) * 10)
            if (line != last) { print line; fflush() }
            last = line
        }'
}

# How many packages apt would install for those named.
count_with_needs() {
    if [ $# -eq 0 ]; then
        echo 0
    else
        $apt install --simulate --no-install-recommends "$@" 2>/dev/null | grep -c '^Inst '
    fi
}

missing=$(missing_of $required $optional)
if [ -z "$missing" ]; then
    exit 0
fi
if [ $check = yes ]; then
    echo "setup: missing:" $missing
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=env
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n env"
else
    as_root=
fi

if [ -n "$as_root" ]; then
    echo "setup: installing" $missing
    apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get"
    log=$(mktemp)
    echo "setup: fetching the lists of packages"
    $apt update >"$log" 2>&1
    clang=$(clang_number)
    required=$(packages required)
    optional=$(packages optional)
    missing=$(missing_of $required $optional)
    # npm alone brings more packages than all else: it is counted apart.
    without_npm=$(printf '%s\n' $missing | grep -vx npm)
    all=$(count_with_needs $missing)
    own=$(count_with_needs $without_npm)
    if [ "$own" -lt "$all" ]; then
        echo "setup: with what they need in turn these are $own packages, and $((all - own)) more for npm, which builds the page"
    else
        echo "setup: with what they need in turn these are $all packages"
    fi
    # The status of apt is lost in the pipe: what counts is what is missing afterwards.
    $apt -o APT::Status-Fd=1 install --yes --no-install-recommends $missing 2>>"$log" | show_progress
    if [ -n "$(missing_of $missing)" ]; then
        # One package that cannot be had must not keep the others away.
        for package in $missing; do
            $apt install --yes --no-install-recommends "$package" >>"$log" 2>&1 ||
                echo "setup: could not install $package"
        done
        if [ -n "$(missing_of $required)" ]; then
            tail -n 20 "$log" >&2
        fi
    fi
    rm -f "$log"
    missing=$(missing_of $required $optional)
fi

if [ -n "$required" ] && [ -n "$(missing_of $required)" ]; then
    echo "setup: missing:" $(missing_of $required) >&2
    echo "setup: run: sudo apt-get update && sudo apt-get install --no-install-recommends" $missing >&2
    exit 1
fi
if [ -n "$missing" ]; then
    echo "setup: going on without the optional" $missing
fi
