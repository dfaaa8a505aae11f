# Reads files of results, for the scripts beside it.

# Stops the program that reads, which ends with status 1.
function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
    status = 1
    exit 1
}

# The fields of a line of CSV into f; a field may be quoted, and hold commas then.
function fields_of(line, f, n) {
    n = 0
    while (line != "") {
        if (match(line, /^"[^"]*"(,|$)/)) {
            f[++n] = substr(line, 2, RLENGTH - (substr(line, RLENGTH, 1) == "," ? 3 : 2))
        } else {
            match(line, /^[^,]*(,|$)/)
            f[++n] = substr(line, 1, RLENGTH - (substr(line, RLENGTH, 1) == "," ? 1 : 0))
        }
        line = substr(line, RLENGTH + 1)
    }
    return n
}

# The counter of a name among "name=value;name=value", or "".
function counter(counters, name, list, i, n) {
    n = split(counters, list, ";")
    for (i = 1; i <= n; i++) {
        if (index(list[i], name "=") == 1) {
            return substr(list[i], length(name) + 2)
        }
    }
    return ""
}

# How many pairs a line of counters tells, or "".
function found_pairs(counters, list, i, n) {
    n = split(counters, list, ";")
    for (i = 1; i <= n; i++) {
        if (list[i] ~ /^pairs[^=]*=/) {
            return substr(list[i], index(list[i], "=") + 1)
        }
    }
    return ""
}

# Reads a file once. For who, name and threads: least and median time in milliseconds for each update of a sample (where
# a counter "updates" tells how many there are), and the counters. lines[file] is how many lines there are; who_of,
# name_of and threads_of tell what each is about.
function load(file, line, f, n, updates) {
    if (file in lines) {
        return
    }
    n = 0
    while ((getline line <file) > 0) {
        fields_of(line, f)
        if (f[1] == "who") {
            continue
        }
        n++
        updates = counter(f[7], "updates")
        updates = updates > 0 ? updates : 1
        who_of[file, n] = f[1]
        name_of[file, n] = f[2]
        threads_of[file, n] = f[3]
        least[file, f[1], f[2], f[3]] = f[5] / updates
        median[file, f[1], f[2], f[3]] = f[6] / updates
        counters_of[file, f[1], f[2], f[3]] = f[7]
        f[7] = ""
    }
    close(file)
    lines[file] = n
    if (n == 0) {
        fail("no results in " file)
    }
}
