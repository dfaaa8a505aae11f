// The source's deformation of walks: it reaches the end with unnormalised axes, and what its weak points amount to.
#include "frame.h"
#include "fureai/human_walk.h"
#include "human/faithful/walk_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MAX_FRAMES 400

static double angle_between(fr_quat a, fr_quat b) {
    fr_quat d = fr_quat_multiply(fr_quat_conjugate(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static void euler_angles_meet_the_wanted_ends(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    double worst = 0.0, apart = 0.0;
    for (int i = 0; i < 1000; i++) {
        fr_quat turns[60], kept[60];
        fr_vec3 v[4];
        for (int k = 0; k < 4; k++) {
            v[k] = fr_vec3_make(fr_random_between(&random, -0.3, 0.3), fr_random_between(&random, -0.3, 0.3),
                                fr_random_between(&random, -0.3, 0.3));
        }
        for (int k = 0; k < 60; k++) {
            turns[k] = kept[k] = fr_quat_from_vector(fr_vec3_lerp(v[0], v[1], k / 59.0));
        }
        fr_quat first = fr_quat_multiply(turns[0], fr_quat_from_vector(v[2]));
        fr_quat last = fr_quat_multiply(turns[59], fr_quat_from_vector(v[3]));
        fr_source_meet(turns, 60, first, last, 2, 2);
        worst = fmax(worst, fmax(angle_between(turns[0], first), angle_between(turns[59], last)));
        for (int k = 0; k < 60; k++) {
            double b = k / 59.0, a = 1.0 - b;
            fr_quat ours = fr_quat_multiply(kept[k], fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(a * a, v[2])),
                                                                      fr_quat_from_vector(fr_vec3_scale(b * b, v[3]))));
            apart = fmax(apart, angle_between(turns[k], ours));
        }
    }
    print_message("ends %.2g rad; at most %.3f rad from powers of quaternions between\n", worst, apart);
    assert_true(worst < 1e-7);
    assert_true(apart < 0.1);
}

static void reaches_the_end_with_axes_that_are_not_unit(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    fr_walk_set *set = NULL;
    assert_int_equal(fr_walk_set_create(&def, &set, NULL), FR_OK);
    static fr_source_frame frames[MAX_FRAMES];
    double end = 0.0, unit_end = 0.0, axis = 0.0, miss = 0.0, pivot = 0.0, slip = 0.0, absorbed = 0.0, foot = 0.0;
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr_clip *clip = NULL;
        assert_int_equal(fr_walk_set_clip(set, i, NULL, &clip, NULL), FR_OK);
        assert_true(fr_clip_get(clip)->frame_count <= MAX_FRAMES);
        fr_quat turns[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
        assert_int_equal(fr_clip_frame(clip, fr_clip_get(clip)->frame_count - 1, &posture, NULL), FR_OK);

        // The walk is shortened to 0.8: the last posture is moved back by a fifth of its travel.
        fr_source_spot first = {1.0, -2.0, 0.0},
                       last = {1.0 - 0.2 * posture.place.x, -2.0 - 0.2 * posture.place.z, 0.0};
        double x = posture.place.x + last.x, z = posture.place.z + last.z;
        fr_source_output output;
        assert_int_equal(fr_source_deform(skeleton, clip, first, last, false, frames, &output, NULL), FR_OK);
        end = fmax(end, hypot(output.end.x - x, output.end.z - z));
        axis = fmax(axis, output.hip_axis_error);
        miss = fmax(miss, output.shin_miss);
        pivot = fmax(pivot, output.planted_turn);
        slip = fmax(slip, output.planted_slip);
        absorbed = fmax(absorbed, output.absorbed);
        foot = fmax(foot, output.foot_end);
        assert_int_equal(fr_source_deform(skeleton, clip, first, last, true, frames, &output, NULL), FR_OK);
        unit_end = fmax(unit_end, hypot(output.end.x - x, output.end.z - z));
        fr_clip_release(clip);
    }
    print_message("end %.2g m; with unit axes %.3f m; axes off by %.0f %%, shins miss by %.3f m, planted feet turn by "
                  "%.0f degrees\n",
                  end, unit_end, 100.0 * axis, miss, fr_degrees(pivot));
    print_message("feet end %.2g m off, slip %.2g m a frame, %.3f m is absorbed in swings\n", foot, slip, absorbed);
    assert_true(end <= 1e-3);
    assert_true(foot <= 1e-3);
    assert_true(slip <= 1e-9);
    assert_true(unit_end > 0.1);
    fr_walk_set_release(set);
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_angles_meet_the_wanted_ends),
        cmocka_unit_test(reaches_the_end_with_axes_that_are_not_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
