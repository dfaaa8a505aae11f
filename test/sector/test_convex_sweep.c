// Sectors that hold a sweep: no sampled point of any body under any screw or motion is outside.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_held(const fr_sector *s, fr_vec3 p) {
    if (!(fr_sector_distance(s, p) <= 0.0)) {
        fail_msg("a swept point is %.3g outside of r %.17g R %.17g angle %.17g", fr_sector_distance(s, p), s->inner,
                 s->outer, s->half_angle);
    }
}

static void test_refuses_bad_input(void **state) {
    (void)state;
    fr_sector s = {.outer = 77.0};
    fr_screw screw = {{0, 0, 0}, {0, 0, 2}, 1, 0}, bad = screw;
    const fr_vec3 point = {5, 0, 0}, lost = {5, (double)NAN, 0};
    fr_convex body = {&point, 1, 1.0};
    fr_error error;
    bad.axis = fr_vec3_make(0, 0, 0);
    assert_int_equal(fr_sector_of_convex(&body, &bad, &s, &error), FR_ERROR_ARGUMENT);
    bad = screw, bad.angle = (double)NAN;
    assert_int_equal(fr_sector_of_convex(&body, &bad, &s, &error), FR_ERROR_NOT_FINITE);
    bad = screw, bad.angle = 2e6;
    assert_int_equal(fr_sector_of_convex(&body, &bad, &s, &error), FR_ERROR_LIMIT);
    fr_convex none = {&point, 0, 1.0}, thin = {&point, 1, -1.0}, nowhere = {&lost, 1, 0.0};
    assert_int_equal(fr_sector_of_convex(&none, &screw, &s, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_sector_of_convex(&thin, &screw, &s, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_sector_of_convex(&nowhere, &screw, &s, &error), FR_ERROR_NOT_FINITE);
    fr_oriented_box box = {{5, 0, 0}, fr_mat3_identity(), {1, -1, 1}};
    assert_int_equal(fr_sector_of_box(&box, &screw, &s, &error), FR_ERROR_ARGUMENT);
    box.half.y = (double)INFINITY;
    assert_int_equal(fr_sector_of_box(&box, &screw, &s, &error), FR_ERROR_NOT_FINITE);
    box.half.y = 1.0;
    const fr_sector_cuts cuts[4] = {{{1, 0, 1}, 1}, {{1, 1, 65}, 1}, {{1, 1, 1}, 0}, {{1, 1, 1}, 65}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fr_sectors_of_box(&box, &screw, &cuts[i], &s, &error), FR_ERROR_LIMIT);
    }
    fr_motion motion = {.start = fr_pose_identity(), .turn = {(double)NAN, 0, 0}};
    assert_int_equal(fr_sector_of_motion(&body, &motion, &s, &error), FR_ERROR_NOT_FINITE);
    assert_true(s.outer == 77.0);
    assert_int_equal(fr_sector_of_convex(&body, &screw, &s, &error), FR_OK);
    assert_true(fabs(s.inner - 4.0) < 1e-12 && fabs(s.outer - 6.0) < 1e-12 && fabs(s.half_thickness - 1.0) < 1e-12);
    assert_true(fabs(s.half_angle - (0.5 + asin(0.2))) < 1e-12);
}

static void test_degenerate_bodies(void **state) {
    (void)state;
    const fr_screw turn = {{0, 0, 0}, {0, 0, 1}, 1, 0}, still = {{0, 0, 0}, {0, 0, 1}, 0, 0};
    fr_oriented_box dot = {{5, 0, 0}, fr_mat3_identity(), {0, 0, 0}},
                    around = {{0, 0, 0}, fr_mat3_identity(), {1, 2, 3}};
    fr_sector s;
    assert_int_equal(fr_sector_of_box(&dot, &turn, &s, NULL), FR_OK);
    assert_true(fabs(s.inner - 5) < 1e-12 && fabs(s.outer - 5) < 1e-12 && fabs(s.half_angle - 0.5) < 1e-12);
    assert_int_equal(fr_sector_of_box(&dot, &still, &s, NULL), FR_OK);
    assert_true(s.half_angle < 1e-12);
    assert_int_equal(fr_sector_of_box(&around, &still, &s, NULL), FR_OK);
    assert_true(s.half_angle == FR_PI && s.inner == 0.0 && fabs(s.half_thickness - 3) < 1e-12);
    fr_screw twice = turn;
    twice.angle = -4.0 * FR_PI;
    assert_int_equal(fr_sector_of_box(&dot, &twice, &s, NULL), FR_OK);
    assert_true(s.half_angle == FR_PI && s.inner > 4.9);
}

static fr_vec3 in_ball(fr_random *random, double radius) {
    fr_vec3 p;
    do {
        p = sample_point(random, 1.0);
    } while (fr_vec3_length(p) > 1.0);
    return fr_vec3_scale(radius, p);
}

static void test_holds_points_with_radius(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    uint64_t count = test_count(600, 20000), wide = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 points[12], center = sample_point(&random, 15.0);
        size_t n = i % 3 == 0 ? 1 : (i % 3 == 1 ? 2 : 3 + fr_random_below(&random, 10));
        for (size_t k = 0; k < n; k++) {
            points[k] = fr_vec3_add(center, sample_point(&random, 6.0));
        }
        fr_convex body = {points, n, fr_random_below(&random, 2) ? 0.0 : fr_random_between(&random, 0.0, 3.0)};
        fr_screw screw = sample_screw(&random);
        fr_sector s;
        assert_int_equal(fr_sector_of_convex(&body, &screw, &s, NULL), FR_OK);
        wide += s.half_angle == FR_PI;
        for (int k = 0; k < 50; k++) {
            double sum = 0.0;
            fr_vec3 p = {0, 0, 0};
            for (size_t j = 0; j < n; j++) {
                double w = fr_random_below(&random, 2) ? fr_random_unit(&random) : 1e-300;
                sum += w;
                p = fr_vec3_add_scaled(p, w, points[j]);
            }
            p = fr_vec3_add(fr_vec3_scale(1.0 / sum, p), in_ball(&random, body.radius));
            expect_held(&s, fr_screw_apply(&screw, p, k < 2 ? k : fr_random_unit(&random)));
        }
    }
    assert_true(wide < count);
}

