// Every entry of the table, computed again with whole numbers.
#include "base/power_of_ten.h"

#include "base/big_number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// (entry + add) * 2^(exponent - 127) compared with 10^q, both made whole.
static int compare_entry(int q, uint64_t add) {
    fr__power entry = fr__powers[q - FR__MIN_POWER];
    fr__big left = fr__big_make(entry.high);
    fr__big_shift_left(&left, 64);
    fr__big_multiply_add(&left, 1, entry.low);
    fr__big_multiply_add(&left, 1, add);
    fr__big right = fr__big_make(1);
    int two = fr__power_exponent(q) - 127 - q;
    if (q >= 0) {
        fr__big_multiply_power_of_five(&right, q);
    } else {
        fr__big_multiply_power_of_five(&left, -q);
    }
    if (two >= 0) {
        fr__big_shift_left(&left, two);
    } else {
        fr__big_shift_left(&right, -two);
    }
    return fr__big_compare(&left, &right);
}

static void every_entry_is_the_power_cut_to_128_bits(void **state) {
    (void)state;
    for (int q = FR__MIN_POWER; q <= FR__MAX_POWER; q++) {
        assert_true(fr__powers[q - FR__MIN_POWER].high >> 63 == 1);
        int below = compare_entry(q, 0);
        assert_true(below == 0 || below == -1);
        assert_int_equal(below == 0, fr__power_is_exact(q));
        assert_int_equal(compare_entry(q, 1), 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_entry_is_the_power_cut_to_128_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
