// How far an object may turn, against the colliding faces of the same turn as a motion.
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

static void look_round(stage *s, fr_object_id mover, fr_vec3 pivot, fr_vec3 axis, double angle) {
    s->input.mover = mover;
    s->input.pivot = pivot;
    s->input.axis = axis;
    s->input.angle = angle;
    fr_error error = {0};
    if (!fr_space_is_current(s->space)) { assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK); }
    fr_status status = fr_radar_turn(s->radar, &s->input, &s->output, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}

// The first contact of the same turn as a motion: a time that is never late, and one by which it is sure, in radians.
static bool true_turn(stage *s, fr_object_id mover, fr_vec3 pivot, fr_vec3 axis, double angle, double *low,
                      double *high) {
    bool is_hit = true_motion(s, mover, fr_vec3_make(0, 0, 0), pivot, axis, angle, low, high);
    *low *= angle;
    *high *= angle;
    return is_hit;
}

// Fronts and ranges are angles of half a turn to both sides, or none.
static void check_angles(const fr_radar_images *images) {
    for (uint32_t y = 0; y < images->height; y++) {
        for (uint32_t x = 0; x < images->width; x++) {
            size_t at = (size_t)y * images->stride + x;
            double front = images->front[at], range = images->range[at], travel = images->free_travel[at];
            assert_true(front == -INFINITY || fabs(front) <= FR_PI);
            assert_true((travel == INFINITY) == (range == INFINITY) && (range == INFINITY || fabs(range) <= FR_PI));
            assert_true(travel == INFINITY || (travel >= 0.0 && travel <= 2.0 * FR_PI && front > -INFINITY));
        }
    }
}

static void check_turn(uint64_t seed, uint64_t *hits) {
    fr_random random = fr_random_seed(seed);
    stage s;
    stage_open(&s, NULL);
    fr_vec3 pivot = {.y = 50};
    pivot.z = fr_random_between(&random, -1, 1);
    pivot.x = fr_random_between(&random, -1, 1);
    fr_vec3 axis = fr_vec3_make(0.2, 1, fr_random_between(&random, -0.3, 0.3));
    double reach = fr_random_between(&random, 2.0, 4.0), angle = fr_random_between(&random, 1.0, 6.0);
    double off = fr_random_between(&random, 0.8, 5.5);
    fr_vec3 a_place = fr_vec3_add(pivot, fr_vec3_make(reach, 0, 0));
    fr_vec3 b_place =
        fr_vec3_add(pivot, fr_vec3_make(reach * cos(off), fr_random_between(&random, -1.5, 1.5), -reach * sin(off)));
    fr_object_id a = stage_add_star(&s, &random, 5, 0.3, a_place);
    stage_add_star(&s, &random, 5, 0.3, b_place);
    double low, high;
    bool is_hit = true_turn(&s, a, pivot, axis, angle, &low, &high);
    if (is_hit && low <= 1e-6) {
        stage_close(&s);
        return;
    }
    *hits += is_hit ? 1 : 0;
    for (uint32_t resolution = 16; resolution <= 64; resolution *= 2) {
        s.input.resolution = resolution;
        s.input.look = FR_RADAR_CENTRE;
        look_round(&s, a, pivot, axis, angle);
        if (s.output.is_hit) { assert_true(is_hit && s.output.high >= low - 1e-7); }
        check_angles(&s.output.images);
        double sampled = s.output.high;
        s.input.look = FR_RADAR_CONSERVATIVE;
        look_round(&s, a, pivot, axis, angle);
        assert_true(s.output.high == sampled);
        if (is_hit) { assert_true(s.output.is_hit && s.output.low <= fmin(high, low + 1e-6)); }
    }
    s.input.resolution = 16;
    s.input.look = FR_RADAR_REFINED;
    look_round(&s, a, pivot, axis, angle);
    if (is_hit) {
        assert_true(s.output.low <= low + 1e-6 && s.output.high >= low - 1e-7);
        assert_true(s.output.high - s.output.low <= 1e-3 || (s.output.flags & FR_RADAR_WIDE) != 0);
    }
    s.input.look = FR_RADAR_EXACT;
    look_round(&s, a, pivot, axis, angle);
    assert_true(s.output.is_hit == is_hit);
    if (is_hit) {
        if (fabs(s.output.distance - low) > 2e-6) {
            print_error("%llu: %.9f %.9f\n", (unsigned long long)seed, s.output.distance, low);
        }
        assert_true(fabs(s.output.distance - low) <= 2e-6);
        assert_true(s.output.contact.triangle_a != FR_NONE);
    }
    stage_close(&s);
}

