#!/bin/sh
# Makes a link to the program of skills for every skill: link.sh FOLDER [EMULATOR] PROGRAM
set -eu
folder=$1
shift
for name in $("$@" names); do
    ln -sf ../skill "$folder/$name"
done
