#!/bin/sh
# The dialogs of the command act at a pipe: act_talk.sh FUREAI DEMOS. Answers and lines that are wrong are asked for again or
# replied to with their place; the end of the input, "end" and a signal end it cleanly.
set -u
fureai=$1
room=$2/room.json
failed=0

# expect WHAT PART STATUS: the last output holds PART, and the command ended with STATUS.
expect() {
    if ! grep -qF -- "$2" out || [ "$status" -ne "$3" ]; then
        echo "$1: no '$2', or status $status, in:"
        tail -n 30 out
        failed=1
    fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

printf '1\ncupp\ncup\nlook\n30\nno\nadd\nlamp\nlamp 2\n3,0,2\n\nend\n' | "$fureai" act --dialog --scene "$room" >out 2>&1
status=$?
expect "a dialog" "did you mean 'cup'?" 0
expect "a dialog" "done in " 0
expect "a dialog" "lamp 2 is there" 0

printf 'motion\n' | "$fureai" act --dialog --scene "$room" >out 2>&1
status=$?
expect "the end of the input" "object> " 0

head -c 5000 /dev/zero | tr '\0' 'x' | "$fureai" act --dialog --scene "$room" >out 2>&1
status=$?
expect "a long answer" "at most 1024 bytes" 0

# A line that is too long is one line: the next one has its own number.
{
    printf '{"do":"people"}\n\n'
    head -c 200000 /dev/zero | tr '\0' 'x'
    printf '\n{"person":"Mai","motion":"lok","object":"cup"}\n{"motion":}\n{"do":"people"}'
} | "$fureai" act --lines --scene "$room" >out 2>&1
status=$?
expect "lines" '{"line":1,"people":[{"name":"Mai"' 0
expect "lines" '{"line":3,"error":"a line has at most 65536 bytes"}' 0
expect "lines" "did you mean 'look'?" 0
expect "lines" '{"line":5,"column":11,' 0
expect "lines" '{"line":6,"people"' 0
[ "$(wc -l <out)" -eq 5 ] || { echo "one reply a line"; failed=1; }

mkfifo input
"$fureai" act --dialog --scene "$room" <input >out 2>&1 &
pid=$!
exec 3>input
tries=0
until grep -q 'what> ' out || [ $tries -ge 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -TERM $pid # a shell lets what is in the background ignore Ctrl-C; both come to the same
wait $pid
status=$?
exec 3>&-
expect "a request to end" "what> " 0

"$fureai" act --dialog --lines >out 2>&1
status=$?
expect "both" "one of them" 2
"$fureai" act --dialog --scene missing.json >out 2>&1
status=$?
expect "no scene" "missing.json" 3
exit $failed
