# Of each case in a file of results the line with the least time, in the order in which they first stand there:
# awk -v file=FILE -f results.awk -f quieter.awk.

BEGIN {
    while ((getline line <file) > 0) {
        fields_of(line, f)
        key = f[1] SUBSEP f[2] SUBSEP f[3]
        if (!(key in quietest)) {
            keys[++count] = key
        } else if (f[5] + 0 >= least_of[key]) {
            continue
        }
        quietest[key] = line
        least_of[key] = f[5] + 0
    }
    for (i = 1; i <= count; i++) {
        print quietest[keys[i]]
    }
}
