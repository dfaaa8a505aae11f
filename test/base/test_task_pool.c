#include "base/sanitizer.h"
#include "failing.h"
#include "frame.h"
#include "fureai/base.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static fr_task_pool *make_pool(int worker_count) {
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = worker_count;
    fr_task_pool *pool = NULL;
    fr_error error = {0};
    assert_int_equal(fr_task_pool_create(&def, &pool, &error), FR_OK);
    assert_non_null(pool);
    return pool;
}

// ---------------------------------------------------------------------------------------------------------------
// Definition

static void the_default_is_one_worker_and_the_process_allocator(void **state) {
    (void)state;
    fr_task_pool_def def = fr_default_task_pool_def();
    assert_int_equal(def.worker_count, 1);
    assert_null(def.allocator.alloc);
    fr_task_pool *pool = make_pool(1);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    assert_int_equal(fr_tasks_worker_count(&tasks), 1);
    fr_task_pool_destroy(pool);
    fr_task_pool_destroy(NULL);
}

static void a_wrong_definition_is_refused(void **state) {
    (void)state;
    static const int counts[] = {-1, 0, FR_MAX_WORKERS + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = counts[i];
        fr_task_pool *pool = (fr_task_pool *)&def;
        fr_error error = {0};
        assert_int_equal(fr_task_pool_create(&def, &pool, &error), FR_ERROR_ARGUMENT);
        assert_int_equal(error.status, FR_ERROR_ARGUMENT);
        assert_null(pool);
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_ERROR_ARGUMENT);
    }
    fr_task_pool_def forgotten = {.worker_count = 2};
    fr_task_pool *pool = NULL;
    fr_error error = {0};
    assert_int_equal(fr_task_pool_create(&forgotten, &pool, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "fr_default_task_pool_def"));
}

static void pools_of_every_size_start_and_end(void **state) {
    (void)state;
    for (int workers = 1; workers <= FR_MAX_WORKERS; workers += workers < 6 ? 1 : 29) {
        fr_task_pool *pool = make_pool(workers);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        assert_int_equal(fr_tasks_worker_count(&tasks), workers);
        fr_task_pool_destroy(pool);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Loops

enum { ITEMS = 2000 };

typedef struct loop_check {
    pthread_t caller;
    int worker_count;
    fr_schedule schedule;
    size_t grain;
    atomic_int wrong;
    atomic_int inside[FR_MAX_WORKERS];
    unsigned sums[FR_MAX_WORKERS][16]; // not atomic: a worker's scratch is its own
    unsigned char done[ITEMS];         // not atomic: an item is done once
} loop_check;

static void check_piece(size_t begin, size_t end, int worker, void *context) {
    loop_check *check = context;
    bool wrong = worker < 0 || worker >= check->worker_count || end > ITEMS || end - begin > check->grain;
    if (!wrong) {
        wrong = atomic_fetch_add(&check->inside[worker], 1) != 0;
        wrong = wrong || (worker == 0 && !pthread_equal(pthread_self(), check->caller));
        size_t owner = begin / check->grain % (size_t)check->worker_count;
        wrong = wrong || (check->schedule == FR_SCHEDULE_CYCLIC && owner != (size_t)worker);
        for (size_t i = begin; i < end; ++i) {
            check->sums[worker][0] += (unsigned)i;
            check->done[i]++;
        }
        atomic_fetch_sub(&check->inside[worker], 1);
    }
    if (wrong) { atomic_fetch_add(&check->wrong, 1); }
}

// Returns whether a loop on the tasks did each item once and kept the promises about workers.
static bool loop_is_right(const fr_tasks *tasks, fr_schedule schedule, size_t grain) {
    loop_check check = {.caller = pthread_self(), .schedule = schedule, .grain = grain};
    check.worker_count = fr_tasks_worker_count(tasks);
    fr_tasks_run(tasks, schedule, ITEMS, grain, check_piece, &check);
    unsigned sum = 0;
    for (int i = 0; i < FR_MAX_WORKERS; ++i) {
        sum += check.sums[i][0];
    }
    bool right = atomic_load(&check.wrong) == 0 && sum == ITEMS * (ITEMS - 1) / 2;
    for (size_t i = 0; i < ITEMS; ++i) {
        right = right && check.done[i] == 1;
    }
    return right;
}

static void a_loop_does_every_item_once_with_exclusive_workers(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 3, 8, 64};
    static const size_t grains[] = {1, 7, 100, 5000};
    for (size_t i = 0; i < 5; ++i) {
        fr_task_pool *pool = make_pool(workers[i]);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        for (size_t j = 0; j < 4; ++j) {
            assert_true(loop_is_right(&tasks, FR_SCHEDULE_CYCLIC, grains[j]));
            assert_true(loop_is_right(&tasks, FR_SCHEDULE_DYNAMIC, grains[j]));
        }
        fr_task_pool_destroy(pool);
    }
}

static void threads_that_fell_asleep_wake_up(void **state) {
    (void)state;
    fr_task_pool *pool = make_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int i = 0; i < 20; ++i) {
        nanosleep(&(struct timespec){0, 2000000}, NULL);
        assert_true(loop_is_right(&tasks, FR_SCHEDULE_CYCLIC, 100));
    }
    fr_task_pool_destroy(pool);
}

