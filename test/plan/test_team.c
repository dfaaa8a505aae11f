#include "paths.h"

#include "plan/team.h"

#include "failing.h"

static fr_plan_team find(const fr_plan_team_input *input) {
    fr_plan_team team;
    fr_error error;
    fr_status status = fr_plan_team_find(input, &team, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return team;
}

static fr_plan_place place_at(double x, double y, double turn_deg) {
    return (fr_plan_place){{x + 0.5, y + 0.5, 0.0}, {0.0, 0.0, turn_deg}};
}

// Where a robot is at a time between ticks.
static fr_plan_place place_in(const fr_cell_path *path, uint32_t tick, double t) {
    uint32_t last = path->state_count - 1, from = tick < last ? tick : last, to = tick + 1 < last ? tick + 1 : last;
    fr_plan_place a = path->states[from].place, b = path->states[to].place;
    double turn = fmod(b.turn_deg.z - a.turn_deg.z + 540.0, 360.0) - 180.0;
    return (fr_plan_place){fr_vec3_lerp(a.position, b.position, t), {0.0, 0.0, a.turn_deg.z + t * turn}};
}

// Each path is free of the world, goes a neighbour a tick and ends at its goal; no two robots of the plane are ever in
// one cell, looked at in nine moments of every tick by rasters of their own.
static void expect_team(const fr_plan_team_input *input, const fr_plan_team *team) {
    assert_true(team->is_found);
    assert_int_equal(team->path_count, input->member_count);
    fr__plan_bits bits = fr__plan_world_bits(input->world);
    uint64_t words[64];
    assert_true(bits.size == 64 && bits.layers == 1);
    for (uint32_t i = 0; i < team->path_count; i++) {
        const fr_plan_member *m = &input->members[i];
        const fr_cell_path *path = &team->paths[i];
        assert_true(fr_vec3_equal(path->states[0].place.position, m->start.position));
        assert_true(fr_vec3_equal(path->states[path->state_count - 1].place.position, m->goal.position));
        assert_true(path->state_count - 1 <= team->ticks);
        expect_free(input->world, &m->robot->shape, path->states, path->state_count);
        for (uint32_t t = 1; t < path->state_count; t++) {
            fr_vec3 d = fr_vec3_sub(path->states[t].place.position, path->states[t - 1].place.position);
            double turned = path->states[t].place.turn_deg.z - path->states[t - 1].place.turn_deg.z;
            assert_true(fabs(d.x) + fabs(d.y) + (turned != 0.0 ? 1.0 : 0.0) <= 1.0);
            assert_int_equal(path->states[t].tick, t);
        }
    }
    for (uint32_t t = 0; t <= team->ticks; t++) {
        for (int part = 0; part < 9; part++) {
            memset(words, 0, sizeof words);
            for (uint32_t i = 0; i < team->path_count; i++) {
                const fr_plan_shape *shape = &input->members[i].robot->shape;
                fr_plan_place place = place_in(&team->paths[i], t, (double)part / 8.0);
                fr__plan_motion motion = fr__plan_robot_motion(2, shape, &place);
                const int32_t low[3] = {0, 0, 0}, high[3] = {64, 64, 1};
                fr__plan_bitmap map;
                assert_true(fr__plan_bitmap_make(low, high, NULL, &map));
                fr__plan_raster(2, shape, &motion, FR_OCTREE_OVERLAP, 0.0, &map);
                for (int32_t y = 0; y < 64; y++) {
                    uint64_t row = fr__plan_bitmap_row(&map, y, 0)[0];
                    if ((words[y] & row) != 0) { fail_msg("robot %u is in another at tick %u", i, t); }
                    words[y] |= row;
                }
                fr__plan_bitmap_free(&map, NULL);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------

static void says_what_is_wrong(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S1K"));
    fr_plan_robot *robot = make_named_robot(named_world_of("S1K"));
    fr_plan_member members[2] = {{robot, place_at(10, 20, 90.0), place_at(50, 20, 0.0), true},
                                 {robot, place_at(12, 20, 90.0), place_at(50, 40, 0.0), true}};
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = world;
    input.members = members;
    input.member_count = 2;
    fr_plan_team team;
    fr_error error;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the start of robot 1 is in another robot"));
    members[1].start.position.x += 10.25;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "not on the lattice"));
    members[1].start = place_at(33, 10, 0.0);
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "in collision"));
    members[1].start = place_at(20, 20, 90.0);
    members[1].goal.position.x = 70.0;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the goal of robot 1 is out of bounds"));
    members[1].goal.position.x = NAN;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_NOT_FINITE);
    input.member_count = 0;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    input.member_count = 1;
    input.weight = 0.0;
    assert_int_equal(fr_plan_team_find(&input, &team, &error), FR_ERROR_ARGUMENT);
    fr_plan_team_destroy(&team);
    fr_plan_team_destroy(NULL);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

// Acceptance 11: four robots cross one another's paths in an empty map and through the slit.
static void four_robots_cross(void **state) {
    (void)state;
    for (int slit = 0; slit < 2; slit++) {
        fr_plan_world *world = slit == 1 ? make_named_world(named_world_of("S1K")) : make_empty_world(2, 6);
        fr_plan_robot *robot = make_named_robot(named_world_of("S1K"));
        fr_plan_member across[4] = {{robot, place_at(8, 32, 0.0), place_at(56, 32, 0.0), true},
                                    {robot, place_at(56, 32, 0.0), place_at(8, 32, 0.0), true},
                                    {robot, place_at(32, 8, 90.0), place_at(32, 56, 0.0), true},
                                    {robot, place_at(32, 56, 90.0), place_at(32, 8, 0.0), true}};
        fr_plan_member through[4] = {{robot, place_at(12, 30, 90.0), place_at(52, 32, 0.0), true},
                                     {robot, place_at(52, 32, 90.0), place_at(12, 30, 0.0), true},
                                     {robot, place_at(12, 48, 90.0), place_at(52, 12, 0.0), true},
                                     {robot, place_at(52, 48, 90.0), place_at(12, 12, 0.0), true}};
        fr_plan_team_input input = fr_default_plan_team_input();
        input.world = world;
        input.members = slit == 1 ? through : across;
        input.member_count = 4;
        fr_plan_team team = find(&input), again = find(&input);
        expect_team(&input, &team);
        assert_false(team.is_joint);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(team.paths[i].state_count, again.paths[i].state_count);
            for (uint32_t t = 0; t < team.paths[i].state_count; t++) {
                assert_memory_equal(&team.paths[i].states[t].place, &again.paths[i].states[t].place,
                                    sizeof(fr_plan_place));
            }
        }
        fr_plan_team_destroy(&team);
        fr_plan_team_destroy(&again);
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
}

// A corridor with one bay in its middle: the robot that goes first goes straight on and shuts the other out of the bay.
// Only both together find that one must wait.
static void two_in_a_corridor_are_planned_together(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 6);
    fr_plan_box walls[4] = {FLAT(0, 0, 64, 30), FLAT(0, 31, 12, 64), FLAT(13, 31, 64, 64), FLAT(12, 32, 13, 64)};
    for (uint32_t i = 0; i < 4; i++) {
        put_box(world, i, walls[i], unmoved_place());
    }
    put_box(world, 8, (fr_plan_box)FLAT(25, 0, 64, 64), unmoved_place());
    static const fr_plan_box cell = FLAT(0, 0, 1, 1);
    fr_plan_shape shape = {&cell, 1, {0.5, 0.5, 0.5}};
    fr_plan_robot *robot = make_robot_of(&shape, 2, 90.0);
    fr_plan_member members[2] = {{robot, place_at(8, 30, 0.0), place_at(16, 30, 0.0), true},
                                 {robot, place_at(16, 30, 0.0), place_at(8, 30, 0.0), true}};
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = world;
    input.members = members;
    input.member_count = 2;
    input.weight = 1.0;
    fr_plan_team team = find(&input);
    expect_team(&input, &team);
    assert_true(team.is_joint);
    assert_int_equal(team.orders, 2);
    fr_plan_team_destroy(&team);

    // Without the bay there is no path, and that is known.
    put_box(world, 9, (fr_plan_box)FLAT(12, 31, 13, 32), unmoved_place());
    team = find(&input);
    assert_false(team.is_found);
    assert_true(team.is_exhausted);
    assert_null(team.paths);
    fr_plan_team_destroy(&team);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void random_teams_keep_out_of_each_other(void **state) {
    (void)state;
    fr_random random = fr_random_seed(95);
    uint64_t rounds = test_count(4, 200), found = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        fr_plan_world *world = make_empty_world(2, 6);
        for (uint32_t i = 0; i < 4; i++) {
            put_box(world, i, random_box(&random, 2, 64, 12), unmoved_place());
        }
        fr_plan_robot *robot = make_test_robot(2, 30.0);
        fr_plan_member members[6];
        fr__plan_bits bits = fr__plan_world_bits(world);
        uint32_t count = 2 + (uint32_t)(round % 5);
        for (uint32_t i = 0; i < count; i++) {
            fr__plan_step start, goal;
            assert_true(random_free_step(&random, world, robot, &start));
            assert_true(random_free_step(&random, world, robot, &goal));
            members[i] = (fr_plan_member){robot, fr__plan_step_place(&bits, robot, start),
                                          fr__plan_step_place(&bits, robot, goal), round % 2 == 0};
        }
        fr_plan_team_input input = fr_default_plan_team_input();
        input.world = world;
        input.members = members;
        input.member_count = count;
        input.budget = 50000;
        input.orders = 6;
        fr_plan_team team;
        fr_error error;
        if (fr_plan_team_find(&input, &team, &error) == FR_OK) {
            if (team.is_found) { expect_team(&input, &team); }
            found += team.is_found;
            fr_plan_team_destroy(&team);
        } else {
            assert_non_null(strstr(error.message, "in another robot"));
        }
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
    assert_true(found > 0);
}

static void robots_in_space_pass_one_another(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(3, 4);
    put_box(world, 1, (fr_plan_box){{7, 0, 0}, {9, 16, 5}}, unmoved_place());
    put_box(world, 2, (fr_plan_box){{7, 0, 11}, {9, 16, 16}}, unmoved_place());
    fr_plan_robot *robot = make_test_robot(3, 90.0);
    fr_plan_member members[3] = {
        {robot, {{3.5, 8.5, 8.5}, {0.0, 0.0, 0.0}}, {{12.5, 8.5, 8.5}, {0.0, 0.0, 0.0}}, true},
        {robot, {{12.5, 8.5, 8.5}, {0.0, 0.0, 0.0}}, {{3.5, 8.5, 8.5}, {0.0, 0.0, 0.0}}, true},
        {robot, {{3.5, 4.5, 8.5}, {0.0, 0.0, 0.0}}, {{12.5, 4.5, 8.5}, {0.0, 0.0, 180.0}}, false}};
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = world;
    input.members = members;
    input.member_count = 3;
    fr_plan_team team = find(&input);
    assert_true(team.is_found);
    for (uint32_t i = 0; i < 3; i++) {
        expect_free(world, &robot->shape, team.paths[i].states, team.paths[i].state_count);
    }
    assert_true(team.paths[2].turns >= 2);
    fr_plan_team_destroy(&team);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static fr_status make_and_find(const fr_allocator *allocator, void *context) {
    static const fr_plan_box bar = FLAT(-1, 0, 2, 1);
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = (fr_plan_shape){&bar, 1, {0.5, 0.5, 0.5}};
    def.dimension = 2;
    def.alpha_deg = 90.0;
    def.is_lazy = true;
    def.allocator = *allocator;
    fr_plan_robot *robot;
    fr_error error;
    fr_status status = fr_plan_robot_create(&def, &robot, &error);
    if (status != FR_OK) { return status; }
    fr_plan_member members[2] = {{robot, place_at(4, 8, 90.0), place_at(12, 8, 0.0), true},
                                 {robot, place_at(12, 8, 90.0), place_at(4, 8, 0.0), true}};
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = context;
    input.members = members;
    input.member_count = 2;
    input.allocator = *allocator;
    fr_plan_team team;
    status = fr_plan_team_find(&input, &team, &error);
    if (status == FR_OK) { assert_true(team.is_found); }
    fr_plan_team_destroy(&team);
    fr_plan_robot_destroy(robot);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 4);
    assert_true(test_every_failure(make_and_find, world) > 20);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(four_robots_cross),
        cmocka_unit_test(two_in_a_corridor_are_planned_together),
        cmocka_unit_test(random_teams_keep_out_of_each_other),
        cmocka_unit_test(robots_in_space_pass_one_another),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
