// Walks: they end where they should, feet that stand do not slip, and bad goals are refused.
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "human/walk_plan.h"
#include "walker.h"

#include <string.h>

static walker w;

static int set_up(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    w = walker_make(&body, 0.0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    walker_destroy(&w);
    return 0;
}

static double wrapped(double angle) { return remainder(angle, 2.0 * FR_PI); }

// Walks to a goal and watches every frame.
static void walk_to(const fr_walk_goal *goal, uint32_t frames) {
    assert_int_equal(fr_walk_go(w.walk, goal, 1, frames, NULL), FR_OK);
    uint32_t count = fr_walk_get(w.walk).frame_count;
    for (uint32_t i = 0; i < count; i++) {
        walker_step(&w);
    }
    assert_false(fr_walk_get(w.walk).is_walking);
}

// Where a walk is going to be is known when it begins: frame by frame the place that it comes to.
static void later_places_are_known(void **state) {
    (void)state;
    walker_stand(&w, fr_vec3_make(0.0, 0.0, 0.0), 0.5);
    const fr_walk_goal goals[2] = {{{2.0, 0.0, 3.0}, 0.0, false}, {{2.5, 0.0, 6.0}, 1.0, true}};
    assert_int_equal(fr_walk_go(w.walk, goals, 2, 0, NULL), FR_OK);
    enum { MOST = 2000 };
    static fr_vec3 places[MOST];
    uint32_t count = fr_walk_get(w.walk).frame_count;
    assert_true(count > 100 && count < MOST);
    for (uint32_t i = 0; i <= count; i++) {
        places[i] = fr_walk_place_after(w.walk, i);
    }
    // A cursor sees the same, in whatever steps it goes.
    fr_random random = fr_random_seed(12);
    fr_walk_cursor cursor = {0, 0.0};
    for (uint32_t at = 0, by = 0; at <= count; at += by = (uint32_t)fr_random_below(&random, 9)) {
        assert_true(fr_vec3_equal(fr_walk_place_on(w.walk, &cursor, by), places[at]));
        assert_int_equal(cursor.steps, at);
    }
    assert_true(fr_vec3_equal(fr_walk_place_on(w.walk, &cursor, UINT32_MAX), places[count]));
    assert_true(fr_vec3_equal(fr_walk_place_on(w.walk, &cursor, 1), places[count]));
    fr_vec3 end = fr_walk_place_after(w.walk, UINT32_MAX);
    assert_true(fr_vec3_equal(end, places[count]) && hypot(end.x - 2.5, end.z - 6.0) < 1e-3);
    for (uint32_t i = 0; i <= count; i++) {
        assert_true(fr_vec3_equal(fr_walk_get(w.walk).place, places[i]));
        walker_step(&w);
    }
}

static void random_walks_end_at_their_goals(void **state) {
    (void)state;
    fr_random random = fr_random_seed(10);
    uint64_t count = test_count(300, 10000);
    uint64_t patterns[FR_WALK_ROUTE + 1] = {0};
    double end = 0.0, heading = 0.0, slip = 0.0, depth = 0.0, lift = 0.0, knee = 10.0, jump = 0.0, ratio = 1.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 from = fr_vec3_make(fr_random_between(&random, -5, 5), fr_random_between(&random, -1, 1),
                                    fr_random_between(&random, -5, 5));
        double begin = fr_random_between(&random, -FR_PI, FR_PI), towards = fr_random_between(&random, -FR_PI, FR_PI);
        double unit = fr_random_unit(&random), length = 0.02 + (10.0 - 0.02) * unit * unit;
        walker_stand(&w, from, begin);
        fr_walk_goal goal = {fr_vec3_make(from.x + length * sin(towards), 7.0, from.z + length * cos(towards)),
                             fr_random_between(&random, -FR_PI, FR_PI), true};
        walk_to(&goal, 0);
        fr_walk_view view = fr_walk_get(w.walk);
        patterns[view.pattern]++;
        assert_true(fabs(view.length - length) < 1e-9);

        // The parts are never shorter than 0.65 of their clips where there are three.
        fr__walk_lengths lengths =
            fr__walk_lengths_of(w.set, wrapped(towards - begin), wrapped(goal.heading - towards));
        fr__walk_choice choice = fr__walk_choose(&lengths, length);
        assert_int_equal(choice.pattern, view.pattern);
        if (choice.pattern == FR_WALK_THREE_PARTS) {
            ratio = fmin(ratio, fmin(choice.start_ratio, choice.end_ratio));
            assert_true(choice.start_ratio <= 1.0 + 1e-12 && choice.end_ratio <= 1.0 + 1e-12);
        }
        end = fmax(end, hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z));
        heading = fmax(heading, fabs(wrapped(walker_heading(&w) - goal.heading)));
        slip = fmax(slip, w.slip);
        depth = fmax(depth, w.depth);
        knee = fmin(knee, w.knee_min);
        jump = fmax(jump, w.jump);
        for (int p = 0; p < WALKER_POINTS; p++) {
            lift = fmax(lift, fabs(w.points[p].y - from.y));
        }
    }
    print_message("%llu walks: end %.2g m, heading %.2g rad, slip %.2g m, depth %.2g m, knee %.3g deg, ratio %.3f, "
                  "jump %.2f rad/s; 1 step %llu, 2 steps %llu, 2 parts %llu, 3 parts %llu\n",
                  (unsigned long long)count, end, heading, slip, depth, fr_degrees(knee), ratio, jump,
                  (unsigned long long)patterns[FR_WALK_ONE_STEP], (unsigned long long)patterns[FR_WALK_TWO_STEPS],
                  (unsigned long long)patterns[FR_WALK_TWO_PARTS], (unsigned long long)patterns[FR_WALK_THREE_PARTS]);
    assert_true(end <= 1e-6);
    assert_true(heading <= 1e-6);
    assert_true(slip <= 1e-6);
    assert_true(depth <= 1e-3);
    assert_true(lift <= 1e-6);
    assert_true(knee > 0.0);
    assert_true(jump < 4.0);
    assert_true(ratio >= 0.65);
    for (int i = FR_WALK_ONE_STEP; i <= FR_WALK_THREE_PARTS; i++) {
        assert_true(patterns[i] > 0);
    }
}

