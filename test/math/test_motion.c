// The motion inside a step: its ends, the short way, the screw, its speed, and what the check lets through.
#include "math/sample.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const fr_vec3 ZERO = {0.0, 0.0, 0.0};

static fr_motion sample_motion(fr_random *random, double reach, double angle) {
    fr_pose start = sample_pose(random, reach);
    fr_vec3 pivot = sample_vector(random, 1.0), travel = sample_vector(random, reach);
    fr_motion motion = {start, pivot, travel, fr_vec3_scale(angle, sample_direction(random))};
    return motion;
}

static void check_refuses_bad_motions_and_leaves_them(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int field = 0; field < 17; field++) {
            fr_pose pose = fr_pose_identity();
            fr_motion motion = fr_motion_still(&pose);
            fr_pose *start = &motion.start;
            double *fields[] = {&start->rotation.w,    &start->rotation.x,    &start->rotation.y,    &start->rotation.z,
                                &start->position.x,    &start->position.y,    &start->position.z,    &start->scale,
                                &motion.pivot_local.x, &motion.pivot_local.y, &motion.pivot_local.z, &motion.travel.x,
                                &motion.travel.y,      &motion.travel.z,      &motion.turn.x,        &motion.turn.y,
                                &motion.turn.z};
            *fields[field] = bad[i];
            fr_motion before = motion;
            fr_error error = {FR_OK, 0, 0, "", ""};
            fr_status expected = isfinite(bad[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE;
            assert_int_equal(fr_motion_check(&motion, &error), expected);
            assert_int_equal(error.status, expected);
            assert_true(error.message[0] != '\0');
            assert_memory_equal(&motion, &before, sizeof motion);
        }
    }
}

static void check_takes_turns_up_to_its_limit(void **state) {
    (void)state;
    fr_pose pose = fr_pose_identity();
    fr_motion motion = fr_motion_still(&pose);
    motion.turn = fr_vec3_make(0.0, 0x1p+20, 0.0);
    assert_int_equal(fr_motion_check(&motion, NULL), FR_OK);
    motion.turn.y = nextafter(0x1p+20, INFINITY);
    assert_int_equal(fr_motion_check(&motion, NULL), FR_ERROR_ARGUMENT);
    motion.turn.y = 0.0;
    motion.start.rotation.w = 0.995; // made unit on the way
    assert_int_equal(fr_motion_check(&motion, NULL), FR_OK);
    assert_true(motion.start.rotation.w == 1.0);
}

static void a_motion_begins_at_its_start_bit_for_bit(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    for (int i = 0; i < 10000; i++) {
        fr_motion motion = sample_motion(&random, 10.0, sample_power(&random, -60, 20));
        fr_pose pose = fr_motion_pose(&motion, 0.0);
        assert_memory_equal(&pose, &motion.start, sizeof pose);
        fr_vec3 v = sample_vector(&random, 1.0);
        assert_true(fr_vec3_equal(fr_motion_point(&motion, v, 0.0), fr_pose_apply(&motion.start, v)));
    }
}

static void what_is_still_stays(void **state) {
    (void)state;
    fr_random random = fr_random_seed(72);
    fr_pose pose = sample_pose(&random, 3.0);
    fr_motion still = fr_motion_still(&pose);
    fr_vec3 v = sample_vector(&random, 1.0);
    assert_true(fr_vec3_equal(fr_motion_point(&still, v, 0.7), fr_pose_apply(&pose, v)));
    assert_true(fr_motion_speed_bound(&still, 1e9) == 0.0);
}

// x(t) rounded is x(t) within what path_bounds.c counts with.
static void points_are_where_the_definition_says(void **state) {
    (void)state;
    fr_random random = fr_random_seed(73);
    for (uint64_t i = 0; i < test_count(50000, 5000000); i++) {
        double angle = sample_power(&random, -80, 19) * fr_random_between(&random, 1.0, 2.0);
        fr_motion motion = sample_motion(&random, sample_power(&random, -10, 10), angle);
        if (i % 4 == 0) { motion.pivot_local = sample_vector(&random, 1e9); } // a far pivot
        fr_vec3 v = sample_vector(&random, 1.0);
        double t = fr_random_unit(&random);
        fr_vec3 x = fr_motion_point(&motion, v, t), x0 = fr_pose_apply(&motion.start, v);
        fr_vec3 r = fr_vec3_sub(x0, fr_pose_apply(&motion.start, motion.pivot_local));
        long double bound = 0x1p-53L * (72.0L * angle * t * fr_vec3_length(r) + 4.0L * fr_vec3_length(motion.travel) +
                                        2.0L * fr_vec3_length(x0));
        assert_true(long_distance(long_motion_point(&motion, v, t), x) <= bound);
    }
}

