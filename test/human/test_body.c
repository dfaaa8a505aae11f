// The body of 43 links: its upright posture in the numbers of the thesis, its measures, masses and limits.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

static fr_skeleton *body_of(const fr_body_def *def) {
    fr_skeleton *skeleton = NULL;
    fr_error error = {0};
    if (fr_skeleton_create_body(def, &skeleton, &error) != FR_OK) { fail_msg("%s", error.message); }
    return skeleton;
}

static void rest_poses(const fr_skeleton *skeleton, fr_pose poses[FR_LINK_COUNT]) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
}

static void assert_point(fr_vec3 p, double x, double y, double z) {
    if (fr_vec3_distance(p, fr_vec3_make(x, y, z)) > 1e-12) {
        fail_msg("%.17g %.17g %.17g is not %.17g %.17g %.17g", p.x, p.y, p.z, x, y, z);
    }
}

static fr_vec3 point_of(const fr_skeleton *skeleton, const fr_pose *poses, fr_body_point point) {
    const fr_link_point *p = &fr_skeleton_get(skeleton)->points[point];
    return fr_pose_apply(&poses[p->link], p->offset);
}

// Heights of 8.4: every joint above the floor, left is +X, forward is +Z.
static void stands_upright_in_the_numbers_of_the_thesis(void **state) {
    (void)state;
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = body_of(&def);
    fr_pose poses[FR_LINK_COUNT];
    rest_poses(skeleton, poses);
    assert_point(poses[FR_LINK_HIP].position, 0.0, 0.9305, 0.0);
    assert_point(poses[FR_LINK_CHEST].position, 0.0, 1.05, 0.0);
    assert_point(poses[FR_LINK_HEAD].position, 0.0, 1.47, 0.0);
    assert_point(poses[FR_LINK_LEFT_UPPER_ARM].position, 0.19, 1.39, 0.0);
    assert_point(poses[FR_LINK_LEFT_FOREARM].position, 0.19, 1.074, 0.0);
    assert_point(poses[FR_LINK_LEFT_PALM].position, 0.19, 0.826, 0.0);
    assert_point(poses[FR_LINK_RIGHT_THIGH].position, -0.09, 0.9005, 0.0);
    assert_point(poses[FR_LINK_RIGHT_SHIN].position, -0.09, 0.484, 0.0);
    assert_point(poses[FR_LINK_RIGHT_FOOT].position, -0.09, 0.066, 0.0);
    assert_point(point_of(skeleton, poses, FR_POINT_HEAD_TOP), 0.0, 1.70, 0.0);
    assert_point(point_of(skeleton, poses, FR_POINT_RIGHT_HEEL), -0.09, 0.0, -0.05);
    assert_point(point_of(skeleton, poses, FR_POINT_RIGHT_TOE), -0.09, 0.0, 0.19);
    assert_point(point_of(skeleton, poses, FR_POINT_LEFT_TOE), 0.09, 0.0, 0.19);
    assert_point(point_of(skeleton, poses, FR_POINT_RIGHT_GRIP), -0.19, 0.746, 0.0);
    fr_skeleton_release(skeleton);
}

// The axes of 8.3, in our world: x, y and z of the frames at rest.
static void has_the_frames_of_the_thesis(void **state) {
    (void)state;
    const fr_vec3 up = {0, 1, 0}, down = {0, -1, 0}, left = {1, 0, 0}, right = {-1, 0, 0};
    const fr_vec3 forward = {0, 0, 1}, back = {0, 0, -1};
    const struct {
        uint32_t link;
        fr_vec3 x, y, z;
    } rows[] = {{FR_LINK_HIP, down, left, forward},          {FR_LINK_HEAD, down, left, forward},
                {FR_LINK_RIGHT_FOREARM, up, right, forward}, {FR_LINK_LEFT_PALM, up, right, forward},
                {FR_LINK_LEFT_INDEX_2, up, right, forward},  {FR_LINK_LEFT_SHIN, up, left, back},
                {FR_LINK_RIGHT_FOOT, forward, left, up}};
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = body_of(&def);
    fr_pose poses[FR_LINK_COUNT];
    rest_poses(skeleton, poses);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fr_pose *pose = &poses[rows[i].link];
        fr_vec3 x = fr_pose_turn(pose, fr_vec3_make(1, 0, 0)), y = fr_pose_turn(pose, fr_vec3_make(0, 1, 0));
        assert_point(x, rows[i].x.x, rows[i].x.y, rows[i].x.z);
        assert_point(y, rows[i].y.x, rows[i].y.y, rows[i].y.z);
        assert_point(fr_pose_turn(pose, fr_vec3_make(0, 0, 1)), rows[i].z.x, rows[i].z.y, rows[i].z.z);
        fr_quat upright = fr_skeleton_get(skeleton)->uprights[rows[i].link];
        assert_near(fabs(upright.w * pose->rotation.w + upright.x * pose->rotation.x + upright.y * pose->rotation.y +
                         upright.z * pose->rotation.z),
                    1.0, 1e-14);
    }
    fr_skeleton_release(skeleton);
}

