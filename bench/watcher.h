// Watchers of a served world for benchmarks: they read on a thread of their own, and know how old each state is when
// they have it whole, from the beginning of its tick.
#ifndef FUREAI_BENCH_WATCHER_H
#define FUREAI_BENCH_WATCHER_H

#include "fureai/protocol.h"
#include "served_crowd.h"

// The first bytes of a watcher: it asks to become a WebSocket and says hello at once; the mask of its frame is zero.
bool bench_greet(int socket, uint16_t port, uint32_t wants);

// Likewise without the hello.
bool bench_upgrade(int socket, uint16_t port);

// A socket connected to 127.0.0.1, from a loopback address 127.0.A.B whose last two bytes are given; -1: it is not.
int bench_connect(uint16_t port, uint16_t from);

typedef struct bench_audience bench_audience;

#define BENCH_WATCHERS_MAX 400

// Up to BENCH_WATCHERS_MAX watchers of a crowd. NULL without memory.
bench_audience *bench_audience_create(const served_crowd *crowd);
void bench_audience_destroy(bench_audience *audience);

// One more watcher of the server at a port, before the audience is started.
bool bench_audience_join(bench_audience *audience, uint16_t port);

// Begins to read, and waits until all have seen some states, and those who joined first have what waited for them.
bool bench_audience_start(bench_audience *audience, int settle_ms);

// What the watchers met between two calls: begin forgets what was before, end takes the sum. The processor's seconds
// are those of the thread that reads.
typedef struct bench_seen {
    double p50_ms, p99_ms; // ages of states
    double seconds;
    double states_each, bytes_each; // a second
    double processors;              // that reading took
} bench_seen;

void bench_audience_begin(bench_audience *audience);
bench_seen bench_audience_end(bench_audience *audience);

#endif
