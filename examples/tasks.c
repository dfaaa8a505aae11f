// Work in parallel that can be watched and stopped: counts primes on a pool of threads, each worker in memory of its
// own, while the caller sees the progress and may end the work.
#include "fureai/base.h"

#include <stdatomic.h>
#include <stdio.h>

// A worker's count. A cache line each, so that workers do not slow one another down.
typedef struct tally {
    _Alignas(64) size_t primes;
    size_t tried;
} tally;

typedef struct search {
    const fr_control *control;
    size_t item_count;
    atomic_size_t done;
    atomic_bool stopped;
    tally tallies[FR_MAX_WORKERS];
} search;

static bool is_prime(size_t n) {
    if (n < 2) { return false; }
    for (size_t d = 2; d * d <= n; ++d) {
        if (n % d == 0) { return false; }
    }
    return true;
}

static void count_primes(size_t begin, size_t end, int worker, void *context) {
    search *self = context;

    // Worker 0 is the calling thread, the only one that may talk to the caller; the others look at its flag.
    if (worker == 0) {
        fr_control_progress(self->control, (double)atomic_load(&self->done) / (double)self->item_count, "primes");
        if (fr_control_is_stopped(self->control)) { atomic_store(&self->stopped, true); }
    }
    if (atomic_load(&self->stopped)) { return; }

    tally *own = &self->tallies[worker];
    for (size_t n = begin; n < end; ++n) {
        own->primes += is_prime(n);
        own->tried++;
    }
    atomic_fetch_add(&self->done, end - begin);
}

// Counts the primes below `limit`; `tried` says how far it came.
static size_t primes_below(size_t limit, const fr_tasks *tasks, fr_schedule schedule, const fr_control *control,
                           size_t *tried) {
    search self = {.control = control, .item_count = limit};
    fr_tasks_run(tasks, schedule, limit, 500, count_primes, &self);
    size_t primes = 0;
    *tried = 0;
    for (int i = 0; i < fr_tasks_worker_count(tasks); ++i) {
        primes += self.tallies[i].primes;
        *tried += self.tallies[i].tried;
    }
    return primes;
}

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void keep_last(double fraction, const char *stage, void *user) {
    (void)stage;
    *(double *)user = fraction;
}

int main(void) {
    const size_t limit = 100000;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool;
    fr_error error;
    if (fr_task_pool_create(&def, &pool, &error) != FR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    fr_tasks tasks = fr_task_pool_tasks(pool);

    double last = -1.0;
    fr_control watch = {.progress = keep_last, .user = &last};
    fr_control stop = {.stop = stop_at_once};
    size_t tried;
    size_t inline_count = primes_below(limit, NULL, FR_SCHEDULE_DYNAMIC, &watch, &tried);
    printf("inline:              %zu primes below %zu\n", inline_count, tried);
    printf("last progress shown: %.3f\n", last);
    size_t cyclic_count = primes_below(limit, &tasks, FR_SCHEDULE_CYCLIC, NULL, &tried);
    printf("4 workers, cyclic:   %zu primes below %zu\n", cyclic_count, tried);
    size_t dynamic_count = primes_below(limit, &tasks, FR_SCHEDULE_DYNAMIC, NULL, &tried);
    printf("4 workers, dynamic:  %zu primes below %zu\n", dynamic_count, tried);

    primes_below(limit, &tasks, FR_SCHEDULE_CYCLIC, &stop, &tried);
    printf("stopped:             %s\n", tried < limit ? "partial" : "complete");

    fr_task_pool_destroy(pool);
    return inline_count == cyclic_count && inline_count == dynamic_count && tried < limit ? 0 : 1;
}
