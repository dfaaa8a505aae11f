// Runs long work beside the ticks.
#include "server/job.h"

#define TOO_LONG_NS UINT64_C(120000000000) // a job ends after this time at the latest

static bool is_stopped(void *user) {
    const fr__job *job = user;
    return atomic_load(&job->is_stopped) || fr_clock_ns() > job->begin_ns + TOO_LONG_NS;
}

static void run_job(void *context) {
    fr__job *job = context;
    job->run(job);
    atomic_store(&job->is_done, true);
}

// Runs the first where none runs.
static void begin_next(fr__jobs *jobs) {
    fr__job *job = jobs->first;
    if (job == NULL || jobs->is_running) { return; }
    jobs->is_running = true;
    job->begin_ns = fr_clock_ns();
    bool has_tasks = jobs->tasks != NULL && jobs->tasks->worker_count > 1;
    if (has_tasks) { job->handle = jobs->tasks->enqueue(run_job, job, jobs->tasks->user); }
    if (!has_tasks) { run_job(job); }
}

bool fr__jobs_add(fr__jobs *jobs, fr__job *job) {
    if (jobs->count >= FR__JOBS_MAX) { return false; }
    job->control = (fr_control){.stop = is_stopped, .user = job};
    atomic_init(&job->is_done, false);
    atomic_init(&job->is_stopped, false);
    job->handle = NULL;
    job->after = NULL;
    fr__job **place = &jobs->first;
    while (*place != NULL) {
        place = &(*place)->after;
    }
    *place = job;
    jobs->count++;
    return true;
}

static void end_first(fr__jobs *jobs) {
    fr__job *job = jobs->first;
    if (job->handle != NULL) { jobs->tasks->finish(job->handle, jobs->tasks->user); }
    jobs->first = job->after;
    jobs->count--;
    jobs->is_running = false;
    job->end(job);
}

bool fr__jobs_look(fr__jobs *jobs) {
    begin_next(jobs);
    if (!jobs->is_running || !atomic_load(&jobs->first->is_done)) { return false; }
    end_first(jobs);
    return true;
}

// One that waits is run at once: it sees that it is stopped.
static void end_waiting(fr__jobs *jobs, fr__job **place) {
    fr__job *job = *place;
    *place = job->after;
    jobs->count--;
    job->begin_ns = fr_clock_ns();
    job->run(job);
    job->end(job);
}

void fr__jobs_stop(fr__jobs *jobs, bool all) {
    for (fr__job *job = jobs->first; job != NULL; job = job->after) {
        if (all || job->is_of_scene) { atomic_store(&job->is_stopped, true); }
    }
    if (jobs->is_running && atomic_load(&jobs->first->is_stopped)) { end_first(jobs); }
    for (fr__job **place = &jobs->first; *place != NULL;) {
        if (atomic_load(&(*place)->is_stopped)) {
            end_waiting(jobs, place);
        } else {
            place = &(*place)->after;
        }
    }
}
