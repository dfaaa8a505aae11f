// What two triangles share: its kind exactly, its points to the accuracy promised, against rational arithmetic.
#include "frame.h"

#include "random_shapes.h"
#include "rational_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_named(const fr_vec3 *points, int count, fr_vec3 p, double tolerance) {
    for (int i = 0; i < count; i++) {
        if (fr_vec3_distance(points[i], p) <= tolerance) { return true; }
    }
    return false;
}

static void test_named_kinds(void **state) {
    (void)state;
    fr_vec3 floor[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    fr_section s;

    fr_vec3 crossing[3] = {{1, 1, -1}, {1, 1, 1}, {1, -3, 0}};
    assert_true(fr_triangle_section(floor, crossing, &s));
    assert_true(s.kind == FR_SECTION_SEGMENT && s.is_crossing && !s.is_coplanar);
    assert_true(is_named(s.points, 2, fr_vec3_make(1, 1, 0), 1e-15) &&
                is_named(s.points, 2, fr_vec3_make(1, 0, 0), 1e-15));

    fr_vec3 on_edge[3] = {{1, 0, 0}, {3, 0, 0}, {2, 0, 2}};
    assert_true(fr_triangle_section(floor, on_edge, &s));
    assert_true(s.kind == FR_SECTION_SEGMENT && !s.is_crossing && !s.is_coplanar);

    fr_vec3 standing[3] = {{1, 1, 0}, {1, 1, 1}, {2, 1, 1}};
    assert_true(fr_triangle_section(floor, standing, &s));
    assert_true(s.kind == FR_SECTION_POINT && !s.is_crossing && fr_vec3_equal(s.points[0], standing[0]));

    fr_vec3 star[3] = {{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}};
    assert_true(fr_triangle_section(floor, star, &s));
    assert_true(s.kind == FR_SECTION_POLYGON && s.is_coplanar && !s.is_crossing);
    assert_true(fr_polygon_area_vector(s.points, (size_t)s.count).z > 0.0);

    fr_vec3 neighbour[3] = {{4, 0, 0}, {0, 4, 0}, {4, 4, 0}};
    assert_true(fr_triangle_section(floor, neighbour, &s));
    assert_true(s.kind == FR_SECTION_SEGMENT && s.is_coplanar && !s.is_crossing);

    fr_vec3 needle[3] = {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}};
    assert_true(fr_triangle_section(floor, needle, &s));
    assert_true(s.kind == FR_SECTION_POINT && s.is_crossing && !s.is_coplanar);

    fr_vec3 apart[3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 2}};
    assert_false(fr_triangle_section(floor, apart, &s));
    assert_true(s.kind == FR_SECTION_APART && s.count == 0);
}

static bool has_area(const fr_vec3 t[3]) { return !fr_vec3_equal(fr_polygon_area_vector(t, 3), fr_vec3_make(0, 0, 0)); }

// Every point of ours is near one of the oracle's, which may have points between its corners too.
static void assert_points_are_there(const fr_section *s, const rational_polygon *expected) {
    fr_vec3 points[RATIONAL_MAX_POINTS];
    for (int i = 0; i < expected->count; i++) {
        points[i] = rational_get(&expected->point[i]);
    }
    for (int i = 0; i < s->count; i++) {
        assert_true(is_named(points, expected->count, s->points[i], 1e-13));
    }
}

static void test_small_whole_numbers_against_rational(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    uint64_t count = test_count(6000, 200000), seen[4] = {0};
    rational_polygon expected;
    rational_polygon_init(&expected);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = random_whole_point(&random, 2), b[k] = random_whole_point(&random, 2);
            if (i % 3 == 0) { a[k].z = b[k].z = 1.0; }
        }
        if (i % 7 == 0) { a[0] = b[1]; }
        if (!has_area(b)) { continue; }
        rational_section(a, b, &expected);
        int kind = rational_dimension(&expected) + 1;
        fr_section s, t;
        fr_triangle_section(a, b, &s);
        fr_triangle_section(b, a, &t);
        assert_int_equal(s.kind, kind);
        assert_int_equal(t.kind, kind);
        assert_true(s.is_coplanar == t.is_coplanar && s.is_crossing == t.is_crossing && s.count == t.count);
        assert_int_equal(fr_triangle_overlap(a, b), kind != 0);
        assert_points_are_there(&s, &expected);
        seen[kind]++;
    }
    rational_polygon_clear(&expected);
    for (int k = 0; k < 4; k++) {
        assert_true(seen[k] > count / 100);
    }
}

// Full mantissas, slivers, near misses: the kind and the overlap stay exact.
static void test_any_doubles_against_rational(void **state) {
    (void)state;
    fr_random random = fr_random_seed(62);
    uint64_t count = test_count(3000, 100000);
    rational_polygon expected;
    rational_polygon_init(&expected);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        random_triangle(&random, 1.0, a);
        for (int k = 0; k < 3; k++) {
            b[k] = random_point(&random, 1.0);
        }
        if (i % 2 == 0) { // a corner of a in the plane of b, but for rounding
            fr_vec3 on_edge = fr_vec3_lerp(b[0], b[1], fr_random_unit(&random));
            a[0] = fr_vec3_lerp(on_edge, b[2], fr_random_unit(&random));
        }
        rational_section(a, b, &expected);
        fr_section s;
        fr_triangle_section(a, b, &s);
        assert_int_equal(s.kind, rational_dimension(&expected) + 1);
        assert_int_equal(fr_triangle_overlap(a, b), s.kind != FR_SECTION_APART);
        assert_int_equal(fr_triangle_overlap(b, a), s.kind != FR_SECTION_APART);
    }
    rational_polygon_clear(&expected);
}

// Crossing means that both sides are left when one triangle shrinks a little towards any of its inner points.
static void test_crossing_survives_shrinking(void **state) {
    (void)state;
    fr_random random = fr_random_seed(63);
    for (int i = 0; i < 20000; i++) {
        fr_vec3 a[3], b[3], p[3], q[3];
        for (int k = 0; k < 3; k++) {
            a[k] = random_whole_point(&random, 3), b[k] = random_whole_point(&random, 3);
        }
        fr_section s;
        fr_triangle_section(a, b, &s);
        if (s.is_coplanar || !has_area(a) || !has_area(b)) { continue; }
        fr_vec3 middle_a = fr_vec3_scale(0.25, fr_vec3_add(fr_vec3_add(a[0], a[1]), fr_vec3_scale(2.0, a[2])));
        fr_vec3 middle_b = fr_vec3_scale(0.25, fr_vec3_add(fr_vec3_add(b[0], b[1]), fr_vec3_scale(2.0, b[2])));
        for (int k = 0; k < 3; k++) { // exact: small whole numbers
            p[k] = fr_vec3_lerp(a[k], middle_a, 0x1p-20);
            q[k] = fr_vec3_lerp(b[k], middle_b, 0x1p-20);
        }
        if (s.is_crossing) { assert_true(fr_triangle_overlap(p, q)); }
        if (!s.is_crossing && s.kind != FR_SECTION_APART) {
            fr_section shrunk;
            fr_triangle_section(p, q, &shrunk);
            assert_false(shrunk.kind != FR_SECTION_APART && !shrunk.is_crossing);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_kinds),
        cmocka_unit_test(test_small_whole_numbers_against_rational),
        cmocka_unit_test(test_any_doubles_against_rational),
        cmocka_unit_test(test_crossing_survives_shrinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
