// Own trigonometry against arithmetic of 113 bits (libquadmath) where it is installed, else the C library's long
// double; and the special cases the C standard lists.
#include "fureai/math.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(FR_TEST_QUADMATH)
#include <quadmath.h>
typedef __float128 real;
#define REAL(name) name##q
#else
typedef long double real;
#define REAL(name) name##l
#endif

// ---------------------------------------------------------------------------------------------------------------
// Measuring

// The largest error seen, in units of the last place of the right result, and where.
typedef struct worst_case {
    double error, x, y;
} worst_case;

static double error_in_ulp(double got, real right) {
    int exponent;
    (void)REAL(frexp)(right, &exponent);
    if (exponent < -1021) { exponent = -1021; }
    return (double)(REAL(fabs)((real)got - right) / REAL(ldexp)((real)1, exponent - 53));
}

static void note(worst_case *worst, double got, real right, double x, double y) {
    double error = error_in_ulp(got, right);
    if (!(error <= worst->error)) { *worst = (worst_case){error, x, y}; } // a NaN is the worst
}

static void check_worst(const char *name, worst_case worst, double limit) {
    print_message("%-6s at most %.4f ulp, at %a %a\n", name, worst.error, worst.x, worst.y);
    assert_true(worst.error <= limit);
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static double moved_by_ulps(double x, int ulps) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += ulps;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double any_angle(fr_random *random, uint64_t index) {
    const double half_pi = 0x1.921fb54442d18p+0;
    int exponent = -(int)fr_random_below(random, 1075), ulps = (int)fr_random_below(random, 5) - 2;
    switch (index % 5) {
    case 0: return fr_random_between(random, -0x1p+20, 0x1p+20);
    case 1: return fr_random_between(random, -4.0, 4.0);
    case 2: return ldexp(fr_random_between(random, -1.0, 1.0), exponent);
    case 3: return moved_by_ulps(half_pi * (double)(1 + fr_random_below(random, 667540)), ulps);
    default: return fr_random_between(random, -0.8, 0.8);
    }
}

static double any_magnitude(fr_random *random) {
    double x = fr_random_between(random, -1.0, 1.0);
    return ldexp(x, (int)fr_random_below(random, 2098) - 1073);
}

// ---------------------------------------------------------------------------------------------------------------
// Accuracy

static void sine_and_cosine_are_within_one_ulp(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    worst_case sine = {0}, cosine = {0};
    uint64_t count = test_count(200000, 20000000);
    for (uint64_t i = 0; i < count; i++) {
        double x = any_angle(&random, i);
        note(&sine, fr_sin(x), REAL(sin)((real)x), x, 0.0);
        note(&cosine, fr_cos(x), REAL(cos)((real)x), x, 0.0);
    }
    check_worst("sin", sine, 0.9);
    check_worst("cos", cosine, 0.9);
}

// The double up to 2^20 that is nearest to a multiple of pi/2, its multiples' neighbours, and the ends of the range.
static void hard_angles_are_within_one_ulp(void **state) {
    (void)state;
    const double hard[] = {0x1.6c6cbc45dc8dep+5, 0x1p+20, 0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1,
                           0x1.921fb54442d18p-1};
    worst_case sine = {0}, cosine = {0};
    for (int i = 0; i < (int)(sizeof hard / sizeof hard[0]); i++) {
        for (int ulps = -3; ulps <= 3; ulps++) {
            double x = moved_by_ulps(hard[i], ulps);
            if (x > 0x1p+20) { continue; }
            note(&sine, fr_sin(-x), REAL(sin)(-(real)x), -x, 0.0);
            note(&cosine, fr_cos(-x), REAL(cos)(-(real)x), -x, 0.0);
        }
    }
    check_worst("sin", sine, 0.9);
    check_worst("cos", cosine, 0.9);
}

static void arctangent_is_within_one_ulp(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    worst_case worst = {0};
    uint64_t count = test_count(200000, 20000000);
    for (uint64_t i = 0; i < count; i++) {
        double y = fr_random_between(&random, -1.0, 1.0), x = fr_random_between(&random, -1.0, 1.0);
        if (i % 3 == 0) {
            y = any_magnitude(&random);
            x = any_magnitude(&random);
        } else if (i % 3 == 1) {
            int exponent = (int)fr_random_below(&random, 2000) - 1020;
            y = ldexp(y, exponent);
            x = ldexp(x, exponent + (int)fr_random_below(&random, 30) - 15);
        }
        note(&worst, fr_atan2(y, x), REAL(atan2)((real)y, (real)x), y, x);
    }
    check_worst("atan2", worst, 0.51);
}

static void arccosine_is_within_one_ulp(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    worst_case worst = {0};
    uint64_t count = test_count(200000, 20000000);
    for (uint64_t i = 0; i < count; i++) {
        double x = fr_random_between(&random, -1.0, 1.0);
        if (i % 3 == 1) { x = copysign(1.0 - ldexp(fabs(x), -(int)fr_random_below(&random, 53)), x); }
        if (i % 3 == 2) { x = ldexp(x, -(int)fr_random_below(&random, 1074)); }
        note(&worst, fr_acos(x), REAL(acos)((real)x), x, 0.0);
    }
    check_worst("acos", worst, 0.51);
}

static void cube_root_is_within_one_ulp(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    worst_case worst = {0};
    uint64_t count = test_count(200000, 20000000);
    for (uint64_t i = 0; i < count; i++) {
        double x = i % 2 ? any_magnitude(&random) : fr_random_between(&random, 0.0, 8.0);
        note(&worst, fr_cbrt(x), REAL(cbrt)((real)x), x, 0.0);
    }
    check_worst("cbrt", worst, 0.501);
}

// ---------------------------------------------------------------------------------------------------------------
// Special cases

static void zeros_keep_their_sign(void **state) {
    (void)state;
    assert_true(same(fr_sin(0.0), 0.0) && same(fr_sin(-0.0), -0.0));
    assert_true(same(fr_cos(0.0), 1.0) && same(fr_cos(-0.0), 1.0));
    assert_true(same(fr_cbrt(0.0), 0.0) && same(fr_cbrt(-0.0), -0.0));
    assert_true(same(fr_sin(-5e-324), -5e-324));
}

static void both_at_once_are_the_same(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (uint64_t i = 0; i < 100000; i++) {
        double x = i == 0 ? -0.0 : any_angle(&random, i), sine, cosine;
        fr_sincos(x, &sine, &cosine);
        assert_true(same(sine, fr_sin(x)) && same(cosine, fr_cos(x)));
        assert_true(same(fr_sin(-x), -sine) && same(fr_cos(-x), cosine));
    }
}

// One NaN, the same everywhere.
static void outside_the_range_is_one_nan(void **state) {
    (void)state;
    const double nan = (double)NAN;
    const double outside[] = {nextafter(0x1p+20, INFINITY), -0x1p+21, 1e300, INFINITY, -INFINITY, nan, -nan};
    for (int i = 0; i < 7; i++) {
        double sine, cosine;
        fr_sincos(outside[i], &sine, &cosine);
        assert_true(same(fr_sin(outside[i]), nan) && same(fr_cos(outside[i]), nan));
        assert_true(same(sine, nan) && same(cosine, nan));
        assert_true(same(fr_acos(outside[i]), nan));
    }
    assert_true(same(fr_acos(nextafter(-1.0, -2.0)), nan));
    assert_true(same(fr_cbrt(-nan), nan) && same(fr_atan2(-nan, 1.0), nan) && same(fr_atan2(0.0, nan), nan));
}

// C17 F.10.1.4, by the C library, which agrees on these to the bit.
static void arctangent_has_the_special_cases_of_c(void **state) {
    (void)state;
    const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1.7e308, -1.7e308};
    const int count = (int)(sizeof special / sizeof special[0]);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            assert_true(same(fr_atan2(special[i], special[j]), atan2(special[i], special[j])));
        }
    }
}

