// Boxes, and rounding outwards to the neighbouring float or double.
#include "math/sample.h"

#include "frame.h"
#include "math/outward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static float float_of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

// fr_float_down against its definition, and fr_float_up as its mirror.
static void check_float(double x) {
    float down = fr_float_down(x), up = fr_float_up(x);
    assert_true((double)down <= x && x <= (double)up);
    float next = nextafterf(down, INFINITY);
    assert_true((double)next > x || (double)down == x); // no float lies between
    float before = nextafterf(up, -INFINITY);
    assert_true((double)before < x || (double)up == x);
    assert_true(-fr_float_down(-x) == up);
}

static void floats_at_the_edges(void **state) {
    (void)state;
    assert_true(isnan(fr_float_down(NAN)) && isnan(fr_float_up(NAN)));
    assert_true(fr_float_down(INFINITY) == INFINITY && fr_float_up(INFINITY) == INFINITY);
    assert_true(fr_float_down(-INFINITY) == -INFINITY && fr_float_up(-INFINITY) == -INFINITY);
    assert_true(fr_float_down(0.0) == 0.0f && !signbit(fr_float_up(0.0)));
    assert_true(fr_float_down(-0.0) == 0.0f && fr_float_up(-0.0) == 0.0f);
    assert_true(fr_float_down(1e300) == FLT_MAX && fr_float_up(1e300) == INFINITY);
    assert_true(fr_float_down(-1e300) == -INFINITY && fr_float_up(-1e300) == -FLT_MAX);
    assert_true(fr_float_down((double)FLT_MAX) == FLT_MAX && fr_float_up((double)FLT_MAX) == FLT_MAX);
    assert_true(fr_float_down(fr__above((double)FLT_MAX)) == FLT_MAX);
    assert_true(fr_float_up(fr__above((double)FLT_MAX)) == INFINITY);
    assert_true(fr_float_down(0x1p-1074) == 0.0f && fr_float_up(0x1p-1074) == 0x1p-149f);
    assert_true(fr_float_down(-0x1p-1074) == -0x1p-149f && fr_float_up(-0x1p-1074) == 0.0f);
}

// Around every power of two, the subnormal floats and the ends of the range: the float itself, the doubles beside it,
// the middles to its neighbours and the doubles beside those.
static void floats_around_all_boundaries(void **state) {
    (void)state;
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (int offset = -6; offset <= 6; offset++) {
            uint32_t bits = (exponent << 23) + (uint32_t)offset;
            if (bits > 0x7f7fffffu) { continue; }
            double f = (double)float_of_bits(bits);
            double next = bits == 0x7f7fffffu ? 0x1p128 : (double)float_of_bits(bits + 1);
            const double around[] = {f,
                                     fr__above(f),
                                     fr__below(f),
                                     0.5 * (f + next),
                                     fr__above(0.5 * (f + next)),
                                     fr__below(0.5 * (f + next))};
            for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
                check_float(around[i]);
                check_float(-around[i]);
            }
        }
    }
}

static void floats_of_random_doubles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(51);
    for (uint64_t i = 0; i < test_count(300000, 100000000); i++) {
        check_float(sample_double(&random));
        float f = float_of_bits((uint32_t)fr_random_bits(&random));
        if (isfinite(f)) {
            assert_true(fr_float_down((double)f) == f && fr_float_up((double)f) == f);
            check_float((double)f + (double)f * sample_signed(&random) * 0x1p-24);
        }
    }
}

static void neighbours_are_those_of_the_library(void **state) {
    (void)state;
    fr_random random = fr_random_seed(52);
    const double edges[] = {0.0,      -0.0,    0x1p-1074, -0x1p-1074, DBL_MIN,
                            -DBL_MIN, DBL_MAX, -DBL_MAX,  INFINITY,   -INFINITY};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0] + 100000; i++) {
        double x = i < sizeof edges / sizeof edges[0] ? edges[i] : sample_double(&random);
        assert_true(fr__below(x) == nextafter(x, -INFINITY) && fr__above(x) == nextafter(x, INFINITY));
    }
    assert_true(isnan(fr__below(NAN)) && isnan(fr__above(NAN)));
}

