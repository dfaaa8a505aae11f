// The frame of every benchmark: cases by name, repeats, threads; minimum and median; counters beside milliseconds, so
// that more work shows apart from a slower machine.
//
//     static void build(bench *b) {
//         mesh *m = make(bench_size(b, 1000, 1000000));   // untimed
//         while (bench_repeat(b)) {                       // each pass through the body is one timed sample
//             tree *t = tree_build(m, bench_threads(b));
//             bench_pause(b);                             // untimed until the next pass
//             bench_count(b, "nodes", tree_nodes(t));
//             tree_free(t);
//         }
//     }
//     int main(int argc, char **argv) {
//         static const bench_case cases[] = {{"build", build}};
//         return bench_main(argc, argv, "fureai", "tree", cases, 1);
//     }
#ifndef FUREAI_BENCH_H
#define FUREAI_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench bench;

typedef struct bench_case {
    const char *name; // what is measured; a rival's case of the same topic and name is compared with ours
    void (*run)(bench *b);
} bench_case;

// True while another timed sample is wanted. The time from one call to the next (or to bench_pause) is a sample; the
// first is a warm-up and not counted.
bool bench_repeat(bench *b);

// Ends the sample now: what follows in the body of the loop is not timed.
void bench_pause(bench *b);

// A number to print beside the time, such as pairs tested; the last value given for a name counts. At most 8 names.
void bench_count(bench *b, const char *name, double value);

// Items handled in one sample: printed as millions a second of the fastest one.
void bench_items(bench *b, double items);

// Threads asked for by --threads; 1 by default.
int bench_threads(const bench *b);

// The size to take: `smallest` under --smoke, where a benchmark only shows that it runs, else `full`.
size_t bench_size(const bench *b, size_t smallest, size_t full);

// Keeps the compiler from dropping a result that nobody reads.
void bench_keep(const void *result);

// Says that a case could not be measured; its line carries the reason.
void bench_skip(bench *b, const char *reason);

// Runs the cases. `who` is "fureai" or the rival's name. Options: --list, --baseline, --threads N, --repeats N,
// --smoke, --json,
// --csv FILE (appends; a new file gets a head line), and names of cases (parts of names) to run. Returns the exit
// status: 0, or 2 for wrong usage, or 1 when a file could not be written.
int bench_main(int argc, char **argv, const char *who, const char *topic, const bench_case *cases, size_t case_count);

#ifdef __cplusplus
}
#endif

#endif
