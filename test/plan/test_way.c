// Ways among faces: each that is found is free at every one of many poses between its states, by a question that has
// nothing to do with how it was found.
#include "failing.h"
#include "frame.h"
#include "plan/window.h"
#include "random_vector.h"

#include <string.h>

static fr_way find(const fr_way_query *query) {
    fr_way way;
    fr_error error;
    fr_status status = fr_plan_way(query, &way, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    return way;
}

// Asks the space at `steps` poses of each motion whether the mesh meets anything.
static uint64_t count_meetings(const fr_way_query *q, const fr_way *way, uint32_t steps) {
    uint64_t meetings = 0;
    for (uint32_t i = 0; i + 1 < way->state_count; i++) {
        fr_motion motion = fr_motion_between(&way->states[i], &way->states[i + 1], q->pivot_local);
        for (uint32_t k = 0; k <= steps; k++) {
            fr_overlap_shape shape;
            memset(&shape, 0, sizeof shape);
            shape.kind = FR_OVERLAP_MESH;
            shape.mesh = q->parts[0].mesh;
            shape.pose = fr_motion_pose(&motion, (double)k / steps);
            uint32_t count = 0;
            assert_int_equal(fr_space_overlap(q->space, &shape, q->filter, NULL, 0, &count), FR_OK);
            meetings += count;
        }
    }
    return meetings;
}

static void assert_leads_there(const fr_way_query *q, const fr_way *way) {
    assert_true(way->found);
    assert_true(way->is_checked);
    assert_true(way->state_count >= 2);
    assert_memory_equal(&way->states[0], &q->start, sizeof q->start);
    assert_memory_equal(&way->states[way->state_count - 1], &q->goal, sizeof q->goal);
    assert_int_equal(count_meetings(q, way, 12), 0);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void test_refuses_what_is_no_question(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_way way;
    fr_error error;
    fr_way_query q = p.query;
    q.cookie = 0;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    q = p.query;
    q.part_count = 0;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    q = p.query;
    q.bounds.min.x = 5.0;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    q = p.query;
    q.bounds.max.y = NAN;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_NOT_FINITE);
    q = p.query;
    q.margin = -1.0;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    q = p.query;
    q.depth = FR_WAY_MAX_DEPTH + 1;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    q = p.query;
    q.goal.position.x = 4.5;
    assert_int_equal(fr_plan_way(&q, &way, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "goal"));
    double clearance = 1.0;
    assert_int_equal(fr_plan_way_clearance(&p.query, &p.query.start, 1, 0.0, &clearance, &error), FR_ERROR_ARGUMENT);
    assert_true(clearance == 0.0);
    fr_pose pose = fr_pose_identity();
    pose.position.x = 0.5;
    assert_int_equal(fr_object_set_pose(p.space, p.wall, &pose, NULL), FR_OK);
    assert_int_equal(fr_plan_way(&p.query, &way, &error), FR_ERROR_STALE_DATA);
    window_close(&p);
}

static void test_tells_what_a_blocked_end_touches(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_way_query q = p.query;
    q.start.position = fr_vec3_make(0.0, 3.0, 3.0);
    fr_way way = find(&q);
    assert_false(way.found);
    assert_true(way.is_blocked);
    assert_false(way.goal_blocked);
    assert_true(fr_object_id_equal(way.blocked.b, p.wall));
    fr_way_free(&way);
    q = p.query;
    q.goal.position = fr_vec3_make(0.0, 3.0, 3.0);
    way = find(&q);
    assert_true(way.is_blocked);
    assert_true(way.goal_blocked);
    fr_way_free(&way);
    // Nearer than the margin is blocked too
    q = p.query;
    q.goal.position.x = 2.0;
    q.margin = 1.0;
    way = find(&q);
    assert_true(way.is_blocked && way.goal_blocked);
    fr_way_free(&way);
    window_close(&p);
}

static void test_gives_up_where_there_is_no_way(void **state) {
    (void)state;
    window_problem p;
    window_open(0.3, &p);
    p.query.max_moves = 600;
    fr_way way = find(&p.query);
    assert_false(way.found);
    assert_false(way.is_blocked);
    assert_in_range(way.moves, 600, 700);
    assert_null(way.states);
    fr_way_free(&way);
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
            p.query.seed = seed;
            fr_way way = find(&p.query);
            assert_leads_there(&p.query, &way);
            fr_way_free(&way);
        }
        window_close(&p);
    }
}

