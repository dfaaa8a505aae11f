// The world made from a scene.
#include "scene_text.h"

#include <stdio.h>

static fr_world *make_world(double step, const fr_allocator *allocator) {
    fr_world_def def = fr_default_world_def();
    def.step = step;
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_world *world = NULL;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    return world;
}

static void tick(fr_world *world, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    }
}

static fr_pose pose_of(fr_world *world, fr_object_id id) { return fr_object_get(fr_world_space(world), id)->pose; }

static bool is_near(fr_vec3 a, double x, double y, double z) {
    return fr_vec3_distance(a, fr_vec3_make(x, y, z)) < 1e-12;
}

static const char room[] =
    "{ \"fureai\": 1, \"title\": \"A room\", \"about\": \"A door.\", \"step\": 0.5, \"steps\": 4,\n"
    "  \"objects\": [\n"
    "    { \"name\": \"go\", \"shape\": \"box\", \"velocity\": [1,0,0], \"color\": [255,0,128], \"layers\": 6,\n"
    "      \"mask\": 2, \"group\": -3, \"sensor\": true, \"states\": { \"open\": 0.5, \"lit\": 1 } },\n"
    "    { \"name\": \"door\", \"shape\": \"box\", \"position\": [5,0,0], \"self\": true },\n"
    "    { \"name\": \"knob\", \"shape\": \"sphere_24\", \"position\": [5.5,0,0.6], \"scale\": 0.125 },\n"
    "    { \"name\": \"wall\", \"shape\": \"box\", \"position\": [9,0,0], \"static\": true, \"real\": true } ],\n"
    "  \"joints\": [\n"
    "    { \"kind\": \"fixed\", \"child\": \"knob\", \"parent\": \"door\" },\n"
    "    { \"kind\": \"hinge\", \"child\": \"door\", \"position\": [4.5,0,0], \"axis\": [0,2,0],\n"
    "      \"limits_deg\": [-90,90], \"value_deg\": 30 } ] }\n";

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void a_world_has_all_that_the_scene_says(void **state) {
    (void)state;
    fr_scene *scene = read_right(room);
    const fr_scene_view *view = fr_scene_get(scene);
    assert_string_equal(view->title, "A room");
    assert_string_equal(view->about, "A door.");
    assert_int_equal(view->joint_count, 2);
    assert_int_equal(view->objects[1].joint, 1);
    assert_int_equal(view->objects[0].joint, FR_NONE);

    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[4];
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_OK);
    fr_label label = fr_world_label(world, ids[0]);
    assert_string_equal(label.name, "go");
    assert_true(label.color.r == 255 && label.color.g == 0 && label.color.b == 128 && label.color.a == 255);
    assert_true(fr_object_id_equal(fr_world_find(world, "wall"), ids[3]));
    assert_true(fr_world_state(world, ids[0], "open") == 0.5 && fr_world_state(world, ids[0], "lit") == 1.0);
    const fr_object_view *go = fr_object_get(fr_world_space(world), ids[0]);
    assert_int_equal(go->flags, FR_OBJECT_SENSOR);
    assert_true(go->filter.layers == 6 && go->filter.mask == 2 && go->filter.group == -3);
    assert_int_equal(fr_object_get(fr_world_space(world), ids[1])->flags, FR_OBJECT_SELF);
    assert_int_equal(fr_object_get(fr_world_space(world), ids[3])->flags, FR_OBJECT_STATIC | FR_OBJECT_REAL);

    // Joints hold the objects where the file puts them.
    fr_pose door = pose_of(world, ids[1]), knob = pose_of(world, ids[2]);
    tick(world, 1);
    fr_pose door_now = pose_of(world, ids[1]), knob_now = pose_of(world, ids[2]);
    assert_memory_equal(&door, &door_now, sizeof door);
    assert_memory_equal(&knob, &knob_now, sizeof knob);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

