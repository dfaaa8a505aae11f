# Reports what is long. Input: long_functions.txt, then C and C++ files with paths relative to the root.
# A .c or .cpp file is reported over 600 lines and wrong over 800; a header over 800 and wrong over 1000; of tests and
# benchmarks that is only reported. A function is wrong over 60 lines wherever it stands, or over 100 where
# long_functions.txt gives a reason.

FILENAME ~ /long_functions\.txt$/ {
    if ($0 !~ /^#/ && NF >= 3) excused[$1, $2] = 1
    next
}

FNR == 1 {
    if (path != "") end_file()
    path = FILENAME
    strict = path !~ /^(test|bench|fuzz)\//
    start = 0
    head = 0
    files++
}

{ lines = FNR }

# Outside a function: remember where a declaration begins, and whether a line opens a body.
!start {
    if ($0 ~ /^[A-Za-z_]/) {
        if (!head) { head = FNR; text = "" }
        text = text $0
    } else if (head && $0 ~ /^[ \t]/) text = text $0
    else head = 0
    if (head && $0 ~ /\{$/ && text ~ /\(/ && text !~ /^(typedef|struct|enum|union|extern "C")/ && text !~ /=/) {
        start = head
        name = text
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
    }
    if ($0 ~ /[;}]$/) head = 0
    next
}

/^}/ {
    size = FNR - start + 1
    functions++
    if (size > 60) say(path ":" start ": " name " has " size " lines", size > 100 || !((path, name) in excused))
    start = 0
    head = 0
}

END {
    if (path != "") end_file()
    printf "sizes: %d files, %d functions, %d over their size, %d wrong\n", files, functions, over, wrong
    exit wrong > 0
}

function end_file() {
    if (path ~ /\.h$/) {
        if (lines > 800) say(path " has " lines " lines", strict && lines > 1000)
    } else if (lines > 600) say(path " has " lines " lines", strict && lines > 800)
}

function say(what, is_wrong) {
    print (is_wrong ? "WRONG " : "long  ") what
    over++
    if (is_wrong) wrong++
}
