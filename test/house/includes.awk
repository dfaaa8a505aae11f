# Checks the #include lines of C files against rooms.txt. Input: rooms.txt, then the files, with paths relative to the
# root of the tree. Prints one line for each wrong include; exit status 1 when there is one.

BEGIN {
    split("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg " \
          "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype", names, " ")
    for (i in names) standard[names[i] ".h"] = 1
    # POSIX, for threads and clocks, in base alone.
    split("pthread.h sched.h unistd.h", names, " ")
    for (i in names) posix[names[i]] = 1
    # Vector intrinsics, for kernels and what they share.
    split("immintrin.h arm_neon.h wasm_simd128.h cpuid.h", names, " ")
    for (i in names) vector[names[i]] = 1
    wrong = 0
}

FILENAME ~ /rooms\.txt$/ {
    if ($0 !~ /^#/ && NF >= 3) {
        floor[$1] = $2
        library[$1] = $3
        for (i = 4; i <= NF; i++) also[$1, $i] = 1
    }
    next
}

FNR == 1 { place_file(FILENAME) }

/^[ \t]*#[ \t]*include/ {
    if (match($0, /<[^>]+>/)) check_system(substr($0, RSTART + 1, RLENGTH - 2))
    else if (match($0, /"[^"]+"/)) check_own(substr($0, RSTART + 1, RLENGTH - 2))
    else report("an include by macro cannot be checked")
}

END { exit wrong }

# The room whose public header NAME.h is: NAME itself, or what stands before its "_", as of protocol_messages.h.
function room_of(name) {
    sub(/\.h$/, "", name)
    if (!(name in floor)) sub(/_.*/, "", name)
    return name
}

# Where a file lives: kind "room" (src/ROOM/...), "face" (include/fureai/ROOM.h) or "roof" (everything else). `faithful`
# is set for src/ROOM/faithful/, a library of its own that uses public headers alone and that core never uses.
function place_file(path, parts, count) {
    count = split(path, parts, "/")
    file = parts[count]
    faithful = 0
    if (parts[1] == "src" && count > 2) {
        kind = "room"
        room = parts[2]
        faithful = parts[3] == "faithful" && count == 4
    } else if (parts[1] == "include") {
        kind = (file == "fureai.h") ? "whole" : "face"
        room = room_of(file)
    } else {
        kind = "roof"
        room = ""
    }
    if ((kind == "room" || kind == "face") && !(room in floor)) report("room " room " is not in rooms.txt")
}

function report(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    wrong = 1
}

function sees(other) {
    if (other == room || ((room, other) in also)) return 1
    if (floor[other] >= floor[room]) return 0
    return library[other] == "core" || library[other] == library[room]
}

function check_system(name) {
    if (name ~ /^fureai\//) {
        report("<" name ">: headers of ours are included with quotes")
        return
    }
    if (kind == "roof" || kind == "whole") return
    if (library[room] != "core" || (name in standard)) return
    if ((name in posix) && room == "base") return
    if ((name in vector) && (file ~ /_kernel\.c$/ || room == "math" || room == "base")) return
    report("<" name "> is not open to core")
}

function check_own(name, parts, count, other) {
    count = split(name, parts, "/")
    if (parts[1] == "fureai" && count == 2 || kind == "face" && count == 1 || kind == "whole") {
        other = room_of(parts[count])
        if (kind == "whole") return
        if (kind == "roof") {
            if (other != "fureai" && !(other in floor)) report("\"" name "\" is no public header")
            return
        }
        if (other == "fureai") report("\"" name "\": a room names the rooms it uses")
        else if (!(other in floor)) report("\"" name "\" is no public header")
        else if (!sees(other)) report("room " room " may not use room " other)
        return
    }
    if (kind == "face") {
        report("\"" name "\": a public header includes public headers alone")
        return
    }
    if (parts[2] == "faithful" && count == 3 && (parts[1] in floor)) {
        if (kind == "room" && !(faithful && parts[1] == room)) report("\"" name "\": a faithful method is for the roof")
        return
    }
    if (faithful) {
        report("\"" name "\": a faithful method uses public headers and its own")
        return
    }
    if (kind == "roof") {
        if (name ~ /\.\./ || (count > 1 && (parts[1] in floor)))
            report("\"" name "\": the roof uses public headers alone")
        return
    }
    # A private header: "NOUN.h" beside the file, or "ROOM/NOUN.h" from src/.
    if (name ~ /\.\./) report("\"" name "\": name the room instead of ..")
    else if (count > 1) {
        other = parts[1]
        if (!(other in floor)) report("\"" name "\" names no room")
        else if (!sees(other)) report("room " room " may not use room " other)
        else if (library[other] != library[room]) report("\"" name "\" is private to another library")
    }
}
