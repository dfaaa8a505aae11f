#!/bin/sh
# The archive of the source and the Debian packages of it: packages.sh ROOT BUILD. Skipped where setup/packages.sh cannot run.
set -eu

sh "$1/setup/dist.sh" "$2"
sh "$1/setup/packages.sh" "$2"
