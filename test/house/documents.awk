# Takes the code out of a Markdown file into the folder `out`: block N becomes N.c (a C program with a main) or N.sh
# (a block marked "sh run") or N.py ("python run"), and a text block that directly follows becomes N.expected.

BEGIN { number = 0; last = 0 }

!inside && /^```/ {
    mark = substr($0, 4)
    inside = 1
    body = ""
    next
}

inside && /^```/ {
    inside = 0
    if (mark == "c" && body ~ /(^|\n)int main\(/) keep("c")
    else if (mark == "sh run") keep("sh")
    else if (mark == "python run") keep("py")
    else if (mark == "text" && last) {
        printf "%s", body > (out "/" last ".expected")
        last = 0
    } else last = 0
    next
}

inside { body = body $0 "\n"; next }

# Only blank lines may stand between a program and what it prints.
NF { last = 0 }

function keep(kind) {
    last = ++number
    printf "%s", body > (out "/" number "." kind)
}
