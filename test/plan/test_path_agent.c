// An agent among faces in worlds with bodies that move: at no instant does it touch anything unless it reports so, and
// it arrives wherever cells in time do where it knows the motions, and mostly where it can but foresee them.
#include "timed_worlds.h"

#include "failing.h"

enum { MAX_TICKS = 2000 };

typedef struct journey {
    bool is_there, is_overrun;
    uint32_t ticks;
    uint64_t touches, plans;
} journey;

static const double step = 0.05;

// The motions of a tick, as a world sets them.
static void set_motions(timed_world *w, double t) {
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        fr_pose poses[2];
        for (int k = 0; k < 2; k++) {
            fr_vec3 middle;
            double turn;
            timed_mover_at(w, i, t + k * step, &middle, &turn);
            poses[k] = fr_pose_make(middle, fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(turn)));
        }
        assert_int_equal(fr_object_set_pose(w->space, w->obstacles[i].object, &poses[0], NULL), FR_OK);
        assert_int_equal(fr_object_set_next(w->space, w->obstacles[i].object, &poses[1], NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(w->space, NULL, NULL), FR_OK);
}

// An agent with all the moves of a query, and its lattice on the cells, or with few moves a tick.
static fr_path_agent *make_agent(const timed_world *w, bool is_known, bool is_thorough) {
    fr_path_agent_def def = fr_default_path_agent_def();
    def.query = w->input;
    def.query.depth = w->depth;
    if (!is_thorough) {
        def.query.max_moves = 3000;
        def.query.lattice_moves = 0;
    }
    if (!is_known) { def.query.obstacle_count = 0; }
    def.step = step;
    fr_path_agent *agent;
    assert_int_equal(fr_path_agent_create(&def, &agent, NULL), FR_OK);
    return agent;
}

