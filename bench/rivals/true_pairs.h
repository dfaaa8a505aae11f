// The true number of face pairs, for rivals whose own count is another, so that a table shows both.
#ifndef FUREAI_BENCH_RIVALS_TRUE_PAIRS_H
#define FUREAI_BENCH_RIVALS_TRUE_PAIRS_H

#include "bench.h"

namespace true_pairs {

// Puts both counts beside the time. bench/run.sh says so where they differ.
inline void count(bench *b, long found, long expected) {
    bench_count(b, "pairs", (double)found);
    bench_count(b, "true pairs", (double)expected);
}

} // namespace true_pairs

#endif
