#!/bin/sh
# The shape of the public headers: api.sh ROOT. A function that returns a status takes `fr_error *error` last; a bool
# begins with is_, has_ or may_ (one that is data itself is called value or out); inputs are no options; a control comes
# by pointer; what is made is destroyed, not freed.
set -eu

# Prints what is wrong in the headers given.
wrong_in() {
    awk '
        function complain(what) { print FILENAME ": " what; }
        { sub(/\/\/.*/, ""); gsub(/[ \t]+/, " "); }
        /^ *#/ { next }
        { text = text $0 " " }
        # A declaration ends with a semicolon; a struct is looked at field by field.
        {
            while ((at = index(text, ";")) > 0) {
                one = substr(text, 1, at - 1)
                text = substr(text, at + 1)
                if (one ~ /FR_API fr_status / && one !~ /fr_error \*error\)/ && one !~ /fr_error_set/)
                    complain("no error at the end:" one)
                if (one ~ /(^|[ {(,])bool \*?[a-z]/ && one !~ /\(\*/) {
                    rest = one
                    while (match(rest, /(^|[ {(,])bool \*?[a-z][a-z0-9_]*( *,| *\)| *$)/)) {
                        name = substr(rest, RSTART, RLENGTH)
                        sub(/^.*bool \*?/, "", name)
                        if (name !~ /^(is|has|may)_|^(value|out)[ ,)]*$/) complain("a bool called " name)
                        rest = substr(rest, RSTART + RLENGTH)
                    }
                }
                if (one ~ /[{ ]fr_control [a-z]/) complain("a control by value:" one)
                if (one ~ /fr_[a-z0-9_]*_free\(/) complain("what is made is destroyed:" one)
                if (one ~ /struct fr_[a-z0-9_]*_options/) complain("options are an input:" one)
            }
        }' "$@"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for line in 'FR_API fr_status fr_x(int a);' 'struct fr_x { bool done; };' 'FR_API void fr_x(bool done);' \
    'struct fr_x { int a; fr_control control; };' 'FR_API void fr_x_free(fr_x *x);' 'typedef struct fr_x_options { int a; };'; do
    echo "$line" >"$folder/wrong.h"
    if [ -z "$(wrong_in "$folder/wrong.h")" ]; then
        echo "api: the check accepts $line"
        exit 1
    fi
done

wrong=$(wrong_in "$1"/include/fureai/*.h)
if [ -n "$wrong" ]; then
    echo "$wrong"
    echo "api: the headers above are of another shape (CONTRIBUTING.md, How things are named)"
    exit 1
fi
echo "api: $(ls "$1"/include/fureai/*.h | wc -l) headers have one shape"
