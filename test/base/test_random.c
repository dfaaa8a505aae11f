#include "fureai/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void below_stays_below(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    static const uint64_t counts[] = {1, 2, 3, 7, 1u << 31, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (int j = 0; j < 1000; ++j) {
            assert_true(fr_random_below(&random, counts[i]) < counts[i]);
        }
    }
    assert_true(fr_random_below(&random, 0) == 0);
    assert_true(fr_random_below(&random, 1) == 0);
}

static void unit_is_a_multiple_of_2_to_the_minus_53_below_1(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    for (int i = 0; i < 10000; ++i) {
        double unit = fr_random_unit(&random);
        assert_true(unit >= 0.0 && unit < 1.0);
        double scaled = unit * 0x1p53;
        assert_true(scaled == floor(scaled));
    }
}

static void between_stays_between(void **state) {
    (void)state;
    static const double ends[][2] = {{0, 1},
                                     {-1, 1},
                                     {5, 5},
                                     {-DBL_MAX, DBL_MAX},
                                     {0, DBL_MAX},
                                     {-1e16, 1e-3},
                                     {-3.0000000000000004, 1e-30},
                                     {1, 1 + DBL_EPSILON},
                                     {-0x1p-1074, 0x1p-1074},
                                     {-0.0, 0.0}};
    fr_random random = fr_random_seed(3);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        for (int j = 0; j < 20000; ++j) {
            double x = fr_random_between(&random, ends[i][0], ends[i][1]);
            assert_true(x >= ends[i][0] && x <= ends[i][1]);
        }
    }
}

// The greatest unit, with a width that rounding made larger than it is.
static void between_never_passes_the_end(void **state) {
    (void)state;
    fr_random seed = fr_random_seed(4);
    for (int i = 0; i < 100000; ++i) {
        // bits = rotate(s0 + s3, 23) + s0 = all ones.
        fr_random random = {{0, fr_random_bits(&seed), 0, UINT64_MAX}};
        random.state[2] = fr_random_bits(&seed);
        fr_random copy = random;
        assert_true(fr_random_unit(&copy) == 1.0 - 0x1p-53);
        double high = fr_random_unit(&seed) * 0x1p-20, low = -1.0 - fr_random_unit(&seed);
        assert_true(fr_random_between(&random, low, high) <= high);
    }
}

static void different_seeds_give_different_streams(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        fr_random a = fr_random_seed(seed), b = fr_random_seed(seed + 1);
        int bits = 0;
        for (int i = 0; i < 16; ++i) {
            bits += __builtin_popcountll(fr_random_bits(&a) ^ fr_random_bits(&b));
        }
        assert_true(bits > 512 - 100 && bits < 512 + 100);
    }
}

// Chi-square of a sample in cells, against 6 standard deviations.
static void expect_uniform(const uint64_t *cells, size_t count, uint64_t sample) {
    double expected = (double)sample / (double)count, sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double off = (double)cells[i] - expected;
        sum += off * off / expected;
    }
    double freedom = (double)(count - 1);
    assert_true(fabs(sum - freedom) < 6.0 * sqrt(2.0 * freedom));
}

static void numbers_are_uniform(void **state) {
    (void)state;
    enum { SAMPLE = 200000 };
    fr_random random = fr_random_seed(5);
    uint64_t below[100] = {0}, unit[256] = {0}, low_bits[256] = {0};
    double mean = 0.0;
    for (int i = 0; i < SAMPLE; ++i) {
        below[fr_random_below(&random, 100)]++;
        double x = fr_random_unit(&random);
        mean += x / SAMPLE;
        unit[(size_t)(x * 256.0)]++;
        low_bits[fr_random_bits(&random) & 255]++;
    }
    assert_true(fabs(mean - 0.5) < 6.0 * sqrt(1.0 / 12.0 / SAMPLE));
    expect_uniform(below, 100, SAMPLE);
    expect_uniform(unit, 256, SAMPLE);
    expect_uniform(low_bits, 256, SAMPLE);
}

// With count = 3 * 2^62 a plain product or remainder gives one third of the answers twice as often as the others.
static void below_has_no_bias(void **state) {
    (void)state;
    enum { SAMPLE = 100000 };
    fr_random random = fr_random_seed(6);
    uint64_t count = (uint64_t)3 << 62, thirds[3] = {0}, rests[3] = {0};
    for (int i = 0; i < SAMPLE; ++i) {
        uint64_t x = fr_random_below(&random, count);
        thirds[x >> 62]++;
        rests[x % 3]++;
    }
    expect_uniform(thirds, 3, SAMPLE);
    expect_uniform(rests, 3, SAMPLE);
}

static void a_copy_gives_the_same_numbers(void **state) {
    (void)state;
    fr_random a = fr_random_seed(7);
    fr_random_bits(&a);
    fr_random b = a;
    for (int i = 0; i < 100; ++i) {
        assert_true(fr_random_bits(&a) == fr_random_bits(&b));
    }
}

// From the authors' reference programs of splitmix64 and xoshiro256++.
static void streams_are_the_same_everywhere(void **state) {
    (void)state;
    fr_random plain = {{1, 2, 3, 4}};
    static const uint64_t of_plain[] = {41943041u, 58720359u, 3588806011781223u, 3591011842654386u};
    for (int i = 0; i < 4; ++i) {
        assert_true(fr_random_bits(&plain) == of_plain[i]);
    }
    fr_random zero = fr_random_seed(0);
    static const uint64_t state_of_zero[] = {0xE220A8397B1DCDAFu, 0x6E789E6AA1B965F4u, 0x06C45D188009454Fu,
                                             0xF88BB8A8724C81ECu};
    assert_memory_equal(zero.state, state_of_zero, sizeof state_of_zero);
    static const uint64_t of_zero[] = {0x53175D61490B23DFu, 0x61DA6F3DC380D507u, 0x5C0FDF91EC9A7BFCu};
    fr_random ones = fr_random_seed(UINT64_MAX);
    static const uint64_t of_ones[] = {0x56CCF8CE948E27B2u, 0xE68588432E5A5B90u, 0xE3E9B5A48119CA8Bu};
    for (int i = 0; i < 3; ++i) {
        assert_true(fr_random_bits(&zero) == of_zero[i]);
        assert_true(fr_random_bits(&ones) == of_ones[i]);
    }
    fr_random random = fr_random_seed(42);
    assert_true(fr_random_unit(&random) == 0x1.a0ec9a9e88ecdp-1);
    assert_true(fr_random_between(&random, -3.0, 5.0) == -0x1.cc37d175121ap-2);
    assert_true(fr_random_below(&random, 1000000) == 983894);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_stays_below),
        cmocka_unit_test(unit_is_a_multiple_of_2_to_the_minus_53_below_1),
        cmocka_unit_test(between_stays_between),
        cmocka_unit_test(between_never_passes_the_end),
        cmocka_unit_test(different_seeds_give_different_streams),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(below_has_no_bias),
        cmocka_unit_test(a_copy_gives_the_same_numbers),
        cmocka_unit_test(streams_are_the_same_everywhere),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