// A walk that is given a number of frames takes as many, and its feet do not slip either.
static void takes_the_frames_it_is_given(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    for (int i = 0; i < 20; i++) {
        uint32_t frames = 1 + (uint32_t)fr_random_below(&random, 900);
        walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
        fr_walk_goal goal = {fr_vec3_make(fr_random_between(&random, -4, 4), 0, fr_random_between(&random, -4, 4)), 1.0,
                             true};
        walk_to(&goal, frames);
        assert_int_equal(w.frames, frames);
        assert_true(w.slip < 1e-6 && w.depth < 2e-3 && w.knee_min > 0.0);
        assert_true(hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z) < 1e-6);
    }
}

// Watches a body until it stands; the heights of its hips tell whether it stood on the way.
static double watch(uint32_t *stops) {
    double before = 1.0, slowest = 1.0, rate = fr_walk_set_get(w.set)->frame_rate;
    *stops = 0;
    while (fr_walk_get(w.walk).is_walking) {
        fr_vec3 place = w.posture.place;
        walker_step(&w);
        double speed = rate * hypot(w.posture.place.x - place.x, w.posture.place.z - place.z);
        uint32_t frame = fr_walk_get(w.walk).frame, count = fr_walk_get(w.walk).frame_count;
        if (frame > 60 && frame + 90 < count) { slowest = fmin(slowest, speed); }
        *stops += speed < 0.02 && before >= 0.02 && frame > 60 && frame + 60 < count ? 1u : 0u;
        before = speed;
    }
    return slowest;
}