static void objects_go_along_the_scene(void **state) {
    (void)state;
    fr_scene *scene = read_right(room);
    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[4];
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_OK);
    for (uint32_t k = 1; k <= 4; k++) {
        tick(world, 1);
        fr_pose expected = fr_scene_pose(scene, 0, k), is = pose_of(world, ids[0]);
        assert_memory_equal(&is, &expected, sizeof is);
    }
    tick(world, 3);
    assert_true(is_near(pose_of(world, ids[0]).position, 2, 0, 0));
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

// A person opens the door up to its limit; the knob goes with it.
static void a_door_turns_on_its_hinge(void **state) {
    (void)state;
    fr_scene *scene = read_right(room);
    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[4];
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_OK);
    fr_pose raw =
        fr_pose_make(fr_vec3_make(4.5, 0, -0.5), fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), fr_radians(90)));
    assert_int_equal(fr_world_drag(world, ids[1], &raw, NULL), FR_OK);
    tick(world, 1);

    // From 30 degrees to the limit of 90 there are 60.
    fr_joint_id joint = fr_space_joint_at(fr_world_space(world), 1);
    assert_true(fr_joint_get(fr_world_space(world), joint)->value == fr_radians(90));
    fr_vec3 position = pose_of(world, ids[1]).position;
    assert_true(is_near(position, 4.5 + 0.5 * 0.5, 0, -0.5 * sqrt(0.75)));
    fr_vec3 knob = pose_of(world, ids[2]).position;
    assert_true(fabs(fr_vec3_distance(knob, fr_vec3_make(4.5, 0, 0)) - sqrt(1.36)) < 1e-12);
    assert_true(knob.x > 4.5 && knob.z < 0.0);

    assert_int_equal(fr_world_set_state(world, ids[0], "open", 0.75, NULL), FR_OK);
    assert_int_equal(fr_scene_restart_world(scene, world, NULL), FR_OK);
    assert_true(fr_world_tick_count(world) == 0);
    assert_int_equal(fr_world_hold(world, ids[1]), FR_HOLD_FREE);
    assert_true(fr_world_state(world, ids[0], "open") == 0.5);
    fr_world_tick(world, NULL, NULL);
    assert_true(is_near(pose_of(world, ids[1]).position, 5, 0, 0));
    assert_true(fr_joint_get(fr_world_space(world), joint)->value == fr_radians(30));
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------
// Loops

static void loops_begin_again(void **state) {
    (void)state;
    fr_scene *scene = read_right("{\"fureai\":1,\"step\":0.5,\"steps\":4,\"loop\":true,\"objects\":["
                                 "{\"name\":\"a\",\"shape\":\"box\",\"velocity\":[1,0,0]},"
                                 "{\"name\":\"b\",\"shape\":\"box\",\"angular_velocity_deg\":[0,180,0]}]}");
    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[2];
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_OK);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t k = 1; k <= 4; k++) {
            tick(world, 1);
            assert_true(fr_vec3_equal(pose_of(world, ids[0]).position, fr_scene_pose(scene, 0, k).position));
            fr_quat expected = fr_scene_pose(scene, 1, k).rotation;
            fr_quat is = pose_of(world, ids[1]).rotation;
            assert_memory_equal(&is, &expected, sizeof is);
        }
    }
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

typedef struct seen {
    fr_object_id id;
    bool moves;
} seen;

static fr_status look(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes;
    (void)error;
    seen *s = user;
    s->moves = fr_object_get(proposal->space, s->id)->is_moving;
    return FR_OK;
}

// What is back where it began goes on; what is not jumps.
static void only_what_is_not_back_jumps(void **state) {
    (void)state;
    fr_scene *scene = read_right("{\"fureai\":1,\"step\":0.5,\"steps\":2,\"loop\":true,\"objects\":["
                                 "{\"name\":\"a\",\"shape\":\"box\",\"velocity\":[1,0,0]},"
                                 "{\"name\":\"b\",\"shape\":\"box\",\"angular_velocity_deg\":[0,360,0]}]}");
    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[2];
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_OK);
    seen jumps = {ids[0], false}, turns = {ids[1], false};
    fr_corrector one = {"one", look, &jumps}, two = {"two", look, &turns};
    assert_int_equal(fr_world_add_corrector(world, &one, NULL), FR_OK);
    assert_int_equal(fr_world_add_corrector(world, &two, NULL), FR_OK);
    tick(world, 2);
    assert_true(jumps.moves && turns.moves);
    tick(world, 1);
    assert_true(!jumps.moves && turns.moves);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------
