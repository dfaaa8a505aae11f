// A real thing that follows a sensor: it is where it is seen, holds only while that is well known, and how well is
// shown and graded.
#include "failing.h"
#include "frame.h"

#include "fureai/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STEP 0.01

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *mesh;
    fr_object_id box, other;
    fr_follower *follower;
    fr_sensor_pose pose; // what the sensor says
    bool is_silent;
    double now;
} room;

static bool read_sensor(uint32_t sensor, fr_sensor_pose *out, double *now, void *user) {
    room *r = user;
    assert_int_equal(sensor, 3);
    *now = r->now;
    if (r->pose.time < 0.0) { return false; }
    *out = r->pose;
    return true;
}

static fr_object_id add_box(room *r, fr_vec3 at) {
    fr_part_def part = fr_default_part_def();
    part.mesh = r->mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = at;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(r->world), &def, &id, NULL), FR_OK);
    return id;
}

static void begin(room *r) {
    memset(r, 0, sizeof *r);
    fr_world_def world_def = fr_default_world_def();
    world_def.step = STEP;
    assert_int_equal(fr_world_create(&world_def, &r->world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.1, 0.1, 0.1), NULL, &r->mesh, NULL), FR_OK);
    r->box = add_box(r, fr_vec3_make(5.0, 0.0, 0.0));
    r->other = add_box(r, fr_vec3_make(0.0, 0.0, 0.0));
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = r->world;
    assert_int_equal(fr_cast_create(&cast_def, &r->cast, NULL), FR_OK);
    fr_follower_def def = fr_default_follower_def();
    def.world = r->world;
    def.object = r->box;
    def.sensor = 3;
    def.read = read_sensor;
    def.user = r;
    assert_int_equal(fr_follower_create(&def, &r->follower, NULL), FR_OK);
    fr_actor actor = fr_follower_actor(r->follower);
    assert_int_equal(fr_cast_add(r->cast, &actor, NULL), FR_OK);
    r->pose = (fr_sensor_pose){
        .sensor = 3, .time = -1.0, .pose = fr_pose_identity(), .position_error = 1e-3, .rotation_error = 2e-3};
    r->now = 100.0;
}

static void end(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_mesh_release(r->mesh);
}

// Ticks, with a new pose each unless it is silent.
static void run(room *r, int ticks, fr_vec3 velocity) {
    for (int i = 0; i < ticks; i++) {
        r->now += STEP;
        if (!r->is_silent) {
            r->pose.time = r->now - 0.004;
            r->pose.pose.position = fr_vec3_add_scaled(r->pose.pose.position, STEP, velocity);
        }
        assert_int_equal(fr_cast_tick(r->cast, NULL, NULL), FR_OK);
    }
}

static uint32_t flags_of(const room *r) { return fr_object_get(fr_world_space(r->world), r->box)->flags; }
static fr_vec3 place_of(const room *r) { return fr_object_get(fr_world_space(r->world), r->box)->pose.position; }
static double grade_of(const room *r) { return fr_world_state(r->world, r->box, FR_FOLLOWER_STATE); }
static double error_of(const room *r) { return fr_world_state(r->world, r->box, FR_FOLLOWER_ERROR); }

static void test_it_follows_and_is_graded(void **state) {
    (void)state;
    room r;
    begin(&r);
    const fr_vec3 still = {0.0, 0.0, 0.0};
    r.is_silent = true;
    run(&r, 3, still);
    assert_true(grade_of(&r) == 0.0 && error_of(&r) == -1.0 && place_of(&r).x == 5.0);
    assert_true((flags_of(&r) & FR_OBJECT_REAL) != 0 && (flags_of(&r) & FR_OBJECT_SENSOR) != 0);

    // Seen: it is there at once, and may hold
    r.is_silent = false;
    r.pose.pose.position = fr_vec3_make(1.0, 0.2, 0.0);
    run(&r, 20, still);
    assert_true(grade_of(&r) == 1.0 && fr_vec3_distance(place_of(&r), r.pose.pose.position) < 1e-9);
    assert_true((flags_of(&r) & FR_OBJECT_SENSOR) == 0);
    assert_true(error_of(&r) >= 1.0 && error_of(&r) <= 3.0); // 1 mm, and 2 mrad of 87 mm
    assert_int_equal(fr_world_drag(r.world, r.box, &r.pose.pose, NULL), FR_ERROR_UNSUPPORTED);

    // Fast: it follows, and holds nothing
    run(&r, 50, fr_vec3_make(0.5, 0.0, 0.0));
    assert_true(grade_of(&r) == 0.5 && (flags_of(&r) & FR_OBJECT_SENSOR) != 0);
    assert_true(fr_vec3_distance(place_of(&r), r.pose.pose.position) < 0.01);
    run(&r, 100, still);
    assert_true(grade_of(&r) == 1.0);

    // Lost: it stands, and holds nothing; back at another place it is there at once
    r.is_silent = true;
    run(&r, 30, still);
    assert_true(grade_of(&r) == 0.0 && (flags_of(&r) & FR_OBJECT_SENSOR) != 0);
    r.is_silent = false;
    r.pose.pose.position = fr_vec3_make(-2.0, 0.0, 0.0);
    run(&r, 1, still);
    assert_true(fr_vec3_distance(place_of(&r), r.pose.pose.position) < 1e-9);

    // No numbers, and errors that are none, are left out
    fr_follower_state before = fr_follower_get(r.follower);
    r.pose.position_error = (double)NAN;
    run(&r, 1, still);
    r.pose.position_error = 1e-3;
    r.pose.pose.position.x = (double)NAN;
    run(&r, 1, still);
    fr_follower_state after = fr_follower_get(r.follower);
    assert_true(after.taken == before.taken && after.refused == before.refused + 2);
    assert_true(place_of(&r).x == -2.0);
    end(&r);
}

