// Poses: the one order of operations, its rounding bound, and what the check lets through.
#include "math/sample.h"

#include "frame.h"
#include "math/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_refuses_bad_poses_and_leaves_them(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int field = 0; field < 8; field++) {
            fr_pose pose = fr_pose_identity();
            double *fields[] = {&pose.rotation.w, &pose.rotation.x, &pose.rotation.y, &pose.rotation.z,
                                &pose.position.x, &pose.position.y, &pose.position.z, &pose.scale};
            *fields[field] = bad[i];
            fr_pose before = pose;
            fr_error error = {FR_OK, 0, 0, "", ""};
            fr_status expected = isfinite(bad[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE;
            assert_int_equal(fr_pose_check(&pose, &error), expected);
            assert_int_equal(error.status, expected);
            assert_memory_equal(&pose, &before, sizeof pose);
        }
    }
    const double scales[] = {0.0, -0.0, -1.0, 0x1p-101, 0x1p+101};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        fr_pose pose = fr_pose_identity();
        pose.scale = scales[i];
        assert_int_equal(fr_pose_check(&pose, NULL), FR_ERROR_ARGUMENT);
    }
}

// A bad field found last changes nothing either: the rotation is made unit only when all else is right.
static void check_normalises_good_poses(void **state) {
    (void)state;
    fr_pose pose = {{1.005, 0.0, 0.0, 0.0}, {0x1p+300, 0.0, -0x1p+300}, FR_SCALE_MIN};
    assert_int_equal(fr_pose_check(&pose, NULL), FR_OK);
    assert_true(pose.rotation.w == 1.0);
    pose.rotation.w = 1.005;
    pose.scale = 0.0;
    assert_int_equal(fr_pose_check(&pose, NULL), FR_ERROR_ARGUMENT);
    assert_true(pose.rotation.w == 1.005);
}

static void the_identity_keeps_points(void **state) {
    (void)state;
    fr_pose pose = fr_pose_identity();
    fr_vec3 v = {1.0, -2.5, 1e-300};
    assert_true(fr_vec3_equal(fr_pose_apply(&pose, v), v));
    assert_true(fr_pose_rounding(&pose, 0.0) < 1e-300);
}

// The definition written out once more, element by element.
static fr_vec3 apply_by_definition(const fr_pose *pose, fr_vec3 v) {
    fr_mat3 m = fr_quat_to_mat3(pose->rotation);
    double x = pose->scale * v.x, y = pose->scale * v.y, z = pose->scale * v.z;
    double wx = (m.row[0].x * x + m.row[0].y * y) + m.row[0].z * z;
    double wy = (m.row[1].x * x + m.row[1].y * y) + m.row[1].z * z;
    double wz = (m.row[2].x * x + m.row[2].y * y) + m.row[2].z * z;
    return fr_vec3_make(wx + pose->position.x, wy + pose->position.y, wz + pose->position.z);
}

static void all_ways_to_apply_give_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(41);
    fr_vec3 points[67], many[67];
    for (int i = 0; i < 500; i++) {
        fr_pose pose = sample_pose(&random, 10.0);
        pose.scale = fr_random_between(&random, 0.01, 100.0);
        fr__frame frame = fr__frame_make(&pose);
        size_t count = (size_t)fr_random_below(&random, 68);
        for (size_t k = 0; k < count; k++) {
            points[k] = sample_vector(&random, sample_power(&random, -30, 30));
        }
        fr_pose_apply_many(&pose, points, count, many);
        for (size_t k = 0; k < count; k++) {
            fr_vec3 truth = apply_by_definition(&pose, points[k]), one = fr_pose_apply(&pose, points[k]);
            fr_vec3 framed = fr__frame_apply(&frame, points[k]);
            assert_memory_equal(&one, &truth, sizeof one);
            assert_memory_equal(&framed, &truth, sizeof one);
            assert_memory_equal(&many[k], &truth, sizeof one);
        }
        fr_pose_apply_many(&pose, points, count, points); // in place
        assert_memory_equal(points, many, count * sizeof *points);
    }
}

