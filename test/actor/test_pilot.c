// The pilot of a robot: it arrives, goes back, and touches nothing, whatever is put on its path.
#include "demo.h"
#include "frame.h"

#include "fureai/actor.h"

typedef struct flight {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_pilot *pilot;
    fr_object_id robot;
    const fr_scene_plan *plan;
    bool has_touched; // in any tick so far
} flight;

// Looks at what the tick before has sensed.
static fr_status watch(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    flight *f = user;
    uint32_t robot = f->robot.index1 - 1;
    for (size_t i = 0; i < proposal->pose_result->pair_count; i++) {
        const fr_face_pair *pair = &proposal->pose_result->pairs[i];
        f->has_touched = f->has_touched || pair->a == robot || pair->b == robot;
    }
    return FR_OK;
}

static void begin(const char *demo, flight *f) {
    memset(f, 0, sizeof *f);
    f->scene = demo_read(DEMO_FOLDER, demo);
    f->world = demo_world(f->scene, NULL, FR_SENSE_CONTINUOUS);
    const fr_scene_view *view = fr_scene_get(f->scene);
    f->plan = &view->plans[0];
    f->robot = fr_world_find(f->world, view->objects[f->plan->robot].name);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = f->world;
    assert_int_equal(fr_cast_create(&cast, &f->cast, NULL), FR_OK);
    fr_pilot_def def = fr_default_pilot_def();
    def.world = f->world;
    def.robot = f->robot;
    def.query.pivot_local = view->objects[f->plan->robot].pivot_local;
    def.query.start = f->plan->start;
    def.query.goal = f->plan->goal;
    def.query.bounds = f->plan->bounds;
    def.query.dimension = f->plan->dimension;
    def.query.seed = f->plan->seed;
    def.seconds = 2.0;
    assert_int_equal(fr_pilot_create(&def, &f->pilot, NULL), FR_OK);
    const fr_actor actor = fr_pilot_actor(f->pilot);
    assert_int_equal(fr_cast_add(f->cast, &actor, NULL), FR_OK);
    const fr_corrector watcher = {"watcher", watch, f};
    assert_int_equal(fr_world_add_corrector(f->world, &watcher, NULL), FR_OK);
}

static void end(flight *f) {
    fr_cast_destroy(f->cast);
    fr_world_destroy(f->world);
    fr_scene_destroy(f->scene);
}

// One tick; whether the robot has touched anything up to the one before it.
static bool tick(flight *f) {
    fr_tick_input input = fr_default_tick_input();
    assert_int_equal(fr_world_tick(f->world, &input, NULL), FR_OK);
    return f->has_touched;
}

static fr_vec3 place(const flight *f) { return fr_object_get(fr_world_space(f->world), f->robot)->pose.position; }

static void test_it_flies_there_and_back(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    uint64_t ticks = test_count(300, 3000), there = 0, back = 0;
    for (uint64_t i = 0; i < ticks; i++) {
        assert_false(tick(&f));
        there += fr_vec3_distance(place(&f), f.plan->goal.position) < 1e-6 ? 1 : 0;
        back += there > 0 && fr_vec3_distance(place(&f), f.plan->start.position) < 1e-6 ? 1 : 0;
    }
    assert_true(there > 0 || TEST_SAMPLE_DIVISOR > 1);
    assert_true(back > 0 || TEST_SAMPLE_DIVISOR > 1);
    end(&f);
}

// A block lands before it, on its path: it goes round, or waits.
static void test_it_goes_round_what_is_put_on_its_path(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    for (int i = 0; i < 10; i++) {
        assert_false(tick(&f));
    }
    fr_space *space = fr_world_space(f.world);
    fr_object_id block = fr_world_find(f.world, "block");
    fr_pose pose = fr_object_get(space, block)->pose;
    pose.position = fr_vec3_make(0.9, 1.5, 0.1);
    assert_int_equal(fr_object_set_pose(space, block, &pose, NULL), FR_OK);
    uint64_t ticks = test_count(250, 3000), there = 0;
    for (uint64_t i = 0; i < ticks; i++) {
        assert_false(tick(&f));
        there += fr_pilot_get(f.pilot).is_returning ? 1 : 0;
    }
    assert_true(there > 0 || TEST_SAMPLE_DIVISOR > 1);
    end(&f);
}

static void test_it_begins_again(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    for (int i = 0; i < 5; i++) {
        (void)tick(&f);
    }
    assert_true(fr_vec3_distance(place(&f), f.plan->start.position) > 1e-3);
    assert_int_equal(fr_cast_begin(f.cast, NULL), FR_OK);
    assert_true(fr_vec3_distance(place(&f), f.plan->start.position) == 0.0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_flies_there_and_back),
        cmocka_unit_test(test_it_goes_round_what_is_put_on_its_path),
        cmocka_unit_test(test_it_begins_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
