#include "fureai/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// Task systems a user might bring

typedef struct call {
    fr_task_fn *task;
    void *context;
    pthread_t thread;
    bool used;
} call;

typedef struct user_tasks {
    call calls[FR_MAX_WORKERS];
    int enqueued;
    int finished;
} user_tasks;

static call *note_call(user_tasks *user, fr_task_fn *task, void *context) {
    call *now = &user->calls[user->enqueued++];
    *now = (call){.task = task, .context = context, .used = true};
    return now;
}

static void note_finish(user_tasks *user, call *done) {
    if (done->used) { user->finished++; }
    done->used = false;
}

static void *enqueue_inline(fr_task_fn *task, void *context, void *user) {
    ((user_tasks *)user)->enqueued++;
    task(context);
    return NULL;
}

static void *enqueue_at_once(fr_task_fn *task, void *context, void *user) {
    task(context);
    return note_call(user, task, context);
}

static void finish_noted(void *handle, void *user) { note_finish(user, handle); }

static void *enqueue_for_later(fr_task_fn *task, void *context, void *user) { return note_call(user, task, context); }

static void finish_by_running(void *handle, void *user) {
    call *now = handle;
    now->task(now->context);
    note_finish(user, now);
}

static void *run_call(void *argument) {
    call *now = argument;
    now->task(now->context);
    return NULL;
}

static void *enqueue_on_thread(fr_task_fn *task, void *context, void *user) {
    call *now = note_call(user, task, context);
    if (pthread_create(&now->thread, NULL, run_call, now) != 0) { abort(); }
    return now;
}

static void finish_by_joining(void *handle, void *user) {
    call *now = handle;
    pthread_join(now->thread, NULL);
    note_finish(user, now);
}

enum { KINDS = 4 };

static fr_tasks user_system(int kind, int worker_count, user_tasks *user) {
    static const fr_tasks systems[KINDS] = {
        {0, enqueue_inline, finish_noted, NULL},
        {0, enqueue_at_once, finish_noted, NULL},
        {0, enqueue_for_later, finish_by_running, NULL},
        {0, enqueue_on_thread, finish_by_joining, NULL},
    };
    *user = (user_tasks){0};
    fr_tasks tasks = systems[kind];
    tasks.worker_count = worker_count;
    tasks.user = user;
    return tasks;
}

// ---------------------------------------------------------------------------------------------------------------
// A loop that checks what it is promised

enum { MOST_ITEMS = 500 };

typedef struct loop_check {
    size_t item_count;
    size_t grain;
    int worker_count;
    fr_schedule schedule;
    pthread_t caller;
    atomic_int done[MOST_ITEMS]; // times each item was given
    atomic_int inside[FR_MAX_WORKERS];
    atomic_int wrong;
} loop_check;

static void check_piece(size_t begin, size_t end, int worker, void *context) {
    loop_check *check = context;
    bool right = begin < end && end <= check->item_count && end - begin <= check->grain && begin % check->grain == 0;
    right = right && worker >= 0 && worker < check->worker_count;
    if (!right) {
        atomic_fetch_add(&check->wrong, 1);
        return;
    }
    if (atomic_fetch_add(&check->inside[worker], 1) != 0) { atomic_fetch_add(&check->wrong, 1); }
    if (worker == 0 && !pthread_equal(pthread_self(), check->caller)) { atomic_fetch_add(&check->wrong, 1); }
    if (check->schedule == FR_SCHEDULE_CYCLIC && begin / check->grain % (size_t)check->worker_count != (size_t)worker) {
        atomic_fetch_add(&check->wrong, 1);
    }
    for (size_t i = begin; i < end; ++i) {
        atomic_fetch_add(&check->done[i], 1);
    }
    atomic_fetch_sub(&check->inside[worker], 1);
}

