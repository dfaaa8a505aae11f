// Distances of triangles, segments and points, against rational arithmetic.
#include "frame.h"

#include "random_shapes.h"
#include "rational_sets.h"
#include "shape/segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define E 0x1p-53

static void test_known_distances(void **state) {
    (void)state;
    fr_vec3 floor[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, p, q;
    fr_vec3 above[3] = {{1, 1, 2}, {5, 5, 9}, {5, 4, 9}};
    assert_float_equal(fr_triangle_distance(floor, above, &p, &q), 2.0, 1e-15);
    assert_true(fr_vec3_equal(p, fr_vec3_make(1, 1, 0)) && fr_vec3_equal(q, above[0]));
    fr_vec3 beside[3] = {{2, -3, -1}, {2, -3, 1}, {2, -9, 0}};
    assert_float_equal(fr_triangle_distance(floor, beside, &p, &q), 3.0, 1e-15);
    fr_vec3 through[3] = {{1, 1, -1}, {1, 1, 1}, {1, 2, 1}};
    assert_true(fr_triangle_distance(floor, through, &p, &q) == 0.0);
    assert_true(fr_vec3_equal(p, q) && p.z == 0.0);
    assert_true(fr_triangle_distance(floor, floor, NULL, NULL) == 0.0);
}

// Two triangles, of all kinds, near and far from each other and from the origin.
static void random_pair(fr_random *random, uint64_t i, fr_vec3 a[3], fr_vec3 b[3]) {
    random_triangle(random, 1.0, a);
    random_triangle(random, 1.0, b);
    double gap = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1e-9 : i % 4 == 2 ? 1e-3 : 2.0;
    if (i % 3 == 0) { // almost touching: b through a point of a, moved off by the gap
        fr_vec3 meet = fr_vec3_lerp(fr_vec3_lerp(a[0], a[1], 0.3), a[2], 0.4), d = fr_vec3_sub(meet, b[i % 2]);
        for (int k = 0; k < 3; k++) {
            b[k] = fr_vec3_add(b[k], fr_vec3_scale(1.0 + gap, d));
        }
    }
    if (i % 5 == 0) { // nearly parallel edges
        fr_vec3 d = fr_vec3_sub(a[1], a[0]);
        b[1] = fr_vec3_add_scaled(b[0], 0.9, fr_vec3_add_scaled(d, 1e-8, b[1]));
    }
    if (i % 7 == 0) {
        fr_vec3 far = {1e6, -2e6, 3e6};
        for (int k = 0; k < 3; k++) {
            a[k] = fr_vec3_add(a[k], far), b[k] = fr_vec3_add(b[k], far);
        }
    }
}

// The nearest of all candidates, none passed over, in the order that decides among equals.
static double nearest_of_all(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b) {
    fr__segment_nearest nearest = fr__nearest_none();
    fr_vec3 c[3], d[3], p, q;
    for (int i = 0; i < 3; i++) {
        c[i] = fr_vec3_sub(a[i], a[0]);
        d[i] = fr_vec3_sub(b[i], a[0]);
    }
    for (int i = 0; i < 3; i++) {
        fr__nearest_offer(&nearest, c[i], fr_triangle_closest(d, c[i]).point);
        fr__nearest_offer(&nearest, fr_triangle_closest(c, d[i]).point, d[i]);
    }
    for (int i = 0; i < 9; i++) {
        fr_vec3 edge_a[2] = {c[i / 3], c[(i / 3 + 1) % 3]}, edge_b[2] = {d[i % 3], d[(i + 1) % 3]};
        if (fr__segment_inner_pair(edge_a, edge_b, &p, &q)) { fr__nearest_offer(&nearest, p, q); }
    }
    *on_a = fr_vec3_add(nearest.on_a, a[0]);
    *on_b = fr_vec3_add(nearest.on_b, a[0]);
    return sqrt(nearest.distance_squared);
}

// Candidates that are passed over change no bit.
static void test_passing_over_changes_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(52);
    uint64_t count = test_count(40000, 4000000), apart = 0;
    static const double scales[] = {1.0, 1e-3, 1e6, 1e-60, 1e90, 0x1p-400, 0x1p+290};
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[6], p, q, all_p, all_q;
        random_pair(&random, i, t, t + 3);
        for (int k = 0; k < 6; k++) {
            t[k] = fr_vec3_scale(scales[i % 7], t[k]);
        }
        if (fr_triangle_overlap(t, t + 3)) { continue; }
        double distance = fr_triangle_distance(t, t + 3, &p, &q), all = nearest_of_all(t, t + 3, &all_p, &all_q);
        assert_true(distance == (all > 0.0 ? all : 0x1p-1074));
        assert_true(fr_vec3_equal(p, all_p) && fr_vec3_equal(q, all_q));
        apart++;
    }
    assert_true(2 * apart > count);
}

