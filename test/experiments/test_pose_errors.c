// The study of errors: nothing is missed and nothing is certain in error when the noise stays within what is allowed
// for, and poses taken as they are miss some.
#include "experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double measured(const experiment_run *run, const char *label) {
    const experiment_row *row = experiment_row_find(run, label);
    if (row == NULL) { fail_msg("no row '%s'", label); }
    return row->measured;
}

static void what_is_allowed_for_is_not_missed(void **state) {
    (void)state;
    fr_error error = {0};
    experiment_run run = experiment_begin(EXPERIMENT_BRIEF, 1, NULL, &error);
    const experiment *e = experiment_find("kitamura-7.1.1");
    assert_non_null(e);
    assert_int_equal(e->run(&run), FR_OK);
    assert_true(run.sample[0] != '\0');
    assert_true(measured(&run, "fast 960: colliding") > 20.0);
    assert_true(measured(&run, "uncertain 960, within 3 sigma: missed") == 0.0);
    assert_true(measured(&run, "uncertain 960, within 3 sigma: certain but apart") == 0.0);
    assert_true(measured(&run, "uncertain 960, 0 sigma: missed") > 0.0);
    assert_true(measured(&run, "uncertain 960, 1 sigma: extra") > measured(&run, "uncertain 960, 0.5 sigma: extra"));
    assert_true(measured(&run, "uncertain 960, 3 sigma: extra") > measured(&run, "uncertain 960, 1 sigma: extra"));
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_allowed_for_is_not_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
