# Prints the goals of the server under load and whether they are met: awk -f results.awk -f load.awk FILE.csv. The status
# is 1 where one is missed or a case was not measured.

# One goal: what was measured must not be above the limit, or not below where `is_least`.
function goal(what, measured, limit, unit, is_least, is_met) {
    is_met = measured != "" && (is_least ? measured + 0 >= limit : measured + 0 <= limit)
    printf "%-44s %10s %s %s %s: %s\n", what, measured == "" ? "none" : sprintf("%.4g", measured), unit, is_least ? ">=" : "<=", limit,
        is_met ? "met" : "MISSED"
    if (!is_met) missed++
}

function value(name) { return counter(counters, name) }

FNR == 1 { next }

{
    fields_of($0, f)
    name = f[2]
    counters = f[7]
    if (name == "watch/200" || name == "edges/2/400") {
        goal(name ": age of states, 99th percentile", value("p99_ms"), 50, "ms", 0)
        goal(name ": states a second", value("states_a_second_each"), 30, "/s", 1)
        goal(name ": each watcher", value("bytes_a_second_each") / 1e6, 6, "MB/s", 0)
    } else if (name == "write/2000") {
        goal(name ": reply, 99th percentile", value("p99_ms"), 20, "ms", 0)
        goal(name ": refused", value("refused"), 0, "writes", 0)
    } else if (name ~ /^disturb\//) {
        goal(name ": 99th percentile over that of calm", value("calm_p99_ms") > 0 ? 100 * (value("p99_ms") / value("calm_p99_ms") - 1) : "", 10, "%", 0)
    } else if (name == "memory/200") {
        goal(name ": growth in " int(value("seconds")) " s", value("growth_kb"), 1024, "kB", 0)
        goal(name ": age of states, 99th percentile", value("p99_ms"), 50, "ms", 0)
        goal(name ": states a second", value("states_a_second_each"), 30, "/s", 1)
    } else {
        next
    }
    measured_cases++
}

END {
    printf "load: %d cases, %d goals missed\n", measured_cases, missed
    exit status != 0 || missed > 0 || measured_cases == 0
}
