// Exact predicates: simple truths, the ends of the range, and adversarial cases against rational arithmetic (GMP).
#include "fureai/math.h"

#include "frame.h"
#include "math/orient_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(FR_TEST_GMP)
#include <gmp.h>
#endif

typedef struct quad {
    fr_vec3 p[4];
} quad;

// ---------------------------------------------------------------------------------------------------------------
// Cases

static double *coordinate(quad *q, int i) {
    fr_vec3 *p = &q->p[i / 3];
    return i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z;
}

static double signed_unit(fr_random *random) { return fr_random_between(random, -1.0, 1.0); }

static double small_integer(fr_random *random, int most) {
    return (double)((int)fr_random_below(random, (uint64_t)(2 * most + 1)) - most);
}

static fr_vec3 integer_point(fr_random *random, int most) {
    double x = small_integer(random, most), y = small_integer(random, most), z = small_integer(random, most);
    return fr_vec3_make(x, y, z);
}

static fr_vec3 random_point(fr_random *random) {
    double x = signed_unit(random), y = signed_unit(random), z = signed_unit(random);
    return fr_vec3_make(x, y, z);
}

// The first `count` points drawn, the others zero.
static quad random_points(fr_random *random, int count) {
    quad q = {{{0.0, 0.0, 0.0}}};
    for (int i = 0; i < count; i++) {
        q.p[i] = random_point(random);
    }
    return q;
}

// d on the plane of a, b, c but for rounding.
static quad near_coplanar(fr_random *random) {
    quad q = random_points(random, 3);
    double s = 3.0 * signed_unit(random), t = 3.0 * signed_unit(random);
    fr_vec3 along = fr_vec3_scale(s, fr_vec3_sub(q.p[1], q.p[0])),
            across = fr_vec3_scale(t, fr_vec3_sub(q.p[2], q.p[0]));
    q.p[3] = fr_vec3_add(q.p[0], fr_vec3_add(along, across));
    return q;
}

// Four lattice points of one plane, at a random power of two: coplanar without rounding.
static quad exactly_coplanar(fr_random *random) {
    fr_vec3 origin = integer_point(random, 1 << 20), u = integer_point(random, 1 << 10),
            v = integer_point(random, 1 << 10);
    double scale = ldexp(1.0, (int)fr_random_below(random, 500) - 250);
    quad q;
    for (int i = 0; i < 4; i++) {
        fr_vec3 p = fr_vec3_add_scaled(origin, small_integer(random, 1 << 9), u);
        q.p[i] = fr_vec3_scale(scale, fr_vec3_add_scaled(p, small_integer(random, 1 << 9), v));
    }
    return q;
}

static quad duplicated(fr_random *random) {
    quad q = near_coplanar(random);
    uint64_t from = fr_random_below(random, 4);
    q.p[fr_random_below(random, 4)] = q.p[from];
    return q;
}

// Moves some coordinates by one ulp.
static void nudge(fr_random *random, quad *q) {
    for (int i = 0; i < 12; i++) {
        uint64_t way = fr_random_below(random, 4);
        double *x = coordinate(q, i);
        if (way < 2) { *x = nextafter(*x, way == 0 ? -INFINITY : INFINITY); }
    }
}

// A tiny tetrahedron far from the origin, flat or nearly so.
static quad far_and_tiny(fr_random *random) {
    quad q = fr_random_below(random, 2) ? near_coplanar(random) : exactly_coplanar(random);
    double size = ldexp(1.0, -(int)fr_random_below(random, 40)) / 256.0;
    double largest = 0.0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, fr_vec3_largest(q.p[i]));
    }
    fr_vec3 offset = fr_vec3_scale(1e6, random_point(random));
    for (int i = 0; i < 4 && largest > 0.0; i++) {
        q.p[i] = fr_vec3_add_scaled(offset, size / largest, q.p[i]);
    }
    return q;
}

// Every coordinate with an exponent of its own, from the whole range.
static quad mixed_exponents(fr_random *random) {
    quad q = random_points(random, 4);
    int width = 1 + (int)fr_random_below(random, 300);
    for (int i = 0; i < 12; i++) {
        double *x = coordinate(&q, i);
        *x = fr_random_below(random, 5) == 0 ? 0.0
                                             : ldexp(*x, (int)fr_random_below(random, (uint64_t)width) - width / 2);
    }
    return q;
}