static void many_short_loops_follow_one_another(void **state) {
    (void)state;
    fr_task_pool *pool = make_pool(2);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int i = 0; i < 2000; ++i) {
        assert_true(loop_is_right(&tasks, (fr_schedule)(i % 2), ITEMS / 2));
    }
    fr_task_pool_destroy(pool);
}

// Two pieces that wait for one another end only if they run at once.
static void meet(size_t begin, size_t end, int worker, void *context) {
    (void)begin;
    (void)end;
    (void)worker;
    atomic_int *arrived = context;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 2) {
        nanosleep(&(struct timespec){0, 10000}, NULL);
    }
}

static void workers_run_at_once(void **state) {
    (void)state;
    fr_task_pool *pool = make_pool(2);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    atomic_int arrived = 0;
    fr_tasks_run(&tasks, FR_SCHEDULE_CYCLIC, 2, 1, meet, &arrived);
    assert_int_equal(atomic_load(&arrived), 2);
    fr_task_pool_destroy(pool);
}

typedef struct nest {
    fr_tasks tasks;
    int depth;
    atomic_size_t *leaves;
} nest;

static void run_nested(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    nest *self = context;
    for (size_t i = begin; i < end; ++i) {
        if (self->depth == 0) {
            atomic_fetch_add(self->leaves, 1);
            continue;
        }
        nest inner = {self->tasks, self->depth - 1, self->leaves};
        fr_tasks_run(&inner.tasks, (fr_schedule)(i % 2), 5, 1, run_nested, &inner);
    }
}

static void loops_inside_loops_end_on_pools_of_every_size(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 3, 8};
    for (size_t i = 0; i < 4; ++i) {
        fr_task_pool *pool = make_pool(workers[i]);
        atomic_size_t leaves = 0;
        nest outer = {fr_task_pool_tasks(pool), 4, &leaves};
        fr_tasks_run(&outer.tasks, FR_SCHEDULE_DYNAMIC, 5, 1, run_nested, &outer);
        assert_int_equal(atomic_load(&leaves), 3125);
        fr_task_pool_destroy(pool);
    }
}

typedef struct locked_nest {
    fr_tasks tasks;
    pthread_mutex_t mutex;
    atomic_size_t done;
} locked_nest;

static void count_items(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    atomic_fetch_add((atomic_size_t *)context, end - begin);
}

static void run_under_lock(size_t begin, size_t end, int worker, void *context) {
    (void)begin;
    (void)end;
    (void)worker;
    locked_nest *self = context;
    pthread_mutex_lock(&self->mutex);
    fr_tasks_run(&self->tasks, FR_SCHEDULE_CYCLIC, 8, 1, count_items, &self->done);
    pthread_mutex_unlock(&self->mutex);
}

static void who_waits_runs_no_work_of_others(void **state) {
    (void)state;
    fr_task_pool *pool = make_pool(4);
    locked_nest self = {.tasks = fr_task_pool_tasks(pool), .mutex = PTHREAD_MUTEX_INITIALIZER};
    fr_tasks_run(&self.tasks, FR_SCHEDULE_DYNAMIC, 200, 1, run_under_lock, &self);
    assert_int_equal(atomic_load(&self.done), 1600);
    fr_task_pool_destroy(pool);
}

typedef struct caller {
    fr_tasks tasks;
    bool right;
} caller;

static void *run_many_loops(void *argument) {
    caller *self = argument;
    self->right = true;
    for (int i = 0; i < 100; ++i) {
        self->right = loop_is_right(&self->tasks, (fr_schedule)(i % 2), 50) && self->right;
    }
    return NULL;
}

