// Joints carry their children.
#include "worlds.h"

typedef struct chain {
    fr_world *world;
    fr_mesh *box;
    fr_object_id parent, child;
    fr_joint_id joint;
} chain;

// A child two metres along x from its parent; the joint's frame is at the parent, its axis along `axis`.
static fr_joint joint_between(fr_object_id parent, fr_object_id child, fr_joint_kind kind, fr_vec3 axis) {
    fr_joint joint;
    memset(&joint, 0, sizeof joint);
    joint.kind = kind;
    joint.parent = parent;
    joint.child = child;
    joint.frame_parent = fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_between(fr_vec3_make(0, 0, 1), axis));
    joint.frame_child = joint.frame_parent;
    joint.frame_child.position = fr_vec3_make(-2, 0, 0);
    joint.low = -1.0;
    joint.high = 1.5;
    joint.pitch = 0.25;
    return joint;
}

static void chain_open(chain *c, fr_joint_kind kind, fr_vec3 axis) {
    c->world = world_open(NULL);
    c->box = world_mesh("box");
    c->child = world_add(c->world, c->box, 2, 0, 0); // before its parent, in the list too
    c->parent = world_add(c->world, c->box, 0, 0, 0);
    fr_joint joint = joint_between(c->parent, c->child, kind, axis);
    assert_int_equal(fr_joint_add(fr_world_space(c->world), &joint, &c->joint, NULL), FR_OK);
}

static void chain_close(chain *c) {
    fr_world_destroy(c->world);
    fr_mesh_release(c->box);
}

static double value_of(const chain *c) { return fr_joint_get(fr_world_space(c->world), c->joint)->value; }

static bool is_near(fr_vec3 a, double x, double y, double z) {
    return fr_vec3_distance(a, fr_vec3_make(x, y, z)) < 1e-12;
}

static void move_by_hand(fr_world *world, fr_object_id id, fr_pose raw) {
    assert_int_equal(fr_world_drag(world, id, &raw, NULL), FR_OK);
    world_tick(world);
}

// Keeps the motion that the correctors see.
static fr_status keep_motion(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes;
    (void)error;
    const fr_object_view *view = fr_object_get(proposal->space, fr_space_object_at(proposal->space, 0));
    *(fr_object_view *)user = *view;
    return FR_OK;
}

static void watch_child(fr_world *world, fr_object_view *view) {
    fr_corrector corrector = {"watch", keep_motion, view};
    assert_int_equal(fr_world_add_corrector(world, &corrector, NULL), FR_OK);
}

static const fr_vec3 Y = {0, 1, 0}, X = {1, 0, 0};

// ---------------------------------------------------------------------------------------------------------------
// Children go with their parents

static void every_kind_carries(void **state) {
    (void)state;
    for (int kind = FR_JOINT_FIXED; kind <= FR_JOINT_ATTACHED; kind++) {
        chain c;
        chain_open(&c, (fr_joint_kind)kind, Y);
        fr_pose before = world_pose(c.world, c.child);
        world_tick(c.world);
        fr_pose after = world_pose(c.world, c.child);
        assert_memory_equal(&before, &after, sizeof before);
        fr_object_view seen;
        watch_child(c.world, &seen);

        // A quarter turn of the parent about y, and a way: the child follows the arc, as one body.
        fr_quat quarter = fr_quat_from_axis_angle(Y, FR_PI / 2);
        move_by_hand(c.world, c.parent, fr_pose_make(fr_vec3_make(0, 3, 0), quarter));
        assert_true(is_near(world_pose(c.world, c.child).position, 0, 3, -2));
        assert_true(is_near(fr_motion_point(&seen.motion, fr_vec3_make(0, 0, 0), 0.5), sqrt(2.0), 1.5, -sqrt(2.0)));
        assert_true(seen.is_moving);
        assert_true(value_of(&c) == 0.0);

        // Nothing moves: the child's bits and versions stay.
        fr_versions versions = fr_object_versions(fr_world_space(c.world), c.child);
        world_tick(c.world);
        fr_versions now = fr_object_versions(fr_world_space(c.world), c.child);
        assert_true(versions.pose == now.pose && !seen.is_moving);
        chain_close(&c);
    }
}

static void a_jump_of_the_parent_takes_the_child_along(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_HINGE, Y);
    fr_object_view seen;
    watch_child(c.world, &seen);
    shift jumps = {.object = c.parent, .travel = {10, 0, 0}, .kind = FR_WISH_JUMP};
    world_shift(c.world, &jumps);
    world_tick(c.world);
    assert_true(is_near(world_pose(c.world, c.child).position, 12, 0, 0));
    assert_true(!seen.is_moving && seen.pose.position.x == 12.0);
    chain_close(&c);
}

