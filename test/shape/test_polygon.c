// Polygons in a plane: area and clipping.
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_areas(void **state) {
    (void)state;
    fr_vec2 square[4] = {{1e6, 1e6}, {1e6 + 2, 1e6}, {1e6 + 2, 1e6 + 2}, {1e6, 1e6 + 2}};
    fr_vec2 back[3] = {{0, 0}, {0, 4}, {3, 0}};
    assert_true(fr_polygon_area(square, 4) == 4.0);
    assert_true(fr_polygon_area(back, 3) == -6.0);
    assert_true(fr_polygon_area(back, 2) == 0.0 && fr_polygon_area(NULL, 0) == 0.0);
    fr_vec3 wall[4] = {{1, 0, 0}, {1, 2, 0}, {1, 2, 3}, {1, 0, 3}};
    assert_true(fr_vec3_equal(fr_polygon_area_vector(wall, 4), fr_vec3_make(6, 0, 0)));
}

static void test_clips(void **state) {
    (void)state;
    fr_vec2 clip[4] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, out[16], scratch[16];
    fr_vec2 inside[3] = {{1, 1}, {2, 1}, {1, 2}}, outside[3] = {{5, 5}, {6, 5}, {5, 6}};
    fr_vec2 comb[8] = {{1, -1}, {2, -1}, {2, 3}, {2.5, 3}, {2.5, -1}, {3, -1}, {3, 5}, {1, 5}};
    assert_true(fr_polygon_area(out, fr_polygon_clip(inside, 3, clip, 4, out, scratch, 16)) == 0.5);
    assert_int_equal(fr_polygon_clip(outside, 3, clip, 4, out, scratch, 16), 0);
    assert_true(fr_polygon_area(out, fr_polygon_clip(comb, 8, clip, 4, out, scratch, 16)) == 8.0 - 1.5);
    assert_true(fr_polygon_clip(comb, 8, clip, 4, out, scratch, 3) == SIZE_MAX);
    assert_int_equal(fr_polygon_clip(clip, 4, clip, 4, out, scratch, 16), 4);
}

// A convex subject gains a point a side at most; the area of what two triangles share is that of fr_triangle_section.
static void test_triangles_against_section(void **state) {
    (void)state;
    fr_random random = fr_random_seed(141);
    for (int i = 0; i < 20000; i++) {
        fr_vec3 a[3], b[3];
        fr_vec2 flat[2][3], out[6], scratch[6];
        for (int k = 0; k < 3; k++) {
            fr_vec3 p = random_whole_point(&random, 4), q = random_whole_point(&random, 4);
            a[k] = fr_vec3_make(p.x, p.y, 0);
            b[k] = fr_vec3_make(q.x, q.y, 0);
            flat[0][k] = (fr_vec2){p.x, p.y};
            flat[1][k] = (fr_vec2){q.x, q.y};
        }
        if (fr_polygon_area(flat[1], 3) < 0.0) {
            fr_vec2 swap = flat[1][0];
            flat[1][0] = flat[1][2];
            flat[1][2] = swap;
        }
        if (fr_polygon_area(flat[1], 3) == 0.0) { continue; }
        fr_section s;
        fr_triangle_section(a, b, &s);
        double expected =
            s.kind == FR_SECTION_POLYGON ? fr_vec3_length(fr_polygon_area_vector(s.points, (size_t)s.count)) : 0.0;
        size_t count = fr_polygon_clip(flat[0], 3, flat[1], 3, out, scratch, 6);
        assert_true(count != SIZE_MAX);
        assert_true(fabs(fabs(fr_polygon_area(out, count)) - expected) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_triangles_against_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
