// Paths among faces: each that is found is free at every one of many poses between its states, by a query that has
// nothing to do with how it was found.
#include "failing.h"
#include "frame.h"
#include "plan/window.h"
#include "random_vector.h"

#include <string.h>

static fr_path find(const fr_path_input *input) {
    fr_path path;
    fr_error error;
    fr_status status = fr_plan_path(input, &path, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    return path;
}

// Asks the space at `steps` poses of each motion whether the mesh meets anything.
static uint64_t count_meetings(const fr_path_input *q, const fr_path *path, uint32_t steps) {
    uint64_t meetings = 0;
    for (uint32_t i = 0; i + 1 < path->state_count; i++) {
        fr_motion motion = fr_motion_between(&path->states[i], &path->states[i + 1], q->pivot_local);
        for (uint32_t k = 0; k <= steps; k++) {
            fr_overlap_shape shape;
            memset(&shape, 0, sizeof shape);
            shape.kind = FR_OVERLAP_MESH;
            shape.mesh = q->parts[0].mesh;
            shape.pose = fr_motion_pose(&motion, (double)k / steps);
            uint32_t count = 0;
            assert_int_equal(fr_space_overlap(q->space, &shape, q->filter, NULL, 0, &count, NULL), FR_OK);
            meetings += count;
        }
    }
    return meetings;
}

static void assert_leads_there(const fr_path_input *q, const fr_path *path) {
    assert_true(path->is_found);
    assert_true(path->is_checked);
    assert_true(path->state_count >= 2);
    assert_memory_equal(&path->states[0], &q->start, sizeof q->start);
    assert_memory_equal(&path->states[path->state_count - 1], &q->goal, sizeof q->goal);
    assert_int_equal(count_meetings(q, path, 12), 0);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void test_refuses_invalid_input(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_path path;
    fr_error error;
    fr_path_input q = p.input;
    q.cookie = 0;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    q = p.input;
    q.part_count = 0;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    q = p.input;
    q.bounds.min.x = 5.0;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    q = p.input;
    q.bounds.max.y = NAN;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_NOT_FINITE);
    q = p.input;
    q.margin = -1.0;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    q = p.input;
    q.depth = FR_PATH_MAX_DEPTH + 1;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    q = p.input;
    q.goal.position.x = 4.5;
    assert_int_equal(fr_plan_path(&q, &path, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "goal"));
    double clearance = 1.0;
    assert_int_equal(fr_plan_path_clearance(&p.input, &p.input.start, 1, 0.0, &clearance, &error), FR_ERROR_ARGUMENT);
    assert_true(clearance == 0.0);
    fr_pose pose = fr_pose_identity();
    pose.position.x = 0.5;
    assert_int_equal(fr_object_set_pose(p.space, p.wall, &pose, NULL), FR_OK);
    assert_int_equal(fr_plan_path(&p.input, &path, &error), FR_ERROR_STALE_DATA);
    window_close(&p);
}

static void test_reports_what_a_blocked_end_touches(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_path_input q = p.input;
    q.start.position = fr_vec3_make(0.0, 3.0, 3.0);
    fr_path path = find(&q);
    assert_false(path.is_found);
    assert_true(path.is_blocked);
    assert_false(path.is_goal_blocked);
    assert_true(fr_object_id_equal(path.blocked.b, p.wall));
    fr_path_destroy(&path);
    q = p.input;
    q.goal.position = fr_vec3_make(0.0, 3.0, 3.0);
    path = find(&q);
    assert_true(path.is_blocked);
    assert_true(path.is_goal_blocked);
    fr_path_destroy(&path);
    // Nearer than the margin is blocked too
    q = p.input;
    q.goal.position.x = 2.0;
    q.margin = 1.0;
    path = find(&q);
    assert_true(path.is_blocked && path.is_goal_blocked);
    fr_path_destroy(&path);
    window_close(&p);
}

static void test_gives_up_where_there_is_no_path(void **state) {
    (void)state;
    window_problem p;
    window_open(0.3, &p);
    p.input.max_moves = 600;
    fr_path path = find(&p.input);
    assert_false(path.is_found);
    assert_false(path.is_blocked);
    assert_in_range(path.moves, 600, 1400); // in trees, and then in the lattice
    assert_int_equal(path.outcome, FR_PATH_NOT_FOUND);
    assert_null(path.states);
    fr_path_destroy(&path);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// What is right

static void test_goes_through_windows(void **state) {
    (void)state;
    const double sides[] = {1.7, 1.4, 1.0};
    for (size_t i = 0; i < 3; i++) {
        window_problem p;
        window_open(sides[i], &p);
        uint64_t seeds = test_count(2, 100);
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            p.input.seed = seed;
            fr_path path = find(&p.input);
            assert_leads_there(&p.input, &path);
            fr_path_destroy(&path);
        }
        window_close(&p);
    }
}

static void test_the_same_seed_gives_the_same_path(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    p.input.seed = 7;
    fr_path a = find(&p.input), b = find(&p.input);
    assert_int_equal(a.state_count, b.state_count);
    assert_memory_equal(a.states, b.states, a.state_count * sizeof *a.states);
    assert_int_equal(a.moves, b.moves);
    fr_path_destroy(&a);
    fr_path_destroy(&b);
    window_close(&p);
}

// What a search reports: each tree grows from its own end, by every node but its roots.
typedef struct seen_branches {
    fr_path_branch *list;
    uint32_t count, capacity;
} seen_branches;

static void see_branch(const fr_path_branch *branch, void *context) {
    seen_branches *seen = context;
    assert_true(seen->count < seen->capacity);
    seen->list[seen->count++] = *branch;
}

static void assert_grows_from(const seen_branches *seen, uint32_t at, fr_vec3 root) {
    const fr_path_branch *branch = &seen->list[at];
    bool is_known = fr_vec3_equal(branch->from, root);
    for (uint32_t i = 0; i < at && !is_known; i++) {
        is_known = seen->list[i].is_goal == branch->is_goal && fr_vec3_equal(seen->list[i].to, branch->from);
    }
    assert_true(is_known);
}

static void test_reports_what_the_search_opens(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    fr_path alone = find(&p.input);
    seen_branches seen = {malloc(alone.nodes * sizeof *seen.list), 0, alone.nodes};
    p.input.on_branch = see_branch;
    p.input.branch_context = &seen;
    fr_path path = find(&p.input);
    assert_int_equal(path.state_count, alone.state_count);
    assert_memory_equal(path.states, alone.states, path.state_count * sizeof *path.states);
    assert_int_equal(seen.count, path.nodes - 2);
    uint32_t of_goal = 0;
    const fr_vec3 start = fr_pose_apply(&p.input.start, p.input.pivot_local);
    const fr_vec3 goal = fr_pose_apply(&p.input.goal, p.input.pivot_local);
    for (uint32_t i = 0; i < seen.count; i++) {
        assert_grows_from(&seen, i, seen.list[i].is_goal ? goal : start);
        of_goal += seen.list[i].is_goal ? 1 : 0;
    }
    assert_true(of_goal > 0 && of_goal < seen.count);
    free(seen.list);
    fr_path_destroy(&alone);
    fr_path_destroy(&path);
    window_close(&p);
}

// A thousand kilometres away all is as here.
static void test_goes_through_windows_far_away(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    const fr_vec3 off = {1e6, -1e6, 1e6};
    fr_pose pose = fr_pose_identity();
    pose.position = off;
    assert_int_equal(fr_object_set_pose(p.space, p.wall, &pose, NULL), FR_OK);
    assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
    fr_path near, far;
    window_problem here;
    window_open(1.0, &here);
    near = find(&here.input);
    p.input.start.position = fr_vec3_add(p.input.start.position, off);
    p.input.goal.position = fr_vec3_add(p.input.goal.position, off);
    p.input.bounds.min = fr_vec3_add(p.input.bounds.min, off);
    p.input.bounds.max = fr_vec3_add(p.input.bounds.max, off);
    far = find(&p.input);
    assert_leads_there(&p.input, &far);
    assert_true(far.moves < 10 * near.moves);
    fr_path_destroy(&near);
    fr_path_destroy(&far);
    window_close(&here);
    window_close(&p);
}

static void test_keeps_its_margin(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    p.input.margin = 0.1;
    fr_path path = find(&p.input);
    assert_leads_there(&p.input, &path);
    double clearance = 0.0;
    assert_int_equal(fr_plan_path_clearance(&p.input, path.states, path.state_count, 2.0, &clearance, NULL), FR_OK);
    assert_true(clearance >= 0.097);
    fr_path_destroy(&path);
    window_close(&p);
}

static void test_wishes_are_granted(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    p.input.optimize_moves = 3000;
    p.input.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 1.0), 2.0);
    fr_path paths[4];
    double clearance[4];
    for (int objective = 0; objective < 4; objective++) {
        p.input.objective = (fr_path_objective)objective;
        paths[objective] = find(&p.input);
        assert_leads_there(&p.input, &paths[objective]);
        (void)fr_plan_path_clearance(&p.input, paths[objective].states, paths[objective].state_count, 2.0,
                                     &clearance[objective], NULL);
    }
    const fr_path *first = &paths[FR_PATH_FIRST];
    double arm = 0.5 * 1.5;
    assert_true(paths[FR_PATH_SHORTEST].length + arm * paths[FR_PATH_SHORTEST].turning <=
                1.05 * (first->length + arm * first->turning));
    assert_true(paths[FR_PATH_FEWEST_TURNS].turning <= first->turning + 1e-9);
    assert_true(paths[FR_PATH_CLEAREST].clearance > 0.05);
    for (int objective = 0; objective < 4; objective++) {
        assert_true(clearance[FR_PATH_CLEAREST] >= clearance[objective]);
    }
    assert_true(clearance[FR_PATH_CLEAREST] >= paths[FR_PATH_CLEAREST].clearance * 0.96);
    for (int objective = 0; objective < 4; objective++) {
        fr_path_destroy(&paths[objective]);
    }
    window_close(&p);
}

