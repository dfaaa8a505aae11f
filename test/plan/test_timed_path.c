// Paths in time: each that is found touches nothing at many instants, by a query that has nothing to do with how it was
// found, and one is found wherever a search over all cells in time finds one.
#include "timed_worlds.h"

#include "failing.h"

static fr_path find(const fr_path_input *input) {
    fr_path path;
    fr_error error = {0};
    fr_status status = fr_plan_path(input, &path, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return path;
}

// ---------------------------------------------------------------------------------------------------------------
// A door that opens: a wall across x = 0 with a hole of 2, in which a plug stands until it goes up

typedef struct door {
    fr_space *space;
    fr_mesh *body;
    fr_part_def part;
    fr_path_sample samples[3];
    fr_path_obstacle plug;
    fr_path_input input;
} door;

static fr_mesh *make_box(double x, double y, double z) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL), FR_OK);
    return mesh;
}

static void door_open(double offset, door *d) {
    memset(d, 0, sizeof *d);
    const fr_vec3 o = {offset, -offset, offset};
    fr_space_def def = fr_default_space_def();
    def.origin = o;
    assert_int_equal(fr_space_create(&def, &d->space, NULL), FR_OK);
    window_put(d->space, make_box(0.5, 9.0, 20.0), fr_vec3_add(o, fr_vec3_make(0.0, 5.5, 0.0)));
    window_put(d->space, make_box(0.5, 9.0, 20.0), fr_vec3_add(o, fr_vec3_make(0.0, -5.5, 0.0)));
    window_put(d->space, make_box(0.5, 2.0, 9.0), fr_vec3_add(o, fr_vec3_make(0.0, 0.0, 5.5)));
    window_put(d->space, make_box(0.5, 2.0, 9.0), fr_vec3_add(o, fr_vec3_make(0.0, 0.0, -5.5)));
    d->plug.object = window_put(d->space, make_box(0.2, 1.9, 1.9), o);
    assert_int_equal(fr_space_update(d->space, NULL, NULL), FR_OK);
    // At 10 s it begins to go off through the wall's plane, at 20 s it is gone.
    const double x[3] = {0.0, 0.0, 4.0}, z[3] = {0.0, 0.0, 6.0}, t[3] = {0.0, 10.0, 20.0};
    for (int i = 0; i < 3; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position = fr_vec3_add(o, fr_vec3_make(x[i], 0.0, z[i]));
        d->samples[i] = (fr_path_sample){t[i], pose};
    }
    d->plug.samples = d->samples;
    d->plug.sample_count = 3;
    d->body = make_box(1.0, 1.0, 1.0);
    d->part = fr_default_part_def();
    d->part.mesh = d->body;
    d->input = fr_default_path_input();
    d->input.space = d->space;
    d->input.parts = &d->part;
    d->input.part_count = 1;
    d->input.start.position = fr_vec3_add(o, fr_vec3_make(-4.0, 0.0, 0.0));
    d->input.goal.position = fr_vec3_add(o, fr_vec3_make(4.0, 0.0, 0.0));
    d->input.bounds =
        (fr_bounds){fr_vec3_sub(o, fr_vec3_make(5.0, 5.0, 5.0)), fr_vec3_add(o, fr_vec3_make(5.0, 5.0, 5.0))};
    d->input.obstacles = &d->plug;
    d->input.obstacle_count = 1;
}

static void door_close(door *d) {
    fr_space_destroy(d->space);
    fr_mesh_release(d->body);
}

static void test_it_waits_for_a_door(void **state) {
    (void)state;
    const double offsets[3] = {0.0, 1e6, -12345.678};
    for (int i = 0; i < 3; i++) {
        door d;
        door_open(offsets[i], &d);
        fr_path path = find(&d.input);
        assert_true(path.is_found && path.is_checked && path.is_timed && path.times != NULL);
        assert_true(path.waiting > 1.0 && path.times[path.state_count - 1] > 14.0);
        assert_true(path.times[0] == 0.0);
        for (uint32_t k = 0; k + 1 < path.state_count; k++) {
            assert_true(path.times[k + 1] >= path.times[k]);
        }
        // The same places sooner: the plug is met, and the result names it.
        double *early = malloc(path.state_count * sizeof *early);
        fr_path_check_output check;
        for (uint32_t k = 0; k < path.state_count; k++) {
            early[k] = path.times[k] - path.times[path.state_count - 1] + 9.0;
        }
        assert_int_equal(fr_plan_check_timed_path(&d.input, path.states, early, path.state_count, &check, NULL), FR_OK);
        assert_false(check.is_valid);
        assert_true(fr_object_id_equal(check.contact.b, d.plug.object));
        free(early);
        fr_path_destroy(&path);
        door_close(&d);
    }
}

