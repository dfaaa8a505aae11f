#!/bin/sh
# Installs the wheel into a fresh virtual environment and runs the tests: test_wheel.sh with_numpy|without_numpy PYTHON
# FOLDER SOURCE, where FOLDER/wheel holds the wheel. With numpy the environment sees Debian's python3-numpy; 77 where it is
# not installed.
set -eu

kind=$1
python=$2
folder=$3
source=$4
options=
if [ "$kind" = with_numpy ]; then
    if ! "$python" -c 'import numpy' 2>/dev/null; then
        echo "python: skipped, python3-numpy is not installed"
        exit 77
    fi
    options=--system-site-packages
fi
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
"$python" -m venv $options "$environment/venv"
"$environment/venv/bin/python" -m pip install --quiet --no-index --disable-pip-version-check "$folder"/wheel/*.whl
cd "$environment"
if [ "$kind" = without_numpy ] && venv/bin/python -c 'import numpy' 2>/dev/null; then
    echo "python: the environment without numpy has numpy"
    exit 1
fi
# With numpy: what has to do with arrays; the rest was tried without it.
if [ "$kind" = with_numpy ]; then
    venv/bin/python -m unittest discover -s "$source/tests" -p 'test_[cmn]*.py'
    exit
fi
venv/bin/python -X dev -W error -m unittest discover -s "$source/tests"
