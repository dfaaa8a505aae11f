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
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(the_clock_counts_nanoseconds),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