// Failure

static void a_world_of_another_step_is_refused(void **state) {
    (void)state;
    fr_scene *scene = read_right(room);
    fr_world *world = make_world(0.25, NULL);
    fr_object_id ids[4];
    fr_error error = {0};
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "step"));
    assert_int_equal(fr_space_object_count(fr_world_space(world)), 0);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

static void a_world_that_is_full_of_movers_gets_nothing(void **state) {
    (void)state;
    fr_scene *scene = read_right(room);
    fr_world *world = make_world(0.5, NULL);
    fr_object_id ids[4];
    seen unseen = {{0, 0, 0}, false};
    fr_corrector mover = {"none", look, &unseen};
    for (int i = 0; i < FR_WORLD_MAX_CORRECTORS; i++) {
        assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
    }
    assert_int_equal(fr_scene_build_world(scene, NULL, world, ids, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_space_object_count(fr_world_space(world)), 0);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

// A ball goes through a wall within one step: the world of the scene's own definition senses it.
static void nothing_between_two_frames_is_missed(void **state) {
    (void)state;
    fr_scene *scene =
        read_right("{\"fureai\":1,\"step\":0.05,\"steps\":4,\"objects\":[{\"name\":\"wall\",\"shape\":\"box\"},"
                   "{\"name\":\"ball\",\"shape\":\"sphere_24\",\"position\":[-1.5,0.2,0.1],"
                   "\"velocity\":[60,0,0],\"scale\":0.2}]}");
    fr_world_def def = fr_scene_world_def(scene);
    assert_true(def.step == 0.05 && def.sense == FR_SENSE_CONTINUOUS && def.want == FR_WANT_INTERVALS);
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    assert_int_equal(fr_scene_build_world(scene, NULL, world, NULL, NULL), FR_OK);
    tick(world, 1);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_int_equal(snapshot->pair_count, 0);
    assert_true(snapshot->step_result.pair_count > 0 && snapshot->face_touch_count > 0);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

static fr_status build_all(const fr_allocator *allocator, void *context) {
    fr_scene *scene;
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.allocator = *allocator;
    fr_status status = fr_scene_read(room, strlen(room), &reading, &scene, NULL);
    if (status != FR_OK) { return status; }
    (void)context;
    fr_world_def def = fr_default_world_def();
    def.step = 0.5;
    def.allocator = *allocator;
    fr_world *world = NULL;
    status = fr_world_create(&def, &world, NULL);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.allocator = *allocator;
    fr_object_id ids[4];
    if (status == FR_OK) { status = fr_scene_build_world(scene, &options, world, ids, NULL); }
    if (status != FR_OK && world != NULL) { assert_int_equal(fr_space_object_count(fr_world_space(world)), 0); }
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        status = fr_world_tick(world, NULL, NULL);
    }
    if (status == FR_OK) { status = fr_scene_restart_world(scene, world, NULL); }
    fr_world_destroy(world);
    fr_scene_destroy(scene);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(build_all, NULL) > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_has_all_that_the_scene_says),
        cmocka_unit_test(objects_go_along_the_scene),
        cmocka_unit_test(a_door_turns_on_its_hinge),
        cmocka_unit_test(loops_begin_again),
        cmocka_unit_test(only_what_is_not_back_jumps),
        cmocka_unit_test(a_world_of_another_step_is_refused),
        cmocka_unit_test(a_world_that_is_full_of_movers_gets_nothing),
        cmocka_unit_test(nothing_between_two_frames_is_missed),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
