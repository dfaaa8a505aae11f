#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "fureai/base.h"

#include <sched.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void there_is_at_least_one_processor(void **state) {
    (void)state;
    assert_true(fr_processor_count() >= 1);
}

static void a_process_bound_to_one_processor_may_use_one(void **state) {
    (void)state;
#if defined(__linux__)
    cpu_set_t before, one;
    if (sched_getaffinity(0, sizeof before, &before) != 0) { skip(); }
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &before)) {
            CPU_SET(i, &one);
            break;
        }
    }
    if (sched_setaffinity(0, sizeof one, &one) != 0) { skip(); }
    assert_int_equal(fr_processor_count(), 1);
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(fr_processor_count(), CPU_COUNT(&before));
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_at_least_one_processor),
        cmocka_unit_test(a_process_bound_to_one_processor_may_use_one),
    };
    return cmocka_run_group_tests_name("processor", tests, NULL, NULL);
}