static void test_the_same_seed_gives_the_same_way(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    p.query.seed = 7;
    fr_way a = find(&p.query), b = find(&p.query);
    assert_int_equal(a.state_count, b.state_count);
    assert_memory_equal(a.states, b.states, a.state_count * sizeof *a.states);
    assert_int_equal(a.moves, b.moves);
    fr_way_free(&a);
    fr_way_free(&b);
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
    fr_way near, far;
    window_problem here;
    window_open(1.0, &here);
    near = find(&here.query);
    p.query.start.position = fr_vec3_add(p.query.start.position, off);
    p.query.goal.position = fr_vec3_add(p.query.goal.position, off);
    p.query.bounds.min = fr_vec3_add(p.query.bounds.min, off);
    p.query.bounds.max = fr_vec3_add(p.query.bounds.max, off);
    far = find(&p.query);
    assert_leads_there(&p.query, &far);
    assert_true(far.moves < 10 * near.moves);
    fr_way_free(&near);
    fr_way_free(&far);
    window_close(&here);
    window_close(&p);
}

static void test_keeps_its_margin(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    p.query.margin = 0.1;
    fr_way way = find(&p.query);
    assert_leads_there(&p.query, &way);
    double clearance = 0.0;
    assert_int_equal(fr_plan_way_clearance(&p.query, way.states, way.state_count, 2.0, &clearance, NULL), FR_OK);
    assert_true(clearance >= 0.097);
    fr_way_free(&way);
    window_close(&p);
}

static void test_wishes_are_granted(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    p.query.polish_moves = 40;
    p.query.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 1.0), 2.0);
    fr_way ways[4];
    double clearance[4];
    for (int wish = 0; wish < 4; wish++) {
        p.query.wish = (fr_way_wish)wish;
        ways[wish] = find(&p.query);
        assert_leads_there(&p.query, &ways[wish]);
        (void)fr_plan_way_clearance(&p.query, ways[wish].states, ways[wish].state_count, 2.0, &clearance[wish], NULL);
    }
    const fr_way *first = &ways[FR_WAY_FIRST];
    double arm = 0.5 * 1.5;
    assert_true(ways[FR_WAY_SHORTEST].length + arm * ways[FR_WAY_SHORTEST].turning <=
                1.05 * (first->length + arm * first->turning));
    assert_true(ways[FR_WAY_FEWEST_TURNS].turning <= first->turning + 1e-9);
    assert_true(clearance[FR_WAY_CLEAREST] >= clearance[FR_WAY_FIRST]);
    assert_true(clearance[FR_WAY_CLEAREST] >= ways[FR_WAY_CLEAREST].clearance * 0.96);
    for (int wish = 0; wish < 4; wish++) {
        fr_way_free(&ways[wish]);
    }
    window_close(&p);
}

// In the plane of x and y that it starts in, turning about z alone.
static void test_stays_in_its_plane(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_way way;
    fr_error error;
    p.query.dimension = 4;
    assert_int_equal(fr_plan_way(&p.query, &way, &error), FR_ERROR_ARGUMENT);
    p.query.dimension = 2;
    assert_int_equal(fr_plan_way(&p.query, &way, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "plane"));
    p.query.goal.position.z = p.query.start.position.z;
    fr_quat straight = p.query.goal.rotation;
    p.query.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), 1.0);
    assert_int_equal(fr_plan_way(&p.query, &way, &error), FR_ERROR_ARGUMENT);
    p.query.goal.rotation = straight;
    for (int wish = FR_WAY_FIRST; wish <= FR_WAY_FEWEST_TURNS; wish++) {
        p.query.wish = (fr_way_wish)wish;
        p.query.polish_moves = 40;
        way = find(&p.query);
        assert_leads_there(&p.query, &way);
        for (uint32_t i = 0; i < way.state_count; i++) {
            const fr_pose *state_pose = &way.states[i];
            assert_true(fabs(state_pose->position.z + 0.5) < 1e-9);
            assert_true(fabs(state_pose->rotation.x) < 1e-9 && fabs(state_pose->rotation.y) < 1e-9);
        }
        fr_way_free(&way);
    }
    window_close(&p);
}

