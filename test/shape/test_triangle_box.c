// Triangle against box: never a miss, and right beyond the bound, against rational arithmetic.
#include "frame.h"

#include "random_shapes.h"
#include "rational_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Whether a triangle shares a point with a box, exactly: what six half spaces leave of it.
static bool overlap_by_cutting(const fr_vec3 t[3], const fr_bounds *box) {
    rational_polygon in, out;
    rational_point normal, base;
    rational_polygon_init(&in);
    rational_polygon_init(&out);
    rational_init(&normal);
    rational_init(&base);
    for (int i = 0; i < 3; i++) {
        rational_set(&base, t[i]);
        rational_polygon_add(&in, &base);
    }
    bool left = true;
    for (int i = 0; i < 6 && left; i++) {
        double sign = i < 3 ? 1.0 : -1.0;
        rational_set(&normal, fr_vec3_make(i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0));
        rational_set(&base, i < 3 ? box->min : box->max);
        rational_cut(&in, &normal, &base, false, &out);
        rational_polygon swap = in;
        in = out;
        out = swap;
        left = in.count > 0;
    }
    rational_polygon_clear(&in);
    rational_polygon_clear(&out);
    rational_clear(&normal);
    rational_clear(&base);
    return left;
}

static void test_known_boxes(void **state) {
    (void)state;
    fr_bounds box = {{0, 0, 0}, {2, 2, 2}}, empty = fr_bounds_empty();
    fr_vec3 inside[3] = {{1, 1, 1}, {1.5, 1, 1}, {1, 1.5, 1}}, around[3] = {{-9, -9, 1}, {20, -9, 1}, {-9, 20, 1}};
    fr_vec3 corner[3] = {{2, 2, 2}, {3, 3, 3}, {4, 3, 3}}, cut_off[3] = {{7, 0, 0}, {0, 7, 0}, {0, 0, 7}};
    fr_vec3 touching[3] = {{6, 0, 0}, {0, 6, 0}, {0, 0, 6}};
    assert_true(fr_triangle_box_overlap(inside, &box));
    assert_true(fr_triangle_box_overlap(around, &box));
    assert_true(fr_triangle_box_overlap(corner, &box));
    assert_true(fr_triangle_box_overlap(touching, &box));
    assert_false(fr_triangle_box_overlap(cut_off, &box));
    assert_false(fr_triangle_box_overlap(inside, &empty));
}

// The triangle moved until it just touches, or just misses, or anything.
static void test_never_false_where_they_meet(void **state) {
    (void)state;
    fr_random random = fr_random_seed(91);
    uint64_t count = test_count(4000, 150000), hits = 0, wrong = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[3], p = random_point(&random, 1.0), q = random_point(&random, 1.0);
        fr_bounds box = {fr_vec3_min(p, q), fr_vec3_max(p, q)};
        random_triangle(&random, i % 5 == 0 ? 0.1 : 1.5, t);
        if (i % 2 == 0) { // through a point of the box's surface, but for rounding
            fr_vec3 on = {box.max.x, fr_random_between(&random, box.min.y, box.max.y), box.max.z};
            fr_vec3 off = fr_vec3_sub(on, fr_vec3_lerp(t[0], t[1], fr_random_unit(&random)));
            for (int k = 0; k < 3; k++) {
                t[k] = fr_vec3_add(t[k], off);
            }
        }
        if (i % 7 == 0) {
            for (int k = 0; k < 3; k++) {
                t[k].x += 1e6;
            }
            box.min.x += 1e6, box.max.x += 1e6;
        }
        bool expected = overlap_by_cutting(t, &box), result = fr_triangle_box_overlap(t, &box);
        if (expected) { assert_true(result); }
        hits += expected;
        wrong += result && !expected;
    }
    assert_true(hits > count / 4 && wrong < count / 4);
}

// Whole numbers: no rounding happens that the bound does not cover, so a miss of one unit is seen.
static void test_whole_numbers_are_right(void **state) {
    (void)state;
    fr_random random = fr_random_seed(92);
    uint64_t count = test_count(6000, 200000);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 t[3], p = random_whole_point(&random, 4), q = random_whole_point(&random, 4);
        fr_bounds box = {fr_vec3_min(p, q), fr_vec3_max(p, q)};
        for (int k = 0; k < 3; k++) {
            t[k] = random_whole_point(&random, 6);
        }
        if (i % 5 == 0) { t[2] = t[1]; }
        assert_int_equal(fr_triangle_box_overlap(t, &box), overlap_by_cutting(t, &box));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_boxes),
        cmocka_unit_test(test_never_false_where_they_meet),
        cmocka_unit_test(test_whole_numbers_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
