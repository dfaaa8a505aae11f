// Parallel loops over a task system, and their schedules.
#include "fureai/base.h"

#include <stdatomic.h>

// One call of fr_tasks_run, shared by its workers.
typedef struct loop {
    fr_range_fn *fn;
    void *context;
    fr_schedule schedule;
    size_t item_count;
    size_t grain;
    size_t piece_count;
    size_t worker_count;
    _Alignas(64) atomic_size_t next_piece; // for FR_SCHEDULE_DYNAMIC
} loop;

typedef struct loop_worker {
    loop *loop;
    int index;
} loop_worker;

int fr_tasks_worker_count(const fr_tasks *tasks) {
    if (tasks == NULL || tasks->worker_count < 2 || tasks->enqueue == NULL || tasks->finish == NULL) { return 1; }
    return tasks->worker_count < FR_MAX_WORKERS ? tasks->worker_count : FR_MAX_WORKERS;
}

static void run_piece(const loop *of, size_t piece, int worker) {
    size_t begin = piece * of->grain;
    size_t left = of->item_count - begin;
    of->fn(begin, begin + (left < of->grain ? left : of->grain), worker, of->context);
}

static void run_cyclic(const loop *of, int worker) {
    size_t piece = (size_t)worker;
    while (piece < of->piece_count) {
        run_piece(of, piece, worker);
        if (of->piece_count - piece <= of->worker_count) { break; }
        piece += of->worker_count;
    }
}

static void run_dynamic(loop *of, int worker) {
    // Relaxed is enough: the pieces need no order, and finishing the tasks orders all of them before what follows.
    for (;;) {
        size_t piece = atomic_fetch_add_explicit(&of->next_piece, 1, memory_order_relaxed);
        if (piece >= of->piece_count) { return; }
        run_piece(of, piece, worker);
    }
}

static void run_worker(void *task_context) {
    loop_worker *worker = task_context;
    if (worker->loop->schedule == FR_SCHEDULE_CYCLIC) {
        run_cyclic(worker->loop, worker->index);
    } else {
        run_dynamic(worker->loop, worker->index);
    }
}

void fr_tasks_run(const fr_tasks *tasks, fr_schedule schedule, size_t item_count, size_t grain, fr_range_fn *fn,
                  void *context) {
    FR_ASSERT(fn != NULL);
    if (item_count == 0) { return; }

    loop shared = {.fn = fn, .context = context, .schedule = schedule, .item_count = item_count};
    shared.grain = grain > 0 ? grain : 1;
    shared.piece_count = (item_count - 1) / shared.grain + 1;
    shared.worker_count = (size_t)fr_tasks_worker_count(tasks);
    if (shared.worker_count > shared.piece_count) { shared.worker_count = shared.piece_count; }
    atomic_init(&shared.next_piece, 0);

    loop_worker workers[FR_MAX_WORKERS];
    void *handles[FR_MAX_WORKERS];
    for (size_t i = 1; i < shared.worker_count; ++i) {
        workers[i] = (loop_worker){&shared, (int)i};
        handles[i] = tasks->enqueue(run_worker, &workers[i], tasks->user);
    }
    workers[0] = (loop_worker){&shared, 0};
    run_worker(&workers[0]);
    for (size_t i = 1; i < shared.worker_count; ++i) {
        if (handles[i] != NULL) { tasks->finish(handles[i], tasks->user); }
    }
}