static void expect_loop(const fr_tasks *tasks, fr_schedule schedule, size_t item_count, size_t grain) {
    static loop_check check;
    memset(&check, 0, sizeof check);
    check.item_count = item_count;
    check.grain = grain > 0 ? grain : 1;
    check.worker_count = fr_tasks_worker_count(tasks);
    check.schedule = schedule;
    check.caller = pthread_self();
    fr_tasks_run(tasks, schedule, item_count, grain, check_piece, &check);
    assert_int_equal(atomic_load(&check.wrong), 0);
    for (size_t i = 0; i < MOST_ITEMS; ++i) {
        assert_int_equal(atomic_load(&check.done[i]), i < item_count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void worker_count_is_1_to_64(void **state) {
    (void)state;
    user_tasks user;
    static const int given[] = {-5, 0, 1, 2, 63, 64, 65, 1000000};
    static const int expected[] = {1, 1, 1, 2, 63, 64, 64, 64};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; ++i) {
        fr_tasks tasks = user_system(0, given[i], &user);
        assert_int_equal(fr_tasks_worker_count(&tasks), expected[i]);
    }
    assert_int_equal(fr_tasks_worker_count(NULL), 1);
    fr_tasks zeros = {0}, no_functions = {.worker_count = 8};
    assert_int_equal(fr_tasks_worker_count(&zeros), 1);
    assert_int_equal(fr_tasks_worker_count(&no_functions), 1);
}

typedef struct order {
    size_t next;
    bool wrong;
} order;

static void check_order(size_t begin, size_t end, int worker, void *context) {
    order *now = context;
    now->wrong = now->wrong || begin != now->next || end - begin > 7 || worker != 0;
    now->next = end;
}

static void without_tasks_everything_runs_inline_in_order(void **state) {
    (void)state;
    fr_tasks zeros = {0};
    const fr_tasks *none[] = {NULL, &zeros};
    for (int i = 0; i < 2; ++i) {
        for (int schedule = 0; schedule < 2; ++schedule) {
            order now = {0};
            fr_tasks_run(none[i], (fr_schedule)schedule, 100, 7, check_order, &now);
            assert_false(now.wrong);
            assert_int_equal(now.next, 100);
        }
    }
}

static void every_item_is_done_once_on_every_task_system(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 7, 64, 65, 499};
    static const size_t grains[] = {0, 1, 3, 64, 500};
    static const int workers[] = {1, 2, 3, 8, 100};
    for (int kind = 0; kind < KINDS; ++kind) {
        for (size_t i = 0; i < 7 * 5 * 5 * 2; ++i) {
            int worker_count = workers[i / 2 % 5];
            if (kind == 3 && worker_count > 8 && i % 7 != 0) { continue; }
            user_tasks user;
            fr_tasks tasks = user_system(kind, worker_count, &user);
            expect_loop(&tasks, (fr_schedule)(i % 2), counts[i / 50], grains[i / 10 % 5]);
            assert_int_equal(user.finished, kind == 0 ? 0 : user.enqueued);
            assert_true(user.enqueued < fr_tasks_worker_count(&tasks));
        }
    }
}

static void no_more_tasks_than_pieces_are_started(void **state) {
    (void)state;
    user_tasks user;
    fr_tasks tasks = user_system(1, 64, &user);
    expect_loop(&tasks, FR_SCHEDULE_CYCLIC, 10, 4);
    assert_int_equal(user.enqueued, 2);
    tasks = user_system(1, 64, &user);
    expect_loop(&tasks, FR_SCHEDULE_DYNAMIC, 4, 4);
    assert_int_equal(user.enqueued, 0);
}

static void add_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    atomic_fetch_add((atomic_size_t *)context, end - begin);
}

static void counts_near_the_greatest_do_not_overflow(void **state) {
    (void)state;
    static const size_t grains[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 3, SIZE_MAX / 100};
    for (size_t i = 0; i < sizeof grains / sizeof grains[0]; ++i) {
        for (int schedule = 0; schedule < 2; ++schedule) {
            user_tasks user;
            fr_tasks tasks = user_system(2, 3, &user);
            atomic_size_t sum = 0;
            fr_tasks_run(&tasks, (fr_schedule)schedule, SIZE_MAX, grains[i], add_range, &sum);
            assert_true(atomic_load(&sum) == SIZE_MAX);
            atomic_store(&sum, 0);
            fr_tasks_run(&tasks, (fr_schedule)schedule, (size_t)1 << 31, (size_t)1 << 29, add_range, &sum);
            assert_true(atomic_load(&sum) == (size_t)1 << 31);
        }
    }
}

static void run_inner_loop(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        user_tasks user;
        fr_tasks tasks = user_system(2, 3, &user);
        fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, 10, 3, add_range, context);
    }
}

static void a_loop_may_run_inside_a_loop(void **state) {
    (void)state;
    user_tasks user;
    fr_tasks tasks = user_system(3, 4, &user);
    atomic_size_t sum = 0;
    fr_tasks_run(&tasks, FR_SCHEDULE_CYCLIC, 20, 1, run_inner_loop, &sum);
    assert_int_equal(atomic_load(&sum), 200);
}

static void a_loop_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_set_default_allocator(fr_probe_allocator(probe));
    user_tasks user;
    for (int kind = 0; kind < 3; ++kind) {
        fr_tasks tasks = user_system(kind, 64, &user);
        expect_loop(&tasks, FR_SCHEDULE_DYNAMIC, 500, 1);
    }
    fr_set_default_allocator((fr_allocator){0});
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worker_count_is_1_to_64),
        cmocka_unit_test(without_tasks_everything_runs_inline_in_order),
        cmocka_unit_test(every_item_is_done_once_on_every_task_system),
        cmocka_unit_test(no_more_tasks_than_pieces_are_started),
        cmocka_unit_test(counts_near_the_greatest_do_not_overflow),
        cmocka_unit_test(a_loop_may_run_inside_a_loop),
        cmocka_unit_test(a_loop_allocates_nothing),
    };
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