// Every motion of the path found is one that the search has reported.
typedef struct path_motions {
    const fr_path *path;
    uint32_t seen; // bit i: the motion from state i to the next was reported
} path_motions;

static void see_branch(const fr_path_branch *branch, void *context) {
    path_motions *m = context;
    for (uint32_t i = 0; i + 1 < m->path->state_count; i++) {
        bool is_it = fr_vec3_equal(branch->from, m->path->states[i].position) &&
                     fr_vec3_equal(branch->to, m->path->states[i + 1].position);
        m->seen |= is_it ? 1u << i : 0;
    }
}

static void test_it_reports_what_it_opens(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    fr_path path = find(&d.input);
    path_motions motions = {&path, 0};
    d.input.on_branch = see_branch;
    d.input.branch_context = &motions;
    fr_path again = find(&d.input);
    assert_int_equal(again.state_count, path.state_count);
    assert_true(path.state_count < 32);
    for (uint32_t i = 0; i + 1 < path.state_count; i++) {
        bool is_wait = fr_vec3_equal(path.states[i].position, path.states[i + 1].position);
        assert_true(is_wait || (motions.seen >> i & 1) == 1);
    }
    fr_path_destroy(&path);
    fr_path_destroy(&again);
    door_close(&d);
}

static void test_it_stays_shut(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    d.plug.sample_count = 2;
    d.input.max_moves = 4000;
    fr_path path = find(&d.input);
    assert_true(!path.is_found && path.is_timed && path.states == NULL && path.times == NULL);
    fr_path_destroy(&path);
    // Without the motion the plug stands where the space has it: the result does not say that it was timed.
    d.input.obstacle_count = 0;
    path = find(&d.input);
    assert_true(!path.is_found && !path.is_timed);
    fr_path_destroy(&path);
    door_close(&d);
}

// The body may have to stay at its goal, and is there at multiples of a step where that is wanted.
static void test_times_are_as_wanted(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    d.plug.period = 30.0;
    d.input.time_step = 0.25;
    d.input.goal_seconds = 3.0;
    d.input.start_time = 40.0;
    d.input.objective = FR_PATH_SHORTEST;
    fr_path path = find(&d.input);
    assert_true(path.is_found && path.is_checked && path.times[0] == 40.0);
    for (uint32_t k = 0; k < path.state_count; k++) {
        double steps = (path.times[k] - 40.0) / 0.25;
        assert_true(fabs(steps - floor(steps + 0.5)) < 1e-9);
    }
    const fr_pose goal[2] = {d.input.goal, d.input.goal};
    const double stay[2] = {path.times[path.state_count - 1], path.times[path.state_count - 1] + 3.0};
    fr_path_check_output check;
    assert_int_equal(fr_plan_check_timed_path(&d.input, goal, stay, 2, &check, NULL), FR_OK);
    assert_true(check.is_valid);
    fr_path_destroy(&path);
    door_close(&d);
}