static void grandchildren_follow_in_any_order(void **state) {
    (void)state;
    enum { LINKS = 40 };
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id ids[LINKS];
    for (int i = 0; i < LINKS; i++) {
        ids[i] = world_add(world, box, 2.0 * i, 0, 0);
    }
    fr_random random = fr_random_seed(1);
    bool done[LINKS] = {true};
    for (int made = 1; made < LINKS;) {
        uint32_t i = (uint32_t)fr_random_below(&random, LINKS);
        if (done[i]) { continue; }
        fr_joint joint = joint_between(ids[i - 1], ids[i], i % 2 == 0 ? FR_JOINT_FIXED : FR_JOINT_HINGE, Y);
        fr_joint_id id;
        assert_int_equal(fr_joint_add(fr_world_space(world), &joint, &id, NULL), FR_OK);
        done[i] = true;
        made++;
    }
    move_by_hand(world, ids[0], fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_from_axis_angle(Y, FR_PI / 2)));
    for (int i = 0; i < LINKS; i++) {
        assert_true(fr_vec3_distance(world_pose(world, ids[i]).position, fr_vec3_make(0, 0, -2.0 * i)) < 1e-10);
    }
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Wishes along the joint

static void a_hinge_turns_up_to_its_limits(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_HINGE, Y);
    fr_object_view seen;
    watch_child(c.world, &seen);
    fr_quat turned = fr_quat_from_axis_angle(Y, 1.0);
    fr_vec3 place = fr_vec3_make(2 * fr_cos(1.0), 0, -2 * fr_sin(1.0));
    move_by_hand(c.world, c.child, fr_pose_make(place, turned));
    assert_true(fabs(value_of(&c) - 1.0) < 1e-12);
    assert_true(is_near(world_pose(c.world, c.child).position, place.x, 0, place.z));
    assert_int_equal(world_events(c.world, FR_EVENT_LIMIT, NULL), 0);
    assert_int_equal(world_events(c.world, FR_EVENT_CORRECTED, NULL), 0);
    // The way between is on the circle.
    double halfway = fr_vec3_length(fr_motion_point(&seen.motion, fr_vec3_make(0, 0, 0), 0.5));
    assert_true(fabs(halfway - 2.0) < 1e-12);

    // Pulled straight, without a turn, it comes as near as it can; beyond the limit it stays there, told once.
    fr_event event = {0};
    move_by_hand(c.world, c.child, pose_at(-5, 0, -5));
    assert_true(value_of(&c) == 1.5);
    assert_int_equal(world_events(c.world, FR_EVENT_LIMIT, &event), 1);
    assert_true(event.value == 1.0 && fr_object_id_equal(event.a, c.child));
    assert_int_equal(world_events(c.world, FR_EVENT_CORRECTED, &event), 1);
    assert_true(event.value > 1.0);
    move_by_hand(c.world, c.child, pose_at(-5, 0, -5));
    assert_int_equal(world_events(c.world, FR_EVENT_LIMIT, NULL), 0);
    move_by_hand(c.world, c.child, pose_at(0, 0, 5));
    assert_true(value_of(&c) == -1.0);
    assert_int_equal(world_events(c.world, FR_EVENT_LIMIT, &event), 1);
    assert_true(event.value == -1.0);
    chain_close(&c);
}

static void a_slider_slides_and_a_screw_turns(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_SLIDER, X);
    move_by_hand(c.world, c.child, pose_at(2.5, 4, 4));
    assert_true(is_near(world_pose(c.world, c.child).position, 2.5, 0, 0) && fabs(value_of(&c) - 0.5) < 1e-12);
    chain_close(&c);

    chain_open(&c, FR_JOINT_SCREW, X);
    fr_object_view seen;
    watch_child(c.world, &seen);
    move_by_hand(c.world, c.child, fr_pose_make(fr_vec3_make(2.25, 0, 0), fr_quat_from_axis_angle(X, 1.0)));
    assert_true(fabs(value_of(&c) - 1.0) < 1e-9);
    assert_true(fr_vec3_distance(world_pose(c.world, c.child).position, fr_vec3_make(2.25, 0, 0)) < 1e-9);
    assert_true(fabs(fr_vec3_length(seen.motion.turn) - 1.0) < 1e-9);
    chain_close(&c);
}

static void a_fixed_child_cannot_be_moved(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_FIXED, Y);
    move_by_hand(c.world, c.child, pose_at(5, 5, 5));
    assert_true(is_near(world_pose(c.world, c.child).position, 2, 0, 0));
    chain_close(&c);
}