// The grade of contacts: apart by less than the error may be one, deep inside is one.
static void test_contacts_are_graded(void **state) {
    (void)state;
    const double gaps[] = {0.02, 0.001, -0.05};
    const size_t possible[] = {0, 1, 1}, certain[] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        room r;
        begin(&r);
        r.pose.pose.position = fr_vec3_make(0.1 + gaps[i], 0.03, 0.02);
        run(&r, 30, fr_vec3_make(0.0, 0.0, 0.0));
        fr_object_uncertainty error = fr_follower_get(r.follower).uncertainty;
        assert_true(error.uncertainty.position_error == 1e-3 && error.uncertainty.latency > 0.0);
        fr_collide *collide;
        assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
        fr_uncertain_input in = fr_default_uncertain_input();
        in.query.space = fr_world_space(r.world);
        in.uncertainties = &error;
        in.uncertainty_count = 1;
        fr_uncertain_output out;
        assert_int_equal(fr_collide_uncertain(collide, &in, &out, NULL), FR_OK);
        size_t sure = 0;
        for (size_t k = 0; k < out.pair_count; k++) {
            sure += out.pairs[k].grade == FR_GRADE_CERTAIN;
        }
        assert_true((out.pair_count > 0) == (possible[i] > 0) && (sure > 0) == (certain[i] > 0));
        fr_collide_destroy(collide);
        end(&r);
    }
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_follower *follower;
    fr_follower_def def = fr_default_follower_def();
    def.world = r.world;
    def.object = r.other;
    assert_int_equal(fr_follower_create(&def, &follower, NULL), FR_ERROR_ARGUMENT);
    def.read = read_sensor;
    def.object.generation++;
    assert_int_equal(fr_follower_create(&def, &follower, NULL), FR_ERROR_STALE_ID);
    def.object = r.other;
    def.mount.rotation.w = 3.0;
    assert_int_equal(fr_follower_create(&def, &follower, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_follower_def();
    def.cookie = 0;
    assert_int_equal(fr_follower_create(&def, &follower, NULL), FR_ERROR_ARGUMENT);
    fr_follower_destroy(NULL);
    end(&r);
}

// A scene with something tracked, from its text to a tick.
static const char text[] = "{ \"fureai\": 1, \"step\": 0.01, \"objects\": ["
                           "{ \"name\": \"table\", \"shape\": \"box\", \"tracked\": 3 },"
                           "{ \"name\": \"cup\", \"shape\": \"box\", \"position\": [3, 0, 0] } ] }";

static bool read_still(uint32_t sensor, fr_sensor_pose *out, double *now, void *user) {
    (void)user;
    *out = (fr_sensor_pose){.sensor = sensor, .time = 1.0, .pose = fr_pose_identity()};
    out->pose.position.y = 0.5;
    *now = 1.01;
    return sensor == 3;
}

static fr_status make_and_tick(fr_scene *scene, const fr_allocator *allocator) {
    fr_world_def world_def = fr_scene_world_def(scene);
    world_def.allocator = *allocator;
    fr_world *world;
    fr_cast *cast = NULL;
    fr_status status = fr_world_create(&world_def, &world, NULL);
    if (status != FR_OK) { return status; }
    fr_scene_build_input build = fr_default_scene_build_input();
    build.allocator = *allocator;
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.allocator = *allocator;
    status = fr_scene_build_world(scene, &build, world, NULL, NULL);
    if (status == FR_OK) { status = fr_scene_cast(scene, world, &cast_def, &cast, NULL); }
    if (status == FR_OK) { status = fr_scene_add_followers(scene, cast, read_still, NULL, allocator, NULL); }
    if (status == FR_OK) { status = fr_cast_tick(cast, NULL, NULL); }
    if (status == FR_OK) {
        fr_object_id table = fr_world_find(world, "table");
        assert_true(fr_object_get(fr_world_space(world), table)->pose.position.y == 0.5);
        assert_true(fr_world_state(world, table, FR_FOLLOWER_STATE) == 1.0);
    }
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    return status;
}

static fr_status make_all(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_scene *scene;
    fr_scene_read_input input = fr_default_scene_read_input();
    input.allocator = *allocator;
    fr_status status = fr_scene_read(text, sizeof text - 1, &input, &scene, NULL);
    if (status != FR_OK) { return status; }
    status = make_and_tick(scene, allocator);
    fr_scene_destroy(scene);
    return status;
}

static fr_status make_follower(const fr_allocator *allocator, void *context) {
    const room *r = context;
    fr_follower_def def = fr_default_follower_def();
    def.world = r->world;
    def.object = r->other;
    def.read = read_still;
    def.allocator = *allocator;
    fr_follower *follower;
    fr_status status = fr_follower_create(&def, &follower, NULL);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_follower_actor(follower);
    actor.leave(actor.user);
    return FR_OK;
}

static void test_a_scene_has_followers_or_no_memory(void **state) {
    (void)state;
    room r;
    begin(&r);
    assert_true(test_every_failure(make_follower, &r) > 1);
    end(&r);
    assert_true(test_every_failure(make_all, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_follows_and_is_graded),
        cmocka_unit_test(test_contacts_are_graded),
        cmocka_unit_test(test_wrong_definitions_are_refused),
        cmocka_unit_test(test_a_scene_has_followers_or_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
