// Intervals: the true result is always inside, whatever the ends.
#include "math/sample.h"

#include "frame.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_valid(fr_interval a) {
    assert_true(a.low <= a.high && a.low < INFINITY && a.high > -INFINITY); // holds a real: never empty, never NaN
}

static void check_holds(fr_interval a, long double x) {
    assert_true((long double)a.low <= x && x <= (long double)a.high);
}

static void ends_come_in_either_order(void **state) {
    (void)state;
    fr_interval a = fr_interval_make(3.0, -2.0);
    assert_true(a.low == -2.0 && a.high == 3.0);
    const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, DBL_MAX, -DBL_MAX};
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 6; k++) {
            fr_interval b = fr_interval_make(odd[i], odd[k]);
            check_valid(b);
            if (isnan(odd[i]) || isnan(odd[k])) { assert_true(b.low == -INFINITY && b.high == INFINITY); }
        }
    }
}

static void exact_results_stay_exact(void **state) {
    (void)state;
    fr_interval one = {1.0, 1.0}, half = {0.5, 0.5}, zero = {0.0, 0.0}, all = {-INFINITY, INFINITY};
    fr_interval sum = fr_interval_add(one, half), product = fr_interval_multiply(zero, all);
    assert_true(sum.low == 1.5 && sum.high == 1.5);
    assert_true(product.low == 0.0 && product.high == 0.0); // 0 times any real
    fr_interval root = fr_interval_sqrt(fr_interval_make(-4.0, -1.0));
    assert_true(root.low == 0.0 && root.high == 0.0);
    fr_interval square = fr_interval_square(fr_interval_make(-3.0, 2.0));
    assert_true(square.low == 0.0 && square.high >= 9.0 && square.high < 9.00001);
}

static void unbounded_ends(void **state) {
    (void)state;
    fr_interval above = {1.0, INFINITY}, below = {-INFINITY, -1.0}, all = {-INFINITY, INFINITY}, two = {2.0, 2.0};
    fr_interval sum = fr_interval_add(above, below), difference = fr_interval_sub(above, above);
    assert_true(sum.low == -INFINITY && sum.high == INFINITY);
    assert_true(difference.low == -INFINITY && difference.high == INFINITY);
    fr_interval product = fr_interval_multiply(above, below);
    assert_true(product.low == -INFINITY && product.high >= -1.0 && product.high < -0.999);
    fr_interval quotient = fr_interval_divide(above, above);
    assert_true(quotient.low == 0.0 && quotient.high == INFINITY);
    quotient = fr_interval_divide(two, below);
    assert_true(quotient.low <= -2.0 && quotient.low > -2.001 && quotient.high == 0.0);
    quotient = fr_interval_divide(two, fr_interval_make(0.0, 1.0));
    assert_true(quotient.low == -INFINITY && quotient.high == INFINITY);
    fr_interval sine = fr_interval_sin(all), cosine = fr_interval_cos(above);
    assert_true(sine.low == -1.0 && sine.high == 1.0 && cosine.low == -1.0 && cosine.high == 1.0);
    fr_interval root = fr_interval_sqrt(all);
    assert_true(root.low == 0.0 && root.high == INFINITY);
    fr_interval big = {DBL_MAX, DBL_MAX};
    fr_interval bigger = fr_interval_square(big), twice = fr_interval_add(big, big);
    assert_true(bigger.low == DBL_MAX && bigger.high == INFINITY && twice.low == DBL_MAX && twice.high == INFINITY);
}

static void sets_of_reals(void **state) {
    (void)state;
    fr_interval a = {0.0, 1.0}, b = {1.0, 2.0}, c = {1.5, 3.0};
    assert_true(fr_interval_overlap(a, b) && !fr_interval_overlap(a, c));
    assert_true(fr_interval_contains(a, 1.0) && !fr_interval_contains(a, 1.0000001) && !fr_interval_contains(a, NAN));
    fr_interval both = fr_interval_union(a, c);
    assert_true(both.low == 0.0 && both.high == 3.0);
}

// An interval and a number inside it; all exponents, so that sums, products and quotients over- and underflow.
static fr_interval sample_interval(fr_random *random, bool any, double *inside) {
    double a = any ? sample_double(random) : sample_signed(random) * sample_power(random, -8, 8);
    double b = any ? sample_double(random) : a + sample_signed(random) * sample_power(random, -30, 4);
    fr_interval interval = fr_interval_make(a, fr_random_below(random, 8) == 0 ? a : b);
    double t = fr_random_unit(random);
    double x = (1.0 - t) * interval.low + t * interval.high;
    uint64_t end = fr_random_below(random, 4);
    *inside = end == 0 ? interval.low : end == 1 ? interval.high : fmin(fmax(x, interval.low), interval.high);
    if (fr_random_below(random, 16) == 0) { interval.low = -INFINITY; }
    if (fr_random_below(random, 16) == 0) { interval.high = INFINITY; }
    return interval;
}

static void results_hold_the_truth(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    for (uint64_t i = 0; i < test_count(300000, 30000000); i++) {
        double x, y;
        fr_interval a = sample_interval(&random, i % 2 == 0, &x), b = sample_interval(&random, i % 2 == 0, &y);
        long double lx = x, ly = y;
        const fr_interval results[] = {fr_interval_add(a, b),    fr_interval_sub(a, b), fr_interval_multiply(a, b),
                                       fr_interval_divide(a, b), fr_interval_square(a), fr_interval_union(a, b),
                                       fr_interval_sqrt(a)};
        for (size_t k = 0; k < sizeof results / sizeof results[0]; k++) {
            check_valid(results[k]);
        }
        check_holds(results[0], lx + ly);
        check_holds(results[1], lx - ly);
        check_holds(results[2], lx * ly);
        if (y != 0.0) { check_holds(results[3], lx / ly); }
        check_holds(results[4], lx * lx);
        check_holds(results[5], lx);
        if (x >= 0.0) { check_holds(results[6], sqrtl(lx)); }
    }
}