static void small_turns_are_walked_without_a_stop(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    double nearest_worst = 0.0;
    for (int i = 0; i < 40; i++) {
        double turn = fr_random_between(&random, -0.5, 0.5);
        fr_walk_goal goals[3] = {{fr_vec3_make(0, 0, 4), 0, false},
                                 {fr_vec3_make(4 * sin(turn), 0, 4 + 4 * cos(turn)), 0, false},
                                 {fr_vec3_make(4 * sin(turn), 0, 8 + 4 * cos(turn)), 0, false}};
        walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
        assert_int_equal(fr_walk_go(w.walk, goals, 3, 0, NULL), FR_OK);
        double nearest = 1.0, slowest = 1.0;
        uint32_t count = fr_walk_get(w.walk).frame_count;
        for (uint32_t k = 0; k < count; k++) {
            fr_vec3 place = w.posture.place;
            walker_step(&w);
            double speed = 60.0 * hypot(w.posture.place.x - place.x, w.posture.place.z - place.z);
            if (k > 70 && k + 95 < count) { slowest = fmin(slowest, speed); }
            fr_vec3 at = fr_walk_get(w.walk).place;
            nearest = fmin(nearest, hypot(at.x - goals[0].place.x, at.z - goals[0].place.z));
        }
        nearest_worst = fmax(nearest_worst, nearest);
        assert_true(slowest > 0.6);
        assert_true(w.slip < 1e-6 && w.depth < 2e-3 && w.knee_min > 0.0 && w.jump < 4.0);
        assert_true(hypot(w.posture.place.x - goals[2].place.x, w.posture.place.z - goals[2].place.z) < 1e-6);
    }
    print_message("waypoints passed within %.3f m\n", nearest_worst);
    assert_true(nearest_worst < 0.1);
}

static void large_turns_stop_turn_and_start(void **state) {
    (void)state;
    fr_walk_goal goals[2] = {{fr_vec3_make(0, 0, 4), 0, false}, {fr_vec3_make(4, 0, 4), FR_PI, true}};
    walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
    assert_int_equal(fr_walk_go(w.walk, goals, 2, 0, NULL), FR_OK);
    uint32_t stops;
    (void)watch(&stops);
    assert_true(stops >= 1);
    assert_true(w.slip < 1e-6 && w.depth < 2e-3 && w.knee_min > 0.0 && w.jump < 4.0);
    assert_true(hypot(w.posture.place.x - 4.0, w.posture.place.z - 4.0) < 1e-6);
    assert_true(fabs(wrapped(walker_heading(&w) - FR_PI)) < 1e-6);
}

// A new goal, or a stop, at any frame: the feet go on as they were, and the body arrives.
static void goals_change_at_any_frame(void **state) {
    (void)state;
    fr_random random = fr_random_seed(8);
    uint64_t count = test_count(150, 3000);
    double slip = 0.0, depth = 0.0, jump = 0.0, knee = 1.0, speed = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
        fr_walk_goal goal = {fr_vec3_make(0, 0, 0), 0, true};
        for (int k = 0; k < 4; k++) {
            goal.place = fr_vec3_make(fr_random_between(&random, -5, 5), 0, fr_random_between(&random, -5, 5));
            goal.heading = fr_random_between(&random, -FR_PI, FR_PI);
            assert_int_equal(fr_walk_go(w.walk, &goal, 1, 0, NULL), FR_OK);
            uint64_t frames = fr_random_below(&random, fr_walk_get(w.walk).frame_count);
            for (uint64_t f = 0; f < frames; f++) {
                walker_step(&w);
            }
        }
        bool is_stopped = fr_random_below(&random, 2) == 0;
        if (is_stopped) { assert_int_equal(fr_walk_stop(w.walk, NULL), FR_OK); }
        uint32_t left = fr_walk_get(w.walk).frame_count - fr_walk_get(w.walk).frame;
        assert_true(!is_stopped || left < 60 * 5);
        while (fr_walk_get(w.walk).is_walking) {
            walker_step(&w);
        }
        if (!is_stopped) {
            assert_true(hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z) < 1e-6);
            assert_true(fabs(wrapped(walker_heading(&w) - goal.heading)) < 1e-6);
        }
        assert_int_equal(w.posture.contact_left, 3);
        assert_int_equal(w.posture.contact_right, 3);
        slip = fmax(slip, w.slip);
        depth = fmax(depth, w.depth);
        jump = fmax(jump, w.jump);
        knee = fmin(knee, w.knee_min);
        speed = fmax(speed, w.hip_speed);
    }
    print_message("%llu scripts: slip %.2g m, depth %.2g m, jump %.2f rad/s, knee %.2f deg, hips %.2f m/s\n",
                  (unsigned long long)count, slip, depth, jump, fr_degrees(knee), speed);
    assert_true(slip < 1e-3);
    assert_true(depth < 2e-3);
    assert_true(knee > 0.0);
    // One frame in 3.4 million of the full count is over 4 rad/s (4.21): hips that rise late while a foot is lifted.
    assert_true(jump < (test_is_long() ? 4.25 : 4.0));
    assert_true(speed < 2.0);
}