// In the plane of x and y that it starts in, turning about z alone.
static void test_stays_in_its_plane(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_path path;
    fr_error error;
    p.input.dimension = 4;
    assert_int_equal(fr_plan_path(&p.input, &path, &error), FR_ERROR_ARGUMENT);
    p.input.dimension = 2;
    assert_int_equal(fr_plan_path(&p.input, &path, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "plane"));
    p.input.goal.position.z = p.input.start.position.z;
    fr_quat straight = p.input.goal.rotation;
    p.input.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), 1.0);
    assert_int_equal(fr_plan_path(&p.input, &path, &error), FR_ERROR_ARGUMENT);
    p.input.goal.rotation = straight;
    for (int objective = FR_PATH_FIRST; objective <= FR_PATH_FEWEST_TURNS; objective++) {
        p.input.objective = (fr_path_objective)objective;
        p.input.optimize_moves = 40;
        path = find(&p.input);
        assert_leads_there(&p.input, &path);
        for (uint32_t i = 0; i < path.state_count; i++) {
            const fr_pose *state_pose = &path.states[i];
            assert_true(fabs(state_pose->position.z + 0.5) < 1e-9);
            assert_true(fabs(state_pose->rotation.x) < 1e-9 && fabs(state_pose->rotation.y) < 1e-9);
        }
        fr_path_destroy(&path);
    }
    window_close(&p);
}