static void test_the_same_input_gives_the_same_path(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    timed_world w;
    while (!timed_open(&random, 3, &w)) {}
    fr_path a = find(&w.input), b = find(&w.input);
    assert_int_equal(a.state_count, b.state_count);
    assert_memory_equal(a.states, b.states, a.state_count * sizeof *a.states);
    assert_memory_equal(a.times, b.times, a.state_count * sizeof *a.times);
    fr_path_destroy(&a);
    fr_path_destroy(&b);
    timed_close(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void expect_refusal(const fr_path_input *input, fr_status expected) {
    fr_path path;
    fr_error error = {0};
    assert_int_equal(fr_plan_path(input, &path, &error), expected);
    assert_true(error.message[0] != '\0' && path.states == NULL);
}

static void test_refuses_wrong_motions(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    fr_path_input q = d.input;
    q.speed = 0.0;
    expect_refusal(&q, FR_ERROR_ARGUMENT);
    q = d.input;
    q.turn_speed = NAN;
    expect_refusal(&q, FR_ERROR_ARGUMENT);
    q = d.input;
    q.max_time = -1.0;
    expect_refusal(&q, FR_ERROR_ARGUMENT);
    q = d.input;
    q.start_time = INFINITY;
    expect_refusal(&q, FR_ERROR_ARGUMENT);
    q = d.input;
    q.obstacles = NULL;
    expect_refusal(&q, FR_ERROR_ARGUMENT);
    d.plug.period = 5.0;
    expect_refusal(&d.input, FR_ERROR_ARGUMENT);
    d.plug.period = NAN;
    expect_refusal(&d.input, FR_ERROR_ARGUMENT);
    d.plug.period = 0.0;
    d.plug.sample_count = 0;
    expect_refusal(&d.input, FR_ERROR_ARGUMENT);
    d.plug.sample_count = 3;
    d.samples[1].time = 20.0;
    expect_refusal(&d.input, FR_ERROR_ARGUMENT);
    d.samples[1].time = NAN;
    expect_refusal(&d.input, FR_ERROR_NOT_FINITE);
    d.samples[1].time = 10.0;
    d.samples[2].pose.position.x = NAN;
    expect_refusal(&d.input, FR_ERROR_NOT_FINITE);
    d.samples[2].pose.position.x = 0.0;
    d.plug.object.generation += 7;
    expect_refusal(&d.input, FR_ERROR_STALE_ID);
    door_close(&d);
}

// A motion that repeats a billion times on the way is refused at once.
static void test_refuses_what_would_not_end(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    for (int i = 0; i < 3; i++) {
        d.samples[i].time *= 1e-9;
    }
    d.plug.period = 2e-8;
    expect_refusal(&d.input, FR_ERROR_LIMIT);
    d.plug.period = 30.0;
    d.input.start_time = 1e300;
    expect_refusal(&d.input, FR_ERROR_LIMIT);
    door_close(&d);
}

static void test_checks_times_and_speeds(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    const fr_pose poses[2] = {d.input.start, d.input.goal};
    const double late[2] = {30.0, 38.1}, fast[2] = {30.0, 31.0}, back[2] = {30.0, 20.0}, none[2] = {30.0, NAN};
    fr_path_check_output check;
    assert_int_equal(fr_plan_check_timed_path(&d.input, poses, late, 2, &check, NULL), FR_OK);
    assert_true(check.is_valid && fabs(check.length - 8.0) < 1e-12);
    assert_int_equal(fr_plan_check_timed_path(&d.input, poses, fast, 2, &check, NULL), FR_OK);
    assert_true(!check.is_valid && check.is_too_fast);
    assert_int_equal(fr_plan_check_timed_path(&d.input, poses, back, 2, &check, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_plan_check_timed_path(&d.input, poses, none, 2, &check, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_plan_check_timed_path(&d.input, poses, NULL, 2, &check, NULL), FR_ERROR_ARGUMENT);
    door_close(&d);
}

static fr_status plan_door(const fr_allocator *allocator, void *context) {
    fr_path_input q = ((door *)context)->input;
    fr_path path;
    q.allocator = *allocator;
    q.objective = FR_PATH_SHORTEST;
    q.optimize_moves = 50;
    fr_status status = fr_plan_path(&q, &path, NULL);
    if (status != FR_OK) { return status; }
    double clearance;
    status = fr_plan_timed_path_clearance(&q, path.states, path.times, path.state_count, 1.0, &clearance, NULL);
    fr_path_destroy(&path);
    return status;
}

static void test_survives_every_failure(void **state) {
    (void)state;
    door d;
    door_open(0.0, &d);
    assert_true(test_every_failure(plan_door, &d) > 10);
    door_close(&d);
}

// ---------------------------------------------------------------------------------------------------------------
// Random worlds

enum { TICKS = 160 };

static void test_it_finds_what_cells_in_time_find(void **state) {
    (void)state;
    uint64_t count = test_count(10, 100), found = 0, by_cells = 0, samples = 0, waits = 0;
    fr_random random = fr_random_seed(77);
    for (uint64_t i = 0; i < count;) {
        timed_world w;
        if (!timed_open(&random, i % 2 == 0 ? 2 : 3, &w)) { continue; }
        uint32_t tick = timed_reach(&w, TICKS).goal;
        fr_path path = find(&w.input);
        if (test_is_long()) {
            print_message("world %u: cells %d, faces %d, %.1f s waiting, %u motions\n", (unsigned)i, (int)tick,
                          path.is_found, path.waiting, (unsigned)path.moves);
        }
        if (tick != UINT32_MAX && !path.is_found) { fail_msg("world %u: cells get there at %u", (unsigned)i, tick); }
        if (path.is_found) {
            assert_true(path.is_checked && path.is_timed);
            assert_int_equal(timed_count_touches(&w, &path, 0.02, &samples), 0);
        }
        found += path.is_found ? 1 : 0;
        waits += path.waiting > 0.0 ? 1 : 0;
        by_cells += tick != UINT32_MAX ? 1 : 0;
        fr_path_destroy(&path);
        timed_close(&w);
        i++;
    }
    print_message("of %u worlds cells in time get through %u, faces %u, %u of them waiting; %u samples\n",
                  (unsigned)count, (unsigned)by_cells, (unsigned)found, (unsigned)waits, (unsigned)samples);
    assert_true(by_cells > count / 2);
}

// A cube that stands, and a block that passes by it at 0.75: what is measured is that, though the query has no margin.
static void test_the_clearance_is_that_in_time(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    fr_path_sample samples[2] = {{0.0, fr_pose_identity()}, {10.0, fr_pose_identity()}};
    samples[0].pose.position = fr_vec3_make(-5.0, 1.75, 0.0);
    samples[1].pose.position = fr_vec3_make(5.0, 1.75, 0.0);
    fr_path_obstacle block = {.samples = samples, .sample_count = 2};
    block.object = window_put(space, make_box(1.0, 1.0, 1.0), samples[0].pose.position);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = make_box(1.0, 1.0, 1.0);
    fr_path_input input = fr_default_path_input();
    input.space = space;
    input.parts = &part;
    input.part_count = 1;
    input.obstacles = &block;
    input.obstacle_count = 1;
    input.bounds = (fr_bounds){fr_vec3_make(-6.0, -6.0, -6.0), fr_vec3_make(6.0, 6.0, 6.0)};
    const fr_pose poses[2] = {fr_pose_identity(), fr_pose_identity()};
    const double through[2] = {0.0, 10.0}, before[2] = {0.0, 1.0};
    double clearance;
    assert_int_equal(fr_plan_timed_path_clearance(&input, poses, through, 2, 12.0, &clearance, NULL), FR_OK);
    assert_true(clearance <= 0.75 && clearance >= 0.75 * 30.0 / 31.0);
    // Before it has come it is farther off: three metres in x, three quarters in y
    assert_int_equal(fr_plan_timed_path_clearance(&input, poses, before, 2, 12.0, &clearance, NULL), FR_OK);
    double far = sqrt(3.0 * 3.0 + 0.75 * 0.75);
    assert_true(clearance <= far && clearance >= far * 30.0 / 31.0);
    assert_int_equal(fr_plan_timed_path_clearance(&input, poses, before, 2, NAN, &clearance, NULL), FR_ERROR_ARGUMENT);
    fr_mesh_release(part.mesh);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_wrong_motions),
        cmocka_unit_test(test_refuses_what_would_not_end),
        cmocka_unit_test(test_it_waits_for_a_door),
        cmocka_unit_test(test_it_stays_shut),
        cmocka_unit_test(test_it_reports_what_it_opens),
        cmocka_unit_test(test_times_are_as_wanted),
        cmocka_unit_test(test_checks_times_and_speeds),
        cmocka_unit_test(test_the_clearance_is_that_in_time),
        cmocka_unit_test(test_the_same_input_gives_the_same_path),
        cmocka_unit_test(test_survives_every_failure),
        cmocka_unit_test(test_it_finds_what_cells_in_time_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