static void several_threads_run_loops_on_one_pool(void **state) {
    (void)state;
    enum { CALLERS = 5 };
    fr_task_pool *pool = make_pool(3);
    caller callers[CALLERS];
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; ++i) {
        callers[i] = (caller){fr_task_pool_tasks(pool), false};
        assert_int_equal(pthread_create(&threads[i], NULL, run_many_loops, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; ++i) {
        pthread_join(threads[i], NULL);
        assert_true(callers[i].right);
    }
    fr_task_pool_destroy(pool);
}

static void count_task(void *context) { atomic_fetch_add((atomic_int *)context, 1); }

static void more_tasks_than_places_run_inline(void **state) {
    (void)state;
    enum { TASKS = 1000 };
    fr_task_pool *pool = make_pool(2);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (int round = 0; round < 3; ++round) {
        atomic_int done = 0;
        void *handles[TASKS];
        for (int i = 0; i < TASKS; ++i) {
            handles[i] = tasks.enqueue(count_task, &done, tasks.user);
        }
        for (int i = TASKS - 1; i >= 0; --i) {
            if (handles[i] != NULL) { tasks.finish(handles[i], tasks.user); }
        }
        assert_int_equal(atomic_load(&done), TASKS);
    }
    fr_task_pool_destroy(pool);
}

static void threads_leave_signals_to_the_program(void **state) {
    (void)state;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    fr_task_pool *pool = make_pool(3);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    fr_task_pool_destroy(pool);
}

// ---------------------------------------------------------------------------------------------------------------
// Failure

static void loops_on_a_pool_allocate_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    def.allocator = fr_probe_allocator(probe);
    fr_task_pool *pool = NULL;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    uint64_t before = fr_probe_get(probe).allocations;
    fr_tasks tasks = fr_task_pool_tasks(pool);
    assert_true(loop_is_right(&tasks, FR_SCHEDULE_DYNAMIC, 1));
    assert_int_equal(fr_probe_get(probe).allocations, before);
    fr_task_pool_destroy(pool);
    assert_int_equal(fr_probe_get(probe).live_bytes, 0);
    fr_probe_destroy(probe);
}

static fr_status make_a_pool(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 3;
    def.allocator = *allocator;
    fr_task_pool *pool = NULL;
    fr_error error = {0};
    fr_status status = fr_task_pool_create(&def, &pool, &error);
    assert_int_equal(error.status, status);
    assert_int_equal(pool != NULL, status == FR_OK);
    fr_task_pool_destroy(pool);
    return status;
}

static void allocation_failure_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_a_pool, NULL) > 0);
}

// In a process that has room for the stacks of a few threads only. Exit status: 0 as promised, 77 where the system, as
// an emulator does, does not keep to the limit.
static int create_with_little_room(void) {
    setrlimit(RLIMIT_STACK, &(struct rlimit){8 << 20, RLIM_INFINITY});
    setrlimit(RLIMIT_AS, &(struct rlimit){64 << 20, 64 << 20});
    void *volatile large = malloc(256 << 20);
    free(large);
    if (large != NULL) { return TEST_SKIPPED; }
    fr_probe *probe = fr_probe_create();
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = FR_MAX_WORKERS;
    def.allocator = fr_probe_allocator(probe);
    fr_task_pool *pool = NULL;
    fr_error error = {0};
    if (fr_task_pool_create(&def, &pool, &error) != FR_ERROR_SYSTEM) { return 1; }
    if (pool != NULL || error.status != FR_ERROR_SYSTEM || fr_probe_get(probe).live_blocks != 0) { return 2; }
    fr_probe_destroy(probe);
    return 0;
}

static void a_thread_that_cannot_start_is_a_status(void **state) {
    (void)state;
    if (UNDER_SANITIZER) { skip(); }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) { _exit(create_with_little_room()); }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == TEST_SKIPPED) { skip(); }
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_one_worker_and_the_process_allocator),
        cmocka_unit_test(a_wrong_definition_is_refused),
        cmocka_unit_test(pools_of_every_size_start_and_end),
        cmocka_unit_test(a_loop_does_every_item_once_with_exclusive_workers),
        cmocka_unit_test(threads_that_fell_asleep_wake_up),
        cmocka_unit_test(many_short_loops_follow_one_another),
        cmocka_unit_test(workers_run_at_once),
        cmocka_unit_test(loops_inside_loops_end_on_pools_of_every_size),
        cmocka_unit_test(who_waits_runs_no_work_of_others),
        cmocka_unit_test(several_threads_run_loops_on_one_pool),
        cmocka_unit_test(more_tasks_than_places_run_inline),
        cmocka_unit_test(threads_leave_signals_to_the_program),
        cmocka_unit_test(loops_on_a_pool_allocate_nothing),
        cmocka_unit_test(allocation_failure_is_survived),
        cmocka_unit_test(a_thread_that_cannot_start_is_a_status),
    };
    return cmocka_run_group_tests_name("task_pool", tests, NULL, NULL);
}
