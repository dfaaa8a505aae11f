# Prints how a file's rivals compare: awk -v file=FILE -f results.awk -f ratios.awk. Where a rival has a case of ours, its
# median time over ours: above 1, we are faster; and both counts where it knows that its count of pairs is not the true one.

BEGIN {
    load(file)
    for (i = 1; i <= lines[file]; i++) {
        who = who_of[file, i]
        name = name_of[file, i]
        threads = threads_of[file, i]
        ours = (file, "fureai", name, threads) in median ? median[file, "fureai", name, threads] : 0
        if (who == "fureai" || ours <= 0) {
            continue
        }
        counters = counters_of[file, who, name, threads]
        told = counter(counters, "true pairs")
        found = found_pairs(counters)
        printf "%-36s %7d threads: %s / fureai = %.2f (medians)%s\n", name, threads, who,
            median[file, who, name, threads] / ours,
            told != "" && told != found ? "; it finds " found " pairs of " told : ""
    }
}
