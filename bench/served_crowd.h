// A served world for benchmarks: bodies that walk and balls that move beside one another, 60 ticks a second.
#ifndef FUREAI_BENCH_SERVED_CROWD_H
#define FUREAI_BENCH_SERVED_CROWD_H

#include "fureai/server.h"

#include <pthread.h>
#include <sys/types.h>

enum { CROWD_TICKS_A_SECOND = 60 };

typedef struct served_crowd served_crowd;

// `objects` in all, up to 1,100, of which the first `people`, up to 100, have bones; the objects are named "object 0"
// and so on. It lies in memory that processes made by fork share. NULL without memory.
served_crowd *served_crowd_create(uint32_t people, uint32_t objects);
void served_crowd_destroy(served_crowd *crowd);

// For the definition of one server.
fr_scene_provider served_crowd_provider(served_crowd *crowd);

// When a tick began, by fr_clock_ns; of the last 4,096 ticks. Any thread, and any process that shares the crowd.
uint64_t served_crowd_tick_ns(const served_crowd *crowd, uint64_t tick);

// A server on a thread of its own.
typedef struct served_thread {
    fr_server *server;
    pthread_t thread;
    bool is_running;
} served_thread;

bool served_thread_start(served_thread *thread, const fr_server_def *def);
void served_thread_stop(served_thread *thread);

// A server in a process of its own, so that its memory and processor time are its alone. With an address of Redis,
// which may be NULL, it is a home there, or the edge that its definition says.
typedef struct served_process {
    pid_t process; // 0: none
    uint16_t port;
} served_process;

bool served_process_start(served_process *process, const fr_server_def *def, const char *redis_url);
void served_process_stop(served_process *process);

// Seconds of processor time that a process has spent, of all its threads.
double bench_processor_seconds(pid_t process);

// Resident memory of a process in kB; 0 where it cannot be read.
double bench_resident_kb(pid_t process);

#endif
