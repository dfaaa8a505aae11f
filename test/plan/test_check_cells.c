#include "worlds.h"

static bool always(void *user) {
    (void)user;
    return true;
}

static void refuses_bad_input(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1");
    fr_plan_world *world = make_named_world(n);
    fr_plan_shape bar = named_robot(n);
    fr_plan_state states[2] = {{n->start, 0}, {n->goal, 1}};
    fr_plan_check_input input = fr_default_plan_check_input();
    input.world = world;
    input.shape = &bar;
    input.states = states;
    input.state_count = 2;
    fr_plan_check_output check;
    fr_error error;
    input.spacing = 0.0;
    assert_int_equal(fr_plan_check_cells(&input, &check, &error), FR_ERROR_ARGUMENT);
    input.spacing = 0.25;
    states[1].place.position.x = NAN;
    assert_int_equal(fr_plan_check_cells(&input, &check, &error), FR_ERROR_NOT_FINITE);
    states[1].place.position.x = 13.5;
    const fr_control control = {.stop = always};
    input.control = &control;
    assert_int_equal(fr_plan_check_cells(&input, &check, &error), FR_ERROR_STOPPED);
    fr_plan_world_destroy(world);
}

static void knows_simple_truths(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1");
    fr_plan_world *world = make_named_world(n);
    fr_plan_shape bar = named_robot(n);
    // Upright, the bar of 11 does not go through the slit of 5.
    fr_plan_state states[4] = {{n->start, 0}, {n->goal, 1}};
    states[1].place.turn_deg.z = 90.0;
    fr_plan_check_output check = check_states(world, &bar, states, 2);
    assert_false(check.is_free);
    assert_int_equal(check.state, 0);
    assert_int_equal(check.cell[0], 30);
    assert_true(check.depth > 0.0 && check.depth <= 0.25 + 1e-9);
    assert_true(fabs(12.5 + 40.0 * check.fraction + 1.5 - 30.0) <= 0.25 + 1e-9);

    // Turned first, it does, touching neither side; the turn is taken in the shorter direction.
    states[1] = (fr_plan_state){n->start, 1};
    states[1].place.turn_deg.z = 360.0;
    states[2] = (fr_plan_state){n->goal, 2};
    check = check_states(world, &bar, states, 3);
    assert_true(check.is_free);
    assert_true(check.samples > 160);

    // Along a wall is no collision, a little in it is.
    states[0].place = (fr_plan_place){{34.5, 31.5, 0.0}, {0.0, 0.0, 0.0}};
    states[1].place = states[0].place;
    states[1].place.position.x = 20.5;
    assert_true(check_states(world, &bar, states, 2).is_free);
    states[0].place.position.y = states[1].place.position.y = 31.499;
    check = check_states(world, &bar, states, 2);
    assert_false(check.is_free);
    assert_true(fabs(check.depth - 0.001) < 1e-9);
    assert_int_equal(check.cell[1], 29);

    // In the slit there is no room to turn.
    states[0].place = states[1].place = (fr_plan_place){{33.5, 32.5, 0.0}, {0.0, 0.0, 0.0}};
    states[1].place.turn_deg.z = 180.0;
    check = check_states(world, &bar, states, 2);
    assert_false(check.is_free);
    assert_true(check.fraction > 0.0 && check.fraction < 0.25);
    fr_plan_world_destroy(world);
}

static void the_end_of_the_world_is_an_obstacle(void **state) {
    (void)state;
    const named_world *n = named_world_of("W2");
    fr_plan_world *world = make_named_world(n);
    fr_plan_shape shape = named_robot(n);
    fr_plan_state states[2] = {{n->start, 0}, {n->start, 1}};
    states[1].place.position.x = 4.5;
    assert_true(check_states(world, &shape, states, 2).is_free);
    // The end of the last segment is looked at too.
    states[1].place.position.x = 4.4999;
    states[0] = states[1];
    states[0].place.position.x = 4.5;
    fr_plan_check_output check = check_states(world, &shape, states, 2);
    assert_false(check.is_free);
    assert_int_equal(check.cell[0], -1);
    states[0].place.position.z = states[1].place.position.z = 1e9;
    assert_false(check_states(world, &shape, states, 1).is_free);
    assert_true(check_states(world, &shape, states, 0).is_free);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(knows_simple_truths),
        cmocka_unit_test(the_end_of_the_world_is_an_obstacle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