static void test_any_rotation_will_do(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    // Beside the wall only some rotations are free
    p.input.goal.position = fr_vec3_make(0.5, 2.0, 2.0);
    fr_path path = find(&p.input);
    assert_true(path.is_blocked && path.is_goal_blocked);
    fr_path_destroy(&path);
    p.input.is_goal_turn_any = true;
    path = find(&p.input);
    assert_true(path.is_found && path.is_checked);
    fr_vec3 end = path.states[path.state_count - 1].position;
    assert_true(fr_vec3_distance(end, p.input.goal.position) < 1e-9);
    assert_int_equal(count_meetings(&p.input, &path, 20), 0);
    fr_path_destroy(&path);
    window_close(&p);
}

// A body that lies on the wall's face may start there and slide along it.
static void test_begins_at_rest_on_a_face(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    p.input.start.position = fr_vec3_make(-0.15 - 1.4, 2.0, 0.0);
    fr_path path = find(&p.input);
    assert_true(path.is_found && path.is_checked);
    // It touches the wall where it begins and nowhere else
    uint64_t meetings = count_meetings(&p.input, &path, 1);
    path.states++;
    path.state_count--;
    assert_true(meetings > 0);
    assert_int_equal(count_meetings(&p.input, &path, 20), 0);
    path.states--;
    path.state_count++;
    fr_path_destroy(&path);
    // And deeper is in the wall
    p.input.start.position.x += 1e-3;
    path = find(&p.input);
    assert_true(path.is_blocked);
    fr_path_destroy(&path);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Random worlds

static void add_block(fr_space *space, fr_random *r, fr_object_id *id) {
    fr_mesh *box = NULL;
    fr_vec3 side = random_within(r, fr_vec3_make(0.2, 0.2, 0.2), fr_vec3_make(2.5, 2.5, 2.5));
    assert_int_equal(fr_mesh_create_box(side, NULL, &box, NULL), FR_OK);
    *id = window_put(space, box, random_about(r, 3.0));
}

// Blocks anywhere, start and goal anywhere: whatever is found is free, and so is what is mended after a block moved.
static void test_random_worlds(void **state) {
    (void)state;
    uint64_t worlds = test_count(6, 200), found = 0, mended = 0;
    for (uint64_t seed = 0; seed < worlds; seed++) {
        fr_random r = fr_random_seed(seed);
        window_problem p;
        window_open(7.0, &p);
        fr_object_id block = {0};
        for (int i = 0; i < 8; i++) {
            add_block(p.space, &r, &block);
        }
        assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
        p.input.seed = seed + 1;
        p.input.max_moves = 3000;
        p.input.start.position = random_about(&r, 3.5);
        p.input.goal.position = random_about(&r, 3.5);
        p.input.start.rotation = fr_quat_from_vector(random_about(&r, 2.0));
        p.input.goal.rotation = fr_quat_from_vector(random_about(&r, 2.0));
        fr_path path = find(&p.input), other;
        if (path.is_found) {
            found++;
            assert_leads_there(&p.input, &path);
            fr_pose pose = fr_object_get(p.space, block)->pose;
            pose.position = random_about(&r, 3.0);
            assert_int_equal(fr_object_set_pose(p.space, block, &pose, NULL), FR_OK);
            assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
            assert_int_equal(fr_plan_repair_path(&p.input, &path, 0, &other, NULL), FR_OK);
            if (other.is_found) {
                mended++;
                assert_leads_there(&p.input, &other);
            }
            fr_path_destroy(&other);
        }
        fr_path_destroy(&path);
        window_close(&p);
    }
    assert_true(found > 0 && mended > 0);
}

// ---------------------------------------------------------------------------------------------------------------
// The checker

static void test_the_checker_finds_what_is_wrong(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    const fr_pose straight[2] = {p.input.start, p.input.goal};
    fr_path_check_output check;
    assert_int_equal(fr_plan_check_path(&p.input, straight, 2, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    assert_int_equal(check.motion, 0);
    assert_true(check.time > 0.0 && check.time < 0.6);
    assert_true(fr_object_id_equal(check.contact.b, p.wall));
    fr_pose outside[3] = {p.input.start, p.input.start, p.input.start};
    outside[2].position.x = -5.0;
    assert_int_equal(fr_plan_check_path(&p.input, outside, 3, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    assert_true(check.is_outside_bounds);
    assert_int_equal(check.motion, 1);
    assert_int_equal(fr_plan_check_path(&p.input, outside, 0, &check, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_plan_check_path(&p.input, outside, 1, &check, NULL), FR_OK);
    assert_true(check.is_valid);
    window_close(&p);
}

// Sliding along the wall at a distance of 0 is valid, 1e-3 deeper it is not.
static void test_the_checker_lets_it_slide(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    fr_pose states[2] = {p.input.start, p.input.start};
    states[0].position = fr_vec3_make(-0.15 - 1.4, 2.0, 0.0);
    states[1].position = fr_vec3_make(-0.15 - 1.4, 2.0, 3.0);
    fr_path_check_output check;
    assert_int_equal(fr_plan_check_path(&p.input, states, 2, &check, NULL), FR_OK);
    assert_true(check.is_valid);
    assert_true(fabs(check.length - 3.0) < 1e-12 && check.turns == 0);
    states[0].position.x += 1e-3;
    states[1].position.x += 1e-3;
    assert_int_equal(fr_plan_check_path(&p.input, states, 2, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Mending

static void test_mends_only_what_is_broken(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_path path = find(&p.input), same, round;
    assert_leads_there(&p.input, &path);
    assert_int_equal(fr_plan_repair_path(&p.input, &path, 0, &same, NULL), FR_OK);
    assert_int_equal(same.state_count, path.state_count);
    assert_memory_equal(same.states, path.states, path.state_count * sizeof *path.states);
    assert_int_equal(same.nodes, 0);

    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.3, 0.3, 0.3), NULL, &box, NULL), FR_OK);
    (void)window_put(p.space, box, fr_vec3_make(1.2, -0.2, 0.2));
    assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
    assert_true(count_meetings(&p.input, &path, 40) > 0);
    assert_int_equal(fr_plan_repair_path(&p.input, &path, 0, &round, NULL), FR_OK);
    assert_leads_there(&p.input, &round);
    fr_error error;
    fr_path_destroy(&same);
    assert_int_equal(fr_plan_repair_path(&p.input, &path, path.state_count, &same, &error), FR_ERROR_ARGUMENT);
    assert_null(same.states);
    fr_path_destroy(&round);
    fr_path_destroy(&path);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Stopping and memory

static bool stop_at(void *user) { return --*(int *)user < 0; }

static void test_stops_on_request(void **state) {
    (void)state;
    window_problem p;
    window_open(0.3, &p);
    int left = 3;
    fr_control control = {stop_at, NULL, &left};
    p.input.control = &control;
    fr_path path = find(&p.input);
    assert_false(path.is_found);
    assert_true(path.is_partial);
    assert_true(path.moves < 1000);
    fr_path_destroy(&path);
    window_close(&p);
}

static bool count_asks(void *user) {
    ++*(uint64_t *)user;
    return false;
}

// One motion of a large body may take a tenth of a second.
static void test_asks_whether_to_stop_often(void **state) {
    (void)state;
    for (int objective = FR_PATH_FIRST; objective <= FR_PATH_CLEAREST; objective++) {
        window_problem p;
        window_open(1.0, &p);
        uint64_t asks = 0;
        fr_control control = {count_asks, NULL, &asks};
        p.input.control = &control;
        p.input.objective = (fr_path_objective)objective;
        p.input.optimize_moves = 300;
        fr_path path = find(&p.input);
        assert_true(path.is_found && path.moves > 20);
        assert_true(8 * asks > path.moves);
        fr_path_destroy(&path);
        window_close(&p);
    }
}

typedef struct found_path {
    fr_path_input input;
    fr_path path;
} found_path;

// A path that is there already: checked at rest and in time, measured and mended.
static fr_status use_path(const fr_allocator *allocator, void *context) {
    const found_path *found = context;
    const fr_path *path = &found->path;
    fr_path_input q = found->input;
    q.allocator = *allocator;
    double times[64], clearance = 0.0;
    assert_true(path->state_count <= 64);
    for (uint32_t i = 0; i < path->state_count; i++) {
        times[i] = i;
    }
    fr_path_check_output check, timed;
    fr_path mended = {0};
    fr_status status = fr_plan_check_path(&q, path->states, path->state_count, &check, NULL);
    if (status == FR_OK) {
        status = fr_plan_check_timed_path(&q, path->states, times, path->state_count, &timed, NULL);
    }
    if (status == FR_OK) {
        status = fr_plan_path_clearance(&q, path->states, path->state_count, 0.1, &clearance, NULL);
    }
    if (status == FR_OK) { status = fr_plan_repair_path(&q, path, 0, &mended, NULL); }
    if (status == FR_OK) {
        assert_true(check.is_valid && mended.is_found);
        test_note_number(timed.is_valid);
        test_note(&clearance, sizeof clearance);
    }
    fr_path_destroy(&mended);
    return status;
}

static void test_every_failure_of_memory_is_survived(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    p.input.depth = 3;
    p.input.objective = FR_PATH_SHORTEST;
    p.input.optimize_moves = 10;
    p.input.max_moves = 40;
    assert_true(test_every_failure(window_find, &p.input) > 8);
    found_path found = {.input = p.input};
    found.input.max_moves = 4000;
    assert_int_equal(fr_plan_path(&found.input, &found.path, NULL), FR_OK);
    assert_true(found.path.is_found);
    test_every_failure(use_path, &found);
    fr_path_destroy(&found.path);
    window_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_invalid_input),
        cmocka_unit_test(test_reports_what_a_blocked_end_touches),
        cmocka_unit_test(test_gives_up_where_there_is_no_path),
        cmocka_unit_test(test_goes_through_windows),
        cmocka_unit_test(test_the_same_seed_gives_the_same_path),
        cmocka_unit_test(test_reports_what_the_search_opens),
        cmocka_unit_test(test_goes_through_windows_far_away),
        cmocka_unit_test(test_keeps_its_margin),
        cmocka_unit_test(test_wishes_are_granted),
        cmocka_unit_test(test_stays_in_its_plane),
        cmocka_unit_test(test_any_rotation_will_do),
        cmocka_unit_test(test_begins_at_rest_on_a_face),
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_the_checker_finds_what_is_wrong),
        cmocka_unit_test(test_the_checker_lets_it_slide),
        cmocka_unit_test(test_mends_only_what_is_broken),
        cmocka_unit_test(test_stops_on_request),
        cmocka_unit_test(test_asks_whether_to_stop_often),
        cmocka_unit_test(test_every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