// Bends a joint by 0.3 radians and says where a point of the body goes.
static fr_vec3 moved_by(const fr_skeleton *skeleton, uint32_t link, fr_vec3 axis, fr_body_point point) {
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT], still[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    rest_poses(skeleton, still);
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    turns[link] = fr_quat_multiply(turns[link], fr_quat_from_axis_angle(axis, 0.3));
    assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
    return fr_vec3_sub(point_of(skeleton, poses, point), point_of(skeleton, still, point));
}

static void bends_as_the_thesis_says(void **state) {
    (void)state;
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = body_of(&def);
    const fr_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    fr_vec3 elbow = moved_by(skeleton, FR_LINK_RIGHT_FOREARM, y, FR_POINT_RIGHT_GRIP);
    assert_true(elbow.z > 0.05 && elbow.y > 0.0);
    assert_true(moved_by(skeleton, FR_LINK_LEFT_SHIN, y, FR_POINT_LEFT_HEEL).z < -0.05);
    assert_true(moved_by(skeleton, FR_LINK_LEFT_THIGH, y, FR_POINT_LEFT_HEEL).z < -0.05);
    assert_true(moved_by(skeleton, FR_LINK_CHEST, y, FR_POINT_HEAD_TOP).z > 0.05);
    assert_true(moved_by(skeleton, FR_LINK_RIGHT_THIGH, z, FR_POINT_RIGHT_HEEL).x < -0.05);
    assert_true(moved_by(skeleton, FR_LINK_RIGHT_PALM, z, FR_POINT_RIGHT_GRIP).x > 0.01);
    fr_skeleton_release(skeleton);
}

static void has_its_mass_and_roles(void **state) {
    (void)state;
    fr_body_def def = fr_default_body_def();
    def.mass = 70.0;
    fr_skeleton *skeleton = body_of(&def);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    assert_near(view->mass, 70.0, 1e-12);
    assert_near(view->masses[FR_LINK_LEFT_THIGH], 7.0, 1e-12);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        assert_int_equal(view->roles[i], i);
        assert_int_equal(fr_skeleton_find(skeleton, view->names[i], strlen(view->names[i])), i);
        assert_int_equal(view->partners[view->partners[i]], i);
        assert_non_null(fr_link_h_anim_name((fr_link)i));
    }
    assert_int_equal(view->partners[FR_LINK_RIGHT_LITTLE_3], FR_LINK_LEFT_LITTLE_3);
    assert_int_equal(view->partners[FR_LINK_LEFT_SHIN], FR_LINK_RIGHT_SHIN);
    assert_int_equal(view->partners[FR_LINK_HEAD], FR_LINK_HEAD);
    assert_string_equal(fr_link_bvh_name(FR_LINK_LEFT_PALM), "LeftFingerBase");
    assert_int_equal(fr_skeleton_find(skeleton, "tail", 4), FR_NO_LINK);
    fr_skeleton_release(skeleton);
}

static void is_as_tall_as_its_stature(void **state) {
    (void)state;
    for (int i = 0; i <= 20; i++) {
        fr_body_def def = fr_default_body_def();
        def.stature = 1.0 + 0.05 * i;
        fr_skeleton *skeleton = body_of(&def);
        fr_pose poses[FR_LINK_COUNT];
        rest_poses(skeleton, poses);
        fr_vec3 top = point_of(skeleton, poses, FR_POINT_HEAD_TOP);
        assert_near(top.y, def.stature, 1e-12);
        assert_near(point_of(skeleton, poses, FR_POINT_LEFT_HEEL).y, 0.0, 1e-12);
        double head = (top.y - poses[FR_LINK_HEAD].position.y) / def.stature;
        double leg = poses[FR_LINK_LEFT_THIGH].position.y / def.stature;
        if (i == 0) {
            assert_near(head, 1.0 / 5.45, 1e-12);
            assert_near(leg, 0.9005 / 1.7 * 0.44 / 0.48, 1e-12);
            assert_near(fr_skeleton_get(skeleton)->mass, 15.4, 1e-12);
        }
        if (def.stature > 1.7) {
            assert_near(head, 0.23 / 1.7, 1e-12);
            assert_near(leg, 0.9005 / 1.7, 1e-12);
        }
        fr_skeleton_release(skeleton);
    }
}

