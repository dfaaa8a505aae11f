// When the next tick is due.
#include "server/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static void ticks_come_in_real_time_times_the_speed(void **state) {
    (void)state;
    fr__pace pace = fr__pace_make(0.01, 1.0, 5 * MS);
    assert_int_equal(pace.period_ns, 10 * MS);
    assert_int_equal(fr__pace_wait(&pace, 5 * MS), 0);
    assert_int_equal(fr__pace_next(&pace, 6 * MS), 0);
    assert_int_equal(fr__pace_wait(&pace, 6 * MS), 9 * MS);
    assert_int_equal(fr__pace_make(0.01, 2.0, 0).period_ns, 5 * MS);
    assert_int_equal(fr__pace_make(0.01, 0.1, 0).period_ns, 100 * MS);
}

static void a_late_tick_does_not_delay_those_after_it(void **state) {
    (void)state;
    fr__pace pace = fr__pace_make(0.01, 1.0, 0);
    // The first took 14 ms: the second begins 4 ms late, the third in time.
    assert_int_equal(fr__pace_next(&pace, 14 * MS), 0);
    assert_int_equal(fr__pace_wait(&pace, 14 * MS), 0);
    assert_int_equal(fr__pace_next(&pace, 16 * MS), 0);
    assert_int_equal(fr__pace_wait(&pace, 16 * MS), 4 * MS);
}

static void ticks_that_cannot_be_caught_up_with_are_left_out(void **state) {
    (void)state;
    fr__pace pace = fr__pace_make(0.01, 1.0, 0);
    assert_int_equal(fr__pace_next(&pace, 57 * MS), 4);
    assert_int_equal(pace.due_ns, 50 * MS);
    assert_int_equal(fr__pace_wait(&pace, 57 * MS), 0);
    assert_int_equal(fr__pace_next(&pace, 58 * MS), 0);
    assert_int_equal(fr__pace_wait(&pace, 58 * MS), 2 * MS);
}

static void extreme_steps_make_sense(void **state) {
    (void)state;
    assert_int_equal(fr__pace_make(1e-9, 1e6, 0).period_ns, 1);
    assert_true(fr__pace_make(1e9, 1e-6, 0).period_ns <= (uint64_t)1e18);
    fr__pace pace = fr__pace_make(1e-9, 1.0, 0);
    assert_int_equal(fr__pace_next(&pace, 10 * MS), 10 * MS - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_come_in_real_time_times_the_speed),
        cmocka_unit_test(a_late_tick_does_not_delay_those_after_it),
        cmocka_unit_test(ticks_that_cannot_be_caught_up_with_are_left_out),
        cmocka_unit_test(extreme_steps_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
