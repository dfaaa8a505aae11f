# Makes the tables of a page from measured results: awk -v results=DIR -f results.awk -f page.awk PAGE >NEW.
# A table stands behind a comment that tells what it is made of, and is written anew; every other line stays as it is:
#
#     <!-- measured TOPIC@MACHINE | work | fureai | best rival | ratio | goal
#     two spheres that cross | W1 960 @1.9 64 poses | 64 | 3
#     -->
#
# The first line names DIR/MACHINE/TOPIC.csv and the columns, each other line a row: its text, the case in the file, how
# many times a sample does the work, and what the columns that need something of their own are given, in their order.
#   fureai           our least time for the work once
#   best rival       the quickest rival that has the case and finds all pairs, and its time
#   faithful         our least time with another case, which the row names: the source's method
#   ratio            the time of the column before over ours
#   median           before "fureai" or "best rival": the median of the samples, where each is other work
#   goal             what the row says
#   a number         our least time with so many threads
#   any other word   the counter of that name

function trim(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

# Three digits, and no more noughts than it needs.
function digits(x, text) {
    text = x >= 99.95 ? sprintf("%.0f", x) : x >= 9.995 ? sprintf("%.1f", x) : sprintf("%.2f", x)
    return text
}

function time_text(ms) {
    return ms >= 1000 ? digits(ms / 1000) " s" : ms >= 1 ? digits(ms) " ms" : \
           ms >= 0.001 ? digits(ms * 1000) " us" : digits(ms * 1000000) " ns"
}

function ours(file, name, threads) {
    if (!((file, "fureai", name, threads) in least)) {
        fail("no case \"" name "\" with " threads " threads in " file)
    }
    return least[file, "fureai", name, threads]
}

# The quickest rival of a case by one thread that does not know of pairs it misses or has too many of, or "".
function best_rival(file, name, i, who, told, best) {
    best = ""
    for (i = 1; i <= lines[file]; i++) {
        who = who_of[file, i]
        if (who == "fureai" || name_of[file, i] != name || threads_of[file, i] != 1) {
            continue
        }
        told = counter(counters_of[file, who, name, 1], "true pairs")
        if (told != "" && told != found_pairs(counters_of[file, who, name, 1])) {
            continue
        }
        if (best == "" || least[file, who, name, 1] < least[file, best, name, 1]) {
            best = who
        }
    }
    return best
}

function cell(column, file, name, repeats, own, rival, value) {
    if (column ~ /^(median )?fureai$/) {
        before = ours(file, name, 1) / repeats
        before = column == "fureai" ? before : median[file, "fureai", name, 1] / repeats
        return time_text(before)
    }
    if (column ~ /^(median )?best rival$/) {
        rival = best_rival(file, name)
        if (rival == "") {
            other = 0
            return ""
        }
        other = (column == "best rival" ? least[file, rival, name, 1] : median[file, rival, name, 1]) / repeats
        return (rival in shown_name ? shown_name[rival] : rival) " " time_text(other)
    }
    if (column == "faithful") {
        other = ours(file, own, 1) / repeats
        return time_text(other)
    }
    if (column == "ratio") {
        return other > 0 ? digits(other / before) : ""
    }
    if (column ~ /^[0-9]+$/) {
        return time_text(ours(file, name, column) / repeats)
    }
    value = counter(counters_of[file, "fureai", name, 1], column)
    if (value == "") {
        fail("no counter \"" column "\" of \"" name "\" in " file)
    }
    return value == int(value) ? sprintf("%d", value) : digits(value + 0)
}

function row(file, line, f, n, i, next_own, own, text) {
    n = split(line, f, "|")
    if (n < 3 || f[3] + 0 <= 0) {
        fail("a row is its text, a case and how many times a sample does the work")
    }
    next_own = 4
    text = "| " trim(f[1]) " |"
    for (i = 2; i <= columns; i++) {
        own = column[i] == "faithful" || column[i] == "goal" ? trim(f[next_own++]) : ""
        text = text " " (column[i] == "goal" ? own : cell(column[i], file, trim(f[2]), f[3], own)) " |"
    }
    gsub(/ +\|/, " |", text)
    print text
}

function start_table(line, place, i) {
    columns = split(line, column, "|") - 1
    place = trim(substr(column[1], length("<!-- measured ") + 1))
    if (split(place, source, "@") != 2) {
        fail("what a table is made of is TOPIC@MACHINE")
    }
    source_file = results "/" source[2] "/" source[1] ".csv"
    load(source_file)
    for (i = 1; i <= columns; i++) {
        column[i] = trim(column[i + 1])
    }
    rows = 0
}

function table(i, line) {
    line = "|"
    for (i = 1; i <= columns; i++) {
        line = line " " column[i] " |"
    }
    print line
    gsub(/[^|]+/, " --- ", line)
    print line
    for (i = 1; i <= rows; i++) {
        row(source_file, spec[i])
    }
}

BEGIN {
    shown_name["bullet"] = "Bullet"
    shown_name["cgal"] = "CGAL"
    shown_name["coin"] = "Coin"
    shown_name["embree"] = "Embree"
    shown_name["fcl"] = "FCL"
    shown_name["ode"] = "ODE"
    shown_name["ompl"] = "OMPL"
    shown_name["openvdb"] = "OpenVDB"
}

state == "old table" && /^\|/ { next }
state == "old table" { state = "" }

state == "" && /^<!-- measured / {
    state = "rows"
    start_table($0)
    print
    next
}

state == "rows" && /^-->$/ {
    print
    table()
    state = "old table"
    next
}

state == "rows" {
    print
    spec[++rows] = $0
    next
}

{ print }

END {
    if (!status && state == "rows") {
        fail("a comment without an end")
    }
    exit status
}