// Sums rounded outwards are the nearest doubles on their side: exact sums are kept.
static void sums_are_rounded_to_their_side(void **state) {
    (void)state;
    fr_random random = fr_random_seed(53);
    for (int i = 0; i < 200000; i++) {
        double a = sample_signed(&random), b = sample_signed(&random) * sample_power(&random, -5, 5);
        long double sum = (long double)a + b; // exact: the bits span less than 64
        double down = fr__add_down(a, b), up = fr__add_up(a, b);
        assert_true(down <= sum && sum <= up);
        assert_true(down == up ? (long double)down == sum : up == fr__above(down));
    }
    assert_true(fr__add_down(DBL_MAX, DBL_MAX) == DBL_MAX && fr__add_up(DBL_MAX, DBL_MAX) == INFINITY);
    assert_true(fr__add_down(-DBL_MAX, -DBL_MAX) == -INFINITY && fr__add_up(-DBL_MAX, -DBL_MAX) == -DBL_MAX);
    assert_true(fr__add_down(INFINITY, 1.0) == INFINITY && fr__add_down(-INFINITY, DBL_MAX) == -INFINITY);
    assert_true(fr__add_up(1.0, 0x1p-1074) == 1.0 + 0x1p-52 && fr__add_down(1.0, 0x1p-1074) == 1.0);
}

static void an_empty_box_stays_empty(void **state) {
    (void)state;
    fr_bounds empty = fr_bounds_empty(), one = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    fr_bounds flipped = {{0.0, 2.0, 0.0}, {1.0, 1.0, 1.0}}; // empty on one axis
    fr_bounds lost = {{0.0, (double)NAN, 0.0}, {1.0, 1.0, 1.0}};
    assert_true(fr_bounds_is_empty(&empty) && fr_bounds_is_empty(&flipped) && !fr_bounds_is_empty(&one));
    assert_true(fr_bounds_is_empty(&lost) && !fr_bounds_contain_point(&one, fr_vec3_make(NAN, 0.5, 0.5)));
    fr_bounds grown = fr_bounds_grow(&empty, 1e9), none = fr_bounds_of_points(NULL, 0);
    assert_true(fr_bounds_is_empty(&grown) && fr_bounds_is_empty(&none));
    grown = fr_bounds_grow(&flipped, 10.0);
    assert_true(fr_bounds_is_empty(&grown));
    assert_false(fr_bounds_overlap(&empty, &one) || fr_bounds_overlap(&one, &flipped));
    assert_false(fr_bounds_contain_point(&empty, fr_vec3_make(0.0, 0.0, 0.0)));
    fr_bounds both = fr_bounds_union(&empty, &one), other = fr_bounds_union(&one, &flipped);
    assert_memory_equal(&both, &one, sizeof one);
    assert_memory_equal(&other, &one, sizeof one);
    fr_box box = fr_box_of_bounds(&empty, fr_vec3_make(1.0, 2.0, 3.0)), world = {{-1, -1, -1}, {1, 1, 1}};
    assert_false(fr_box_overlap(&box, &world));
}

static void coordinates_that_are_no_numbers_are_passed_over(void **state) {
    (void)state;
    const fr_vec3 points[3] = {{1.0, 2.0, 3.0}, {(double)NAN, 5.0, (double)NAN}, {0.0, 4.0, 7.0}};
    fr_bounds all = fr_bounds_of_points(points, 3), one_by_one = fr_bounds_empty();
    for (int i = 0; i < 3; i++) {
        one_by_one = fr_bounds_with_point(&one_by_one, points[i]);
    }
    const fr_bounds expected = {{0.0, 2.0, 3.0}, {1.0, 5.0, 7.0}};
    assert_memory_equal(&all, &expected, sizeof expected);
    assert_memory_equal(&one_by_one, &expected, sizeof expected);
}

