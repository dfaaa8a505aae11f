// Distance of convex sets: against the distance of triangles, and against the facets of hulls.
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ACCURACY 1e-12
#define ACCURACY_NEAR 1e-8

static void test_known_sets(void **state) {
    (void)state;
    fr_vec3 cube[8], point[1] = {{3, 0.5, 0.5}}, zero = {0, 0, 0};
    for (int i = 0; i < 8; i++) {
        cube[i] = fr_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    fr_convex a = {cube, 8, 0.0}, b = {point, 1, 0.5};
    fr_convex_distance d = fr_gjk(&a, &b, zero);
    assert_true(d.is_converged);
    assert_float_equal(d.distance, 1.5, 1e-14);
    assert_float_equal(d.core_distance, 2.0, 1e-14);
    assert_float_equal(d.gap, 1.5, 1e-14);
    assert_true(fr_vec3_distance(d.on_a, fr_vec3_make(1, 0.5, 0.5)) < 1e-14);
    assert_true(fr_vec3_distance(d.on_b, fr_vec3_make(2.5, 0.5, 0.5)) < 1e-14);
    point[0] = fr_vec3_make(0.25, 0.5, 0.75);
    d = fr_gjk(&a, &b, zero);
    assert_true(d.is_converged && d.distance == 0.0 && d.core_distance == 0.0);
    assert_true(fr_vec3_distance(d.on_a, point[0]) < 1e-14 && fr_vec3_equal(d.axis, zero));
    fr_vec3 same = {3, 0.5, 0.5};
    fr_convex c = {&same, 1, 0.0}, e = {&same, 1, 0.0};
    assert_true(fr_gjk(&c, &e, zero).distance == 0.0);
}

// Slivers, segments and points included.
static void test_triangles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(131);
    uint64_t count = test_count(60000, 2000000);
    double worst = 0.0;
    int most = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[6], p, q;
        random_triangle(&random, 1.0, t);
        random_triangle(&random, 1.0, t + 3);
        for (int k = 3; k < 6; k++) {
            t[k].x += i % 3 == 0 ? 2.5 : 0.3;
        }
        fr_vec3 far = random_point(&random, i % 5 == 0 ? 1e6 : 0.0);
        for (int k = 0; k < 6; k++) {
            t[k] = fr_vec3_add(t[k], far);
        }
        if (i % 4 == 0) { t[3] = fr_vec3_lerp(t[0], t[1], 0.5); }
        fr_convex a = {t, 3, 0.0}, b = {t + 3, 3, 0.0};
        fr_convex_distance d = fr_gjk(&a, &b, fr_vec3_make(0, 0, 0));
        double spread = spread_of(t, 6), expected = fr_triangle_distance(t, t + 3, &p, &q);
        assert_true(d.is_converged);
        worst = fmax(worst, fabs(d.distance - expected) / spread);
        double accuracy = expected > 1e-6 * spread ? ACCURACY : ACCURACY_NEAR;
        assert_true(fabs(d.distance - expected) <= accuracy * spread);
        double rounding = 8 * 0x1p-53 * fr_vec3_largest(d.on_a); // of the points
        assert_true(fabs(fr_vec3_distance(d.on_a, d.on_b) - d.core_distance) <= accuracy * spread + rounding);
        assert_true(d.gap <= d.distance);
        if (d.distance > 0.0) { assert_true(d.gap <= expected + ACCURACY * spread); }
        most = d.iterations > most ? d.iterations : most;
    }
    print_message("worst error %.1e D, most iterations %d\n", worst, most);
}

// Sets of many points: the least distance over all pairs of facets, or 0 when a point is inside.
static void test_hulls(void **state) {
    (void)state;
    fr_random random = fr_random_seed(132);
    uint64_t count = test_count(150, 5000);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 points[24];
        fr_hull hull[2];
        for (int k = 0; k < 24; k++) {
            points[k] = random_point(&random, 1.0);
            if (k >= 12) { points[k].y += i % 2 == 0 ? 2.5 : 1.2; }
        }
        fr_hull_of_points(points, 12, &hull[0]);
        fr_hull_of_points(points + 12, 12, &hull[1]);
        double expected = INFINITY;
        for (int f = 0; f < hull[0].facet_count; f++) {
            for (int g = 0; g < hull[1].facet_count; g++) {
                fr_vec3 a[3], b[3];
                for (int k = 0; k < 3; k++) {
                    a[k] = points[hull[0].facets[f][k]], b[k] = points[12 + hull[1].facets[g][k]];
                }
                expected = fmin(expected, fr_triangle_distance(a, b, NULL, NULL));
            }
        }
        fr_convex a = {points, 12, 0.0}, b = {points + 12, 12, 0.0};
        fr_convex_distance d = fr_gjk(&a, &b, fr_vec3_make(0, 1, 0)), again = fr_gjk(&a, &b, d.axis);
        assert_true(d.is_converged && again.is_converged);
        if (d.distance > 0.0 || expected > 0.0) { assert_true(fabs(d.distance - expected) <= ACCURACY * 6.0); }
        assert_true(fabs(again.distance - d.distance) <= ACCURACY * 6.0);
    }
}

// Two ends of b tie but for rounding: the corner that comes first makes v no shorter, the next one does.
static void test_a_corner_that_brings_nothing_is_passed(void **state) {
    (void)state;
    const fr_vec3 a[3] = {{-0.75, 0.9, -0.1}, {1.0, 0.0, 1.0}, {1.0 - 1.15e-10, 2.2e-10, 1.0 + 6.5e-10}};
    const fr_vec3 b[2] = {{-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0}};
    fr_convex first = {a, 3, 0.0}, second = {b, 2, 0.0};
    fr_convex_distance d = fr_gjk(&first, &second, fr_vec3_make(0.0, 0.0, 0.0));
    assert_true(d.is_converged && fabs(d.distance - 1.0) <= ACCURACY && d.distance - d.gap <= ACCURACY);
}

static void test_not_finite_ends(void **state) {
    (void)state;
    fr_vec3 points[4] = {{NAN, 0, 0}, {1, INFINITY, 0}, {0, 0, 1e300}, {1e-300, 0, 0}};
    fr_convex a = {points, 4, 0.0}, b = {points + 1, 3, 1.0};
    fr_convex_distance d = fr_gjk(&a, &b, fr_vec3_make(NAN, 0, 0));
    assert_in_range(d.iterations, 1, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sets),      cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_hulls),           cmocka_unit_test(test_a_corner_that_brings_nothing_is_passed),
        cmocka_unit_test(test_not_finite_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