static void test_any_rotation_will_do(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    // Beside the wall only some rotations are free
    p.query.goal.position = fr_vec3_make(0.5, 2.0, 2.0);
    fr_way way = find(&p.query);
    assert_true(way.is_blocked && way.goal_blocked);
    fr_way_free(&way);
    p.query.any_rotation = true;
    way = find(&p.query);
    assert_true(way.found && way.is_checked);
    fr_vec3 end = way.states[way.state_count - 1].position;
    assert_true(fr_vec3_distance(end, p.query.goal.position) < 1e-9);
    assert_int_equal(count_meetings(&p.query, &way, 20), 0);
    fr_way_free(&way);
    window_close(&p);
}

// A body that lies on the wall's face may start there and slide along it.
static void test_begins_at_rest_on_a_face(void **state) {
    (void)state;
    window_problem p;
    window_open(1.4, &p);
    p.query.start.position = fr_vec3_make(-0.15 - 1.4, 2.0, 0.0);
    fr_way way = find(&p.query);
    assert_true(way.found && way.is_checked);
    // It touches the wall where it begins and nowhere else
    uint64_t meetings = count_meetings(&p.query, &way, 1);
    way.states++;
    way.state_count--;
    assert_true(meetings > 0);
    assert_int_equal(count_meetings(&p.query, &way, 20), 0);
    way.states--;
    way.state_count++;
    fr_way_free(&way);
    // And deeper is in the wall
    p.query.start.position.x += 1e-3;
    way = find(&p.query);
    assert_true(way.is_blocked);
    fr_way_free(&way);
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
        p.query.seed = seed + 1;
        p.query.max_moves = 3000;
        p.query.start.position = random_about(&r, 3.5);
        p.query.goal.position = random_about(&r, 3.5);
        p.query.start.rotation = fr_quat_from_vector(random_about(&r, 2.0));
        p.query.goal.rotation = fr_quat_from_vector(random_about(&r, 2.0));
        fr_way way = find(&p.query), other;
        if (way.found) {
            found++;
            assert_leads_there(&p.query, &way);
            fr_pose pose = fr_object_get(p.space, block)->pose;
            pose.position = random_about(&r, 3.0);
            assert_int_equal(fr_object_set_pose(p.space, block, &pose, NULL), FR_OK);
            assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
            assert_int_equal(fr_plan_mend_way(&p.query, &way, 0, &other, NULL), FR_OK);
            if (other.found) {
                mended++;
                assert_leads_there(&p.query, &other);
            }
            fr_way_free(&other);
        }
        fr_way_free(&way);
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
    const fr_pose straight[2] = {p.query.start, p.query.goal};
    fr_way_check check;
    assert_int_equal(fr_plan_check_way(&p.query, straight, 2, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    assert_int_equal(check.motion, 0);
    assert_true(check.time > 0.0 && check.time < 0.6);
    assert_true(fr_object_id_equal(check.contact.b, p.wall));
    fr_pose outside[3] = {p.query.start, p.query.start, p.query.start};
    outside[2].position.x = -5.0;
    assert_int_equal(fr_plan_check_way(&p.query, outside, 3, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    assert_true(check.leaves_bounds);
    assert_int_equal(check.motion, 1);
    assert_int_equal(fr_plan_check_way(&p.query, outside, 0, &check, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_plan_check_way(&p.query, outside, 1, &check, NULL), FR_OK);
    assert_true(check.is_valid);
    window_close(&p);
}

// Sliding along the wall at a distance of 0 is valid, 1e-3 deeper it is not.
static void test_the_checker_lets_it_slide(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    fr_pose states[2] = {p.query.start, p.query.start};
    states[0].position = fr_vec3_make(-0.15 - 1.4, 2.0, 0.0);
    states[1].position = fr_vec3_make(-0.15 - 1.4, 2.0, 3.0);
    fr_way_check check;
    assert_int_equal(fr_plan_check_way(&p.query, states, 2, &check, NULL), FR_OK);
    assert_true(check.is_valid);
    assert_true(fabs(check.length - 3.0) < 1e-12 && check.turns == 0);
    states[0].position.x += 1e-3;
    states[1].position.x += 1e-3;
    assert_int_equal(fr_plan_check_way(&p.query, states, 2, &check, NULL), FR_OK);
    assert_false(check.is_valid);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Mending

static void test_mends_only_what_is_broken(void **state) {
    (void)state;
    window_problem p;
    window_open(1.7, &p);
    fr_way way = find(&p.query), same, round;
    assert_leads_there(&p.query, &way);
    assert_int_equal(fr_plan_mend_way(&p.query, &way, 0, &same, NULL), FR_OK);
    assert_int_equal(same.state_count, way.state_count);
    assert_memory_equal(same.states, way.states, way.state_count * sizeof *way.states);
    assert_int_equal(same.nodes, 0);

    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.3, 0.3, 0.3), NULL, &box, NULL), FR_OK);
    (void)window_put(p.space, box, fr_vec3_make(1.2, -0.2, 0.2));
    assert_int_equal(fr_space_update(p.space, NULL, NULL), FR_OK);
    assert_true(count_meetings(&p.query, &way, 40) > 0);
    assert_int_equal(fr_plan_mend_way(&p.query, &way, 0, &round, NULL), FR_OK);
    assert_leads_there(&p.query, &round);
    fr_error error;
    fr_way_free(&same);
    assert_int_equal(fr_plan_mend_way(&p.query, &way, way.state_count, &same, &error), FR_ERROR_ARGUMENT);
    assert_null(same.states);
    fr_way_free(&round);
    fr_way_free(&way);
    window_close(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Stopping and memory

static bool stop_at(void *user) { return --*(int *)user < 0; }

static void test_stops_when_told(void **state) {
    (void)state;
    window_problem p;
    window_open(0.3, &p);
    int left = 3;
    fr_control control = {stop_at, NULL, &left};
    p.query.control = &control;
    fr_way way = find(&p.query);
    assert_false(way.found);
    assert_true(way.is_partial);
    assert_true(way.moves < 1000);
    fr_way_free(&way);
    window_close(&p);
}

static bool count_asks(void *user) {
    ++*(uint64_t *)user;
    return false;
}

// One motion of a large body may take a tenth of a second.
static void test_asks_whether_to_stop_often(void **state) {
    (void)state;
    for (int wish = FR_WAY_FIRST; wish <= FR_WAY_CLEAREST; wish++) {
        window_problem p;
        window_open(1.0, &p);
        uint64_t asks = 0;
        fr_control control = {count_asks, NULL, &asks};
        p.query.control = &control;
        p.query.wish = (fr_way_wish)wish;
        p.query.polish_moves = 300;
        fr_way way = find(&p.query);
        assert_true(way.found && way.moves > 20);
        assert_true(8 * asks > way.moves);
        fr_way_free(&way);
        window_close(&p);
    }
}

static fr_status make_way(const fr_allocator *allocator, void *context) {
    fr_way_query q = *(const fr_way_query *)context;
    q.allocator = *allocator;
    fr_way way;
    fr_status status = fr_plan_way(&q, &way, NULL);
    fr_way_free(&way);
    return status;
}

static void test_every_failure_of_memory_is_survived(void **state) {
    (void)state;
    window_problem p;
    window_open(1.0, &p);
    p.query.depth = 3;
    p.query.wish = FR_WAY_SHORTEST;
    p.query.polish_moves = 10;
    p.query.max_moves = 40;
    assert_true(test_every_failure(make_way, &p.query) > 8);
    window_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_what_is_no_question),
        cmocka_unit_test(test_tells_what_a_blocked_end_touches),
        cmocka_unit_test(test_gives_up_where_there_is_no_way),
        cmocka_unit_test(test_goes_through_windows),
        cmocka_unit_test(test_the_same_seed_gives_the_same_way),
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
        cmocka_unit_test(test_stops_when_told),
        cmocka_unit_test(test_asks_whether_to_stop_often),
        cmocka_unit_test(test_every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
