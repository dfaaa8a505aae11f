#include "base/big_number.h"

#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void zero_has_no_limb(void **state) {
    (void)state;
    fr__big zero = fr__big_make(0), one = fr__big_make(1);
    assert_int_equal(zero.count, 0);
    fr__big_shift_left(&zero, 1000);
    fr__big_multiply_power_of_five(&zero, 100);
    assert_int_equal(zero.count, 0);
    assert_int_equal(fr__big_compare(&zero, &one), -1);
    fr__big_multiply_add(&zero, 7, 1);
    assert_int_equal(fr__big_compare(&zero, &one), 0);
}

static void small_numbers_follow_machine_arithmetic(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (int i = 0; i < 10000; i++) {
        uint64_t a = fr_random_bits(&random) >> 40, b = fr_random_bits(&random) >> 40,
                 c = fr_random_bits(&random) >> 34;
        fr__big big = fr__big_make(a);
        fr__big_multiply_add(&big, b, c);
        fr__big_shift_left(&big, 5);
        fr__big expected = fr__big_make((a * b + c) << 5);
        assert_int_equal(fr__big_compare(&big, &expected), 0);
    }
}

// 10^n = 5^n 2^n by two ways.
static void powers_of_ten_agree(void **state) {
    (void)state;
    fr__big step = fr__big_make(1);
    for (int n = 0; n < 1200; n++) {
        fr__big jump = fr__big_make(1);
        fr__big_multiply_power_of_five(&jump, n);
        fr__big_shift_left(&jump, n);
        assert_int_equal(fr__big_compare(&jump, &step), 0);
        fr__big_multiply_add(&step, 10, 0);
        assert_int_equal(fr__big_compare(&jump, &step), -1);
        assert_int_equal(fr__big_compare(&step, &jump), 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_has_no_limb),
        cmocka_unit_test(small_numbers_follow_machine_arithmetic),
        cmocka_unit_test(powers_of_ten_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