static void boxes_hold_their_points(void **state) {
    (void)state;
    fr_random random = fr_random_seed(54);
    for (int i = 0; i < 2000; i++) {
        fr_vec3 points[8];
        for (int k = 0; k < 8; k++) {
            points[k] = sample_vector(&random, 10.0);
        }
        fr_bounds bounds = fr_bounds_of_points(points, 8);
        for (int k = 0; k < 8; k++) {
            assert_true(fr_bounds_contain_point(&bounds, points[k]));
        }
        assert_true(fr_bounds_contain_point(&bounds, fr_bounds_center(&bounds)));
        fr_bounds far = {fr_vec3_add(bounds.max, fr_vec3_make(0x1p-40, 0.0, 0.0)), fr_vec3_make(100.0, 100.0, 100.0)};
        fr_bounds beside = {bounds.max, far.max};
        assert_true(fr_bounds_overlap(&bounds, &beside) && fr_bounds_overlap(&beside, &bounds)); // closed: touching
        assert_false(fr_bounds_overlap(&bounds, &far) || fr_bounds_overlap(&far, &bounds));
    }
}

static void centers_stay_inside_at_the_ends_of_the_range(void **state) {
    (void)state;
    const double ends[] = {-DBL_MAX, -1.0, -0x1p-1074, 0.0, 0x1p-1074, 3.0 * 0x1p-1074, 1.0, DBL_MAX};
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = i; k < 8; k++) {
            fr_bounds bounds = {{ends[i], ends[i], ends[i]}, {ends[k], ends[k], ends[k]}};
            assert_true(fr_bounds_contain_point(&bounds, fr_bounds_center(&bounds)));
        }
    }
}

static void growing_is_never_short(void **state) {
    (void)state;
    fr_random random = fr_random_seed(55);
    for (int i = 0; i < 50000; i++) {
        fr_vec3 point = sample_vector(&random, sample_power(&random, -20, 20));
        fr_bounds bounds = {point, point};
        double margin = fr_random_unit(&random) * sample_power(&random, -20, 20);
        fr_bounds grown = fr_bounds_grow(&bounds, margin);
        assert_true((long double)grown.min.x <= (long double)point.x - margin);
        assert_true((long double)grown.max.z >= (long double)point.z + margin);
        fr_bounds same = fr_bounds_grow(&bounds, 0.0);
        assert_memory_equal(&same, &bounds, sizeof same);
    }
}

// The smallest box: its ends are the floats next to the real difference.
static void boxes_of_floats_are_the_smallest(void **state) {
    (void)state;
    fr_random random = fr_random_seed(56);
    for (int i = 0; i < 100000; i++) {
        // Exponents close enough for the difference to be exact in long double.
        double reach = sample_power(&random, -4, 4);
        fr_vec3 a = sample_vector(&random, reach), origin = sample_vector(&random, sample_power(&random, -4, 4));
        // Every other: a difference that rounds to a float though it is not one.
        if (i % 2 == 0) { a.x = origin.x + (double)(float)a.x; }
        fr_bounds bounds = {a, a};
        fr_box box = fr_box_of_bounds(&bounds, origin);
        long double x = (long double)a.x - origin.x;
        assert_true((long double)box.min.x <= x && x <= (long double)box.max.x);
        assert_true((long double)nextafterf(box.min.x, INFINITY) > x || (long double)box.min.x == x);
        assert_true((long double)nextafterf(box.max.x, -INFINITY) < x || (long double)box.max.x == x);
    }
    fr_bounds huge = {{DBL_MAX, 0.0, -DBL_MAX}, {DBL_MAX, 0.0, DBL_MAX}};
    fr_box box = fr_box_of_bounds(&huge, fr_vec3_make(-DBL_MAX, 0.0, 0.0));
    assert_true(box.min.x == FLT_MAX && box.max.x == INFINITY && box.min.z == -INFINITY && box.max.z == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_at_the_edges),
        cmocka_unit_test(floats_around_all_boundaries),
        cmocka_unit_test(floats_of_random_doubles),
        cmocka_unit_test(neighbours_are_those_of_the_library),
        cmocka_unit_test(sums_are_rounded_to_their_side),
        cmocka_unit_test(an_empty_box_stays_empty),
        cmocka_unit_test(coordinates_that_are_no_numbers_are_passed_over),
        cmocka_unit_test(boxes_hold_their_points),
        cmocka_unit_test(centers_stay_inside_at_the_ends_of_the_range),
        cmocka_unit_test(growing_is_never_short),
        cmocka_unit_test(boxes_of_floats_are_the_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
