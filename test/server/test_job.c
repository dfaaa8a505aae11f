// Long work beside the ticks: one after another, stopped when it is asked to.
#include "failing.h"

#include "server/job.h"

#include <time.h>

typedef struct counted {
    fr__job job;
    int *order;
    int number, runs, ends;
    bool is_patient; // it runs until it is stopped
} counted;

static int next_order;

static void run_counted(fr__job *job) {
    counted *c = (counted *)(void *)job;
    c->runs++;
    while (c->is_patient && !fr_control_is_stopped(&job->control)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void end_counted(fr__job *job) {
    counted *c = (counted *)(void *)job;
    c->ends++;
    c->order[c->number] = next_order++;
}

static void make_all(counted *all, int count, int *order) {
    next_order = 0;
    for (int i = 0; i < count; i++) {
        all[i] = (counted){.order = order, .number = i};
        all[i].job.run = run_counted;
        all[i].job.end = end_counted;
    }
}

static void they_end_in_order(fr_tasks *tasks) {
    counted all[5];
    int order[5] = {0};
    fr__jobs jobs = {.tasks = tasks};
    make_all(all, 5, order);
    for (int i = 0; i < 5; i++) {
        assert_true(fr__jobs_add(&jobs, &all[i].job));
    }
    uint64_t begin = fr_clock_ns();
    while (jobs.count > 0 && fr_clock_ms_since(begin) < 10000.0) {
        (void)fr__jobs_look(&jobs);
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(all[i].runs, 1);
        assert_int_equal(order[i], i);
    }
}

static void with_and_without_threads(void **state) {
    (void)state;
    they_end_in_order(NULL);
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 2;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    they_end_in_order(&tasks);

    // Of those that wait and run only those of the scene are stopped; then all.
    counted all[4];
    int order[4] = {0};
    fr__jobs jobs = {.tasks = &tasks};
    make_all(all, 4, order);
    for (int i = 0; i < 4; i++) {
        all[i].is_patient = true;
        all[i].job.is_of_scene = i % 2 == 0;
        assert_true(fr__jobs_add(&jobs, &all[i].job));
    }
    (void)fr__jobs_look(&jobs);
    fr__jobs_stop(&jobs, false);
    assert_true(all[0].ends == 1 && all[2].ends == 1 && all[1].ends == 0 && all[3].ends == 0);
    fr__jobs_stop(&jobs, true);
    assert_true(all[1].ends == 1 && all[3].ends == 1 && jobs.count == 0 && jobs.first == NULL);
    fr_task_pool_destroy(pool);
}

static void too_many_are_refused(void **state) {
    (void)state;
    static counted all[FR__JOBS_MAX + 1];
    static int order[FR__JOBS_MAX + 1];
    fr__jobs jobs = {.tasks = NULL};
    make_all(all, FR__JOBS_MAX + 1, order);
    for (uint32_t i = 0; i <= FR__JOBS_MAX; i++) {
        assert_true(fr__jobs_add(&jobs, &all[i].job) == (i < FR__JOBS_MAX));
    }
    fr__jobs_stop(&jobs, true);
    assert_int_equal(jobs.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_and_without_threads),
        cmocka_unit_test(too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
