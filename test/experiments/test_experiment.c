#include "experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names_are_sorted_and_found(void **state) {
    (void)state;
    assert_true(experiment_count > 0);
    for (size_t i = 0; i < experiment_count; i++) {
        assert_ptr_equal(experiment_find(experiments[i]->name), experiments[i]);
        assert_true(i == 0 || strcmp(experiments[i - 1]->name, experiments[i]->name) < 0);
        assert_true(strlen(experiments[i]->source) > 0 && strlen(experiments[i]->about) > 0);
    }
    assert_null(experiment_find("kitamura"));
    assert_null(experiment_find(""));
}

static void rows_begin_empty_and_are_found(void **state) {
    (void)state;
    fr_error error = {0};
    experiment_run run = experiment_begin(EXPERIMENT_BRIEF, 1, NULL, &error);
    experiment_row *row = experiment_add(&run, "pairs", "tree %d: found", 3);
    assert_non_null(row);
    assert_true(isnan(row->printed) && isnan(row->measured) && isnan(row->error) && isnan(row->speedup));
    assert_non_null(experiment_row_find(&run, "tree 3: found"));
    assert_null(experiment_row_find(&run, "tree 3"));
    experiment_end(&run);
}

static void mean_and_its_error(void **state) {
    (void)state;
    sample_mean sample = {0};
    sample_mean_add(&sample, 2.0);
    assert_true(sample.mean == 2.0);
    assert_true(isnan(sample_mean_error(&sample)));
    sample_mean_add(&sample, 4.0);
    sample_mean_add(&sample, 6.0);
    assert_true(fabs(sample.mean - 4.0) < 1e-12);
    assert_true(fabs(sample_mean_error(&sample) - sqrt(4.0 / 3.0)) < 1e-12);
}

static void processor_time_goes_on(void **state) {
    (void)state;
    uint64_t start = experiment_cpu_ns();
    volatile double sum = 0.0;
    for (int i = 0; i < 1000000; i++) {
        sum += i;
    }
    assert_true(sum > 0.0);
    assert_true(experiment_cpu_ns() > start);
}

static bool always(void *user) {
    (void)user;
    return true;
}

static void every_experiment_can_be_stopped(void **state) {
    (void)state;
    fr_control control = {.stop = always};
    for (size_t i = 0; i < experiment_count; i++) {
        fr_error error = {0};
        experiment_run run = experiment_begin(EXPERIMENT_BRIEF, 1, &control, &error);
        assert_int_equal(experiments[i]->run(&run), FR_ERROR_STOPPED);
        assert_int_equal(error.status, FR_ERROR_STOPPED);
        experiment_end(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_sorted_and_found),
        cmocka_unit_test(rows_begin_empty_and_are_found),
        cmocka_unit_test(mean_and_its_error),
        cmocka_unit_test(processor_time_goes_on),
        cmocka_unit_test(every_experiment_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