static void begins_with_any_posture(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    for (int i = 0; i < 50; i++) {
        walker_stand(&w, fr_vec3_make(3, 1, 2), 0.7);
        for (int l = 1; l < FR_BODY_LINK_COUNT; l++) {
            bool is_leg = l >= FR_LINK_RIGHT_THIGH;
            fr_vec3 turn = fr_vec3_make(fr_random_between(&random, -0.3, 0.3), fr_random_between(&random, -0.3, 0.3),
                                        fr_random_between(&random, -0.3, 0.3));
            if (!is_leg) { w.turns[l] = fr_quat_multiply(w.turns[l], fr_quat_from_vector(turn)); }
        }
        fr_quat before[FR_LINK_COUNT];
        memcpy(before, w.turns, sizeof before);
        fr_vec3 place = w.posture.place;
        assert_int_equal(fr_walk_begin(w.walk, &w.posture, NULL), FR_OK);
        fr_walk_goal goal = {fr_vec3_make(0, 0, 0), 2.0, true};
        assert_int_equal(fr_walk_go(w.walk, &goal, 1, 0, NULL), FR_OK);
        walker_step(&w);
        assert_true(fr_vec3_distance(place, w.posture.place) < 0.02);
        for (int l = 0; l < FR_BODY_LINK_COUNT; l++) {
            assert_true(walker_angle(before[l], w.turns[l]) < 0.12);
        }
        while (fr_walk_get(w.walk).is_walking) {
            walker_step(&w);
        }
        assert_true(hypot(w.posture.place.x, w.posture.place.z) < 1e-6);
        assert_true(w.slip < 1e-3 && w.knee_min > 0.0);
    }
}

static void refuse(const fr_walk_goal *goals, size_t count, uint32_t frames, fr_status status, const char *part) {
    fr_error error = {0};
    uint32_t left = fr_walk_get(w.walk).frame_count;
    assert_int_equal(fr_walk_go(w.walk, goals, count, frames, &error), status);
    if (strstr(error.message, part) == NULL) { fail_msg("'%s' is not in '%s'", part, error.message); }
    assert_int_equal(fr_walk_get(w.walk).frame_count, left);
}