static quad small_integers(fr_random *random) {
    quad q;
    for (int i = 0; i < 4; i++) {
        q.p[i] = integer_point(random, 3);
    }
    return q;
}

// Coordinates at the ends of the range, of one end or of both.
static quad range_end(fr_random *random) {
    quad q;
    for (int i = 0; i < 4; i++) {
        q.p[i] = integer_point(random, 3);
    }
    uint64_t which = fr_random_below(random, 3);
    for (int i = 0; i < 12; i++) {
        bool low = which == 0 || (which == 1 && fr_random_below(random, 2) == 0);
        *coordinate(&q, i) *= low ? FR_ORIENT3D_MIN : FR_ORIENT_MAX / 4.0;
    }
    if (fr_random_below(random, 2)) { nudge(random, &q); }
    return q;
}

// A nearly flat tetrahedron brought to an end of the range by a power of two.
static quad scaled_to_end(fr_random *random) {
    quad q = near_coplanar(random);
    int exponent = fr_random_below(random, 2) ? 326 : -299;
    for (int i = 0; i < 12; i++) {
        *coordinate(&q, i) = ldexp(*coordinate(&q, i), exponent);
    }
    return q;
}

// The points of one line, or nearly.
static quad near_collinear(fr_random *random) {
    quad q = random_points(random, 2);
    for (int i = 2; i < 4; i++) {
        q.p[i] = fr_vec3_lerp(q.p[0], q.p[1], 4.0 * signed_unit(random));
    }
    return q;
}

// Brings what left the promised range back to its end.
static void into_range(quad *q, double least) {
    for (int i = 0; i < 12; i++) {
        double *x = coordinate(q, i);
        if (*x != 0.0 && fabs(*x) < least) { *x = copysign(least, *x); }
        if (fabs(*x) > FR_ORIENT_MAX) { *x = copysign(FR_ORIENT_MAX, *x); }
    }
}

static quad adversarial(fr_random *random, uint64_t index, double least) {
    static quad (*const kinds[])(fr_random *) = {near_coplanar, exactly_coplanar, duplicated,
                                                 far_and_tiny,  mixed_exponents,  small_integers,
                                                 range_end,     scaled_to_end,    near_collinear};
    const uint64_t kind_count = sizeof kinds / sizeof kinds[0];
    quad q = kinds[index % kind_count](random);
    if (index / kind_count % 2 == 1) { nudge(random, &q); }
    into_range(&q, least);
    return q;
}

// ---------------------------------------------------------------------------------------------------------------
// Rational arithmetic

#if defined(FR_TEST_GMP)

// Registers that are made once: the coordinates as integers of one unit, and what is computed from them.
typedef struct oracle {
    mpz_t coordinate[12], difference[9], sum, term;
} oracle;

static void oracle_init(oracle *o) {
    for (int i = 0; i < 12; i++) {
        mpz_init(o->coordinate[i]);
    }
    for (int i = 0; i < 9; i++) {
        mpz_init(o->difference[i]);
    }
    mpz_inits(o->sum, o->term, NULL);
}

static void oracle_clear(oracle *o) {
    for (int i = 0; i < 12; i++) {
        mpz_clear(o->coordinate[i]);
    }
    for (int i = 0; i < 9; i++) {
        mpz_clear(o->difference[i]);
    }
    mpz_clears(o->sum, o->term, NULL);
}

// All coordinates as multiples of the smallest bit any of them has: x = mantissa 2^exponent with an integer mantissa.
static void oracle_load(oracle *o, quad *q) {
    int least = INT32_MAX, exponent[12];
    for (int i = 0; i < 12; i++) {
        double mantissa = frexp(*coordinate(q, i), &exponent[i]);
        mpz_set_d(o->coordinate[i], ldexp(mantissa, 53));
        if (mantissa != 0.0 && exponent[i] < least) { least = exponent[i]; }
    }
    for (int i = 0; i < 12; i++) {
        if (mpz_sgn(o->coordinate[i]) == 0) { continue; }
        mpz_mul_2exp(o->coordinate[i], o->coordinate[i], (mp_bitcnt_t)(exponent[i] - least));
    }
    for (int i = 0; i < 9; i++) {
        mpz_sub(o->difference[i], o->coordinate[3 + i], o->coordinate[i % 3]);
    }
}