// The bracket of columns and circles holds what the motion's colliding faces tell, whatever the scene.
static void brackets_hold_the_truth(void **state) {
    (void)state;
    uint64_t hits = 0, count = test_count(40, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random random = fr_random_seed(seed + 40000);
        stage s;
        stage_open(&s, NULL);
        fr_vec3 pivot = {0, 0, 0}, axis = fr_vec3_make(fr_random_between(&random, -0.3, 0.3), 1, 0.1);
        double reach = fr_random_between(&random, 1.5, 3.0), off = fr_random_between(&random, 1.2, 4.5);
        fr_object_id a = stage_add_star(&s, &random, 3, 0.4, fr_vec3_make(reach, 0, 0));
        fr_vec3 place = fr_vec3_make(reach * cos(off), fr_random_between(&random, -1.5, 1.5), -reach * sin(off));
        stage_add_star(&s, &random, 3, 0.4, place);
        double low, high, angle = 4.0;
        bool is_hit = true_turn(&s, a, pivot, axis, angle, &low, &high);
        bool is_fair = !is_hit || low > 1e-6;
        s.input.resolution = 8 + (uint32_t)seed % 16;
        for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT && is_fair; look++) {
            s.input.look = (fr_radar_look)look;
            look_round(&s, a, pivot, axis, angle);
            bool is_held = !is_hit || (s.output.low <= low + 1e-6 && s.output.high >= low - 1e-6);
            if (!is_held) { print_error("%llu: %d\n", (unsigned long long)seed, look); }
            assert_true(is_held);
            if (look == FR_RADAR_EXACT) { assert_true(s.output.is_hit == is_hit); }
            if (look == FR_RADAR_CENTRE) { assert_true(is_hit || !s.output.is_hit); }
        }
        hits += is_hit && is_fair ? 1 : 0;
        stage_close(&s);
    }
    assert_true(hits > count / 10);
}

static void turns_are_those_of_motions(void **state) {
    (void)state;
    uint64_t hits = 0, count = test_count(20, 400);
    for (uint64_t i = 0; i < count; i++) {
        check_turn(900 + i, &hits);
    }
    assert_true(hits >= count / 5);
}

// A bar about its end, upright faces against an upright bar: level edges and upright edges.
static void a_bar_meets_a_post(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id bar = stage_add(&s, box(4, 0.2, 0.2), fr_vec3_make(2, 0, 0), unturned);
    fr_object_id post = stage_add(&s, box(0.5, 0.5, 3), fr_vec3_make(0, 3, 0), unturned);
    // The post's side x = 0.25 at y = 2.75 .. 3.25; the bar's leading edge is y = 0.1, its tip x = 4.
    double truth = INFINITY;
    for (int i = 0; i <= 100000; i++) {
        double y = 2.75 + 0.5 * i / 100000.0, r = sqrt(0.25 * 0.25 + y * y);
        truth = fmin(truth, atan2(y, 0.25) - asin(0.1 / r));
    }
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        look_round(&s, bar, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 2), 3.0);
        assert_true(s.output.is_hit && s.output.low <= truth + 1e-9 && s.output.high >= truth - 1e-9);
        assert_true(fabs(s.output.distance - truth) < (look == FR_RADAR_EXACT ? 1e-9 : 0.05));
        assert_true(fr_object_id_equal(s.output.contact.b, post));
        // From the bar into the post.
        assert_true(s.output.contact.normal.x < -0.9);
    }
    look_round(&s, bar, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, 2), 1.0);
    assert_true(!s.output.is_hit && s.output.distance == 1.0);
    // The other travel round it is farther.
    look_round(&s, bar, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 0, -1), 6.0);
    assert_true(s.output.is_hit && s.output.distance > 4.0);
    stage_close(&s);
}

static void what_is_no_turn_is_refused(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.angle = 1.0;
    assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_OK);
    const double no_angles[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        s.input.angle = no_angles[i];
        assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_ERROR_ARGUMENT);
    }
    s.input.angle = 1.0;
    s.input.axis = fr_vec3_make(0, 0, 0);
    assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_ERROR_ARGUMENT);
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.pivot.x = NAN;
    assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_ERROR_ARGUMENT);
    stage_close(&s);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.resolution = 12;
    s.input.mover = stage_add(&s, box(4, 0.2, 0.2), fr_vec3_make(2, 0, 0), unturned);
    stage_add(&s, box(0.5, 0.5, 3), fr_vec3_make(0, 3, 0), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.look = FR_RADAR_CENTRE;
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.angle = 6.0;
    stage_question query = {fr_radar_turn, s.input, FR_RADAR_EXACT};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 5);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_hold_the_truth),   cmocka_unit_test(turns_are_those_of_motions),
        cmocka_unit_test(a_bar_meets_a_post),        cmocka_unit_test(what_is_no_turn_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
