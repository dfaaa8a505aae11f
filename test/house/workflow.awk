# Holds a workflow to what may stand in one: awk -f workflow.awk workflow.txt Makefile ci.yml. Reads the part of YAML that
# such files need: mappings by indentation, lists of "- ", lists in brackets, values in a line, comments.

function fail(text) { printf "workflow: line %d: %s\n", FNR, text; failed = 1 }

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

function unquote(text) { return text ~ /^".*"$/ ? substr(text, 2, length(text) - 2) : text }

# One value at its path, with its line. The first rule whose path fits decides.
function take(path, value,    i, form) {
    form = path
    gsub(/\[[0-9]+\]/, "[]", form)
    sub(/^jobs\.[^.]+/, "jobs.*", form)
    for (i = 1; i <= rules; i++) {
        if (rule[i] != form) continue
        seen[i] = 1
        if (value !~ ("^(" pattern[i] ")$")) fail(path " has the value '" value "'")
        values[path] = value
        return
    }
    fail(path " may not stand in a workflow")
}

function take_all(path, value,    items, count, i) {
    if (value !~ /^\[.*\]$/) { take(path, unquote(value)); return }
    count = split(substr(value, 2, length(value) - 2), items, ",")
    for (i = 1; i <= count; i++) take(path ".[" i "]", unquote(trim(items[i])))
}

# The path above a line of this indentation.
function parent(indent) {
    while (depth > 0 && column[depth] >= indent) depth--
    return depth > 0 ? above[depth] "." : ""
}

FILENAME ~ /workflow\.txt$/ {
    if ($0 ~ /^#/ || $0 !~ /\|/) next
    text = $0
    path = trim(substr(text, 1, index(text, "|") - 1))
    text = substr(text, index(text, "|") + 1)
    rule[++rules] = path
    needed[rules] = trim(substr(text, 1, index(text, "|") - 1)) == "required"
    pattern[rules] = trim(substr(text, index(text, "|") + 1))
    next
}

FILENAME ~ /Makefile$/ {
    if ($0 ~ /^[a-z0-9-]+:/) { name = $0; sub(/:.*/, "", name); targets[name] = 1 }
    next
}

/^[ \t]*(#.*)?$/ { next }

{
    if ($0 ~ /\t/) fail("a tab stands where YAML has blanks")
    match($0, /^ */)
    indent = RLENGTH
    text = substr($0, indent + 1)
    if (text ~ /^- /) {
        base = parent(indent)
        sub(/\.$/, "", base)
        item[base]++
        column[++depth] = indent
        above[depth] = base ".[" item[base] "]"
        indent += 2
        text = substr(text, 3)
    }
    colon = index(text, ":")
    if (colon == 0) { fail("this is no key with a value: " text); next }
    key = substr(text, 1, colon - 1)
    value = trim(substr(text, colon + 1))
    path = parent(indent) key
    if (path ~ /^jobs\.[^.]+$/) jobs[key] = 1
    if (path ~ /^jobs\.[^.]+\.steps\.\[[0-9]+\]\.(run|uses)$/) does[above[depth]]++
    if (path ~ /^jobs\.[^.]+\.steps\.\[[0-9]+\]/) steps[above[depth]] = 1
    if (path in known) fail(path " stands twice")
    known[path] = 1
    if (value == "") {
        column[++depth] = indent
        above[depth] = path
    } else {
        take_all(path, value)
    }
}

END {
    for (i = 1; i <= rules; i++) {
        if (!needed[i]) continue
        if (rule[i] !~ /^jobs\.\*\./) {
            if (!seen[i]) fail(rule[i] " is missing")
            continue
        }
        for (job in jobs) {
            path = rule[i]
            sub(/\*/, job, path)
            if (!(path in values)) fail(path " is missing")
        }
    }
    for (step in steps) if (does[step] != 1) fail(step " has not one of uses and run")
    for (path in values) {
        if (path !~ /\.run$/ || values[path] !~ /^make /) continue
        name = substr(values[path], 6)
        called[name] = 1
        if (!(name in targets)) fail("the makefile has no target '" name "'")
    }
    split("test baseline clang wasm", wanted, " ")
    for (i in wanted) if (!(wanted[i] in called)) fail("no step calls make " wanted[i])
    exit failed
}
