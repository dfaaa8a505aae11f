#include "paths.h"

#include "failing.h"

typedef struct journey {
    uint32_t ticks;
    fr_plan_event last;
    fr_plan_agent_stats stats;
    bool is_overrun;
} journey;

static const fr_plan_method every_method[4] = {FR_PLAN_ASTAR, FR_PLAN_RTA, FR_PLAN_LRTA, FR_PLAN_DSTAR};

static fr_plan_agent *make_agent(const fr_plan_agent_def *def) {
    fr_plan_agent *agent;
    fr_error error;
    fr_status status = fr_plan_agent_create(def, &agent, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return agent;
}

static fr_plan_event tick(fr_plan_agent *agent) {
    fr_plan_event event;
    fr_error error;
    assert_int_equal(fr_plan_agent_tick(agent, &event, &error), FR_OK);
    return event;
}

// Runs a named world until the goal; every step is checked against the world as it is.
static journey travel(const named_world *n, fr_plan_method method, uint32_t most_ticks) {
    fr_plan_world *world = make_named_world(n);
    fr_plan_robot *robot = make_named_robot(n);
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.start = n->start;
    def.goal = n->goal;
    def.method = method;
    fr_plan_agent *agent = make_agent(&def);
    journey j = {0, FR_PLAN_WAIT, {0}, false};
    while (j.last != FR_PLAN_GOAL && j.ticks < most_ticks) {
        if (has_mover(n) && j.ticks == n->mover_tick) { move_mover(world, n); }
        fr_plan_state step[2] = {fr_plan_agent_state(agent)};
        j.last = tick(agent);
        step[1] = fr_plan_agent_state(agent);
        assert_int_equal(step[1].tick, ++j.ticks);
        j.is_overrun = j.is_overrun || j.last == FR_PLAN_OVERRUN;
        if (j.last != FR_PLAN_OVERRUN) { expect_free(world, &robot->shape, step, 2); }
        bool has_moved = !fr_vec3_equal(step[0].place.position, step[1].place.position);
        assert_int_equal(has_moved, j.last == FR_PLAN_MOVED);
    }
    j.stats = fr_plan_agent_get_stats(agent);
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    return j;
}

// ---------------------------------------------------------------------------------------------------------------

static void refuses_bad_input(void **state) {
    (void)state;
    const named_world *n = named_world_of("D2");
    fr_plan_world *world = make_named_world(n), *space = make_empty_world(3, 4);
    fr_plan_robot *robot = make_named_robot(n);
    fr_plan_agent_def good = fr_default_plan_agent_def();
    good.world = world;
    good.robot = robot;
    good.start = n->start;
    good.goal = n->goal;
    fr_plan_agent *agent;
    fr_error error;
    fr_plan_agent_def def = good;
    def.world = space;
    assert_int_equal(fr_plan_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    def = good;
    def.goal.position.x = -1.0;
    assert_int_equal(fr_plan_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the goal of an agent is out of bounds"));
    def = good;
    def.start.turn_deg.z = NAN;
    assert_int_equal(fr_plan_agent_create(&def, &agent, &error), FR_ERROR_NOT_FINITE);
    def = good;
    def.weight = 0.0;
    assert_int_equal(fr_plan_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    def = good;
    def.method = (fr_plan_method)9;
    assert_int_equal(fr_plan_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    assert_null(agent);
    fr_plan_agent_destroy(NULL);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    fr_plan_world_destroy(space);
}

// The specification's ticks: 30 of waiting, then as few steps as there can be.
static void the_named_worlds_are_crossed(void **state) {
    (void)state;
    const struct {
        const char *name;
        uint32_t ticks; // with the tick that says GOAL
        uint64_t turns;
    } cases[] = {{"D1", 80, 3}, {"D2", 78, 3}, {"D3", 78, 3}, {"D4", 73, 0}};
    for (size_t i = 0; i < 4; i++) {
        const named_world *n = named_world_of(cases[i].name);
        journey star = travel(n, FR_PLAN_ASTAR, 400), mended = travel(n, FR_PLAN_DSTAR, 400);
        assert_int_equal(star.last, FR_PLAN_GOAL);
        assert_int_equal(mended.last, FR_PLAN_GOAL);
        assert_false(star.is_overrun || mended.is_overrun);
        assert_true(star.ticks <= cases[i].ticks);
        assert_int_equal(mended.ticks, star.ticks);
        assert_int_equal(star.stats.plans,
                         has_mover(n) ? 2 : 1); // from scratch only where the path, its turns too, is not free
        assert_int_equal(mended.stats.plans, 1);
        assert_int_equal(mended.stats.repairs, has_mover(n) ? 1 : 0);
        assert_true(star.stats.turns == cases[i].turns && mended.stats.turns == cases[i].turns);
    }
}

// RTA* is never stuck where there is a path; with the wavefront it leaves the trap of D4 in at most 100 ticks.
static void looking_ahead_gets_there_too(void **state) {
    (void)state;
    journey trap = travel(named_world_of("D4"), FR_PLAN_RTA, 100);
    assert_int_equal(trap.last, FR_PLAN_GOAL);
    const char *names[] = {"S1K", "S3", "D2", "D4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int learns = 0; learns < 2; learns++) {
            journey j = travel(named_world_of(names[i]), learns == 1 ? FR_PLAN_LRTA : FR_PLAN_RTA, 20000);
            assert_int_equal(j.last, FR_PLAN_GOAL);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------

// What a shortest path costs now, by A* from nothing; negative where there is none.
static double least_cost(const fr_plan_world *world, const fr_plan_robot *robot, const fr_plan_place *from,
                         const fr_plan_place *goal) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = world;
    input.robot = robot;
    input.start = *from;
    input.goal = *goal;
    input.weight = 1.0;
    fr_cell_path path;
    fr_error error;
    fr_status status = fr_plan_cells(&input, &path, &error);
    // A goal that is in collision just now has no path either.
    double cost = status == FR_OK && path.is_found ? path.length + 3.0 * (double)path.turns : -1.0;
    fr_cell_path_destroy(&path);
    return cost;
}

// Boxes jump about while agents of every kind are moving: no step is ever in collision, D* Lite always knows a
// shortest path, and once all is still each agent arrives that has a path.
static void random_changes_stop_no_agent(void **state) {
    (void)state;
    fr_random random = fr_random_seed(91);
    uint64_t rounds = test_count(10, 300), arrived = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        int dimension = round % 5 == 4 ? 3 : 2;
        fr_plan_world *world = make_random_map(&random, dimension);
        fr_plan_robot *robot = make_test_robot(dimension, dimension == 2 ? 30.0 : 90.0);
        fr__plan_bits bits = fr__plan_world_bits(world);
        fr__plan_step start, goal;
        bool is_set = random_free_step(&random, world, robot, &start) && random_free_step(&random, world, robot, &goal);
        fr_plan_agent_def def = fr_default_plan_agent_def();
        def.world = world;
        def.robot = robot;
        def.method = every_method[round % 4];
        if (is_set) {
            def.start = fr__plan_step_place(&bits, robot, start);
            def.goal = fr__plan_step_place(&bits, robot, goal);
            fr_plan_agent *agent = make_agent(&def);
            fr_plan_event event = FR_PLAN_WAIT;
            uint32_t size = bits.size;
            bool was_overrun = false, is_arrived = false, is_shut_in = false;
            for (uint32_t t = 0; t < 20000 && !is_arrived && !is_shut_in; t++) {
                if (t < 40 && t % 10 == 5) {
                    put_box(world, fr_random_below(&random, 6), random_box(&random, dimension, size, size / 3),
                            unmoved_place());
                }
                fr_plan_state step[2] = {fr_plan_agent_state(agent)};
                event = tick(agent);
                step[1] = fr_plan_agent_state(agent);
                was_overrun = was_overrun || event == FR_PLAN_OVERRUN;
                if (event != FR_PLAN_OVERRUN) { expect_free(world, &robot->shape, step, 2); }
                bool is_planned = event == FR_PLAN_MOVED || event == FR_PLAN_TURNED;
                if (def.method == FR_PLAN_DSTAR && (t < 3 || t % 10 == 5) && (is_planned || event == FR_PLAN_WAIT)) {
                    double cost = least_cost(world, robot, &step[0].place, &def.goal);
                    assert_int_equal(cost >= 0.0, is_planned);
                    if (is_planned) { assert_true(fr_plan_agent_get_stats(agent).cost == cost); }
                }
                is_arrived = t >= 40 && event == FR_PLAN_GOAL;
                if (t == 40 && event != FR_PLAN_GOAL && event != FR_PLAN_OVERRUN) {
                    is_shut_in = least_cost(world, robot, &step[1].place, &def.goal) < 0.0;
                }
            }
            arrived += is_arrived;
            assert_true(is_arrived || is_shut_in || was_overrun);
            fr_plan_agent_destroy(agent);
        }
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
    assert_true(arrived * 2 > rounds);
}

static void an_overrun_robot_goes_to_where_it_is_free(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        fr_plan_world *world = make_empty_world(2, 6);
        fr_plan_robot *robot = make_test_robot(2, 30.0);
        fr_plan_agent_def def = fr_default_plan_agent_def();
        def.world = world;
        def.robot = robot;
        def.start = (fr_plan_place){{10.5, 30.5, 0.0}, {0.0, 0.0, 0.0}};
        def.goal = (fr_plan_place){{50.5, 30.5, 0.0}, {0.0, 0.0, 0.0}};
        def.method = every_method[m];
        fr_plan_agent *agent = make_agent(&def);
        for (int t = 0; t < 5; t++) {
            assert_int_equal(tick(agent), FR_PLAN_MOVED);
        }
        fr_plan_box box = FLAT(12, 20, 18, 34);
        put_box(world, 1, box, unmoved_place());
        uint32_t overruns = 0;
        fr_plan_event event;
        while ((event = tick(agent)) == FR_PLAN_OVERRUN) {
            assert_true(++overruns < 20);
        }
        assert_true(overruns > 0);
        for (int t = 0; t < 200 && event != FR_PLAN_GOAL; t++) {
            event = tick(agent);
            assert_int_not_equal(event, FR_PLAN_OVERRUN);
        }
        assert_int_equal(event, FR_PLAN_GOAL);
        // All is filled: it can only say so.
        fr_plan_box all = FLAT(0, 0, 64, 64);
        put_box(world, 2, all, unmoved_place());
        assert_int_equal(tick(agent), FR_PLAN_OVERRUN);
        assert_int_equal(tick(agent), FR_PLAN_OVERRUN);
        fr_plan_agent_destroy(agent);
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
}

static void a_start_off_the_lattice_is_brought_onto_it(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 6);
    fr_plan_robot *robot = make_test_robot(2, 30.0);
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.start = (fr_plan_place){{10.2, 30.9, 0.0}, {0.0, 0.0, 44.0}};
    def.goal = (fr_plan_place){{20.5, 30.5, 0.0}, {0.0, 0.0, 90.0}};
    def.is_goal_turn_any = false;
    fr_plan_agent *agent = make_agent(&def);
    assert_int_equal(tick(agent), FR_PLAN_MOVED);
    fr_plan_place place = fr_plan_agent_state(agent).place;
    assert_true(place.position.x == 10.5 && place.position.y == 30.5 && place.turn_deg.z == 30.0);
    int ticks = 0;
    while (tick(agent) != FR_PLAN_GOAL) {
        assert_true(++ticks < 50);
    }
    assert_true(fr_plan_agent_state(agent).place.turn_deg.z == 90.0);
    assert_int_equal(ticks, 12);
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static bool stop_often(void *user) { return ++*(int *)user % 2 == 1; }

// A search that is stopped goes on at the next tick.
static void a_stopped_search_goes_on(void **state) {
    (void)state;
    const named_world *n = named_world_of("S3");
    fr_plan_world *world = make_named_world(n);
    fr_plan_robot *robot = make_named_robot(n);
    int call_count = 0;
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.start = n->start;
    def.goal = n->goal;
    def.method = FR_PLAN_DSTAR;
    const fr_control control = {.stop = stop_often, .user = &call_count};
    def.control = &control;
    fr_plan_agent *agent = make_agent(&def);
    uint32_t waits = 0, ticks = 0;
    for (fr_plan_event event = FR_PLAN_WAIT; event != FR_PLAN_GOAL; event = tick(agent)) {
        waits += event == FR_PLAN_WAIT;
        assert_true(++ticks < 2000);
    }
    assert_true(waits > 1);
    assert_int_equal(fr_plan_agent_get_stats(agent).plans, 1);
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static fr_status make_and_travel(const fr_allocator *allocator, void *context) {
    fr_plan_method method = *(const fr_plan_method *)context;
    fr_plan_world *world = make_empty_world(2, 5);
    fr_plan_box wall = FLAT(14, 0, 16, 28);
    put_box(world, 1, wall, unmoved_place());
    static const fr_plan_box cell = FLAT(0, 0, 2, 1);
    fr_plan_shape shape = {&cell, 1, {0.5, 0.5, 0.5}};
    fr_plan_robot *robot = make_robot_of(&shape, 2, 90.0);
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.start = (fr_plan_place){{10.5, 20.5, 0.0}, {0.0, 0.0, 0.0}};
    def.goal = (fr_plan_place){{20.5, 20.5, 0.0}, {0.0, 0.0, 0.0}};
    def.method = method;
    def.allocator = *allocator;
    fr_plan_agent *agent = NULL;
    fr_error error;
    fr_status status = fr_plan_agent_create(&def, &agent, &error);
    fr_plan_event event = FR_PLAN_WAIT;
    for (int t = 0; t < 200 && status == FR_OK && event != FR_PLAN_GOAL; t++) {
        if (t == 4) { put_box(world, 2, (fr_plan_box)FLAT(10, 26, 12, 28), unmoved_place()); }
        status = fr_plan_agent_tick(agent, &event, &error);
    }
    if (status == FR_OK) { assert_int_equal(event, FR_PLAN_GOAL); }
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        fr_plan_method method = every_method[m];
        assert_true(test_every_failure(make_and_travel, &method) > 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(the_named_worlds_are_crossed),
        cmocka_unit_test(looking_ahead_gets_there_too),
        cmocka_unit_test(random_changes_stop_no_agent),
        cmocka_unit_test(an_overrun_robot_goes_to_where_it_is_free),
        cmocka_unit_test(a_start_off_the_lattice_is_brought_onto_it),
        cmocka_unit_test(a_stopped_search_goes_on),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