// Never above the bound; and the bound is of some use.
static void rounding_is_bounded(void **state) {
    (void)state;
    fr_random random = fr_random_seed(42);
    long double most = 0.0L;
    for (uint64_t i = 0; i < test_count(200000, 20000000); i++) {
        double reach = sample_power(&random, -40, 40), far = i % 3 == 0 ? 0.0 : sample_power(&random, -40, 40);
        fr_pose pose = sample_pose(&random, far);
        pose.scale = sample_power(&random, -20, 20) * fr_random_between(&random, 1.0, 2.0);
        fr_vec3 v = sample_vector(&random, reach);
        if (i % 2 == 0) { v = fr_vec3_make(copysign(reach, v.x), copysign(reach, v.y), copysign(reach, v.z)); }
        long double error = long_distance(long_pose_apply(&pose, v), fr_pose_apply(&pose, v));
        long double bound = fr_pose_rounding(&pose, fr_vec3_largest(v));
        assert_true(error <= bound);
        most = fmaxl(most, error / bound);
    }
    assert_true(most > 0.05L);
}

// Points so small that products underflow.
static void rounding_is_bounded_near_zero(void **state) {
    (void)state;
    fr_random random = fr_random_seed(43);
    for (int i = 0; i < 20000; i++) {
        fr_pose pose = sample_pose(&random, 0.0);
        fr_vec3 v = sample_vector(&random, sample_power(&random, -1074, -1000));
        long double error = long_distance(long_pose_apply(&pose, v), fr_pose_apply(&pose, v));
        assert_true(error <= (long double)fr_pose_rounding(&pose, fr_vec3_largest(v)));
    }
}

static void composing_and_inverting_agree_with_applying(void **state) {
    (void)state;
    fr_random random = fr_random_seed(44);
    for (int i = 0; i < 20000; i++) {
        fr_pose a = sample_pose(&random, 5.0), b = sample_pose(&random, 5.0);
        a.scale = fr_random_between(&random, 0.1, 10.0);
        b.scale = fr_random_between(&random, 0.1, 10.0);
        fr_vec3 v = sample_vector(&random, 1.0);
        fr_pose both = fr_pose_compose(&a, &b), back = fr_pose_inverse(&a);
        fr_vec3 twice = fr_pose_apply(&a, fr_pose_apply(&b, v));
        assert_true(fr_vec3_distance(fr_pose_apply(&both, v), twice) < 1e-12);
        assert_true(fr_vec3_distance(fr_pose_apply(&back, fr_pose_apply(&a, v)), v) < 1e-12);
        assert_int_equal(fr_pose_check(&both, NULL), FR_OK);
        fr_vec3 unit = fr_pose_turn(&a, sample_direction(&random));
        assert_true(fabs(fr_vec3_length(unit) - 1.0) < 1e-14);
    }
}

static void powers_of_two_and_mirrors_change_no_bit(void **state) {
    (void)state;
    fr_random random = fr_random_seed(45);
    for (int i = 0; i < 20000; i++) {
        fr_pose pose = sample_pose(&random, 5.0);
        fr_vec3 v = sample_vector(&random, 3.0), x = fr_pose_apply(&pose, v);

        double power = sample_power(&random, -200, 200);
        fr_pose larger = {pose.rotation, fr_vec3_scale(power, pose.position), pose.scale * power};
        assert_true(fr_vec3_equal(fr_pose_apply(&larger, v), fr_vec3_scale(power, x)));
        assert_true(fr_pose_rounding(&larger, 3.0) == power * fr_pose_rounding(&pose, 3.0));

        fr_quat q = pose.rotation;
        fr_pose mirrored = {{q.w, q.x, -q.y, -q.z}, {-pose.position.x, pose.position.y, pose.position.z}, 1.0};
        fr_vec3 m = fr_pose_apply(&mirrored, fr_vec3_make(-v.x, v.y, v.z));
        assert_true(m.x == -x.x && m.y == x.y && m.z == x.z);

        // x and y change places: a mirror too, so the turn is the other way.
        fr_pose swapped = {{q.w, -q.y, -q.x, -q.z}, {pose.position.y, pose.position.x, pose.position.z}, 1.0};
        fr_vec3 s = fr_pose_apply(&swapped, fr_vec3_make(v.y, v.x, v.z));
        assert_true(s.x == x.y && s.y == x.x && s.z == x.z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_refuses_bad_poses_and_leaves_them),
        cmocka_unit_test(check_normalises_good_poses),
        cmocka_unit_test(the_identity_keeps_points),
        cmocka_unit_test(all_ways_to_apply_give_the_same_bits),
        cmocka_unit_test(rounding_is_bounded),
        cmocka_unit_test(rounding_is_bounded_near_zero),
        cmocka_unit_test(composing_and_inverting_agree_with_applying),
        cmocka_unit_test(powers_of_two_and_mirrors_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
