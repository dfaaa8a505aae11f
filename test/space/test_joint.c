// Joints as data: a forest of objects that stays one.
#include "scene_sets.h"

static fr_joint make_joint(fr_object_id parent, fr_object_id child) {
    fr_joint joint;
    memset(&joint, 0, sizeof joint);
    joint.kind = FR_JOINT_HINGE;
    joint.parent = parent;
    joint.child = child;
    joint.frame_parent = fr_pose_identity();
    joint.frame_child = fr_pose_identity();
    joint.low = -1;
    joint.high = INFINITY;
    return joint;
}

static const fr_object_id world = {0, 0, 0};

static void bad_joints_are_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id a = scene_add(&s, true), b = scene_add(&s, true), gone = scene_add(&s, true);
    assert_int_equal(fr_object_remove(s.space, gone, NULL), FR_OK);
    fr_joint good = make_joint(a, b);
    fr_joint wrong[10];
    for (int i = 0; i < 10; i++) {
        wrong[i] = good;
    }
    wrong[0].kind = (fr_joint_kind)9;
    wrong[1].low = NAN;
    wrong[2].high = -2;
    wrong[3].pitch = INFINITY;
    wrong[4].value = NAN;
    wrong[5].frame_parent.rotation.w = 2;
    wrong[6].frame_child.position.x = NAN;
    wrong[7].child = gone;
    wrong[8].parent = gone;
    wrong[9].child = world;
    fr_joint_id id;
    for (int i = 0; i < 10; i++) {
        fr_error error = {0};
        assert_int_not_equal(fr_joint_add(s.space, &wrong[i], &id, &error), FR_OK);
        assert_true(error.message[0] != '\0' && id.index1 == 0);
    }
    assert_int_equal(fr_joint_add(s.space, &good, &id, NULL), FR_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_not_equal(fr_joint_set(s.space, id, &wrong[i], NULL), FR_OK);
    }
    assert_memory_equal(fr_joint_get(s.space, id), &good, sizeof good);
    fr_joint_id second;
    assert_int_equal(fr_joint_add(s.space, &good, &second, NULL), FR_ERROR_ARGUMENT); // b hangs already
    fr_joint_id stale = {id.index1, id.generation + 1, id.space}, none = {0, 0, 0};
    assert_int_equal(fr_joint_remove(s.space, stale, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_joint_set(s.space, none, &good, NULL), FR_ERROR_STALE_ID);
    assert_null(fr_joint_get(s.space, stale));
    scene_close(&s);
}

static void no_object_is_its_own_ancestor(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    enum { COUNT = 50 };
    fr_object_id ids[COUNT];
    fr_joint_id joints[COUNT];
    for (int i = 0; i < COUNT; i++) {
        ids[i] = scene_add(&s, true);
    }
    fr_joint own = make_joint(ids[0], ids[0]);
    assert_int_equal(fr_joint_add(s.space, &own, &joints[0], NULL), FR_ERROR_ARGUMENT);
    for (int i = 1; i < COUNT; i++) {
        fr_joint joint = make_joint(ids[i - 1], ids[i]);
        assert_int_equal(fr_joint_add(s.space, &joint, &joints[i], NULL), FR_OK);
    }
    for (int i = 1; i < COUNT; i++) {
        fr_joint joint = make_joint(ids[i], ids[0]);
        assert_int_equal(fr_joint_add(s.space, &joint, &joints[0], NULL), FR_ERROR_ARGUMENT);
    }

    // Turned round: the first may hang on the last once the chain is cut.
    fr_joint to_world = make_joint(world, ids[25]);
    assert_int_equal(fr_joint_set(s.space, joints[25], &to_world, NULL), FR_OK);
    fr_joint joint = make_joint(ids[COUNT - 1], ids[0]);
    assert_int_equal(fr_joint_add(s.space, &joint, &joints[0], NULL), FR_OK);
    to_world = make_joint(ids[24], ids[25]);
    assert_int_equal(fr_joint_set(s.space, joints[25], &to_world, NULL), FR_ERROR_ARGUMENT);
    scene_validate(&s);
    scene_close(&s);
}

static void joints_go_with_their_objects(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id root = scene_add(&s, true), leaves[5];
    fr_joint_id joints[5], base;
    fr_joint joint = make_joint(world, root);
    scene_update(&s);
    assert_int_equal(fr_joint_add(s.space, &joint, &base, NULL), FR_OK);
    joint.value = 0.5;
    assert_int_equal(fr_joint_set(s.space, base, &joint, NULL), FR_OK);
    assert_true(fr_space_is_current(s.space)); // nothing moved
    for (int i = 0; i < 5; i++) {
        leaves[i] = scene_add(&s, true);
        joint = make_joint(root, leaves[i]);
        joint.value = i;
        assert_int_equal(fr_joint_add(s.space, &joint, &joints[i], NULL), FR_OK);
    }
    assert_int_equal(fr_space_joint_places(s.space), 6);
    assert_int_equal(fr_object_remove(s.space, leaves[2], NULL), FR_OK);
    assert_null(fr_joint_get(s.space, joints[2]));
    assert_int_equal(fr_joint_remove(s.space, joints[4], NULL), FR_OK);
    assert_int_equal(fr_space_joint_at(s.space, 3).index1, 0);
    scene_validate(&s);
    assert_true(fr_joint_get(s.space, joints[3])->value == 3);
    assert_int_equal(fr_object_remove(s.space, root, NULL), FR_OK);
    for (int i = 0; i < 5; i++) {
        assert_null(fr_joint_get(s.space, joints[i]));
    }
    assert_null(fr_joint_get(s.space, base));
    scene_validate(&s);
    joint = make_joint(leaves[0], leaves[1]);
    assert_int_equal(fr_joint_add(s.space, &joint, &base, NULL), FR_OK);
    assert_int_equal(base.index1, 1);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_joints_are_refused),
        cmocka_unit_test(no_object_is_its_own_ancestor),
        cmocka_unit_test(joints_go_with_their_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
