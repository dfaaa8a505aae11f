#include "fureai/base.h"

#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_clock_never_goes_back(void **state) {
    (void)state;
    uint64_t last = fr_clock_ns();
    for (int i = 0; i < 10000; ++i) {
        uint64_t now = fr_clock_ns();
        assert_true(now >= last);
        last = now;
    }
}

static void the_clock_counts_nanoseconds(void **state) {
    (void)state;
    uint64_t begin = fr_clock_ns();
    nanosleep(&(struct timespec){0, 5000000}, NULL);
    double elapsed_ms = fr_clock_ms_since(begin);
    assert_true(elapsed_ms >= 4.9 && elapsed_ms < 5000.0);

    // Over whole seconds too, of which few tests see two.
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    double seconds = (double)fr_clock_ns() * 1e-9, expected = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    assert_true(seconds >= expected && seconds < expected + 60.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(the_clock_counts_nanoseconds),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
