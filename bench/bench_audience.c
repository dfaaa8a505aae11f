// Audiences, by the clock: 100 bodies that walk and 1,000 balls that move, at 60 ticks a second, to many watchers over
// loopback, by one server or by two edges with a Redis between. A sample is a second; what counts is the age of each
// state when a watcher has it whole, from the beginning of its tick. Watchers read on a thread of their own process,
// which takes the processors' time from the servers, and is reported apart.
#include "served_hall.h"

#include <poll.h>

static void run_audience(bench *b, size_t watchers, int edges) {
    served_hall h;
    if (served_hall_open(b, &h, watchers, edges)) {
        double spent = served_hall_processor_seconds(&h);
        bench_audience_begin(h.audience);
        while (bench_repeat(b)) {
            (void)poll(NULL, 0, (int)bench_size(b, 50, 1000));
        }
        bench_seen seen = bench_audience_end(h.audience);
        spent = served_hall_processor_seconds(&h) - spent;
        bench_count(b, "p50_ms", seen.p50_ms);
        bench_count(b, "p99_ms", seen.p99_ms);
        bench_count(b, "states_a_second_each", seen.states_each);
        bench_count(b, "bytes_a_second_each", seen.bytes_each);
        bench_count(b, "servers_processors", spent / seen.seconds);
        bench_count(b, "watchers_processors", seen.processors);
    }
    served_hall_close(&h);
}

static void one_watcher(bench *b) { run_audience(b, 1, 0); }
static void fifty_watchers(bench *b) { run_audience(b, bench_size(b, 4, 50), 0); }
static void two_hundred_watchers(bench *b) { run_audience(b, bench_size(b, 4, 200), 0); }
static void one_watcher_of_edges(bench *b) { run_audience(b, 2, 2); }
static void four_hundred_watchers_of_edges(bench *b) { run_audience(b, bench_size(b, 4, 400), 2); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"watch/1", one_watcher},
                                       {"watch/50", fifty_watchers},
                                       {"watch/200", two_hundred_watchers},
                                       {"edges/2/2", one_watcher_of_edges},
                                       {"edges/2/400", four_hundred_watchers_of_edges}};
    return bench_main(argc, argv, "fureai", "audience", cases, sizeof cases / sizeof cases[0]);
}
