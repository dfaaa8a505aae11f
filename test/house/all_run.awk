# Commands of a Markdown page that no test runs: lines of blocks that are no "sh run" but begin with a program, code in
# the text that begins with one, and options in the text. What is not in a block that runs is printed, a line each.

BEGIN { program = "^(fureai|openssl|redis-server|sqlite3|apt-get|ip|journalctl|sudo) " }

!inside && /^```/ {
    inside = 1
    is_run = substr($0, 4) == "sh run"
    next
}
inside && /^```/ {
    inside = 0
    next
}
inside && is_run {
    run = run $0 "\n"
    next
}
inside && $0 ~ program { wanted[++count] = $0 }
inside { next }
{
    pieces = split($0, code, "`")
    for (i = 2; i <= pieces; i += 2) {
        if (code[i] ~ program) wanted[++count] = code[i]
        words = split(code[i], word, " ")
        for (k = 1; k <= words; k++) if (word[k] ~ /^--[a-z]/) wanted[++count] = word[k]
    }
}

END {
    for (i = 1; i <= count; i++) if (!index(run, wanted[i] " ") && !index(run, wanted[i] "\n")) print FILENAME ": not run: " wanted[i]
}