// Put elsewhere on its parent, and carried from there.
static void an_attached_child_is_put_and_carried(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_ATTACHED, Y);
    move_by_hand(c.world, c.child, pose_at(0, 1, 0));
    assert_true(is_near(world_pose(c.world, c.child).position, 0, 1, 0));
    move_by_hand(c.world, c.parent, pose_at(0, 0, 7));
    assert_true(is_near(world_pose(c.world, c.child).position, 0, 1, 7));
    chain_close(&c);
}

// A child that is wished to stay turns against its parent.
static void a_child_that_stays_turns_its_hinge(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_HINGE, Y);
    shift stays = {.object = c.child, .kind = FR_WISH_STAY};
    world_shift(c.world, &stays);
    move_by_hand(c.world, c.parent, fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_from_axis_angle(Y, 0.75)));
    assert_true(fabs(value_of(&c) + 0.75) < 1e-12);
    assert_true(is_near(world_pose(c.world, c.child).position, 2, 0, 0));
    chain_close(&c);
}

// A value that the owner sets moves the child along the arc, limits included.
static void a_value_that_is_set_moves_the_child(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_HINGE, Y);
    fr_joint joint = *fr_joint_get(fr_world_space(c.world), c.joint);
    fr_object_view seen;
    watch_child(c.world, &seen);
    joint.value = 0.5;
    assert_int_equal(fr_joint_set(fr_world_space(c.world), c.joint, &joint, NULL), FR_OK);
    world_tick(c.world);
    assert_true(fabs(fr_vec3_length(fr_motion_point(&seen.motion, fr_vec3_make(0, 0, 0), 0.5)) - 2.0) < 1e-12);
    assert_true(is_near(world_pose(c.world, c.child).position, 2 * fr_cos(0.5), 0, -2 * fr_sin(0.5)));
    joint.value = 9.0;
    assert_int_equal(fr_joint_set(fr_world_space(c.world), c.joint, &joint, NULL), FR_OK);
    world_tick(c.world);
    assert_true(value_of(&c) == 1.5);
    assert_int_equal(world_events(c.world, FR_EVENT_LIMIT, NULL), 1);
    assert_true(is_near(world_pose(c.world, c.child).position, 2 * fr_cos(1.5), 0, -2 * fr_sin(1.5)));
    chain_close(&c);
}

// What is put off its joint jumps back, and with a parent that is put elsewhere its child jumps.
static void what_is_put_off_its_joint_jumps_back(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_HINGE, Y);
    fr_object_view seen;
    watch_child(c.world, &seen);
    fr_pose off = pose_at(7, 7, 7);
    assert_int_equal(fr_object_set_pose(fr_world_space(c.world), c.child, &off, NULL), FR_OK);
    world_tick(c.world);
    assert_true(is_near(world_pose(c.world, c.child).position, 2, 0, 0) && !seen.is_moving);
    assert_int_equal(fr_object_set_pose(fr_world_space(c.world), c.parent, &off, NULL), FR_OK);
    world_tick(c.world);
    assert_true(is_near(world_pose(c.world, c.child).position, 9, 7, 7) && !seen.is_moving);
    chain_close(&c);
}

// Places that cannot be computed are not taken, and the tick goes on.
static void what_is_too_far_stays(void **state) {
    (void)state;
    chain c;
    chain_open(&c, FR_JOINT_SLIDER, X);
    fr_joint joint = *fr_joint_get(fr_world_space(c.world), c.joint);
    joint.high = INFINITY;
    joint.frame_parent.scale = FR_SCALE_MAX;
    joint.value = 1e300;
    assert_int_equal(fr_joint_set(fr_world_space(c.world), c.joint, &joint, NULL), FR_OK);
    world_tick(c.world);
    assert_true(is_near(world_pose(c.world, c.child).position, 2, 0, 0));
    chain_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_carries),
        cmocka_unit_test(a_jump_of_the_parent_takes_the_child_along),
        cmocka_unit_test(grandchildren_follow_in_any_order),
        cmocka_unit_test(a_hinge_turns_up_to_its_limits),
        cmocka_unit_test(a_slider_slides_and_a_screw_turns),
        cmocka_unit_test(a_fixed_child_cannot_be_moved),
        cmocka_unit_test(an_attached_child_is_put_and_carried),
        cmocka_unit_test(a_child_that_stays_turns_its_hinge),
        cmocka_unit_test(a_value_that_is_set_moves_the_child),
        cmocka_unit_test(what_is_put_off_its_joint_jumps_back),
        cmocka_unit_test(what_is_too_far_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
