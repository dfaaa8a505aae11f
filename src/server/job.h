// Long work that is not the tick's: reading and writing of models, one piece after another, on the caller's tasks.
#ifndef FUREAI_SERVER_JOB_H
#define FUREAI_SERVER_JOB_H

#include "fureai/base.h"

#include <stdatomic.h>

#define FR__JOBS_MAX 32u // that wait or run

typedef struct fr__job fr__job;

// A piece of work. `run` may be on another thread and touches nothing of the server; `end` is on the server's thread
// and frees what the job has. Both get the job.
struct fr__job {
    void (*run)(fr__job *job);
    void (*end)(fr__job *job);
    fr_control control; // that `run` is to look at: stopped when its result is not wanted any more, or it took too long
    bool is_of_scene;   // it uses models of the scene that is served
    atomic_bool is_done;
    atomic_bool is_stopped;
    uint64_t begin_ns;
    void *handle; // of the tasks; NULL: it ran inline
    fr__job *after;
};

// Those that wait, the first of which runs.
typedef struct fr__jobs {
    const fr_tasks *tasks; // NULL: work is done when it is put in
    fr__job *first;
    uint32_t count;
    bool is_running; // the first
} fr__jobs;

// Puts a job in. False, with the job untouched, when too many wait.
bool fr__jobs_add(fr__jobs *jobs, fr__job *job);

// Ends the one that is done and begins the next. True when one ended.
bool fr__jobs_look(fr__jobs *jobs);

// Stops those that use the scene, or all, and ends them.
void fr__jobs_stop(fr__jobs *jobs, bool all);

#endif
