#include "plan/faithful/leaf_climb.h"

#include "failing.h"
#include "plan/faithful/leaf_inputs.h"

// Runs until the goal or `max_ticks` ticks; the mover moves when its tick has come. Returns the ticks, or 0.
static uint32_t climb(const char *name, fr_climb_reading reading, bool is_swept, uint32_t max_ticks, uint32_t *turns,
                      uint32_t *moves) {
    const named_world *n = named_world_of(name);
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    input.is_swept = is_swept;
    fr_leaf_climber *climber;
    fr_error error;
    assert_int_equal(fr_leaf_climber_create(&input, reading, &climber, &error), FR_OK);
    *turns = *moves = 0;
    fr_climb_result result = FR_CLIMB_WAITED;
    uint32_t tick = 0;
    for (; tick < max_ticks && result != FR_CLIMB_AT_GOAL; tick++) {
        if (has_mover(n) && tick == n->mover_tick) { move_mover(world, n); }
        assert_int_equal(fr_leaf_climber_step(climber, &result, &error), FR_OK);
        *turns += result == FR_CLIMB_TURNED;
        *moves += result == FR_CLIMB_MOVED || result == FR_CLIMB_BACK;
    }
    fr_leaf_climber_destroy(climber);
    fr_plan_world_destroy(world);
    return result == FR_CLIMB_AT_GOAL ? tick : 0;
}

static void looking_at_visited_leaves_comes_through_where_downhill_is_stuck(void **state) {
    (void)state;
    uint32_t turns, moves;
    for (int swept = 0; swept < 2; swept++) {
        // The plug of D2 goes away at tick 30; the bar must turn to pass.
        uint32_t ticks = climb("D2", FR_CLIMB_VISITED, swept == 1, 600, &turns, &moves);
        assert_true(ticks > 30 && turns > 0);
        // Out of the hollow of D4, which strict climbing never leaves.
        ticks = climb("D4", FR_CLIMB_VISITED, swept == 1, 600, &turns, &moves);
        assert_true(ticks > 0 && ticks < 20);
        static const char *const names[] = {"D1", "D2", "D3", "D4"};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(climb(names[i], FR_CLIMB_STRICT, swept == 1, 100, &turns, &moves), 0);
        }
    }
}

static void slits_off_the_middles_of_leaves_are_never_passed(void **state) {
    (void)state;
    uint32_t turns, moves;
    assert_int_equal(climb("D1", FR_CLIMB_VISITED, false, 300, &turns, &moves), 0);
    assert_int_equal(climb("D3", FR_CLIMB_VISITED, false, 300, &turns, &moves), 0);
}

static void an_obstacle_on_the_robot_is_reported(void **state) {
    (void)state;
    const named_world *n = named_world_of("D4");
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    fr_leaf_climber *climber;
    fr_error error;
    fr_climb_result result;
    assert_int_equal(fr_leaf_climber_create(&input, FR_CLIMB_VISITED, &climber, &error), FR_OK);
    assert_int_equal(fr_leaf_climber_step(climber, &result, &error), FR_OK);
    assert_int_equal(result, FR_CLIMB_MOVED);
    fr_plan_place place = fr_leaf_climber_place(climber);
    int32_t x = (int32_t)place.position.x, y = (int32_t)place.position.y;
    put_box(world, 50, (fr_plan_box){{x, y, 0}, {x + 2, y + 2, 1}}, unmoved_place());
    assert_int_equal(fr_leaf_climber_step(climber, &result, &error), FR_OK);
    assert_int_equal(result, FR_CLIMB_OVERRUN);
    assert_int_equal(fr_plan_world_remove(world, 50, &error), FR_OK);
    for (int i = 0; i < 30 && result != FR_CLIMB_AT_GOAL; i++) {
        assert_int_equal(fr_leaf_climber_step(climber, &result, &error), FR_OK);
    }
    assert_int_equal(result, FR_CLIMB_AT_GOAL);
    assert_true(fr_vec3_equal(fr_leaf_climber_place(climber).position, n->goal.position));
    fr_leaf_climber_destroy(climber);
    fr_plan_world_destroy(world);
}

static fr_status climb_some(const fr_allocator *allocator, void *context) {
    fr_leaf_input input = *(const fr_leaf_input *)context;
    input.allocator = *allocator;
    fr_leaf_climber *climber;
    fr_error error;
    fr_climb_result result;
    fr_status status = fr_leaf_climber_create(&input, FR_CLIMB_VISITED, &climber, &error);
    for (int i = 0; i < 12 && status == FR_OK; i++) {
        status = fr_leaf_climber_step(climber, &result, &error);
    }
    fr_leaf_climber_destroy(climber);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    const named_world *n = named_world_of("D4");
    fr_plan_world *world = make_named_world(n);
    fr_leaf_input input = leaf_input_of(n, world);
    assert_true(test_every_failure(climb_some, &input) > 20);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_at_visited_leaves_comes_through_where_downhill_is_stuck),
        cmocka_unit_test(slits_off_the_middles_of_leaves_are_never_passed),
        cmocka_unit_test(an_obstacle_on_the_robot_is_reported),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