// The body goes tick after tick; between two it is looked at ten times.
static journey go(timed_world *w, bool is_known, bool is_thorough) {
    journey j = {0};
    timed_watch watch;
    timed_watch_open(w, &watch);
    fr_path_agent *agent = make_agent(w, is_known, is_thorough);
    fr_pose pose = w->input.start;
    for (; j.ticks < MAX_TICKS && !j.is_there; j.ticks++) {
        double t = j.ticks * step;
        set_motions(w, t);
        const fr_path_agent_input in = {w->space, t, pose};
        fr_path_agent_output out;
        fr_error error = {0};
        if (fr_path_agent_tick(agent, &in, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
        j.is_overrun = j.is_overrun || out.event == FR_PLAN_OVERRUN;
        j.is_there = out.event == FR_PLAN_GOAL;
        fr_motion motion = fr_motion_between(&pose, &out.pose, w->input.pivot_local);
        for (int k = 0; k < 4 && !j.is_overrun; k++) {
            fr_pose between = fr_motion_pose(&motion, k / 4.0);
            j.touches += timed_touches(w, &watch, &between, t + k / 4.0 * step) ? 1 : 0;
        }
        pose = out.pose;
    }
    j.plans = fr_path_agent_get(agent).plans;
    fr_path_agent_destroy(agent);
    timed_watch_close(&watch);
    return j;
}

typedef struct tally {
    uint64_t there, overrun, plans;
} tally;

static void count_journey(tally *t, const journey *j) {
    t->there += j->is_there ? 1 : 0;
    t->overrun += j->is_overrun ? 1 : 0;
    t->plans += j->plans;
}

// With known motions it has all the moves of a query where cells in time get through, and arrives there. Elsewhere it
// has few: a search that fails uses all its moves, and a hundred would. It is overrun only where movers take the
// last cell that can be reached.
static journey go_with_known_motions(timed_world *w, const timed_reached *cells) {
    journey j = go(w, true, cells->goal != UINT32_MAX);
    if (cells->goal != UINT32_MAX && !j.is_there) { fail_msg("cells get there at %u", cells->goal); }
    if (cells->lost == UINT32_MAX && j.is_overrun) { fail_msg("overrun, and cells are not"); }
    return j;
}

// Of 40 worlds cells in time get through 34, and of the 35 that were tried with known motions the agent through all
// that cells do. What only sees motions sees them a second ahead and has few moves a tick: it arrives in 30, and one
// mover squeezes it against a wall in more than that second. A foresight of 4 s is no better: 31 arrive and 3 are
// squeezed, since motions seldom go on for so long.
static void test_it_touches_nothing(void **state) {
    (void)state;
    uint64_t count = test_count(2, 40), by_cells = 0, squeezed = 0;
    tally known = {0}, seen = {0};
    fr_random random = fr_random_seed(4);
    for (uint64_t i = 0; i < count;) {
        timed_world w;
        if (!timed_open(&random, i % 2 == 0 ? 3 : 2, &w)) { continue; }
        timed_reached cells = timed_reach(&w, (uint32_t)(MAX_TICKS * step));
        const journey journeys[2] = {go_with_known_motions(&w, &cells), go(&w, false, false)};
        for (int k = 0; k < 2; k++) {
            const journey *j = &journeys[k];
            if (test_is_long()) {
                print_message("world %u %s: cells %d lost %d there %d overrun %d ticks %u plans %u\n", (unsigned)i,
                              k == 0 ? "known" : "seen", (int)cells.goal, (int)cells.lost, j->is_there, j->is_overrun,
                              j->ticks, (unsigned)j->plans);
            }
            assert_int_equal(j->touches, 0);
            count_journey(k == 0 ? &known : &seen, j);
        }
        by_cells += cells.goal != UINT32_MAX ? 1 : 0;
        squeezed += journeys[1].is_overrun && cells.lost == UINT32_MAX ? 1 : 0;
        timed_close(&w);
        i++;
    }
    print_message("%u worlds, %u by cells; motions known: %u arrive, %u overrun, %u plans; only seen: %u, "
                  "%u, %u\n",
                  (unsigned)count, (unsigned)by_cells, (unsigned)known.there, (unsigned)known.overrun,
                  (unsigned)known.plans, (unsigned)seen.there, (unsigned)seen.overrun, (unsigned)seen.plans);
    assert_true(squeezed * 40 <= count);
    assert_true(known.there * 10 >= count * 8);
    assert_true(seen.there * 10 >= count * 6);
}

// A body that stands at its goal in the open, and a block that comes along x at 1 m/s and goes through there.
static void test_it_steps_aside_and_comes_back(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    fr_mesh *cube, *block;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &cube, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2.0, 2.0, 2.0), NULL, &block, NULL), FR_OK);
    fr_object_id id = window_put(space, block, fr_vec3_make(-5.0, 0.3, 0.0));
    fr_part_def part = fr_default_part_def();
    part.mesh = cube;
    fr_path_agent_def agent_def = fr_default_path_agent_def();
    agent_def.step = step;
    agent_def.query.parts = &part;
    agent_def.query.part_count = 1;
    agent_def.query.bounds = (fr_bounds){fr_vec3_make(-6.0, -6.0, -6.0), fr_vec3_make(6.0, 6.0, 6.0)};
    agent_def.query.speed = 2.0;
    agent_def.query.max_moves = 1000;
    fr_path_agent *agent;
    assert_int_equal(fr_path_agent_create(&agent_def, &agent, NULL), FR_OK);
    fr_pose pose = fr_pose_identity();
    double farthest = 0.0;
    fr_path_agent_output out = {0};
    for (int k = 0; k < 400; k++) {
        fr_pose now = fr_pose_identity(), next = now;
        now.position = fr_vec3_make(-5.0 + fmin(k * step, 10.0), 0.3, 0.0);
        next.position = fr_vec3_make(-5.0 + fmin((k + 1) * step, 10.0), 0.3, 0.0);
        assert_int_equal(fr_object_set_pose(space, id, &now, NULL), FR_OK);
        if (k * step < 10.0) { assert_int_equal(fr_object_set_next(space, id, &next, NULL), FR_OK); }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        const fr_path_agent_input in = {space, k * step, pose};
        assert_int_equal(fr_path_agent_tick(agent, &in, &out, NULL), FR_OK);
        assert_true(out.event != FR_PLAN_OVERRUN);
        // Two boxes along the axes: apart on one of them, at both ends of the tick.
        fr_vec3 apart = fr_vec3_sub(out.pose.position, next.position);
        assert_true(fabs(apart.x) > 1.5 || fabs(apart.y) > 1.5 || fabs(apart.z) > 1.5 ||
                    fr_vec3_length(fr_motion_between(&pose, &out.pose, part.pose.position).turn) > 0.0);
        pose = out.pose;
        farthest = fmax(farthest, fr_vec3_length(pose.position));
    }
    assert_true(farthest > 0.5);
    assert_int_equal(out.event, FR_PLAN_GOAL);
    assert_true(fr_vec3_length(pose.position) < 1e-6);
    fr_path_agent_destroy(agent);
    fr_mesh_release(cube);
    fr_space_destroy(space);
}

