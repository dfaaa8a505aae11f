// Bodies that are posed by hand: a palm or the head goes to a point, feet stay, and nothing breaks for any point.
#include "frame.h"
#include "fureai/human_reach.h"
#include "random_vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct pulled_body {
    fr_skeleton *skeleton;
    fr_posture posture;
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
} pulled_body;

static void find_poses(pulled_body *b) {
    assert_int_equal(fr_posture_poses(b->skeleton, &b->posture, 1, b->poses, NULL), FR_OK);
}

// A body that stands with its knees a little bent, so that the head may rise, too.
static void make_body(pulled_body *b) {
    fr_body_def def = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&def, &b->skeleton, NULL), FR_OK);
    b->posture = (fr_posture){.turns = b->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(b->skeleton, &b->posture, NULL), FR_OK);
    find_poses(b);
    fr_vec3 lower = fr_vec3_add(b->poses[FR_LINK_HEAD].position, fr_vec3_make(0.0, -0.05, 0.0));
    assert_int_equal(fr_posture_pull(b->skeleton, FR_PULL_HEAD, lower, &b->posture, NULL), FR_OK);
    find_poses(b);
}

static double apart(const fr_pose *a, fr_vec3 point) { return fr_vec3_distance(a->position, point); }

static void palms_meet_points_within_reach(void **state) {
    (void)state;
    pulled_body b;
    make_body(&b);
    const fr_link palms[2] = {FR_LINK_RIGHT_PALM, FR_LINK_LEFT_PALM};
    for (int i = 0; i < 2; i++) {
        fr_quat turn = b.poses[palms[i]].rotation;
        fr_vec3 point = fr_vec3_add(b.poses[palms[i]].position, fr_vec3_make(0.02, 0.25, 0.2));
        fr_pull_part part = i == 0 ? FR_PULL_RIGHT_PALM : FR_PULL_LEFT_PALM;
        assert_int_equal(fr_posture_pull(b.skeleton, part, point, &b.posture, NULL), FR_OK);
        find_poses(&b);
        assert_true(apart(&b.poses[palms[i]], point) < 1e-6);
        fr_vec3 turned = fr_quat_to_vector(fr_quat_multiply(b.poses[palms[i]].rotation, fr_quat_conjugate(turn)));
        assert_true(fr_vec3_length(turned) < 1e-6);
    }
    fr_skeleton_release(b.skeleton);
}

// Down the knees bend, forward the chest leans; feet stay where they stand in both.
static void the_head_goes_down_and_forward_over_feet_that_stay(void **state) {
    (void)state;
    pulled_body b;
    make_body(&b);
    const fr_vec3 steps[3] = {{0.0, -0.3, 0.0}, {0.0, -0.1, 0.25}, {0.1, 0.1, -0.1}};
    fr_vec3 ankles[2] = {b.poses[FR_LINK_LEFT_FOOT].position, b.poses[FR_LINK_RIGHT_FOOT].position};
    for (int i = 0; i < 3; i++) {
        fr_vec3 point = fr_vec3_add(b.poses[FR_LINK_HEAD].position, steps[i]);
        assert_int_equal(fr_posture_pull(b.skeleton, FR_PULL_HEAD, point, &b.posture, NULL), FR_OK);
        find_poses(&b);
        assert_true(apart(&b.poses[FR_LINK_HEAD], point) < 1e-6);
        assert_true(apart(&b.poses[FR_LINK_LEFT_FOOT], ankles[0]) < 1e-6);
        assert_true(apart(&b.poses[FR_LINK_RIGHT_FOOT], ankles[1]) < 1e-6);
    }
    fr_skeleton_release(b.skeleton);
}

// Whatever is pulled to wherever: the posture stays one, feet stay, and the head comes no farther from its point.
static void any_point_leaves_a_posture(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    for (uint64_t i = 0; i < test_count(300, 20000); i++) {
        pulled_body b;
        make_body(&b);
        fr_vec3 ankle = b.poses[FR_LINK_LEFT_FOOT].position;
        for (int k = 0; k < 3; k++) {
            fr_pull_part part = (fr_pull_part)(fr_random_bits(&random) % FR_PULL_PART_COUNT);
            bool is_far = fr_random_bits(&random) % 4 == 0;
            double size = is_far ? 1e6 : 1.5;
            fr_vec3 point = random_about(&random, size);
            double before = apart(&b.poses[FR_LINK_HEAD], point);
            assert_int_equal(fr_posture_pull(b.skeleton, part, point, &b.posture, NULL), FR_OK);
            assert_int_equal(fr_posture_check(b.skeleton, &b.posture, NULL), FR_OK);
            find_poses(&b);
            assert_true(apart(&b.poses[FR_LINK_LEFT_FOOT], ankle) < 1e-6);
            if (part == FR_PULL_HEAD) { assert_true(apart(&b.poses[FR_LINK_HEAD], point) < before + 1e-6 * size); }
        }
        fr_skeleton_release(b.skeleton);
    }
}

static void what_is_no_point_changes_nothing(void **state) {
    (void)state;
    pulled_body b;
    make_body(&b);
    fr_quat turns[FR_LINK_COUNT];
    memcpy(turns, b.turns, sizeof turns);
    const fr_vec3 wrong[3] = {{NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}, {0.0, 0.0, 1e300}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_posture_pull(b.skeleton, FR_PULL_HEAD, wrong[i], &b.posture, NULL), FR_ERROR_NOT_FINITE);
        assert_int_equal(fr_posture_pull(b.skeleton, FR_PULL_LEFT_PALM, wrong[i], &b.posture, NULL),
                         FR_ERROR_NOT_FINITE);
    }
    fr_vec3 point = {0.0, 1.0, 0.0};
    assert_int_equal(fr_posture_pull(b.skeleton, (fr_pull_part)7, point, &b.posture, NULL), FR_ERROR_ARGUMENT);
    assert_memory_equal(turns, b.turns, sizeof turns);
    // On the joint itself there is no direction to lean to.
    fr_vec3 chest = b.poses[FR_LINK_CHEST].position;
    assert_int_equal(fr_posture_pull(b.skeleton, FR_PULL_HEAD, chest, &b.posture, NULL), FR_OK);
    assert_int_equal(fr_posture_check(b.skeleton, &b.posture, NULL), FR_OK);
    fr_skeleton_release(b.skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(palms_meet_points_within_reach),
        cmocka_unit_test(the_head_goes_down_and_forward_over_feet_that_stay),
        cmocka_unit_test(any_point_leaves_a_posture),
        cmocka_unit_test(what_is_no_point_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