static void test_triangles_against_rational(void **state) {
    (void)state;
    fr_random random = fr_random_seed(51);
    uint64_t count = test_count(1200, 60000);
    double worst = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[6], p, q;
        random_pair(&random, i, t, t + 3);
        double spread = spread_of(t, 6), distance = fr_triangle_distance(t, t + 3, &p, &q);
        bool overlap = fr_triangle_overlap(t, t + 3);
        assert_int_equal(distance == 0.0, overlap);
        if (overlap) { continue; }
        double expected = rational_triangle_distance(t, t + 3);
        worst = fmax(worst, fabs(distance - expected) / (E * spread));
        assert_true(fabs(distance - expected) <= 64 * E * spread);
        double rounding = 16 * E * (spread + fr_vec3_largest(p));
        assert_true(fabs(fr_vec3_distance(p, q) - distance) <= rounding);
        assert_true(fr_triangle_closest(t, p).distance <= rounding);
        assert_true(fr_triangle_closest(t + 3, q).distance <= rounding);
    }
    print_message("triangles: worst error %.1f e D\n", worst);
}

static void test_segments_against_rational(void **state) {
    (void)state;
    fr_random random = fr_random_seed(52);
    uint64_t count = test_count(5000, 200000);
    double worst = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[6], p, q;
        random_pair(&random, i, t, t + 3);
        fr_vec3 s[4] = {t[0], t[1], t[3], t[4]};
        double spread = spread_of(s, 4), distance = fr_segment_distance(s, s + 2, &p, &q);
        double expected = rational_segment_distance(s, s + 2);
        worst = fmax(worst, fabs(distance - expected) / (E * spread + 1e-300));
        assert_true(fabs(distance - expected) <= 64 * E * spread);
        assert_true(fabs(fr_vec3_distance(p, q) - distance) <= 16 * E * (spread + fr_vec3_largest(p)));
    }
    print_message("segments: worst error %.1f e D\n", worst);
}

static void test_swap_scale_and_mirror_keep_the_distance(void **state) {
    (void)state;
    fr_random random = fr_random_seed(53);
    for (uint64_t i = 0; i < 3000; i++) {
        fr_vec3 t[6], s[6];
        random_pair(&random, i, t, t + 3);
        for (int k = 0; k < 6; k++) {
            s[k] = fr_vec3_scale(0x1p+20, t[k]), s[k].y = -s[k].y;
        }
        double distance = fr_triangle_distance(t, t + 3, NULL, NULL);
        assert_true(fr_triangle_distance(s, s + 3, NULL, NULL) == 0x1p+20 * distance || distance < 1e-200);
        assert_true(fabs(fr_triangle_distance(t + 3, t, NULL, NULL) - distance) <= 128 * E * spread_of(t, 6));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_passing_over_changes_nothing),
        cmocka_unit_test(test_triangles_against_rational),
        cmocka_unit_test(test_segments_against_rational),
        cmocka_unit_test(test_swap_scale_and_mirror_keep_the_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