static void arccosine_of_the_ends(void **state) {
    (void)state;
    assert_true(same(fr_acos(1.0), 0.0));
    assert_true(same(fr_acos(-1.0), FR_PI));
    assert_true(same(fr_acos(0.0), FR_PI / 2.0) && same(fr_acos(-0.0), FR_PI / 2.0));
}

static void cubes_have_exact_roots(void **state) {
    (void)state;
    for (int k = 1; k <= 100000; k++) {
        double root = (double)k, cube = root * root * root;
        assert_true(same(fr_cbrt(cube), root));
        assert_true(same(fr_cbrt(-cube * 0x1p-900), -root * 0x1p-300));
    }
    assert_true(same(fr_cbrt(0x1p-1074), 0x1p-358));
    assert_true(same(fr_cbrt(INFINITY), INFINITY) && same(fr_cbrt(-INFINITY), -INFINITY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(both_at_once_are_the_same),
        cmocka_unit_test(outside_the_range_is_one_nan),
        cmocka_unit_test(arctangent_has_the_special_cases_of_c),
        cmocka_unit_test(arccosine_of_the_ends),
        cmocka_unit_test(cubes_have_exact_roots),
        cmocka_unit_test(sine_and_cosine_are_within_one_ulp),
        cmocka_unit_test(hard_angles_are_within_one_ulp),
        cmocka_unit_test(arctangent_is_within_one_ulp),
        cmocka_unit_test(arccosine_is_within_one_ulp),
        cmocka_unit_test(cube_root_is_within_one_ulp),
    };
    return cmocka_run_group_tests_name("trigonometry", tests, NULL, NULL);
}