// The pose at t puts points where the motion does.
static void poses_and_points_agree(void **state) {
    (void)state;
    fr_random random = fr_random_seed(74);
    for (int i = 0; i < 20000; i++) {
        fr_motion motion = sample_motion(&random, 10.0, 20.0 * fr_random_unit(&random));
        motion.start.scale = fr_random_between(&random, 0.5, 2.0);
        fr_vec3 v = sample_vector(&random, 1.0);
        double t = fr_random_unit(&random);
        fr_pose pose = fr_motion_pose(&motion, t);
        assert_true(fr_vec3_distance(fr_pose_apply(&pose, v), fr_motion_point(&motion, v, t)) < 1e-12);
        assert_true(pose.scale == motion.start.scale);
    }
}

static void check_end(const fr_motion *motion, const fr_pose *b, double size) {
    fr_pose end = fr_motion_pose(motion, 1.0);
    assert_true(2.0 * rotation_distance(end.rotation, b->rotation) < 0x1p-46);
    assert_true(fr_vec3_distance(end.position, b->position) <= 0x1p-44 * size);
}

static void between_ends_at_the_other_pose_the_short_way(void **state) {
    (void)state;
    fr_random random = fr_random_seed(75);
    for (uint64_t i = 0; i < test_count(50000, 5000000); i++) {
        double reach = sample_power(&random, -10, 10);
        fr_pose a = sample_pose(&random, reach), b = sample_pose(&random, reach);
        if (i % 2 == 0) {
            fr_vec3 little = sample_vector(&random, sample_power(&random, -60, 0));
            b.rotation = fr_quat_multiply(fr_quat_from_vector(little), a.rotation);
            (void)fr_quat_normalize(&b.rotation, NULL);
        }
        a.scale = fr_random_between(&random, 0.5, 2.0);
        fr_vec3 pivot = sample_vector(&random, sample_power(&random, -10, 10));
        fr_motion motion = fr_motion_between(&a, &b, pivot);
        assert_true(fr_vec3_length(motion.turn) <= FR_PI * (1.0 + 0x1p-50));
        double size = fr_vec3_length(a.position) + fr_vec3_length(b.position) + a.scale * fr_vec3_length(pivot);
        check_end(&motion, &b, size);

        fr_pose minus = {{-b.rotation.w, -b.rotation.x, -b.rotation.y, -b.rotation.z}, b.position, b.scale};
        fr_motion same = fr_motion_between(&a, &minus, pivot);
        assert_memory_equal(&same, &motion, sizeof same);
    }
}

static void half_turns_are_defined(void **state) {
    (void)state;
    const fr_quat halves[] = {{0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}, {0.0, 0.6, -0.8, 0.0}};
    for (size_t i = 0; i < 4; i++) {
        fr_quat minus = {-halves[i].w, -halves[i].x, -halves[i].y, -halves[i].z};
        fr_pose a = fr_pose_identity(), b = fr_pose_make(ZERO, halves[i]), c = fr_pose_make(ZERO, minus);
        fr_motion ab = fr_motion_between(&a, &b, ZERO), ac = fr_motion_between(&a, &c, ZERO);
        assert_true(fr_vec3_equal(ab.turn, ac.turn));
        double first = ab.turn.x != 0.0 ? ab.turn.x : ab.turn.y != 0.0 ? ab.turn.y : ab.turn.z;
        assert_true(first > 0.0 && fabs(fr_vec3_length(ab.turn) - FR_PI) < 1e-15);
    }
}

static void translations_do_not_turn(void **state) {
    (void)state;
    fr_random random = fr_random_seed(76);
    for (int i = 0; i < 1000; i++) {
        fr_pose a = sample_pose(&random, 10.0), b = {a.rotation, sample_vector(&random, 10.0), 1.0};
        fr_motion straight = fr_motion_between(&a, &b, ZERO), screw = fr_motion_screw_between(&a, &b);
        assert_true(fr_vec3_equal(straight.turn, ZERO));
        assert_memory_equal(&screw, &straight, sizeof screw);
        assert_true(fr_vec3_distance(fr_motion_pose(&screw, 1.0).position, b.position) < 1e-14);
    }
}

