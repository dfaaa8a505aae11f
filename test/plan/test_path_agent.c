// An agent among faces in worlds with bodies that move: at no instant does it touch anything unless it reports so, and
// it arrives where it knows the motions or can foresee them.
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

static fr_path_agent *make_agent(const timed_world *w, bool is_known) {
    fr_path_agent_def def = fr_default_path_agent_def();
    def.query = w->input;
    def.query.max_moves = 3000;
    def.query.lattice_moves = 0;
    if (!is_known) { def.query.obstacle_count = 0; }
    def.step = step;
    fr_path_agent *agent;
    assert_int_equal(fr_path_agent_create(&def, &agent, NULL), FR_OK);
    return agent;
}

// The body goes tick after tick; between two it is looked at ten times.
static journey go(timed_world *w, bool is_known) {
    journey j = {0};
    timed_watch watch;
    timed_watch_open(w, &watch);
    fr_path_agent *agent = make_agent(w, is_known);
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

static void test_it_touches_nothing(void **state) {
    (void)state;
    uint64_t count = test_count(2, 40), there[2] = {0}, overrun[2] = {0}, plans[2] = {0};
    fr_random random = fr_random_seed(4);
    for (uint64_t i = 0; i < count;) {
        timed_world w;
        if (!timed_open(&random, i % 2 == 0 ? 3 : 2, &w)) { continue; }
        for (int k = 0; k < 2; k++) {
            journey j = go(&w, k == 0);
            if (test_is_long()) {
                print_message("world %u %s: there %d overrun %d ticks %u plans %u\n", (unsigned)i,
                              k == 0 ? "known" : "seen", j.is_there, j.is_overrun, j.ticks, (unsigned)j.plans);
            }
            assert_int_equal(j.touches, 0);
            there[k] += j.is_there ? 1 : 0;
            overrun[k] += j.is_overrun ? 1 : 0;
            plans[k] += j.plans;
        }
        timed_close(&w);
        i++;
    }
    print_message("%u worlds; motions known: %u arrive, %u overrun, %u plans; only seen: %u, %u, %u\n", (unsigned)count,
                  (unsigned)there[0], (unsigned)overrun[0], (unsigned)plans[0], (unsigned)there[1],
                  (unsigned)overrun[1], (unsigned)plans[1]);
    assert_true(there[0] * 10 >= count * 8);
    assert_true(there[1] * 10 >= count * 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
