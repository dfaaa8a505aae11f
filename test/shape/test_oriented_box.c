// Boxes with axes of their own, and planes against upright boxes: never a miss, by points the sets share.
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_oriented_box random_box(fr_random *random) {
    fr_vec3 turn = random_point(random, 3.0), half = random_point(random, 1.0);
    uint64_t kind = fr_random_below(random, 4);
    if (kind == 0) { turn = fr_vec3_make(0, 0, 0); }
    if (kind == 1) { turn = fr_vec3_make(1e-9 * turn.x, 0, 0.5 * FR_PI); }
    fr_oriented_box box = {random_point(random, 1.5),
                           fr_quat_to_mat3(fr_quat_from_vector(turn)),
                           {fabs(half.x), fabs(half.y), fabs(half.z)}};
    if (kind == 2) { box.half.y = 0.0; }
    return box;
}

static void corners_of(const fr_oriented_box *box, fr_vec3 corner[8]) {
    for (int i = 0; i < 8; i++) {
        fr_vec3 p = box->center;
        p = fr_vec3_add_scaled(p, i & 1 ? box->half.x : -box->half.x, box->axes.row[0]);
        p = fr_vec3_add_scaled(p, i & 2 ? box->half.y : -box->half.y, box->axes.row[1]);
        corner[i] = fr_vec3_add_scaled(p, i & 4 ? box->half.z : -box->half.z, box->axes.row[2]);
    }
}

static void test_known_boxes(void **state) {
    (void)state;
    fr_oriented_box a = {{0, 0, 0}, fr_mat3_identity(), {1, 1, 1}}, b = a;
    b.center.x = 2.0;
    assert_true(fr_oriented_box_overlap(&a, &b));
    b.center.x = 2.0 + 1e-11;
    assert_false(fr_oriented_box_overlap(&a, &b));
    b.axes = fr_quat_to_mat3(fr_quat_from_axis_angle(fr_vec3_make(0, 0, 1), FR_PI / 4));
    b.center.x = 2.4;
    assert_true(fr_oriented_box_overlap(&a, &b));
    b.center.x = 2.42;
    assert_false(fr_oriented_box_overlap(&a, &b));
}

static void test_agrees_with_the_distance_of_corners(void **state) {
    (void)state;
    fr_random random = fr_random_seed(101);
    uint64_t count = test_count(40000, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_oriented_box a = random_box(&random), b = random_box(&random);
        fr_vec3 corner_a[8], corner_b[8];
        corners_of(&a, corner_a);
        corners_of(&b, corner_b);
        fr_convex set_a = {corner_a, 8, 0.0}, set_b = {corner_b, 8, 0.0};
        if (i % 2 == 0) { // slide b along the shortest way until they just touch
            fr_convex_distance d = fr_gjk(&set_a, &set_b, fr_vec3_make(1, 0, 0));
            b.center = fr_vec3_add_scaled(b.center, -d.distance, d.axis);
            corners_of(&b, corner_b);
        }
        fr_convex_distance d = fr_gjk(&set_a, &set_b, fr_vec3_make(0, 1, 0));
        bool result = fr_oriented_box_overlap(&a, &b);
        assert_int_equal(result, fr_oriented_box_overlap(&b, &a));
        if (d.distance < 1e-14) { assert_true(result); }
        if (d.distance > 1e-5) { assert_false(result); }
        hits += result;
    }
    assert_true(hits > count / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_boxes),
        cmocka_unit_test(test_agrees_with_the_distance_of_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
