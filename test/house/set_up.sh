#!/bin/sh
# The set-up: set_up.sh ROOT. On made-up machines: without rights it prints the one line to run and fails; elsewhere than
# on Debian it goes on. On this machine: with nothing missing it takes less than 2 seconds (skipped otherwise).
set -eu

root=$1
install=$root/setup/install.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A machine that has these commands alone.
for command in awk dirname sh; do
    ln -s "$(command -v $command)" "$scratch/$command"
done
printf '#!/bin/sh\necho 1000\n' >"$scratch/id"

PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out"
grep -q 'libcmocka-dev' "$scratch/out"
echo "set-up: a machine that is not Debian goes on"

# Debian with one package there, no root, no sudo.
printf '#!/bin/sh\necho "gcc installed"\n' >"$scratch/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$scratch/apt-get"
chmod +x "$scratch/id" "$scratch/dpkg-query" "$scratch/apt-get"
if PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out" 2>&1; then
    echo "set-up: passes with required packages missing"
    exit 1
fi
lines=$(grep -c 'apt-get install' "$scratch/out")
grep 'apt-get install' "$scratch/out" | grep -q ' libcmocka-dev '
if [ "$lines" -ne 1 ] || grep 'apt-get install' "$scratch/out" | grep -q ' gcc '; then
    cat "$scratch/out"
    exit 1
fi
echo "set-up: without rights it prints the one line to run"

# Whoever only wants to run it needs neither the second compiler nor the libraries of the tests.
if PATH=$scratch "$scratch/sh" "$install" run 2>&1 | grep 'apt-get install' | grep -qE ' (clang|libgmp-dev|libcmocka-dev|libcairo2-dev|libgl1-mesa-dri) '; then
    echo "set-up: running asks for what tests need"
    exit 1
fi
if PATH=$scratch "$scratch/sh" "$install" basement >"$scratch/out" 2>&1 || ! grep -q "no group 'basement'" "$scratch/out"; then
    echo "set-up: a group that is not there is accepted"
    exit 1
fi

# The runtime of clang bears the number of the clang that the lists of packages have.
printf '#!/bin/sh\nprintf "clang\\n  Depends: clang-19\\n"\n' >"$scratch/apt-cache"
chmod +x "$scratch/apt-cache"
PATH=$scratch "$scratch/sh" "$install" run build test >"$scratch/out" 2>&1 || true
grep 'apt-get install' "$scratch/out" | grep -q ' libclang-rt-19-dev '
echo "set-up: it asks for the runtime of the clang that is there"

# An apt that knows what each package needs in turn, and how far it is: as root, npm's packages are counted apart, and its
# status becomes lines of progress.
for command in cat env grep mktemp rm sed tail tr wc; do
    ln -sf "$(command -v $command)" "$scratch/$command"
done
rm -f "$scratch/apt-cache"
printf '#!/bin/sh\necho 0\n' >"$scratch/id"
cat >"$scratch/dpkg-query" <<END
#!$scratch/sh
cat $scratch/installed
END
cat >"$scratch/apt-get" <<END
#!$scratch/sh
case " \$* " in
*" update "*) exit 0 ;;
*" --simulate "*)
    for package in \$*; do
        case \$package in
        install | -*) ;;
        npm) for i in \$(cat $scratch/npm_needs); do echo "Inst node-\$i"; done; echo "Inst npm" ;;
        *) for i in \$(cat $scratch/needs); do echo "Inst \$package-\$i"; done; echo "Inst \$package" ;;
        esac
    done ;;
*" install "*)
    echo "Reading package lists..."
    for percent in 0.5 3.2 14.9 19.1 47 100; do echo "dlstatus:1:\$percent:Retrieving"; done
    for percent in 0 8 55.5 100; do echo "pmstatus:gcc:\$percent:Installing"; done
    for package in \$*; do
        case \$package in install | -* | APT*) ;; *) echo "\$package installed" >>$scratch/installed ;; esac
    done ;;
esac
END
chmod +x "$scratch/apt-get" "$scratch/dpkg-query" "$scratch/id"
: >"$scratch/installed"
seq 360 >"$scratch/npm_needs"
seq 4 >"$scratch/needs"
PATH=$scratch "$scratch/sh" "$install" run >"$scratch/out" 2>&1 || { cat "$scratch/out"; exit 1; }
# Each package but npm brings four more.
own=$(grep -o 'these are [0-9]*' "$scratch/out" | tr -dc 0-9)
asked=$(grep '^setup: installing' "$scratch/out" | head -n 1 | wc -w)
has_npm=$(grep '^setup: installing .* npm' "$scratch/out" | wc -l)
[ "$own" -eq $((5 * (asked - 2 - has_npm))) ] || { cat "$scratch/out"; echo "set-up: $own packages for $asked words"; exit 1; }
if [ "$has_npm" -eq 1 ]; then
    grep -q "these are $own packages, and 361 more for npm, which builds the page\$" "$scratch/out" || { cat "$scratch/out"; exit 1; }
fi
grep '^setup: \(fetching\|installing\), ' "$scratch/out" >"$scratch/lines"
cat >"$scratch/wanted" <<END
setup: fetching, 0 %
setup: fetching, 10 %
setup: fetching, 40 %
setup: fetching, 100 %
setup: installing, 0 %
setup: installing, 50 %
setup: installing, 100 %
END
cmp "$scratch/lines" "$scratch/wanted" || { cat "$scratch/out"; exit 1; }
if grep -q 'status:\|Reading package' "$scratch/out"; then
    echo "set-up: what apt says to machines is shown to people"
    exit 1
fi
PATH=$scratch "$scratch/sh" "$install" run >"$scratch/out" 2>&1
[ ! -s "$scratch/out" ] || { cat "$scratch/out"; exit 1; }
echo "set-up: npm is counted apart from the $own others, and apt's progress is shown"

# What running takes on a machine with nothing but what Debian requires, by the real apt's lists where there are any: without
# npm under 120 packages.
if command -v apt-get >/dev/null 2>&1 && [ "$(apt-cache policy npm 2>/dev/null | grep -c 'Candidate: [0-9]')" -eq 1 ]; then
    : >"$scratch/nothing"
    base="apt $(dpkg-query -W -f '${Package} ${Priority}\n' | awk '$2 == "required" { print $1 }')"
    count() {
        apt-get install --simulate --no-install-recommends -o Dir::State::Status="$scratch/nothing" $base "$@" 2>/dev/null |
            grep -c '^Inst '
    }
    bare=$(count)
    run=$(awk -F ' *[|] *' '$1 == "run" && $2 != "npm" { print $2 }' "$root/setup/packages.txt")
    needed=$(($(count $run) - bare))
    npm=$(($(count $run npm) - bare - needed))
    echo "set-up: on a machine with $bare packages, running takes $needed more, and npm $npm"
    [ "$bare" -gt 20 ] && [ "$needed" -gt 20 ] && [ "$needed" -lt 120 ] && [ "$npm" -gt 100 ]
fi

if ! sh "$install" --check run build test >/dev/null 2>&1; then
    echo "skipped: packages of setup/packages.txt are missing here, or this is no Debian machine"
    exit 77
fi
start=$(date +%s%N)
sh "$install" run build test
ms=$((($(date +%s%N) - start) / 1000000))
echo "set-up: $ms ms with nothing missing"
[ "$ms" -lt 2000 ]
