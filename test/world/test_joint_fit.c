// One joint as geometry: which value comes nearest to a wish.
#include "world/joint_fit.h"

#include "frame.h"
#include "worlds.h"

static const fr_bounds unit_box = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};

static fr_pose any_pose(fr_random *random, double reach) {
    fr_vec3 axis = fr_vec3_make(fr_random_between(random, -1, 1), fr_random_between(random, -1, 1),
                                fr_random_between(random, -1, 1));
    fr_vec3 position = fr_vec3_make(fr_random_between(random, -reach, reach), fr_random_between(random, -reach, reach),
                                    fr_random_between(random, -reach, reach));
    fr_pose pose = fr_pose_make(position, fr_quat_from_axis_angle(axis, fr_random_between(random, -3, 3)));
    pose.scale = fr_random_between(random, 0.5, 2.0);
    return pose;
}

static fr_joint any_joint(fr_random *random, fr_joint_kind kind) {
    fr_joint joint;
    memset(&joint, 0, sizeof joint);
    joint.kind = kind;
    joint.frame_parent = any_pose(random, 3);
    joint.frame_child = any_pose(random, 1);
    joint.low = -INFINITY;
    joint.high = INFINITY;
    joint.pitch = fr_random_between(random, 0.01, 0.5);
    return joint;
}

static double miss(const fr_joint *joint, const fr_pose *parent, const fr_pose *wish, double value) {
    fr_pose at = fr__joint_pose(joint, parent, value);
    double sum = 0.0;
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = fr_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        double way = fr_vec3_distance(fr_pose_apply(&at, corner), fr_pose_apply(wish, corner));
        sum += way * way;
    }
    return sum;
}

// A wish that the joint can do is done.
static void what_can_be_done_is_done(void **state) {
    (void)state;
    static const fr_joint_kind kinds[] = {FR_JOINT_HINGE, FR_JOINT_SLIDER, FR_JOINT_SCREW};
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(20000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_joint joint = any_joint(&random, kinds[i % 3]);
        fr_pose parent = any_pose(&random, 5);
        joint.value = fr_random_between(&random, -20, 20);
        double value = joint.value + fr_random_between(&random, -3, 3);
        fr_pose wish = fr__joint_pose(&joint, &parent, value);
        double found = fr__joint_fit(&joint, &parent, &unit_box, &wish, false);
        if (!(fabs(found - value) < 1e-9)) { fail_msg("kind %d: %g instead of %g", kinds[i % 3], found, value); }
    }
}

// No other value nearby brings the corners nearer to a wish that cannot be done.
static void the_nearest_value_is_found(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    uint64_t count = test_count(5000, 200000);
    for (uint64_t i = 0; i < count; i++) {
        fr_joint joint = any_joint(&random, i % 2 == 0 ? FR_JOINT_HINGE : FR_JOINT_SLIDER);
        fr_pose parent = any_pose(&random, 5), wish = any_pose(&random, 5);
        wish.scale = fr__joint_pose(&joint, &parent, 0.0).scale;
        double found = fr__joint_fit(&joint, &parent, &unit_box, &wish, false);
        double least = miss(&joint, &parent, &wish, found);
        for (int k = -8; k <= 8; k++) {
            double other = found + k * (joint.kind == FR_JOINT_HINGE ? 0.35 : 0.1);
            assert_true(miss(&joint, &parent, &wish, other) >= least - 1e-9 * (1.0 + least));
        }
    }
}

static void limits_hold(void **state) {
    (void)state;
    fr_joint joint = {.kind = FR_JOINT_HINGE, .low = -1.0, .high = 2.0};
    joint.frame_parent = joint.frame_child = fr_pose_identity();
    fr_pose world = fr_pose_identity();
    joint.high = 2.5;
    joint.value = 2.0;
    fr_pose wish = fr__joint_pose(&joint, &world, 3.5);
    assert_true(fr__joint_fit(&joint, &world, &unit_box, &wish, false) == 2.5);
    // Beyond the limit it stays there, though the same pose has an angle at the other end; a jump may take that.
    wish = fr__joint_pose(&joint, &world, -0.5 + 2.0 * FR_PI);
    assert_true(fr__joint_fit(&joint, &world, &unit_box, &wish, false) < 2.5);
    joint.low = -5.0;
    wish = fr__joint_pose(&joint, &world, 4.0);
    assert_true(fr__joint_fit(&joint, &world, &unit_box, &wish, false) == 2.5);
    assert_true(fabs(fr__joint_fit(&joint, &world, &unit_box, &wish, true) - (4.0 - 2.0 * FR_PI)) < 1e-12);

    joint.kind = FR_JOINT_SLIDER;
    wish = pose_at(0, 0, 9);
    assert_true(fr__joint_fit(&joint, &world, &unit_box, &wish, false) == 2.5);
    joint.high = INFINITY;
    wish = pose_at(7, 7, 9);
    assert_true(fr__joint_fit(&joint, &world, &unit_box, &wish, false) == 9.0);
    assert_true(fr__joint_clamp(&joint, -9.0) == -5.0);
}

// What has no extent around the axis is turned by its axes; what cannot be known stays.
static void points_and_far_wishes_are_survived(void **state) {
    (void)state;
    const fr_bounds point = {{0, 0, 0}, {0, 0, 0}};
    fr_joint joint = {.kind = FR_JOINT_HINGE, .low = -INFINITY, .high = INFINITY, .value = 0.25};
    joint.frame_parent = joint.frame_child = fr_pose_identity();
    fr_pose world = fr_pose_identity(),
            wish = fr_pose_make(fr_vec3_make(1, 2, 3), fr_quat_from_axis_angle(fr_vec3_make(0, 0, 1), 0.75));
    assert_true(fabs(fr__joint_fit(&joint, &world, &point, &wish, false) - 0.75) < 1e-12);
    wish.rotation = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), FR_PI);
    (void)fr__joint_fit(&joint, &world, &point, &wish, false);
    wish.position.x = FR_LENGTH_MAX;
    joint.kind = FR_JOINT_SCREW;
    joint.pitch = 1e-6;
    double found = fr__joint_fit(&joint, &world, &unit_box, &wish, false);
    assert_true(isfinite(found));
    wish.position.z = FR_LENGTH_MAX;
    found = fr__joint_fit(&joint, &world, &unit_box, &wish, false);
    fr_pose pose = fr__joint_pose(&joint, &world, found);
    assert_int_equal(fr_pose_check(&pose, NULL), FR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_done_is_done),
        cmocka_unit_test(the_nearest_value_is_found),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(points_and_far_wishes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
