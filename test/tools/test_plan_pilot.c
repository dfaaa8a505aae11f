// The pilot of a served robot: it arrives, goes back, and touches nothing, whatever is put in its way.
#include "demo.h"
#include "frame.h"

#include "plan_pilot.h"

typedef struct flight {
    fr_scene *scene;
    fr_world *world;
    plan_pilot pilot;
    bool has_touched; // in any tick so far
} flight;

// Looks at what the tick before has sensed.
static fr_status watch(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    flight *f = user;
    uint32_t robot = f->pilot.robot.index1 - 1;
    for (size_t i = 0; i < proposal->sensed->pair_count; i++) {
        const fr_face_pair *pair = &proposal->sensed->pairs[i];
        f->has_touched = f->has_touched || pair->a == robot || pair->b == robot;
    }
    return FR_OK;
}

static void begin(const char *demo, flight *f) {
    memset(f, 0, sizeof *f);
    f->scene = demo_read(DEMO_FOLDER, demo);
    f->world = demo_world(f->scene, NULL, FR_SENSE_CONTINUOUS);
    assert_int_equal(plan_pilot_join(&f->pilot, f->scene, f->world, NULL), FR_OK);
    f->pilot.seconds = 2.0;
    const fr_corrector watcher = {"watcher", watch, f};
    assert_int_equal(fr_world_add_corrector(f->world, &watcher), FR_OK);
}

static void end(flight *f) {
    fr_world_destroy(f->world);
    plan_pilot_leave(&f->pilot);
    fr_scene_destroy(f->scene);
}

// One tick; whether the robot has touched anything up to the one before it.
static bool tick(flight *f) {
    fr_tick_input input = fr_default_tick_input();
    assert_int_equal(fr_world_tick(f->world, &input, NULL), FR_OK);
    return f->has_touched;
}

static fr_vec3 place(const flight *f) { return fr_object_get(fr_world_space(f->world), f->pilot.robot)->pose.position; }

static void test_it_flies_there_and_back(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    uint64_t ticks = test_count(300, 3000), there = 0, back = 0;
    for (uint64_t i = 0; i < ticks; i++) {
        assert_false(tick(&f));
        there += fr_vec3_distance(place(&f), f.pilot.plan->goal.position) < 1e-6 ? 1 : 0;
        back += there > 0 && fr_vec3_distance(place(&f), f.pilot.plan->start.position) < 1e-6 ? 1 : 0;
    }
    assert_true(there > 0 || TEST_SAMPLE_DIVISOR > 1);
    assert_true(back > 0 || TEST_SAMPLE_DIVISOR > 1);
    end(&f);
}

// A block lands before it, on its way: it goes round, or waits.
static void test_it_goes_round_what_is_put_in_its_way(void **state) {
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
        there += f.pilot.is_back ? 1 : 0;
    }
    assert_true(there > 0 || TEST_SAMPLE_DIVISOR > 1);
    end(&f);
}

static void test_it_begins_anew(void **state) {
    (void)state;
    flight f;
    begin("window.json", &f);
    for (int i = 0; i < 5; i++) {
        (void)tick(&f);
    }
    assert_true(fr_vec3_distance(place(&f), f.pilot.plan->start.position) > 1e-3);
    assert_int_equal(plan_pilot_begin(&f.pilot, f.world, NULL), FR_OK);
    assert_true(fr_vec3_distance(place(&f), f.pilot.plan->start.position) == 0.0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_flies_there_and_back),
        cmocka_unit_test(test_it_goes_round_what_is_put_in_its_way),
        cmocka_unit_test(test_it_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