// A point interval gives back one that is a few ulps wide.
static void results_are_narrow(void **state) {
    (void)state;
    fr_random random = fr_random_seed(62);
    for (int i = 0; i < 50000; i++) {
        double x = sample_signed(&random), y = fr_random_between(&random, 0.5, 1.0);
        fr_interval a = {x, x}, b = {y, y};
        const fr_interval results[] = {fr_interval_add(a, b),    fr_interval_sub(a, b), fr_interval_multiply(a, b),
                                       fr_interval_divide(a, b), fr_interval_sqrt(b),   fr_interval_sin(a),
                                       fr_interval_cos(a)};
        for (size_t k = 0; k < sizeof results / sizeof results[0]; k++) {
            assert_true(results[k].high - results[k].low <= 8.0 * 0x1p-52 * fmax(1.0, fabs(results[k].low)));
        }
    }
}

static void waves_hold_the_truth(void **state) {
    (void)state;
    fr_random random = fr_random_seed(63);
    for (uint64_t i = 0; i < test_count(100000, 10000000); i++) {
        double place = sample_signed(&random) * sample_power(&random, -10, 20);
        double width = fr_random_unit(&random) * sample_power(&random, -52, 3);
        if (i % 2 == 0) { place = floor(place) * (0.5 * FR_PI); } // beside a crest or a zero
        fr_interval a = fr_interval_make(place, place + (i % 4 < 2 ? width : -width));
        fr_interval sine = fr_interval_sin(a), cosine = fr_interval_cos(a);
        check_valid(sine);
        check_valid(cosine);
        assert_true(sine.low >= -1.0 && sine.high <= 1.0 && cosine.low >= -1.0 && cosine.high <= 1.0);
        for (int k = 0; k <= 8; k++) {
            double x = fmin(fmax(a.low + (a.high - a.low) * ((double)k / 8.0), a.low), a.high);
            check_holds(sine, sinl((long double)x));
            check_holds(cosine, cosl((long double)x));
        }
    }
}

// Where no crest is inside, the range is that of the ends; where one is, it is reached.
static void waves_are_tight(void **state) {
    (void)state;
    fr_interval rising = fr_interval_sin(fr_interval_make(0.1, 1.0)),
                falling = fr_interval_sin(fr_interval_make(2.0, 3.0));
    assert_true(fabs(rising.low - sin(0.1)) < 1e-15 && fabs(rising.high - sin(1.0)) < 1e-15);
    assert_true(fabs(falling.low - sin(3.0)) < 1e-15 && fabs(falling.high - sin(2.0)) < 1e-15);
    fr_interval top = fr_interval_sin(fr_interval_make(1.0, 2.0)),
                bottom = fr_interval_sin(fr_interval_make(-2.0, -1.0));
    assert_true(top.high == 1.0 && fabs(top.low - sin(1.0)) < 1e-15);
    assert_true(bottom.low == -1.0 && fabs(bottom.high + sin(1.0)) < 1e-15);
    fr_interval cosine = fr_interval_cos(fr_interval_make(-0.5, 0.25));
    assert_true(cosine.high == 1.0 && fabs(cosine.low - cos(0.5)) < 1e-15);
    cosine = fr_interval_cos(fr_interval_make(2.0, 4.0));
    assert_true(cosine.low == -1.0 && fabs(cosine.high - cos(2.0)) < 1e-15);
    fr_interval wide = fr_interval_cos(fr_interval_make(0.0, 6.4)), far = fr_interval_sin(fr_interval_make(1e7, 1e7));
    assert_true(wide.low == -1.0 && wide.high == 1.0 && far.low == -1.0 && far.high == 1.0);
}

// Exact changes of the input change the result exactly.
static void mirrors_and_powers_of_two(void **state) {
    (void)state;
    fr_random random = fr_random_seed(64);
    for (int i = 0; i < 50000; i++) {
        double x, y, power = sample_power(&random, -100, 100);
        fr_interval a = sample_interval(&random, false, &x), b = sample_interval(&random, false, &y);
        fr_interval minus_a = {-a.high, -a.low}, scaled_a = {power * a.low, power * a.high};
        fr_interval product = fr_interval_multiply(a, b), mirrored = fr_interval_multiply(minus_a, b);
        assert_true(mirrored.low == -product.high && mirrored.high == -product.low);
        fr_interval scaled = fr_interval_multiply(scaled_a, b), swapped = fr_interval_multiply(b, a);
        assert_true(scaled.low == power * product.low && scaled.high == power * product.high);
        assert_true(swapped.low == product.low && swapped.high == product.high);
        fr_interval difference = fr_interval_sub(b, a), sum = fr_interval_add(minus_a, b);
        assert_true(difference.low == sum.low && difference.high == sum.high);
        fr_interval sine = fr_interval_sin(a), opposite = fr_interval_sin(minus_a);
        assert_true(opposite.low == -sine.high && opposite.high == -sine.low);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_come_in_either_order),
        cmocka_unit_test(exact_results_stay_exact),
        cmocka_unit_test(unbounded_ends),
        cmocka_unit_test(sets_of_reals),
        cmocka_unit_test(results_hold_the_truth),
        cmocka_unit_test(results_are_narrow),
        cmocka_unit_test(waves_hold_the_truth),
        cmocka_unit_test(waves_are_tight),
        cmocka_unit_test(mirrors_and_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