// The determinant as the sum of six products, by Leibniz' formula.
static int oracle_orient3d(oracle *o, quad *q) {
    static const int even[3][3] = {{0, 4, 8}, {1, 5, 6}, {2, 3, 7}}, odd[3][3] = {{0, 5, 7}, {1, 3, 8}, {2, 4, 6}};
    oracle_load(o, q);
    mpz_set_ui(o->sum, 0);
    for (int i = 0; i < 3; i++) {
        mpz_mul(o->term, o->difference[even[i][0]], o->difference[even[i][1]]);
        mpz_addmul(o->sum, o->term, o->difference[even[i][2]]);
        mpz_mul(o->term, o->difference[odd[i][0]], o->difference[odd[i][1]]);
        mpz_submul(o->sum, o->term, o->difference[odd[i][2]]);
    }
    return mpz_sgn(o->sum);
}

static int oracle_orient2d(oracle *o, quad *q) {
    oracle_load(o, q);
    mpz_mul(o->sum, o->difference[0], o->difference[4]);
    mpz_submul(o->sum, o->difference[1], o->difference[3]);
    return mpz_sgn(o->sum);
}

#endif

static fr_vec2 flat(fr_vec3 p) {
    fr_vec2 q = {p.x, p.y};
    return q;
}

static void print_quad(const quad *q) {
    for (int i = 0; i < 4; i++) {
        print_message("  %a %a %a\n", q->p[i].x, q->p[i].y, q->p[i].z);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void left_of_a_line_is_positive(void **state) {
    (void)state;
    fr_vec2 a = {0.0, 0.0}, b = {1.0, 0.0}, c = {0.3, 1e-300};
    assert_int_equal(fr_orient2d(a, b, c), 1);
    assert_int_equal(fr_orient2d(b, a, c), -1);
    assert_int_equal(fr_orient2d(a, b, (fr_vec2){7.0, 0.0}), 0);
}

static void above_a_counter_clockwise_triangle_is_positive(void **state) {
    (void)state;
    fr_vec3 a = {0.0, 0.0, 0.0}, b = {1.0, 0.0, 0.0}, c = {0.0, 1.0, 0.0};
    assert_int_equal(fr_orient3d(a, b, c, fr_vec3_make(0.2, 0.2, 1.0)), 1);
    assert_int_equal(fr_orient3d(a, b, c, fr_vec3_make(0.2, 0.2, -1e-300)), -1);
    assert_int_equal(fr_orient3d(a, b, c, fr_vec3_make(5.0, -9.0, 0.0)), 0);
}

static void one_ulp_off_the_plane_is_seen(void **state) {
    (void)state;
    fr_vec3 a = {0.1, 0.1, 0.1}, b = {0.3, 0.7, 0.7}, c = {0.9, 0.2, 0.2}, d = {12.0, 12.0, 12.0};
    assert_int_equal(fr_orient3d(a, b, c, d), 0); // all four in the plane y = z
    d.z = nextafter(12.0, 13.0);
    int above = fr_orient3d(a, b, c, d);
    d.z = nextafter(12.0, 11.0);
    assert_int_not_equal(above, 0);
    assert_int_equal(fr_orient3d(a, b, c, d), -above);
}

static void ends_of_the_range_are_exact(void **state) {
    (void)state;
    const double low = FR_ORIENT3D_MIN, high = FR_ORIENT_MAX;
    fr_vec3 a = {low, low, low}, up = {low, low, nextafter(low, 1.0)};
    fr_vec3 b = {nextafter(low, 1.0), low, low}, c = {low, nextafter(low, 1.0), low};
    assert_int_equal(fr_orient3d(a, b, c, up), 1);
    assert_int_equal(fr_orient3d(a, c, b, up), -1);
    assert_int_equal(fr_orient3d(fr_vec3_make(-high, -high, -high), fr_vec3_make(high, -high, -high),
                                 fr_vec3_make(-high, high, -high), fr_vec3_make(high, high, high)),
                     1);

    const double low2 = FR_ORIENT2D_MIN;
    fr_vec2 a2 = {low2, low2}, b2 = {nextafter(low2, 1.0), low2}, c2 = {low2, nextafter(low2, 1.0)};
    assert_int_equal(fr_orient2d(a2, b2, c2), 1);
    assert_int_equal(fr_orient2d(a2, c2, b2), -1);
    assert_int_equal(fr_orient2d((fr_vec2){-high, -high}, (fr_vec2){high, -high}, (fr_vec2){high, high}), 1);
}

// Outside the range the answer may be wrong; the call returns one of the three all the same.
static void not_finite_points_return(void **state) {
    (void)state;
    const double odd[] = {(double)NAN, INFINITY, -INFINITY, 1e308, 5e-324, 0.0};
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 20000; i++) {
        quad q = near_coplanar(&random);
        for (int j = 0; j < 12; j++) {
            if (fr_random_below(&random, 3) == 0) { *coordinate(&q, j) = odd[fr_random_below(&random, 6)]; }
        }
        int space = fr_orient3d(q.p[0], q.p[1], q.p[2], q.p[3]);
        int plane = fr_orient2d(flat(q.p[0]), flat(q.p[1]), flat(q.p[2]));
        assert_in_range(space + 1, 0, 2);
        assert_in_range(plane + 1, 0, 2);
    }
}

static void swapping_two_points_changes_the_sign(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(50000, 500000);
    for (uint64_t i = 0; i < count; i++) {
        quad q = adversarial(&random, i, FR_ORIENT3D_MIN);
        int sign = fr_orient3d(q.p[0], q.p[1], q.p[2], q.p[3]);
        assert_int_equal(fr_orient3d(q.p[1], q.p[0], q.p[2], q.p[3]), -sign);
        assert_int_equal(fr_orient3d(q.p[0], q.p[1], q.p[3], q.p[2]), -sign);
        assert_int_equal(fr_orient3d(q.p[1], q.p[2], q.p[0], q.p[3]), sign);
    }
}

static void scaling_by_a_power_of_two_changes_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    for (int i = 0; i < 20000; i++) {
        quad q = fr_random_below(&random, 2) ? near_coplanar(&random) : far_and_tiny(&random);
        quad scaled = q;
        for (int j = 0; j < 12; j++) {
            *coordinate(&scaled, j) *= 0x1p-100;
        }
        assert_int_equal(fr_orient3d(q.p[0], q.p[1], q.p[2], q.p[3]),
                         fr_orient3d(scaled.p[0], scaled.p[1], scaled.p[2], scaled.p[3]));
    }
}