static void screws_end_at_the_other_pose_and_keep_their_axis(void **state) {
    (void)state;
    fr_random random = fr_random_seed(77);
    for (int i = 0; i < 50000; i++) {
        fr_pose a = sample_pose(&random, 4.0), b = sample_pose(&random, 4.0);
        a.scale = fr_random_between(&random, 0.5, 2.0);
        if (i % 2 == 0) {
            // Tiny turns: the axis goes far away, the end must not.
            fr_vec3 little = sample_vector(&random, sample_power(&random, -60, 0));
            b.rotation = fr_quat_multiply(fr_quat_from_vector(little), a.rotation);
            (void)fr_quat_normalize(&b.rotation, NULL);
        }
        fr_motion screw = fr_motion_screw_between(&a, &b);
        check_end(&screw, &b, fr_vec3_length(a.position) + fr_vec3_length(b.position));
        if (fr_vec3_length(screw.turn) < 0x1p-25) {
            assert_true(fr_vec3_equal(screw.pivot_local, ZERO));
            continue;
        }
        // A point of the axis travels along it: the axis's direction, none other.
        fr_vec3 axis = fr_vec3_unit(screw.turn, ZERO);
        fr_vec3 off = fr_vec3_cross(axis, screw.travel);
        assert_true(fr_vec3_length(off) < 1e-13);
        fr_vec3 straight = fr_vec3_sub(b.position, a.position);
        assert_true(fabs(fr_vec3_dot(axis, screw.travel) - fr_vec3_dot(axis, straight)) < 1e-13);
    }
}

static void velocities_last_for_the_duration(void **state) {
    (void)state;
    fr_pose start = fr_pose_identity();
    fr_vec3 velocity = {1.0, 2.0, 3.0}, spin = {0.0, 4.0, 0.0}, pivot = {0.5, 0.0, 0.0};
    fr_motion motion = fr_motion_from_velocity(&start, pivot, velocity, spin, 0.25);
    assert_true(fr_vec3_equal(motion.travel, fr_vec3_make(0.25, 0.5, 0.75)));
    assert_true(fr_vec3_equal(motion.turn, fr_vec3_make(0.0, 1.0, 0.0)));
    assert_true(fr_vec3_equal(motion.pivot_local, pivot));
}

// Between any two moments no point within reach moves faster.
static void speed_is_bounded(void **state) {
    (void)state;
    fr_random random = fr_random_seed(78);
    double most = 0.0;
    for (int i = 0; i < 50000; i++) {
        fr_motion motion = sample_motion(&random, i % 2 == 0 ? 0.1 : 10.0, 10.0 * fr_random_unit(&random));
        motion.start.scale = fr_random_between(&random, 0.5, 2.0);
        double reach = fr_random_between(&random, 0.1, 2.0);
        fr_vec3 v = fr_vec3_add_scaled(motion.pivot_local, 0.999999 * reach, sample_direction(&random));
        double bound = fr_motion_speed_bound(&motion, reach), t = 0.9 * fr_random_unit(&random), step = 0.001;
        long_vec3 p = long_motion_point(&motion, v, t), q = long_motion_point(&motion, v, t + step);
        long double x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
        double speed = (double)(sqrtl(x * x + y * y + z * z) / ((long double)(t + step) - t));
        assert_true(speed <= bound);
        most = fmax(most, speed / bound);
    }
    assert_true(most > 0.98);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_refuses_bad_motions_and_leaves_them),
        cmocka_unit_test(check_takes_turns_up_to_its_limit),
        cmocka_unit_test(a_motion_begins_at_its_start_bit_for_bit),
        cmocka_unit_test(what_is_still_stays),
        cmocka_unit_test(points_are_where_the_definition_says),
        cmocka_unit_test(poses_and_points_agree),
        cmocka_unit_test(between_ends_at_the_other_pose_the_short_way),
        cmocka_unit_test(half_turns_are_defined),
        cmocka_unit_test(translations_do_not_turn),
        cmocka_unit_test(screws_end_at_the_other_pose_and_keep_their_axis),
        cmocka_unit_test(velocities_last_for_the_duration),
        cmocka_unit_test(speed_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
