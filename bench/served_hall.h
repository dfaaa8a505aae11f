// A hall for benchmarks: 100 bodies that walk and 1,000 balls that move, served at 60 ticks a second by one server, or
// by edges of it with a Redis between, and the audience that watches. Each server is a process of its own, so that what
// watchers take is apart.
#ifndef FUREAI_BENCH_SERVED_HALL_H
#define FUREAI_BENCH_SERVED_HALL_H

#include "bench.h"
#include "served_crowd.h"
#include "watcher.h"

#define HALL_EDGES_MAX 2

typedef struct served_hall {
    served_crowd *crowd;
    served_process home, edges[HALL_EDGES_MAX];
    pid_t broker; // the Redis server; 0: none
    char folder[64], socket[96];
    bench_audience *audience;
} served_hall;

// Opens a hall with so many watchers, who come to the edges in turn where there are any, and waits until all have seen
// some states. False, with the benchmark skipped, where that cannot be; it is to be closed in any case.
bool served_hall_open(bench *b, served_hall *hall, size_t watchers, int edges);
void served_hall_close(served_hall *hall);

// Seconds of processor time that home and edges have spent.
double served_hall_processor_seconds(const served_hall *hall);

#endif