static void names_what_is_wrong(void **state) {
    (void)state;
    walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
    fr_walk_goal goal = {fr_vec3_make(NAN, 0, 0), 0, true};
    refuse(&goal, 1, 0, FR_ERROR_NOT_FINITE, "goal 0");
    goal.place.x = INFINITY;
    refuse(&goal, 1, 0, FR_ERROR_NOT_FINITE, "goal 0");
    goal.place.x = 1e300;
    refuse(&goal, 1, 0, FR_ERROR_NOT_FINITE, "goal 0");
    goal.place.x = 1e6;
    refuse(&goal, 1, 0, FR_ERROR_LIMIT, "limit");
    goal.place.x = 1.0;
    goal.heading = NAN;
    refuse(&goal, 1, 0, FR_ERROR_NOT_FINITE, "goal 0");
    goal.heading = 0.0;
    refuse(&goal, 0, 0, FR_ERROR_ARGUMENT, "goal");
    refuse(NULL, 1, 0, FR_ERROR_ARGUMENT, "goal");
    refuse(&goal, FR_WALK_MAX_GOALS + 1, 0, FR_ERROR_LIMIT, "goals");
    refuse(&goal, 1, FR_WALK_MAX_FRAMES + 1, FR_ERROR_LIMIT, "frames");

    fr_quat few[3];
    fr_posture posture = {.turns = few, .count = 3};
    assert_int_equal(fr_walk_step(w.walk, &posture, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_walk_begin(w.walk, &posture, NULL), FR_ERROR_ARGUMENT);
    w.turns[4].w = NAN;
    assert_int_equal(fr_walk_begin(w.walk, &w.posture, NULL), FR_ERROR_NOT_FINITE);
    walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
    w.posture.place.x = INFINITY;
    assert_int_equal(fr_walk_begin(w.walk, &w.posture, NULL), FR_ERROR_NOT_FINITE);

    fr_walk *walk = NULL;
    fr_walk_def def = fr_default_walk_def();
    assert_int_equal(fr_walk_create(&def, &walk, NULL), FR_ERROR_ARGUMENT);
    def.set = w.set;
    def.joined_turn = NAN;
    assert_int_equal(fr_walk_create(&def, &walk, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_walk_def();
    def.set = w.set;
    def.variety = 3.0;
    assert_int_equal(fr_walk_create(&def, &walk, NULL), FR_ERROR_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(fr_walk_create(&def, &walk, NULL), FR_ERROR_ARGUMENT);
    assert_null(walk);
    fr_walk_destroy(NULL);
}

// A million metres from the origin, goals on the spot and twice the same goal.
static void stands_degenerate_goals(void **state) {
    (void)state;
    walker_stand(&w, fr_vec3_make(1e6, 0, -1e6), 3.0);
    fr_walk_goal goal = {fr_vec3_make(1e6 + 3, 0, -1e6), 0.5, true};
    walk_to(&goal, 0);
    assert_true(w.slip < 1e-6 && w.depth < 1e-6);
    assert_true(hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z) < 1e-6);
    walk_to(&goal, 0);
    fr_walk_goal same[4] = {goal, goal, goal, goal};
    assert_int_equal(fr_walk_go(w.walk, same, 4, 0, NULL), FR_OK);
    while (fr_walk_get(w.walk).is_walking) {
        walker_step(&w);
    }
    assert_true(hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z) < 1e-6);
    assert_int_equal(fr_walk_stop(w.walk, NULL), FR_OK);
    walker_step(&w);
}

// Ten people walk in ten fashions, each the same each time; their feet stand as before, and they arrive.
static void people_differ(void **state) {
    (void)state;
    fr_walk *mean = w.walk;
    uint64_t hashes[11];
    uint32_t counts[11], other_counts = 0;
    double elbow[11];
    for (uint32_t i = 0; i < 11; i++) {
        fr_walk_def def = fr_default_walk_def();
        def.set = w.set;
        def.person = i % 10;
        def.variety = 1.0;
        assert_int_equal(fr_walk_create(&def, &w.walk, NULL), FR_OK);
        walker_stand(&w, fr_vec3_make(0, 0, 0), 0.0);
        w.hash = 0;
        fr_walk_goal goal = {fr_vec3_make(0, 0, 9), 0.5, true};
        assert_int_equal(fr_walk_go(w.walk, &goal, 1, 0, NULL), FR_OK);
        counts[i] = fr_walk_get(w.walk).frame_count;
        elbow[i] = 0.0;
        while (fr_walk_get(w.walk).is_walking) {
            walker_step(&w);
            elbow[i] = fmax(elbow[i], walker_angle(w.turns[FR_LINK_LEFT_FOREARM], fr_quat_identity()));
        }
        hashes[i] = w.hash;
        other_counts += counts[i] != counts[0] ? 1u : 0u;
        assert_true(hypot(w.posture.place.x, w.posture.place.z - 9.0) < 1e-6);
        assert_true(w.slip < 1e-6 && w.depth < 2e-3 && w.jump < 4.0);
        fr_walk_destroy(w.walk);
    }
    w.walk = mean;
    assert_true(hashes[10] == hashes[0] && hashes[1] != hashes[0]);
    assert_true(other_counts >= 7);
    double least = 10.0, most = 0.0;
    for (int i = 0; i < 10; i++) {
        least = fmin(least, elbow[i]);
        most = fmax(most, elbow[i]);
    }
    print_message("most bent elbows of ten people: %.0f .. %.0f degrees\n", fr_degrees(least), fr_degrees(most));
    assert_true(most - least > fr_radians(5.0) && most < fr_radians(90.0));
}

static fr_status make_walk(const fr_allocator *allocator, void *context) {
    fr_walk_def def = *(const fr_walk_def *)context;
    def.allocator = *allocator;
    fr_walk *walk = NULL;
    fr_status status = fr_walk_create(&def, &walk, NULL);
    if (status != FR_OK) { return status; }
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    (void)fr_posture_rest(w.skeleton, &posture, NULL);
    const fr_walk_goal goals[2] = {{{3, 0, 3}, 1.0, false}, {{3, 0, 30}, 1.0, true}};
    status = fr_walk_go(walk, goals, 2, 0, NULL);
    for (int i = 0; i < 100 && status == FR_OK; i++) {
        uint64_t calls = test_heap_calls();
        status = fr_walk_step(walk, &posture, NULL);
        assert_int_equal(test_heap_calls(), calls);
    }
    if (status == FR_OK) { status = fr_walk_stop(walk, NULL); }
    if (status == FR_OK) { test_note_number(fr_walk_get(walk).frame_count); }
    fr_walk_destroy(walk);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_walk_def def = fr_default_walk_def();
    def.set = w.set;
    assert_true(test_every_failure(make_walk, &def) >= 3);
}

// The same script gives the same bits everywhere.
static void a_script_gives_the_frozen_hash(void **state) {
    (void)state;
    walker_stand(&w, fr_vec3_make(0.3, 0.0, -1.0), 0.4);
    w.hash = 0;
    const fr_walk_goal first[3] = {{{2, 0, 4}, 0, false}, {{2.5, 0, 8}, 0, false}, {{-3, 0, 8}, 2.0, true}};
    const fr_walk_goal second[1] = {{{1, 0, 1}, -2.0, true}};
    assert_int_equal(fr_walk_go(w.walk, first, 3, 0, NULL), FR_OK);
    for (int i = 0; i < 333; i++) {
        walker_step(&w);
    }
    assert_int_equal(fr_walk_go(w.walk, second, 1, 0, NULL), FR_OK);
    for (int i = 0; i < 200; i++) {
        walker_step(&w);
    }
    assert_int_equal(fr_walk_stop(w.walk, NULL), FR_OK);
    for (int i = 0; i < 200; i++) {
        walker_step(&w);
    }
    if (w.hash != 0xaad85fd7e02b2cd4u) { fail_msg("hash %016llx", (unsigned long long)w.hash); }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(later_places_are_known),
        cmocka_unit_test(random_walks_end_at_their_goals),
        cmocka_unit_test(takes_the_frames_it_is_given),
        cmocka_unit_test(small_turns_are_walked_without_a_stop),
        cmocka_unit_test(large_turns_stop_turn_and_start),
        cmocka_unit_test(goals_change_at_any_frame),
        cmocka_unit_test(begins_with_any_posture),
        cmocka_unit_test(stands_degenerate_goals),
        cmocka_unit_test(people_differ),
        cmocka_unit_test(a_script_gives_the_frozen_hash),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
