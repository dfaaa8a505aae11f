#include "paths.h"

#include "failing.h"
#include "random_vector.h"

static fr_plan_cells_input query_of(const named_world *n, const fr_plan_world *world, const fr_plan_robot *robot) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = world;
    input.robot = robot;
    input.start = n->start;
    input.goal = n->goal;
    return input;
}

static fr_cell_path ask(const fr_plan_cells_input *input) {
    fr_cell_path path;
    fr_error error;
    fr_status status = fr_plan_cells(input, &path, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return path;
}

static void expect_refused(const fr_plan_cells_input *input, fr_status status, const char *words) {
    fr_cell_path path;
    fr_error error;
    assert_int_equal(fr_plan_cells(input, &path, &error), status);
    if (strstr(error.message, words) == NULL) { fail_msg("\"%s\" does not say \"%s\"", error.message, words); }
    assert_null(path.states);
    assert_false(path.is_found);
}

static bool always(void *user) {
    (void)user;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------

static void says_what_is_wrong(void **state) {
    (void)state;
    const named_world *n = named_world_of("S1");
    fr_plan_world *world = make_named_world(n), *space = make_empty_world(3, 5), *tiny = make_empty_world(2, 3);
    fr_plan_robot *robot = make_named_robot(n);
    fr_plan_cells_input input = query_of(n, world, robot);
    input.start.position = fr_vec3_make(28.5, 20.5, 0.0);
    input.start.turn_deg.z = 0.0;
    expect_refused(&input, FR_ERROR_ARGUMENT, "the start is in collision with cell (30, 19)");
    input = query_of(n, world, robot);
    input.goal.position = fr_vec3_make(33.5, 10.5, 0.0);
    expect_refused(&input, FR_ERROR_ARGUMENT, "the goal is in collision with cell");
    input.is_goal_turn_any = false;
    input.goal = (fr_plan_place){{33.5, 32.5, 0.0}, {0.0, 0.0, 90.0}};
    expect_refused(&input, FR_ERROR_ARGUMENT, "the goal is in collision with cell (32, 27)");
    input = query_of(n, world, robot);
    input.goal.position.y = 64.0;
    expect_refused(&input, FR_ERROR_ARGUMENT, "the goal is out of bounds: y is 64, the world is 0 .. 64");
    input.goal.position.y = NAN;
    expect_refused(&input, FR_ERROR_NOT_FINITE, "not finite");
    input = query_of(n, tiny, robot);
    input.start = input.goal = (fr_plan_place){{4.5, 4.5, 0.0}, {0.0, 0.0, 0.0}};
    expect_refused(&input, FR_ERROR_ARGUMENT, "the robot is larger than the world: 11 cells along x, not 8");
    input = query_of(n, space, robot);
    expect_refused(&input, FR_ERROR_ARGUMENT, "a robot of 2 dimensions in a world of 3");
    const double bad[] = {0.5, -1.0, 1001.0};
    for (int i = 0; i < 3; i++) {
        input = query_of(n, world, robot);
        input.weight = bad[i];
        expect_refused(&input, FR_ERROR_ARGUMENT, "the weight is");
    }
    input = query_of(n, world, robot);
    input.turn_cost = -1.0;
    expect_refused(&input, FR_ERROR_ARGUMENT, "the cost of a turn is -1");
    input = query_of(n, world, robot);
    input.field_cost = INFINITY;
    expect_refused(&input, FR_ERROR_NOT_FINITE, "the cost of the field");
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    fr_plan_world_destroy(space);
    fr_plan_world_destroy(tiny);
}

static void solves_the_named_worlds(void **state) {
    (void)state;
    const struct {
        const char *name;
        uint32_t turns;
        double length; // least on the lattice
    } cases[] = {{"S1", 3, 40.0}, {"S1K", 3, 42.0}, {"S2", 3, 40.0}, {"S3", 0, 0.0}, {"D4", 0, 0.0}, {"W2", 6, 22.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const named_world *n = named_world_of(cases[i].name);
        fr_plan_world *world = make_named_world(n);
        fr_plan_robot *robot = make_named_robot(n);
        fr_plan_shape shape = named_robot(n);
        double least = 0.0;
        for (int weighted = 0; weighted < 2; weighted++) {
            fr_plan_cells_input input = query_of(n, world, robot);
            input.weight = weighted == 1 ? 2.0 : 1.0;
            fr_cell_path path = ask(&input);
            assert_true(path.is_found && path.is_checked && !path.is_exhausted);
            assert_true(fr_vec3_equal(path.states[0].place.position, n->start.position));
            assert_true(fr_vec3_equal(path.states[path.state_count - 1].place.position, n->goal.position));
            expect_free(world, &shape, path.states, path.state_count);
            double cost = path.length + 3.0 * (double)path.turns;
            if (weighted == 0) {
                least = cost;
                assert_int_equal(path.turns, cases[i].turns);
                if (cases[i].length > 0.0) { assert_true(path.length == cases[i].length); }
            }
            assert_true(cost <= 2.0 * least);
            assert_true(path.expanded > 0 && path.tested > 0 && path.best_bytes > 0);
            fr_cell_path_destroy(&path);
        }
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
}

static void a_blocked_way_is_said_to_be_none(void **state) {
    (void)state;
    const named_world *n = named_world_of("D2");
    fr_plan_world *world = make_named_world(n);
    fr_plan_robot *robot = make_named_robot(n);
    fr_plan_cells_input input = query_of(n, world, robot);
    input.is_finer_turn = true;
    fr_cell_path path = ask(&input);
    assert_false(path.is_found);
    assert_true(path.is_exhausted);
    assert_null(path.states);
    fr_cell_path_destroy(&path);
    move_mover(world, n);
    path = ask(&input);
    assert_true(path.is_found);
    fr_cell_path_destroy(&path);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

// A rod of 9 in a room of 10, where it can turn in the middle, which no whole cell has.
static void finer_steps_find_what_coarse_ones_do_not(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 5);
    fr_plan_box walls[2] = {FLAT(0, 0, 32, 12), FLAT(0, 22, 32, 32)};
    put_box(world, 0, walls[0], unmoved_place());
    put_box(world, 1, walls[1], unmoved_place());
    static const fr_plan_box bar = FLAT(-4, 0, 5, 1);
    fr_plan_shape shape = {&bar, 1, {0.5, 0.5, 0.5}};
    fr_plan_robot *robot = make_robot_of(&shape, 2, 90.0);
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = world;
    input.robot = robot;
    input.start = (fr_plan_place){{6.5, 17.5, 0.0}, {0.0, 0.0, 0.0}};
    input.goal = (fr_plan_place){{24.5, 16.5, 0.0}, {0.0, 0.0, 180.0}};
    input.is_goal_turn_any = false;
    fr_cell_path path = ask(&input);
    bool is_found[4] = {path.is_found, false, false, false};
    fr_cell_path_destroy(&path);
    for (int i = 1; i < 4; i++) {
        input.is_finer_turn = (i & 1) != 0;
        input.is_finer_cells = (i & 2) != 0;
        path = ask(&input);
        is_found[i] = path.is_found;
        if (path.is_found) {
            expect_free(world, &shape, path.states, path.state_count);
            assert_true(fr_vec3_equal(path.states[path.state_count - 1].place.position, input.goal.position));
        }
        fr_cell_path_destroy(&path);
    }
    assert_false(is_found[0]);
    assert_true(is_found[2] && is_found[3]);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void starts_and_ends_off_the_lattice(void **state) {
    (void)state;
    fr_random random = fr_random_seed(81);
    uint64_t found = 0, rounds = test_count(24, 300);
    for (uint64_t round = 0; round < rounds; round++) {
        int dimension = round % 4 == 3 ? 3 : 2;
        fr_plan_world *world = make_empty_world(dimension, dimension == 2 ? 6 : 4);
        put_box(world, 0, random_box(&random, dimension, 16, 6), unmoved_place());
        fr_plan_robot *robot = make_test_robot(dimension, 30.0);
        fr_plan_cells_input input = fr_default_plan_cells_input();
        input.world = world;
        input.robot = robot;
        double most = dimension == 2 ? 58.0 : 12.0, least = dimension == 2 ? 6.0 : 4.0;
        fr_plan_place *ends[2] = {&input.start, &input.goal};
        for (int e = 0; e < 2; e++) {
            ends[e]->position =
                random_within(&random, fr_vec3_make(least, least, least), fr_vec3_make(most, most, most));
            ends[e]->turn_deg = random_about(&random, 400.0);
        }
        input.is_goal_turn_any = round % 2 == 0;
        input.is_shortened = round % 3 > 0;
        fr_cell_path path;
        fr_error error;
        fr_status status = fr_plan_cells(&input, &path, &error);
        if (status == FR_OK && path.is_found) {
            found++;
            expect_free(world, &robot->shape, path.states, path.state_count);
            const fr_plan_place *end = &path.states[path.state_count - 1].place;
            assert_true(end->position.x == input.goal.position.x && end->position.y == input.goal.position.y);
            fr_mat3 a = fr__plan_rotation(fr__plan_tidy_place(dimension, input.goal).turn_deg);
            fr_mat3 b = fr__plan_rotation(end->turn_deg);
            for (int i = 0; i < 3 && !input.is_goal_turn_any; i++) {
                assert_true(fr_vec3_distance(a.row[i], b.row[i]) < 1e-9);
            }
        } else {
            assert_true(status == FR_OK || strstr(error.message, "in collision") != NULL);
        }
        fr_cell_path_destroy(&path);
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
    assert_true(found * 10 > rounds * 6);
}

// ---------------------------------------------------------------------------------------------------------------

// On random maps a path is found exactly where an exhaustive search of the lattice says that there is one, never a cell
// of it is black, and with weight 1 and turns of cost 1 it has as few steps.
static void finds_exactly_what_there_is(void **state) {
    (void)state;
    fr_random random = fr_random_seed(82);
    uint64_t flat = test_count(12, 1000), solid = test_count(5, 100), found = 0, none = 0;
    for (uint64_t round = 0; round < flat + solid; round++) {
        int dimension = round < flat ? 2 : 3;
        bool is_fine = test_is_long() && round == flat;
        fr_plan_world *world = make_random_map(&random, dimension);
        fr_plan_robot *robot = make_test_robot(dimension, dimension == 2 || is_fine ? 30.0 : 90.0);
        fr__plan_step start, goal;
        fr__plan_bits bits = fr__plan_world_bits(world);
        uint32_t cells = bits.size * bits.size * bits.layers;
        if (random_free_step(&random, world, robot, &start) && random_free_step(&random, world, robot, &goal)) {
            uint32_t *steps = reach_all(world, robot, start);
            fr_plan_cells_input input = fr_default_plan_cells_input();
            input.world = world;
            input.robot = robot;
            input.start = fr__plan_step_place(&bits, robot, start);
            input.goal = fr__plan_step_place(&bits, robot, goal);
            input.is_goal_turn_any = round % 3 == 0;
            input.weight = round % 2 == 0 ? 1.0 : 2.0;
            input.turn_cost = 1.0;
            uint32_t least = UINT32_MAX;
            for (uint32_t o = 0; o < robot->orientation_count; o++) {
                uint32_t there = steps[(size_t)o * cells + goal.cell];
                bool is_goal = input.is_goal_turn_any || fr__plan_orientation_equal(robot, o, goal.orientation);
                if (is_goal && there < least) { least = there; }
            }
            fr_cell_path path = ask(&input);
            assert_int_equal(path.is_found, least != UINT32_MAX);
            assert_int_equal(path.is_exhausted, !path.is_found);
            if (path.is_found) {
                uint32_t count = path.state_count - 1;
                assert_true(round % 2 == 0 ? count == least : count <= 2 * least);
                expect_free(world, &robot->shape, path.states, path.state_count);
            }
            found += path.is_found;
            none += !path.is_found;
            fr_cell_path_destroy(&path);
            free(steps);
        }
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
    assert_true(found > 0 && none > 0);
}

static void a_field_keeps_clear_of_walls(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 6);
    fr_plan_box wall = FLAT(10, 0, 54, 28);
    put_box(world, 0, wall, unmoved_place());
    static const fr_plan_box cell = FLAT(0, 0, 1, 1);
    fr_plan_shape shape = {&cell, 1, {0.5, 0.5, 0.5}};
    fr_plan_robot *robot = make_robot_of(&shape, 2, 90.0);
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = world;
    input.robot = robot;
    input.start.position = fr_vec3_make(5.5, 28.5, 0.0);
    input.goal.position = fr_vec3_make(60.5, 28.5, 0.0);
    input.weight = 1.0;
    double lowest[2];
    for (int i = 0; i < 2; i++) {
        input.field_cost = i == 0 ? 0.0 : 0.05;
        fr_cell_path path = ask(&input);
        lowest[i] = 64.0;
        for (uint32_t k = 0; k < path.state_count; k++) {
            fr_vec3 p = path.states[k].place.position;
            if (p.x > 20.0 && p.x < 40.0 && p.y < lowest[i]) { lowest[i] = p.y; }
        }
        expect_free(world, &shape, path.states, path.state_count);
        fr_cell_path_destroy(&path);
    }
    assert_true(lowest[0] == 28.5);
    assert_true(lowest[1] > 30.0);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

// The specification's 123.8 cells in S3, by straight motions that are proven.
static void a_shortened_path_goes_straight(void **state) {
    (void)state;
    const char *names[] = {"S1K", "S3", "D4"};
    for (int i = 0; i < 3; i++) {
        const named_world *n = named_world_of(names[i]);
        fr_plan_world *world = make_named_world(n);
        fr_plan_robot *robot = make_named_robot(n);
        fr_plan_shape shape = named_robot(n);
        fr_plan_cells_input input = query_of(n, world, robot);
        input.weight = 1.0;
        fr_cell_path path = ask(&input);
        input.is_shortened = true;
        fr_cell_path shorter = ask(&input);
        assert_true(shorter.is_found && shorter.is_checked && shorter.turns == path.turns);
        assert_true(shorter.length < path.length && shorter.state_count < path.state_count / 2);
        if (i == 1) { assert_true(shorter.length < 123.8); }
        assert_true(fr_vec3_equal(shorter.states[0].place.position, n->start.position));
        assert_true(fr_vec3_equal(shorter.states[shorter.state_count - 1].place.position, n->goal.position));
        expect_free(world, &shape, shorter.states, shorter.state_count);
        fr_cell_path_destroy(&shorter);
        fr_cell_path_destroy(&path);
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
}

static void stops_with_the_best_so_far(void **state) {
    (void)state;
    const named_world *n = named_world_of("W2");
    fr_plan_world *world = make_named_world(n);
    fr_plan_robot *robot = make_named_robot(n);
    fr_plan_shape shape = named_robot(n);
    fr_plan_cells_input input = query_of(n, world, robot);
    input.weight = 1.0;
    input.budget = 300;
    fr_cell_path path = ask(&input);
    assert_false(path.is_found || path.is_exhausted);
    assert_int_equal(path.expanded, 300);
    assert_true(path.state_count > 1);
    expect_free(world, &shape, path.states, path.state_count);
    fr_vec3 end = path.states[path.state_count - 1].place.position;
    assert_true(fr_vec3_distance(end, n->goal.position) < fr_vec3_distance(n->start.position, n->goal.position));
    fr_cell_path_destroy(&path);
    input.budget = 0;
    const fr_control control = {.stop = always};
    input.control = &control;
    path = ask(&input);
    assert_false(path.is_found || path.is_exhausted);
    fr_cell_path_destroy(&path);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void the_same_query_has_the_same_result(void **state) {
    (void)state;
    const named_world *n = named_world_of("W2");
    fr_plan_world *world = make_named_world(n);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    uint64_t hash[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        fr_plan_robot_def def = fr_default_plan_robot_def();
        def.shape = named_robot(n);
        def.alpha_deg = 90.0;
        def.tasks = i == 0 ? NULL : &tasks;
        fr_plan_robot *robot;
        assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_OK);
        fr_plan_cells_input input = query_of(n, world, robot);
        fr_cell_path path = ask(&input);
        assert_true(path.is_found);
        for (uint32_t k = 0; k < path.state_count; k++) {
            hash[i] = fr_hash(&path.states[k].place, sizeof path.states[k].place, hash[i]);
        }
        fr_cell_path_destroy(&path);
        fr_plan_robot_destroy(robot);
    }
    assert_int_equal(hash[0], hash[1]);
    fr_task_pool_destroy(pool);
    fr_plan_world_destroy(world);
}

static fr_status make_and_ask(const fr_allocator *allocator, void *context) {
    const named_world *n = named_world_of("S1");
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = named_robot(n);
    def.dimension = 2;
    def.is_lazy = true;
    def.allocator = *allocator;
    fr_plan_robot *robot;
    fr_error error;
    fr_status status = fr_plan_robot_create(&def, &robot, &error);
    if (status != FR_OK) { return status; }
    fr_plan_cells_input input = query_of(n, context, robot);
    input.allocator = *allocator;
    input.field_cost = 0.01;
    input.is_shortened = true;
    input.goal.position.x -= 0.25;
    input.start.turn_deg.z = 93.0;
    fr_cell_path path;
    status = fr_plan_cells(&input, &path, &error);
    if (status == FR_OK) { assert_true(path.is_found); }
    fr_cell_path_destroy(&path);
    fr_plan_robot_destroy(robot);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S1"));
    assert_true(test_every_failure(make_and_ask, world) > 20);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(solves_the_named_worlds),
        cmocka_unit_test(a_blocked_way_is_said_to_be_none),
        cmocka_unit_test(finer_steps_find_what_coarse_ones_do_not),
        cmocka_unit_test(starts_and_ends_off_the_lattice),
        cmocka_unit_test(finds_exactly_what_there_is),
        cmocka_unit_test(a_field_keeps_clear_of_walls),
        cmocka_unit_test(a_shortened_path_goes_straight),
        cmocka_unit_test(stops_with_the_best_so_far),
        cmocka_unit_test(the_same_query_has_the_same_result),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
