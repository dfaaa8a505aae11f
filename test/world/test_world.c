// The world: definitions, who may propose, failure.
#include "failing.h"
#include "worlds.h"

static void bad_definitions_are_refused(void **state) {
    (void)state;
    fr_world_def bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = fr_default_world_def();
    }
    bad[0].cookie = 0;
    bad[1].step = 0.0;
    bad[2].step = NAN;
    bad[3].step = 2 * FR_WORLD_STEP_MAX;
    bad[4].want = (fr_want)9;
    bad[5].margin = -1.0;
    bad[6].origin.x = NAN;
    bad[7].step = 0.5 * FR_WORLD_STEP_MIN;
    for (int i = 0; i < 8; i++) {
        fr_world *world = (fr_world *)&bad;
        fr_error error = {0};
        assert_int_not_equal(fr_world_create(&bad[i], &world, &error), FR_OK);
        assert_null(world);
        assert_true(error.message[0] != '\0');
    }
    const double steps[] = {FR_WORLD_STEP_MIN, FR_WORLD_STEP_MAX};
    for (int i = 0; i < 2; i++) {
        fr_world_def def = fr_default_world_def();
        def.step = steps[i];
        fr_world *world;
        assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
        fr_world_destroy(world);
    }
    fr_world_destroy(NULL);
}

static void a_new_world_is_empty(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    assert_true(fr_world_tick_count(world) == 0 && fr_world_time(world) == 0.0 && fr_world_step(world) == 0.01);
    assert_int_equal(fr_space_object_count(fr_world_space(world)), 0);
    assert_null(fr_world_snapshot(world));
    fr_snapshot_release(NULL);
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_true(snapshot->object_count == 0 && snapshot->event_count == 0 && snapshot->sequence == 1);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
}

static void proposers_come_and_go(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    shift s = {.object = world_add(world, box, 0, 0, 0), .travel = {1, 0, 0}}, other = s;
    char name[FR_WORLD_NAME_MAX_BYTES + 2];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    fr_corrector mover = {name, shift_propose, &s};
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_ERROR_ARGUMENT);
    mover.name = NULL;
    for (int i = 0; i < FR_WORLD_MAX_CORRECTORS; i++) {
        mover.user = i % 2 == 0 ? &s : &other;
        assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
        assert_int_equal(fr_world_add_corrector(world, &mover, NULL), FR_OK);
    }
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_world_add_corrector(world, &mover, NULL), FR_ERROR_LIMIT);

    assert_int_equal(fr_world_remove_corrector(world, shift_propose, &other, NULL), FR_OK);
    world_tick(world);
    assert_int_equal(s.calls, FR_WORLD_MAX_CORRECTORS);
    assert_int_equal(other.calls, 0);
    assert_true(world_pose(world, s.object).position.x == 1.0);
    assert_int_equal(fr_world_remove_corrector(world, shift_propose, &s, NULL), FR_OK);
    world_tick(world);
    assert_int_equal(s.calls, FR_WORLD_MAX_CORRECTORS);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static fr_status create(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_world_def def = fr_default_world_def();
    def.allocator = *allocator;
    fr_world *world = NULL;
    fr_status status = fr_world_create(&def, &world, NULL);
    fr_world_destroy(world);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(create, NULL) >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(a_new_world_is_empty),
        cmocka_unit_test(proposers_come_and_go),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
