// What sectors are measured against: boxes around a swing, a swept sphere, simple shapes.
#include "frame.h"

#include "../sector_samples.h"
#include "sector/faithful/rivals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_swing sample_swing(fr_random *random) {
    fr_swing swing;
    swing.pivot = sample_point(random, 5.0);
    swing.axis = sample_direction(random);
    swing.distance = fr_random_between(random, 12.5, 25);
    swing.half = sample_half(random);
    swing.angle = fr_random_between(random, -2 * FR_PI, 2 * FR_PI);
    do {
        swing.arm = sample_direction(random);
    } while (fr_swing_check(&swing, NULL) != FR_OK);
    return swing;
}

static void test_boxes_around_a_swing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(90);
    int outside = 0;
    for (int i = 0; i < 500; i++) {
        fr_swing swing = sample_swing(&random);
        fr_bounds ends = fr_sccd_bounds(&swing, FR_SCCD_ENDS), tight = fr_sccd_bounds(&swing, FR_SCCD_TIGHT);
        fr_bounds axes = fr_sccd_bounds_by_axes(&swing), guess = fr_sccd_bounds(&swing, FR_SCCD_DOUBLED);
        assert_true(fr_vec3_distance(ends.min, axes.min) < 1e-11 && fr_vec3_distance(ends.max, axes.max) < 1e-11);
        fr_vec3 wide = fr_vec3_sub(guess.max, guess.min), narrow = fr_vec3_sub(ends.max, ends.min);
        assert_true(fr_vec3_distance(wide, fr_vec3_scale(2.0, narrow)) < 1e-10);
        fr_bounds sampled = fr_bounds_empty(), grown = fr_bounds_grow(&tight, 1e-11);
        bool leaves = false;
        for (int k = 0; k <= 2000; k++) {
            fr_oriented_box box = fr_swing_box_at(&swing, k / 2000.0);
            for (int j = 0; j < 8; j++) {
                fr_vec3 p = box_point(&box, fr_vec3_make(j & 1 ? 1 : -1, j & 2 ? 1 : -1, j & 4 ? 1 : -1));
                assert_true(fr_bounds_contain_point(&grown, p));
                leaves = leaves || !fr_bounds_contain_point(&ends, p);
                sampled = fr_bounds_with_point(&sampled, p);
            }
        }
        outside += leaves;
        assert_true(fr_vec3_distance(sampled.min, tight.min) < 1e-3 && fr_vec3_distance(sampled.max, tight.max) < 1e-3);
    }
    assert_true(outside > 300); // a box around both ends does not hold what is between
}

static void test_a_swept_sphere_holds_the_ends(void **state) {
    (void)state;
    fr_random random = fr_random_seed(91);
    for (int i = 0; i < 200; i++) {
        fr_swing swing = sample_swing(&random);
        fr_swept_sphere s = fr_swept_sphere_of(&swing);
        for (int k = 0; k < 16; k++) {
            fr_oriented_box box = fr_swing_box_at(&swing, k & 8 ? 1.0 : 0.0);
            fr_vec3 p = box_point(&box, fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)), q;
            fr_segment_closest(s.segment, p, &q);
            assert_true(fr_vec3_distance(p, q) <= s.radius + 1e-11);
        }
    }
}

static void test_simple_shapes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(92);
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        fr_vec3 p[4];
        fr_vec2 q[4];
        for (int k = 0; k < 4; k++) {
            p[k] = sample_point(&random, 3.0);
            q[k] = (fr_vec2){p[k].x, p[k].y};
            if (i % 2) { p[k].z = 0.0; }
        }
        double d = fr_segment_distance(p, p + 2, NULL, NULL), a = fr_random_unit(&random), b = fr_random_unit(&random);
        if (fabs(d - a - b) < 1e-9) { continue; }
        assert_int_equal(fr_rival_capsules(p, a, p + 2, b), d < a + b);
        if (i % 2) { assert_int_equal(fr_rival_flat_capsules(q, a, q + 2, b), d < a + b); }
        hits += d < a + b;
        d = fr_vec3_distance(p[0], p[1]);
        assert_int_equal(fr_rival_spheres(p[0], a, p[1], b), d <= a + b);
        if (i % 2) { assert_int_equal(fr_rival_circles(q[0], a, q[1], b), d <= a + b); }
        fr_bounds x = {fr_vec3_min(p[0], p[1]), fr_vec3_max(p[0], p[1])},
                  y = {fr_vec3_min(p[2], p[3]), fr_vec3_max(p[2], p[3])};
        if (i % 2) { assert_int_equal(fr_rival_flat_boxes(&x, &y), fr_bounds_overlap(&x, &y)); }
        fr_vec3 near = fr_vec3_max(x.min, fr_vec3_min(x.max, p[2]));
        assert_int_equal(fr_rival_box_sphere(&x, p[2], a), fr_vec3_distance(near, p[2]) <= a);
    }
    assert_true(hits > 2000);
}

static void test_rectangles_by_boxes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(93);
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        fr_oriented_box box[2];
        fr_vec2 corners[2][4];
        for (int k = 0; k < 2; k++) {
            double turn = fr_random_between(&random, 0, 6), a = fr_random_unit(&random), b = fr_random_unit(&random);
            fr_vec3 at = sample_point(&random, 2.0);
            box[k] = (fr_oriented_box){
                {at.x, at.y, 0}, {{{cos(turn), sin(turn), 0}, {-sin(turn), cos(turn), 0}, {0, 0, 1}}}, {a, b, 1}};
            for (int j = 0; j < 4; j++) {
                fr_vec3 p = box_point(&box[k], fr_vec3_make(j == 1 || j == 2 ? 1 : -1, j >= 2 ? 1 : -1, 0));
                corners[k][j] = (fr_vec2){p.x, p.y};
            }
        }
        bool hit = fr_rival_rectangles(corners[0], corners[1]);
        assert_int_equal(hit, fr_oriented_box_overlap(&box[0], &box[1]));
        hits += hit;
    }
    assert_true(hits > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_around_a_swing),
        cmocka_unit_test(test_a_swept_sphere_holds_the_ends),
        cmocka_unit_test(test_simple_shapes),
        cmocka_unit_test(test_rectangles_by_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
