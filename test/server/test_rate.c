// How often something may happen.
#include "server/rate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static void a_full_bucket_gives_what_it_holds(void **state) {
    (void)state;
    fr__rate rate = fr__rate_make(10.0, 20.0, SECOND);
    for (int i = 0; i < 20; i++) {
        assert_true(fr__rate_take(&rate, 1.0, SECOND));
    }
    assert_false(fr__rate_take(&rate, 1.0, SECOND));
}

static void it_fills_with_time_and_no_higher_than_it_is(void **state) {
    (void)state;
    fr__rate rate = fr__rate_make(10.0, 20.0, 0);
    assert_true(fr__rate_take(&rate, 20.0, 0));
    assert_false(fr__rate_take(&rate, 6.0, SECOND / 2));
    assert_true(fr__rate_take(&rate, 5.0, SECOND / 2));
    assert_false(fr__rate_take(&rate, 21.0, 100 * SECOND));
    assert_true(fr__rate_take(&rate, 20.0, 100 * SECOND));
}

static void time_that_stands_or_goes_back_fills_nothing(void **state) {
    (void)state;
    fr__rate rate = fr__rate_make(10.0, 1.0, SECOND);
    assert_true(fr__rate_take(&rate, 1.0, SECOND));
    assert_false(fr__rate_take(&rate, 1.0, SECOND));
    assert_false(fr__rate_take(&rate, 1.0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_bucket_gives_what_it_holds),
        cmocka_unit_test(it_fills_with_time_and_no_higher_than_it_is),
        cmocka_unit_test(time_that_stands_or_goes_back_fills_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