static void takes_the_measures_that_are_given(void **state) {
    (void)state;
    fr_body_def def = fr_default_body_def();
    def.stature = 1.8;
    def.arm = 0.4;
    def.shoulder_width = 0.25;
    def.hip_width = 0.12;
    def.leg = 0.5;
    def.head = 0.14;
    def.foot = 0.15;
    fr_skeleton *skeleton = body_of(&def);
    fr_pose p[FR_LINK_COUNT];
    rest_poses(skeleton, p);
    double arm = fr_vec3_distance(p[FR_LINK_LEFT_UPPER_ARM].position, p[FR_LINK_LEFT_PALM].position);
    assert_near(arm, 0.4 * 1.8, 1e-12);
    assert_near(p[FR_LINK_LEFT_UPPER_ARM].position.x - p[FR_LINK_RIGHT_UPPER_ARM].position.x, 0.45, 1e-12);
    assert_near(p[FR_LINK_LEFT_THIGH].position.x - p[FR_LINK_RIGHT_THIGH].position.x, 0.216, 1e-12);
    assert_near(p[FR_LINK_LEFT_THIGH].position.y, 0.9, 1e-12);
    assert_near(point_of(skeleton, p, FR_POINT_HEAD_TOP).y, 1.8, 1e-12);
    double toe = point_of(skeleton, p, FR_POINT_LEFT_TOE).z - point_of(skeleton, p, FR_POINT_LEFT_HEEL).z;
    assert_near(toe, 0.27, 1e-12);
    fr_skeleton_release(skeleton);
}

static void refuses_measures_out_of_range(void **state) {
    (void)state;
    const double wrong[] = {-1.0, 1e9, NAN, INFINITY, 1e-9};
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        for (size_t field = 0; field < 8; field++) {
            fr_body_def def = fr_default_body_def();
            double *fields[] = {&def.stature, &def.mass,           &def.head,      &def.leg,
                                &def.arm,     &def.shoulder_width, &def.hip_width, &def.foot};
            *fields[field] = wrong[w];
            fr_skeleton *skeleton = NULL;
            fr_error error = {0};
            assert_int_equal(fr_skeleton_create_body(&def, &skeleton, &error), FR_ERROR_ARGUMENT);
            assert_null(skeleton);
            assert_true(error.message[0] != '\0');
        }
    }
    fr_body_def forgotten = {.stature = 1.7};
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&forgotten, &skeleton, NULL), FR_ERROR_ARGUMENT);
}

// At rest no joint exceeds its limit.
static void rests_within_its_limits(void **state) {
    (void)state;
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = body_of(&def);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        assert_true(fr_skeleton_excess(skeleton, i, view->rests[i]) == 0.0);
        assert_true((i == 0) == (view->limits[i].kind == FR_LIMIT_NONE));
    }
    fr_skeleton_release(skeleton);
}

static fr_status make_body(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_body_def def = fr_default_body_def();
    def.allocator = *allocator;
    fr_skeleton *skeleton = NULL;
    fr_status status = fr_skeleton_create_body(&def, &skeleton, NULL);
    if (status == FR_OK) { test_note(fr_skeleton_get(skeleton)->offsets, FR_LINK_COUNT * sizeof(fr_vec3)); }
    fr_skeleton_release(skeleton);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make_body, NULL) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_upright_in_the_numbers_of_the_thesis),
        cmocka_unit_test(has_the_frames_of_the_thesis),
        cmocka_unit_test(bends_as_the_thesis_says),
        cmocka_unit_test(has_its_mass_and_roles),
        cmocka_unit_test(is_as_tall_as_its_stature),
        cmocka_unit_test(takes_the_measures_that_are_given),
        cmocka_unit_test(refuses_measures_out_of_range),
        cmocka_unit_test(rests_within_its_limits),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
