#include "base/multiply.h"
#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_product(uint64_t a, uint64_t b, uint64_t high, uint64_t low) {
    fr__product fast = fr__multiply(a, b), slow = fr__multiply_in_halves(a, b);
    assert_true(fast.high == high && fast.low == low);
    assert_true(slow.high == high && slow.low == low);
}

static void products_at_the_ends_are_right(void **state) {
    (void)state;
    expect_product(0, UINT64_MAX, 0, 0);
    expect_product(1, UINT64_MAX, 0, UINT64_MAX);
    expect_product(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1);
    expect_product(0x8000000000000000u, 2, 1, 0);
    expect_product(0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0xFFFFFFFE00000001u);
    expect_product(0x100000000u, 0x100000000u, 1, 0);
}

static void both_ways_agree(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    for (int i = 0; i < 100000; ++i) {
        uint64_t a = fr_random_bits(&random) >> fr_random_below(&random, 64);
        uint64_t b = fr_random_bits(&random) >> fr_random_below(&random, 64);
        fr__product fast = fr__multiply(a, b), slow = fr__multiply_in_halves(a, b);
        assert_true(fast.high == slow.high && fast.low == slow.low && fast.low == a * b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_at_the_ends_are_right),
        cmocka_unit_test(both_ways_agree),
    };
    return cmocka_run_group_tests_name("multiply", tests, NULL, NULL);
}
