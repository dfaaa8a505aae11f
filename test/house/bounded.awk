# Which functions call which, by the text of C files as clang-format lays them out: a definition begins at the left
# margin and ends with a brace there. Reads the files of src and test, and prints for each name of `entries`
#     NAME allocates|still covered|uncovered
# It allocates when an allocation can be reached from it. It is covered when a making of test_every_failure or
# test_every_bound names it, itself or by helpers in test, or when a function that calls one of these hands it over, as
# a value that is not called there.
# A word means the definition of the same file, else the global one of src, else that of a header the file includes.
function base_name(path) { sub(/.*\//, "", path); return path }
function file_of(node) { sub(/:[^:]*$/, "", node); return node }

function note_words(text,    word) {
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (text !~ /^\(/) { values[node] = values[node] " " word }
        if (length(word) < 3 || (node, word) in is_noted) { continue }
        is_noted[node, word] = 1
        words[node] = words[node] " " word
        if (word ~ /^fr_(allocate|arena_alloc|array_push|array_reserve.*)$|_array_(push|reset|reserve|reserve_more)$/) {
            allocates[node] = 1
        }
    }
}

# The name that the first line of a definition gives: before the bracket of a function or of a table. What has no brace
# is only declared.
function begin_definition(text,    name) {
    name = text
    sub(/ *[(=\[].*/, "", name)
    sub(/.*[ *]/, "", name)
    node = FILENAME ":" name
    global_name = FILENAME ~ /^src\// && text !~ /^static/ ? name : ""
    is_inside = 1
    depth = 0
}

# The headers that a file includes, and those that they include.
function all_headers(file,    list, queue, more, count, total, i, k, path) {
    list = includes[file]
    total = split(list, queue, " ")
    for (i = 1; i <= total; i++) {
        path = path_of[queue[i]]
        count = path == "" ? 0 : split(includes[path], more, " ")
        for (k = 1; k <= count; k++) {
            if (index(list " ", " " more[k] " ") == 0) { list = list " " more[k]; queue[++total] = more[k] }
        }
    }
    return list
}

# The definition that a word means in a file; "" for none.
function meaning(file, word,    names, count, i) {
    if ((file ":" word) in is_node) { return file ":" word }
    if (word in global) { return global[word] }
    if (!(file in headers)) { headers[file] = all_headers(file) }
    count = split(headers[file], names, " ")
    for (i = 1; i <= count; i++) {
        if ((path_of[names[i]] ":" word) in is_node) { return path_of[names[i]] ":" word }
    }
    return ""
}

FNR == 1 {
    is_inside = 0
    if (FILENAME ~ /\.h$/) { path_of[base_name(FILENAME)] = FILENAME }
}
{ sub(/ *\/\/.*/, "") }
/^#include "/ { split($0, part, "\""); includes[FILENAME] = includes[FILENAME] " " base_name(part[2]) }
!is_inside && /^[A-Za-z]/ && /[(=]/ { begin_definition($0) }
is_inside && /test_every_(failure|bound)[a-z_]*\([a-z_0-9]+,/ && !/^static/ { is_test[node] = 1 }
is_inside {
    gsub(/'([^'\\]|\\.)'/, " ")
    gsub(/"([^"\\]|\\.)*"/, " ")
    note_words($0)
    if (/{/ && !(node in is_node)) {
        is_node[node] = 1
        if (global_name != "") { global[global_name] = node }
    }
    depth += gsub(/{/, "{") - gsub(/}/, "}")
    if (depth == 0 && /[;}] *$/ || /^}/) { is_inside = 0 }
}

# Words of nodes become edges: forwards inside test, for what a making names, and backwards, for what allocates.
END {
    for (test in is_test) {
        count = split(values[test], list, " ")
        for (k = 1; k <= count; k++) {
            is_named[list[k]] = 1
            node = meaning(file_of(test), list[k])
            if (node ~ /^test\// && !(node in is_made)) { is_made[node] = 1; queue[++total] = node }
        }
    }
    for (i = 1; i <= total; i++) {
        count = split(words[queue[i]], list, " ")
        for (k = 1; k <= count; k++) {
            is_named[list[k]] = 1
            node = meaning(file_of(queue[i]), list[k])
            if (node ~ /^test\// && !(node in is_made)) { is_made[node] = 1; queue[++total] = node }
        }
    }

    total = 0
    for (node in is_node) {
        if (node !~ /^src\//) { continue }
        if (node in allocates) { queue[++total] = node }
        count = split(words[node], list, " ")
        for (k = 1; k <= count; k++) {
            to = meaning(file_of(node), list[k])
            if (to != "") { callers[to] = callers[to] " " node }
        }
    }
    for (i = 1; i <= total; i++) {
        count = split(callers[queue[i]], list, " ")
        for (k = 1; k <= count; k++) {
            if (!(list[k] in allocates)) { allocates[list[k]] = 1; queue[++total] = list[k] }
        }
    }

    count = split(entries, list, " ")
    for (k = 1; k <= count; k++) {
        name = list[k]
        print name, (global[name] in allocates ? "allocates" : "still"), (name in is_named ? "covered" : "uncovered")
    }
}