static void signs_agree_with_rational_arithmetic(void **state) {
    (void)state;
#if defined(FR_TEST_GMP)
    fr_random random = fr_random_seed(4);
    uint64_t count = test_count(150000, 10000000), unsure = 0, zero = 0;
    oracle o;
    oracle_init(&o);
    for (uint64_t i = 0; i < count; i++) {
        quad q = adversarial(&random, i, FR_ORIENT3D_MIN);
        int expected = oracle_orient3d(&o, &q);
        int sign = fr_orient3d(q.p[0], q.p[1], q.p[2], q.p[3]);
        int filter = fr__orient3d_filter(q.p[0], q.p[1], q.p[2], q.p[3]);
        int exact = fr__orient3d_exact(q.p[0], q.p[1], q.p[2], q.p[3]);
        bool right = sign == expected && exact == expected && (filter == 0 || filter == expected);
        if (!right) { print_quad(&q); }
        assert_true(right);
        unsure += filter == 0;
        zero += expected == 0;

        q = adversarial(&random, i, FR_ORIENT2D_MIN);
        assert_int_equal(fr_orient2d(flat(q.p[0]), flat(q.p[1]), flat(q.p[2])), oracle_orient2d(&o, &q));
        assert_int_equal(fr__orient2d_exact(flat(q.p[0]), flat(q.p[1]), flat(q.p[2])), oracle_orient2d(&o, &q));
    }
    oracle_clear(&o);
    print_message("%.0f cases, %.1f %% beyond the filter, %.1f %% exactly zero\n", (double)count,
                  100.0 * (double)unsure / (double)count, 100.0 * (double)zero / (double)count);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_of_a_line_is_positive),
        cmocka_unit_test(above_a_counter_clockwise_triangle_is_positive),
        cmocka_unit_test(one_ulp_off_the_plane_is_seen),
        cmocka_unit_test(ends_of_the_range_are_exact),
        cmocka_unit_test(not_finite_points_return),
        cmocka_unit_test(swapping_two_points_changes_the_sign),
        cmocka_unit_test(scaling_by_a_power_of_two_changes_nothing),
        cmocka_unit_test(signs_agree_with_rational_arithmetic),
    };
    return cmocka_run_group_tests_name("orient", tests, NULL, NULL);
}
