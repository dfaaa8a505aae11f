#include "fureai/base.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct caller {
    int asked;
    int stop_after;
    double fraction;
    const char *stage;
} caller;

static bool stop(void *user) {
    caller *self = user;
    return ++self->asked > self->stop_after;
}

static void progress(double fraction, const char *stage, void *user) {
    caller *self = user;
    self->fraction = fraction;
    self->stage = stage;
}

static void stop_answers_what_the_caller_wants(void **state) {
    (void)state;
    caller self = {.stop_after = 2};
    fr_control control = {.stop = stop, .user = &self};
    assert_false(fr_control_is_stopped(&control));
    assert_false(fr_control_is_stopped(&control));
    assert_true(fr_control_is_stopped(&control));
}

static void progress_reaches_the_caller(void **state) {
    (void)state;
    caller self = {0};
    fr_control control = {.progress = progress, .user = &self};
    fr_control_progress(&control, 0.25, "field");
    assert_true(self.fraction == 0.25);
    assert_string_equal(self.stage, "field");
}

static void no_control_and_no_functions_mean_nothing(void **state) {
    (void)state;
    fr_control control = {0};
    assert_false(fr_control_is_stopped(NULL));
    assert_false(fr_control_is_stopped(&control));
    fr_control_progress(NULL, 0.5, "x");
    fr_control_progress(&control, 0.5, "x");
}

static void progress_is_brought_into_0_to_1(void **state) {
    (void)state;
    caller self = {0};
    fr_control control = {.progress = progress, .user = &self};
    static const double given[] = {-1.0, -0.0, 0.0, 1.0, 1.5, (double)INFINITY, -(double)INFINITY, (double)NAN};
    static const double expected[] = {0, 0, 0, 1, 1, 1, 0, 0};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; ++i) {
        fr_control_progress(&control, given[i], "x");
        assert_true(self.fraction == expected[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_answers_what_the_caller_wants),
        cmocka_unit_test(progress_reaches_the_caller),
        cmocka_unit_test(no_control_and_no_functions_mean_nothing),
        cmocka_unit_test(progress_is_brought_into_0_to_1),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
