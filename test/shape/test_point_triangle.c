// Closest points of triangles and segments to a point, against rational arithmetic.
#include "frame.h"

#include "random_shapes.h"
#include "rational_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define E 0x1p-53

static void test_known_points(void **state) {
    (void)state;
    fr_vec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    fr_triangle_point p = fr_triangle_closest(t, fr_vec3_make(1, 1, 3));
    assert_true(fr_vec3_equal(p.point, fr_vec3_make(1, 1, 0)) && p.u == 0.25 && p.v == 0.25 && p.distance == 3.0);
    p = fr_triangle_closest(t, fr_vec3_make(9, -2, 0));
    assert_true(fr_vec3_equal(p.point, t[1]) && p.u == 1.0 && p.v == 0.0);
    p = fr_triangle_closest(t, fr_vec3_make(4, 4, 1));
    assert_true(fr_vec3_equal(p.point, fr_vec3_make(2, 2, 0)) && p.u == 0.5 && p.v == 0.5);

    fr_vec3 point[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    assert_true(fr_triangle_closest(point, fr_vec3_make(1, 2, 5)).distance == 2.0);
    fr_vec3 s[2] = {{0, 0, 0}, {2, 0, 0}}, q;
    assert_true(fr_segment_closest(s, fr_vec3_make(1, 5, 0), &q) == 0.5 && fr_vec3_equal(q, fr_vec3_make(1, 0, 0)));
    assert_true(fr_segment_closest(s, fr_vec3_make(-1, 5, 0), NULL) == 0.0);
    assert_true(fr_segment_closest(s, fr_vec3_make(7, 5, 0), NULL) == 1.0);
}

static void test_random_points_against_rational(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    uint64_t count = test_count(4000, 200000);
    double worst = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[4];
        random_triangle(&random, 1.0, t);
        double reach = i % 3 == 0 ? 30.0 : 1.0;
        t[3] = i % 4 == 0 ? fr_vec3_lerp(t[0], t[2], fr_random_unit(&random)) : random_point(&random, reach);
        fr_triangle_point p = fr_triangle_closest(t, t[3]);
        double spread = spread_of(t, 4), expected = rational_point_triangle_distance(t[3], t);
        worst = fmax(worst, fabs(p.distance - expected) / (E * spread));
        assert_true(fabs(p.distance - expected) <= 64 * E * spread);
        assert_true(p.u >= 0.0 && p.v >= 0.0 && (1.0 - p.u) - p.v >= 0.0);
        assert_true(p.u < p.v ? p.u <= 1.0 - p.v : p.v <= 1.0 - p.u);
        assert_true(fabs(fr_vec3_distance(p.point, t[3]) - p.distance) <= 16 * E * (spread + fr_vec3_largest(p.point)));
    }
    print_message("worst error %.1f e D\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_points),
        cmocka_unit_test(test_random_points_against_rational),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
