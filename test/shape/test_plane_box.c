// Planes against upright boxes, by their eight corners in whole numbers.
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_whole_numbers_by_all_corners(void **state) {
    (void)state;
    fr_random random = fr_random_seed(111);
    for (int i = 0; i < 50000; i++) {
        fr_vec3 p = random_whole_point(&random, 5), q = random_whole_point(&random, 5);
        fr_bounds box = {fr_vec3_min(p, q), fr_vec3_max(p, q)};
        fr_plane plane = {.normal = random_whole_point(&random, 3)};
        plane.offset = (double)fr_random_below(&random, 41) - 20.0;
        int above = 0, below = 0;
        for (int k = 0; k < 8; k++) {
            fr_vec3 c = {k & 1 ? p.x : q.x, k & 2 ? p.y : q.y, k & 4 ? p.z : q.z};
            double side = fr_vec3_dot(plane.normal, c) - plane.offset;
            above += side > 0.0;
            below += side < 0.0;
        }
        assert_int_equal(fr_plane_box_side(&plane, &box), above == 8 ? 1 : below == 8 ? -1 : 0);
    }
}

static void test_empty_box_is_on_no_side(void **state) {
    (void)state;
    fr_bounds empty = fr_bounds_empty();
    fr_plane plane = {{0, 1, 0}, 3.0};
    assert_int_equal(fr_plane_box_side(&plane, &empty), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_numbers_by_all_corners),
        cmocka_unit_test(test_empty_box_is_on_no_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
