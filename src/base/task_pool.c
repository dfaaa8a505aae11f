// A pool is a queue of tasks behind one mutex and threads that take from it. Three rules keep it simple and safe:
//
// - A task that is waited for and has not begun is run by who waits. So a loop inside a task always gets done, even
//   when every thread is busy.
// - Who waits for a task that has begun runs nothing else meanwhile. So a thread that holds a lock of the user's in
//   one piece of work never finds itself in another piece that wants the same lock. No cycle of waiting threads can
//   arise, for a task waits only for tasks that it enqueued itself.
// - Tasks live in a fixed number of places; when all are taken, a task runs inline. So enqueueing never allocates.
//
// A thread without work looks at the queue for some microseconds before it sleeps: loops that follow one another
// closely, as in a simulation step, then need no call of the operating system.
#include "base/relax.h"

#include "fureai/base.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#define PLACE_COUNT 256
#define DEF_COOKIE 0x7A5C0001u
#define SPIN_ROUNDS 1000 // some 10 to 40 microseconds, by processor

typedef enum task_state { TASK_QUEUED, TASK_RUNNING, TASK_DONE } task_state;

// A place of a task. The queue is doubly linked, the free places by `next`.
typedef struct pool_task {
    _Alignas(64) fr_task_fn *run;
    void *context;
    struct pool_task *next;
    struct pool_task *previous;
    atomic_int state;   // a task_state; changed under the mutex, looked at without
    bool is_waited_for; // a thread sleeps until it is done
} pool_task;

struct fr_task_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work_came;
    pthread_cond_t task_done;
    pool_task *first; // the queue, oldest first
    pool_task *last;
    pool_task *free_places;
    int spinning;           // threads that look at `queued`
    int sleeping;           // threads that wait for `work_came`
    int spin_rounds;        // 0 where threads outnumber processors and a look would take the time of the one looked for
    _Atomic size_t queued;  // length of the queue; changed under the mutex, looked at without
    atomic_bool is_closing; // as `queued`
    int worker_count;
    int thread_count; // started so far
    fr_allocator allocator;
    pthread_t threads[FR_MAX_WORKERS];
    pool_task places[PLACE_COUNT];
};

static void queue_append(fr_task_pool *pool, pool_task *task) {
    task->next = NULL;
    task->previous = pool->last;
    if (pool->last != NULL) {
        pool->last->next = task;
    } else {
        pool->first = task;
    }
    pool->last = task;
    atomic_fetch_add_explicit(&pool->queued, 1, memory_order_relaxed);
}

static void queue_remove(fr_task_pool *pool, pool_task *task) {
    if (task->previous != NULL) {
        task->previous->next = task->next;
    } else {
        pool->first = task->next;
    }
    if (task->next != NULL) {
        task->next->previous = task->previous;
    } else {
        pool->last = task->previous;
    }
    atomic_fetch_sub_explicit(&pool->queued, 1, memory_order_relaxed);
}

static void free_place(fr_task_pool *pool, pool_task *task) {
    task->next = pool->free_places;
    pool->free_places = task;
}

static void *pool_enqueue(fr_task_fn *run, void *context, void *user) {
    fr_task_pool *pool = user;
    pthread_mutex_lock(&pool->mutex);
    pool_task *task = pool->free_places;
    if (task == NULL) {
        pthread_mutex_unlock(&pool->mutex);
        run(context);
        return NULL;
    }
    pool->free_places = task->next;
    task->run = run;
    task->context = context;
    task->is_waited_for = false;
    atomic_store_explicit(&task->state, TASK_QUEUED, memory_order_relaxed);
    queue_append(pool, task);

    // Every thread that looks will take a task by itself; only what is left over needs a thread that is woken.
    size_t queued = atomic_load_explicit(&pool->queued, memory_order_relaxed);
    bool wake = pool->sleeping > 0 && queued > (size_t)pool->spinning;
    pthread_mutex_unlock(&pool->mutex);
    if (wake) { pthread_cond_signal(&pool->work_came); }
    return task;
}

static bool is_done(const pool_task *task) {
    return atomic_load_explicit(&task->state, memory_order_acquire) == TASK_DONE;
}

static void pool_finish(void *handle, void *user) {
    fr_task_pool *pool = user;
    pool_task *task = handle;

    // Not begun: run it here. Its place is free at once, because no other thread knows it any more.
    pthread_mutex_lock(&pool->mutex);
    if (atomic_load_explicit(&task->state, memory_order_relaxed) == TASK_QUEUED) {
        fr_task_fn *run = task->run;
        void *context = task->context;
        queue_remove(pool, task);
        free_place(pool, task);
        pthread_mutex_unlock(&pool->mutex);
        run(context);
        return;
    }
    pthread_mutex_unlock(&pool->mutex);

    // Begun: look for a while, then sleep.
    for (int i = 0; i < pool->spin_rounds && !is_done(task); ++i) {
        fr__relax();
    }
    pthread_mutex_lock(&pool->mutex);
    while (!is_done(task)) {
        task->is_waited_for = true;
        pthread_cond_wait(&pool->task_done, &pool->mutex);
    }
    free_place(pool, task);
    pthread_mutex_unlock(&pool->mutex);
}

