// The pilot of a robot: it arrives, goes back, and touches nothing, whatever is put on its path.
#include "demo.h"
#include "failing.h"
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

static fr_pilot_def pilot_of(const flight *f) {
    fr_pilot_def def = fr_default_pilot_def();
    def.world = f->world;
    def.robot = f->robot;
    def.query.pivot_local = fr_scene_get(f->scene)->objects[f->plan->robot].pivot_local;
    def.query.start = f->plan->start;
    def.query.goal = f->plan->goal;
    def.query.bounds = f->plan->bounds;
    def.query.dimension = f->plan->dimension;
    def.query.seed = f->plan->seed;
    def.seconds = 0.4;
    return def;
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
    fr_pilot_def def = pilot_of(f);
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

// ---------------------------------------------------------------------------------------------------------------
// Traffic: the served world, whose blocks go to and fro

enum { TRAFFIC_OBJECTS = 4 };

// A copy of the world's objects, in which each tick is looked at again by itself.
typedef struct traffic {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_space *again;
    fr_object_id ids[TRAFFIC_OBJECTS], copies[TRAFFIC_OBJECTS];
    fr_pose before[TRAFFIC_OBJECTS];
    fr_collide *collide;
} traffic;

static void open_traffic(traffic *t) {
    memset(t, 0, sizeof *t);
    t->scene = demo_read(DEMO_FOLDER, "traffic.json");
    t->world = demo_world(t->scene, NULL, FR_SENSE_CONTINUOUS);
    assert_int_equal(fr_scene_cast(t->scene, t->world, NULL, &t->cast, NULL), FR_OK);
    assert_int_equal(fr_scene_get(t->scene)->object_count, TRAFFIC_OBJECTS);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &t->again, NULL), FR_OK);
    for (uint32_t i = 0; i < TRAFFIC_OBJECTS; i++) {
        const fr_space *space = fr_world_space(t->world);
        t->ids[i] = fr_world_find(t->world, fr_scene_get(t->scene)->objects[i].name);
        const fr_object_view *view = fr_object_get(space, t->ids[i]);
        fr_part_def part = fr_default_part_def();
        part.mesh = fr_object_part(space, t->ids[i], 0).mesh;
        part.pose = fr_object_part(space, t->ids[i], 0).pose;
        assert_int_equal(view->part_count, 1);
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose = t->before[i] = view->pose;
        object.pivot_local = view->pivot_local;
        assert_int_equal(fr_object_add(t->again, &object, &t->copies[i], NULL), FR_OK);
    }
    assert_int_equal(fr_collide_create(NULL, &t->collide, NULL), FR_OK);
}

static void close_traffic(traffic *t) {
    fr_collide_destroy(t->collide);
    fr_space_destroy(t->again);
    fr_cast_destroy(t->cast);
    fr_world_destroy(t->world);
    fr_scene_destroy(t->scene);
}

// One tick; how many pairs of faces came together in it, over its whole course.
static size_t tick_traffic(traffic *t) {
    fr_tick_input input = fr_default_tick_input();
    assert_int_equal(fr_world_tick(t->world, &input, NULL), FR_OK);
    for (uint32_t i = 0; i < TRAFFIC_OBJECTS; i++) {
        fr_pose pose = fr_object_get(fr_world_space(t->world), t->ids[i])->pose;
        assert_int_equal(fr_object_set_pose(t->again, t->copies[i], &t->before[i], NULL), FR_OK);
        assert_int_equal(fr_object_set_next(t->again, t->copies[i], &pose, NULL), FR_OK);
        t->before[i] = pose;
    }
    assert_int_equal(fr_space_update(t->again, NULL, NULL), FR_OK);
    fr_collide_input query = fr_default_collide_input();
    query.space = t->again;
    query.is_containment_wanted = true;
    fr_collide_output output;
    assert_int_equal(fr_collide_continuous(t->collide, &query, &output, NULL), FR_OK);
    return output.pair_count + output.object_pair_count;
}

static void test_traffic_never_touches(void **state) {
    (void)state;
    traffic t;
    open_traffic(&t);
    const fr_scene_view *view = fr_scene_get(t.scene);
    const fr_scene_plan *plan = &view->plans[0];
    uint64_t ticks = test_count(view->steps, 3 * view->steps);
    uint32_t goals = 0, starts = 0, still = 0;
    bool is_at_start = true;
    for (uint64_t i = 0; i < ticks; i++) {
        fr_vec3 before = t.before[plan->robot].position;
        assert_int_equal(tick_traffic(&t), 0);
        fr_vec3 at = t.before[plan->robot].position;
        bool is_goal = fr_vec3_distance(at, plan->goal.position) < 1e-6;
        bool is_start = fr_vec3_distance(at, plan->start.position) < 1e-6;
        goals += is_at_start && is_goal ? 1 : 0;
        starts += !is_at_start && is_start ? 1 : 0;
        is_at_start = is_goal ? false : is_start ? true : is_at_start;
        still += fr_vec3_distance(at, before) == 0.0 ? 1 : 0;
    }
    print_message("%u ticks: %u times there, %u times back, %u ticks still\n", (unsigned)ticks, goals, starts, still);
    // It crosses the road, though it has to wait or to go round.
    assert_true(goals >= 1 || TEST_SAMPLE_DIVISOR > 1);
    assert_true(starts >= 1 || !test_is_long());
    close_traffic(&t);
}

// A second pilot for the robot, alone in a cast of its own, for a few ticks.
static fr_status fly(const fr_allocator *allocator, void *context) {
    const flight *f = context;
    fr_pilot_def def = pilot_of(f);
    def.allocator = *allocator;
    def.query.max_moves = 200;
    fr_pilot *pilot = NULL;
    fr_status status = fr_pilot_create(&def, &pilot, NULL);
    if (status != FR_OK) { return status; }
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = f->world;
    fr_cast *cast;
    assert_int_equal(fr_cast_create(&cast_def, &cast, NULL), FR_OK);
    const fr_actor actor = fr_pilot_actor(pilot);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_scene_restart_world(f->scene, f->world, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        fr_status ticked = fr_world_tick(f->world, NULL, NULL);
        if (ticked == FR_OK) { continue; }
        status = ticked;
        test_lift(allocator);
        assert_int_equal(fr_world_tick(f->world, NULL, NULL), FR_OK);
    }
    fr_cast_destroy(cast);
    return status;
}

static void test_memory_may_run_out(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    fr_cast_destroy(f.cast);
    f.cast = NULL;
    test_every_bound(fly, &f, true);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_flies_there_and_back), cmocka_unit_test(test_it_goes_round_what_is_put_on_its_path),
        cmocka_unit_test(test_it_begins_again),         cmocka_unit_test(test_traffic_never_touches),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