static void test_refuses_wrong_definitions(void **state) {
    (void)state;
    fr_path_agent *agent;
    fr_error error = {0};
    fr_path_agent_def def = fr_default_path_agent_def();
    def.step = 0.0;
    assert_int_equal(fr_path_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    def = fr_default_path_agent_def();
    def.foresight = NAN;
    assert_int_equal(fr_path_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    def = fr_default_path_agent_def();
    def.cookie = 0;
    assert_int_equal(fr_path_agent_create(&def, &agent, &error), FR_ERROR_ARGUMENT);
    assert_null(agent);
}

// A body without parts, a pose that is none, a time beyond all rounds: a status, and the body stays.
static void test_refuses_wrong_ticks(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    timed_world w;
    while (!timed_open(&random, 3, &w)) {}
    fr_path_agent *agent = make_agent(&w, true, false);
    set_motions(&w, 0.0);
    fr_path_agent_output out;
    fr_path_agent_input in = {w.space, NAN, w.input.start};
    assert_int_not_equal(fr_path_agent_tick(agent, &in, &out, NULL), FR_OK);
    in.time = 0.0;
    in.pose.position.x = INFINITY;
    assert_int_not_equal(fr_path_agent_tick(agent, &in, &out, NULL), FR_OK);
    in.pose = w.input.start;
    assert_int_equal(fr_path_agent_tick(agent, &in, &out, NULL), FR_OK);
    fr_pose far = w.input.goal;
    far.position.y = NAN;
    assert_int_not_equal(fr_path_agent_set_goal(agent, &far, false, NULL), FR_OK);
    fr_path_agent_destroy(agent);
    timed_close(&w);
}

static fr_status go_a_little(const fr_allocator *allocator, void *context) {
    timed_world *w = context;
    fr_path_agent_def def = fr_default_path_agent_def();
    def.query = w->input;
    def.query.allocator = *allocator;
    def.query.max_moves = 200;
    def.query.lattice_moves = 0;
    fr_path_agent *agent;
    fr_status status = fr_path_agent_create(&def, &agent, NULL);
    fr_pose pose = w->input.start;
    for (int k = 0; k < 2 && status == FR_OK; k++) {
        const fr_path_agent_input in = {w->space, 0.0, pose};
        fr_path_agent_output out;
        status = fr_path_agent_tick(agent, &in, &out, NULL);
    }
    fr_path_agent_destroy(agent);
    return status;
}

static void test_a_failure_leaves_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    timed_world w;
    while (!timed_open(&random, 3, &w)) {}
    set_motions(&w, 0.0);
    test_every_failure_leaves_nothing(go_a_little, &w);
    timed_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_wrong_definitions),
        cmocka_unit_test(test_refuses_wrong_ticks),
        cmocka_unit_test(test_it_steps_aside_and_comes_back),
        cmocka_unit_test(test_a_failure_leaves_nothing),
        cmocka_unit_test(test_it_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