// Called with the mutex held and an empty queue; returns, with the mutex held, when there may be work.
static void wait_for_work(fr_task_pool *pool) {
    pool->spinning++;
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->spin_rounds; ++i) {
        if (atomic_load_explicit(&pool->queued, memory_order_relaxed) > 0) { break; }
        if (atomic_load_explicit(&pool->is_closing, memory_order_relaxed)) { break; }
        fr__relax();
    }
    pthread_mutex_lock(&pool->mutex);
    pool->spinning--;

    if (pool->first == NULL && !atomic_load_explicit(&pool->is_closing, memory_order_relaxed)) {
        pool->sleeping++;
        pthread_cond_wait(&pool->work_came, &pool->mutex);
        pool->sleeping--;
    }
}

static void *thread_main(void *argument) {
    fr_task_pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->first == NULL) {
            if (atomic_load_explicit(&pool->is_closing, memory_order_relaxed)) {
                pthread_mutex_unlock(&pool->mutex);
                return NULL;
            }
            wait_for_work(pool);
        }

        pool_task *task = pool->first;
        queue_remove(pool, task);
        atomic_store_explicit(&task->state, TASK_RUNNING, memory_order_relaxed);
        pthread_mutex_unlock(&pool->mutex);
        task->run(task->context);
        pthread_mutex_lock(&pool->mutex);
        atomic_store_explicit(&task->state, TASK_DONE, memory_order_release);
        if (task->is_waited_for) { pthread_cond_broadcast(&pool->task_done); }
    }
}

// Starts the threads with all signals blocked, so that the program's handlers run on threads of its own.
static bool start_threads(fr_task_pool *pool) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->thread_count < pool->worker_count - 1) {
        if (pthread_create(&pool->threads[pool->thread_count], NULL, thread_main, pool) != 0) { break; }
        pool->thread_count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->thread_count == pool->worker_count - 1;
}

static bool init_locks(fr_task_pool *pool) {
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) { return false; }
    if (pthread_cond_init(&pool->work_came, NULL) != 0) { goto no_work_came; }
    if (pthread_cond_init(&pool->task_done, NULL) != 0) { goto no_task_done; }
    return true;

no_task_done:
    pthread_cond_destroy(&pool->work_came);
no_work_came:
    pthread_mutex_destroy(&pool->mutex);
    return false;
}

fr_task_pool_def fr_default_task_pool_def(void) { return (fr_task_pool_def){.worker_count = 1, .cookie = DEF_COOKIE}; }

static fr_status check_def(const fr_task_pool_def *def, fr_error *error) {
    if (def->cookie != DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_task_pool_def"); }
    if (def->worker_count < 1 || def->worker_count > FR_MAX_WORKERS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%d workers; a pool has 1 to %d", def->worker_count,
                            FR_MAX_WORKERS);
    }
    return FR_OK;
}

fr_status fr_task_pool_create(const fr_task_pool_def *def, fr_task_pool **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }

    fr_allocator from = fr_allocator_or_default(&def->allocator);
    fr_task_pool *pool = fr_allocate(&from, 1, sizeof *pool, _Alignof(fr_task_pool));
    if (pool == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a task pool"); }
    memset(pool, 0, sizeof *pool);
    pool->allocator = from;
    pool->worker_count = def->worker_count;
    pool->spin_rounds = def->worker_count <= fr_processor_count() ? SPIN_ROUNDS : 0;
    for (int i = PLACE_COUNT - 1; i >= 0; --i) {
        free_place(pool, &pool->places[i]);
    }
    if (!init_locks(pool)) {
        fr_deallocate(&from, pool, 1, sizeof *pool);
        return fr_error_set(error, FR_ERROR_SYSTEM, "the system gave no lock for a task pool");
    }

    if (!start_threads(pool)) {
        status = fr_error_set(error, FR_ERROR_SYSTEM, "the system started %d of %d threads", pool->thread_count,
                              pool->worker_count - 1);
        fr_task_pool_destroy(pool);
        return status;
    }
    *out = pool;
    return FR_OK;
}

void fr_task_pool_destroy(fr_task_pool *pool) {
    if (pool == NULL) { return; }
    pthread_mutex_lock(&pool->mutex);
    atomic_store_explicit(&pool->is_closing, true, memory_order_relaxed);
    pthread_mutex_unlock(&pool->mutex);
    pthread_cond_broadcast(&pool->work_came);
    for (int i = 0; i < pool->thread_count; ++i) {
        pthread_join(pool->threads[i], NULL);
    }

    pthread_cond_destroy(&pool->task_done);
    pthread_cond_destroy(&pool->work_came);
    pthread_mutex_destroy(&pool->mutex);
    fr_allocator from = pool->allocator;
    fr_deallocate(&from, pool, 1, sizeof *pool);
}

fr_tasks fr_task_pool_tasks(fr_task_pool *pool) {
    return (fr_tasks){pool->worker_count, pool_enqueue, pool_finish, pool};
}