static void test_holds_boxes_and_their_pieces(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    uint64_t count = test_count(300, 20000);
    double whole = 0.0, cut = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_oriented_box box = sample_box(&random, 15.0, 20.0);
        fr_screw screw = sample_screw(&random);
        fr_sector one, many[16];
        fr_sector_cuts cuts = {{2, 1, 4}, 2};
        assert_int_equal(fr_sector_of_box(&box, &screw, &one, NULL), FR_OK);
        assert_int_equal(fr_sectors_of_box(&box, &screw, &cuts, many, NULL), FR_OK);
        for (int k = 0; k < 50; k++) {
            fr_vec3 at = sample_point(&random, 1.0);
            if (k % 2) { at = fr_vec3_make(k & 2 ? 1 : -1, k & 4 ? 1 : -1, k & 8 ? 1 : -1); }
            fr_vec3 p = fr_screw_apply(&screw, box_point(&box, at), k < 2 ? k : fr_random_unit(&random));
            expect_held(&one, p);
            bool is_held = false;
            for (int j = 0; j < 16; j++) {
                is_held = is_held || fr_sector_distance(&many[j], p) <= 0.0;
            }
            assert_true(is_held);
        }
        for (int k = 0; k < 100; k++) {
            fr_vec3 p = fr_vec3_add(one.center, in_ball(&random, one.outer + one.half_thickness));
            bool is_held = false;
            for (int j = 0; j < 16; j++) {
                is_held = is_held || fr_sector_contains(&many[j], p);
            }
            whole += fr_sector_contains(&one, p);
            cut += is_held;
        }
    }
    assert_true(cut < 0.9 * whole);
}

static void test_holds_any_motion(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    uint64_t count = test_count(1000, 50000);
    for (uint64_t i = 0; i < count; i++) {
        fr_motion motion;
        motion.start = sample_pose(&random, 20.0);
        motion.pivot_local = sample_point(&random, i % 2 ? 1.0 : 20.0);
        motion.travel = sample_point(&random, i % 3 ? 5.0 : 0.0);
        motion.turn = sample_point(&random, i % 5 == 0 ? 0.0 : (i % 7 == 0 ? 5.0 : 1.0));
        fr_vec3 local[8], world[8];
        for (int k = 0; k < 8; k++) {
            local[k] = fr_vec3_make(k & 1 ? 1 : -1, k & 2 ? 4 : 0, k & 4 ? 0.5 : -0.5);
            world[k] = fr_pose_apply(&motion.start, local[k]);
        }
        fr_convex body = {world, 8, i % 4 ? 0.0 : 0.3};
        fr_sector s;
        assert_int_equal(fr_sector_of_motion(&body, &motion, &s, NULL), FR_OK);
        for (int k = 0; k < 40; k++) {
            double t = k < 16 ? k / 15.0 : fr_random_unit(&random);
            fr_vec3 p = fr_motion_point(&motion, local[k % 8], t);
            expect_held(&s, fr_vec3_add(p, in_ball(&random, body.radius)));
        }
    }
}

static void test_a_swung_box_is_held_tightly(void **state) {
    (void)state;
    fr_oriented_box bat = {{0, 5, 0}, fr_mat3_identity(), {0.5, 2, 0.25}};
    fr_screw screw = {{0, 0, 0}, {0, 0, 1}, 1.2, 0};
    fr_sector general, swung;
    fr_swing swing;
    assert_int_equal(fr_sector_of_box(&bat, &screw, &general, NULL), FR_OK);
    assert_true(fr_swing_of_box(&bat, &screw, &swing));
    swung = fr_sector_of_swing(&swing);
    assert_true(fabs(general.inner - swung.inner) < 1e-9 && fabs(general.outer - swung.outer) < 1e-9);
    assert_true(fabs(general.half_angle - swung.half_angle) < 1e-10);
    assert_true(fr_vec3_distance(general.bisector, swung.bisector) < 1e-9);
}

static void test_screw_between_poses(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    for (int i = 0; i < 2000; i++) {
        fr_pose a = sample_pose(&random, 9.0), b = sample_pose(&random, 9.0);
        fr_screw screw;
        assert_true(fr_screw_between(&a, &b, &screw));
        fr_vec3 v = sample_point(&random, 2.0), from = fr_pose_apply(&a, v), to = fr_pose_apply(&b, v);
        double size = 1.0 + fr_vec3_largest(screw.point);
        assert_true(fr_vec3_distance(fr_screw_apply(&screw, from, 1.0), to) < 1e-13 * size * 20.0);
    }
    fr_pose a = fr_pose_identity(), b = a;
    fr_screw screw = {.slide = 77.0};
    b.position.x = 3.0;
    assert_false(fr_screw_between(&a, &b, &screw));
    assert_true(screw.slide == 77.0 && screw.angle == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_bad_input),        cmocka_unit_test(test_degenerate_bodies),
        cmocka_unit_test(test_holds_points_with_radius), cmocka_unit_test(test_holds_boxes_and_their_pieces),
        cmocka_unit_test(test_holds_any_motion),         cmocka_unit_test(test_a_swung_box_is_held_tightly),
        cmocka_unit_test(test_screw_between_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
