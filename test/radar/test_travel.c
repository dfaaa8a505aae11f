// A travel and a turn in one step, against the colliding faces of the same motion.
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

static void go(stage *s, fr_object_id mover, fr_vec3 travel, fr_vec3 pivot, fr_vec3 axis, double angle) {
    s->input.mover = mover;
    s->input.travel = travel;
    s->input.pivot = pivot;
    s->input.axis = axis;
    s->input.angle = angle;
    fr_error error = {0};
    if (!fr_space_is_current(s->space)) { assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK); }
    fr_status status = fr_radar_travel(s->radar, &s->input, &s->output, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}

static void check_travel(uint64_t seed, uint64_t *hits, uint64_t *frees) {
    fr_random random = fr_random_seed(seed);
    stage s;
    stage_open(&s, NULL);
    fr_vec3 pivot = fr_vec3_add(fr_vec3_make(0, 20, 0), random_about(&random, 2)), axis = {.y = 1};
    axis.z = fr_random_between(&random, -1, 1);
    axis.x = fr_random_between(&random, -1, 1);
    fr_vec3 travel = random_about(&random, 3);
    double angle = fr_random_between(&random, 0.05, seed % 4 == 0 ? 8.0 : 2.0);
    if (seed % 5 == 0) { travel = fr_vec3_scale(0.05, travel); }
    fr_object_id a = stage_add_star(&s, &random, 4, 0.3, fr_vec3_make(0, 20, 0));
    for (int i = 0; i < 3; i++) {
        fr_vec3 off = random_about(&random, 1);
        off = fr_vec3_scale(fr_random_between(&random, 2.7, 5.0), fr_vec3_unit(off, fr_vec3_make(1, 0, 0)));
        stage_add_star(&s, &random, 4, 0.3, fr_vec3_add(fr_vec3_make(0, 20, 0), off));
    }
    double low, high;
    bool is_hit = true_motion(&s, a, travel, pivot, axis, angle, &low, &high);
    *hits += is_hit ? 1 : 0;
    *frees += is_hit ? 0 : 1;
    for (uint32_t resolution = 8; resolution <= 32; resolution *= 2) {
        s.input.resolution = resolution;
        s.input.look = FR_RADAR_CONSERVATIVE;
        go(&s, a, travel, pivot, axis, angle);
        // Never late; and what is farther away than pixels and tolerance is told to be free.
        if (is_hit) { assert_true(s.output.is_hit && s.output.low <= fmin(high, low + 1e-9)); }
        assert_int_equal(s.output.flags & FR_RADAR_WIDE, 0);
        s.input.look = FR_RADAR_EXACT;
        go(&s, a, travel, pivot, axis, angle);
        assert_true(s.output.is_hit == is_hit);
        if (!is_hit) {
            assert_true(s.output.distance == 1.0);
            continue;
        }
        assert_true(fabs(s.output.distance - low) <= 1e-6);
        assert_true(s.output.low <= fmin(high, low + 1e-9) && s.output.high >= low - 1e-9);
        assert_true(fr_object_id_equal(s.output.contact.a, a) && s.output.contact.triangle_a != FR_NONE);
    }
    stage_close(&s);
}

static void travels_are_those_of_motions(void **state) {
    (void)state;
    uint64_t hits = 0, frees = 0, count = test_count(24, 2000);
    for (uint64_t i = 0; i < count; i++) {
        check_travel(300 + i, &hits, &frees);
    }
    // Which scenes are made depends on the order in which a compiler asks for numbers: shares are told by many alone.
    assert_true(count < 1000 || (hits >= count / 5 && frees >= count / 20));
}

// A travel alone is that of fr_radar_move, a turn alone that of fr_radar_turn.
static void one_of_the_two_may_be_none(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id bar = stage_add(&s, box(4, 0.2, 0.2), fr_vec3_make(2, 0, 0), unturned);
    stage_add(&s, box(0.5, 0.5, 3), fr_vec3_make(0, 3, 0), unturned);
    fr_vec3 none = {0, 0, 0}, up = {0, 0, 1};
    s.input.look = FR_RADAR_EXACT;
    go(&s, bar, fr_vec3_make(0, 6, 0), none, none, 0.0);
    double share = s.output.distance;
    assert_int_equal(fr_radar_move(s.radar, &s.input, &s.output, NULL), FR_OK);
    assert_true(fabs(6.0 * share - s.output.distance) < 1e-6);
    go(&s, bar, none, none, up, 3.0);
    share = s.output.distance;
    assert_int_equal(fr_radar_turn(s.radar, &s.input, &s.output, NULL), FR_OK);
    assert_true(fabs(3.0 * share - s.output.distance) < 1e-6);
    stage_close(&s);
}

// A long blade that turns as it flies goes through a slit it would not pass without turning.
static void a_turning_blade_passes_a_slit(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id blade = stage_add(&s, box(4, 0.2, 0.2), fr_vec3_make(0, 0, -5), unturned);
    stage_add(&s, box(6, 8, 0.2), fr_vec3_make(-3.5, 0, 0), unturned);
    stage_add(&s, box(6, 8, 0.2), fr_vec3_make(3.5, 0, 0), unturned);
    fr_vec3 travel = fr_vec3_make(0, 0, 10), pivot = fr_vec3_make(0, 0, -5), along = fr_vec3_make(0, 0, 1);
    s.input.look = FR_RADAR_EXACT;
    go(&s, blade, travel, pivot, along, 0.0);
    assert_true(s.output.is_hit && fabs(s.output.distance - 0.48) < 1e-6);
    go(&s, blade, travel, pivot, along, FR_PI);
    assert_true(!s.output.is_hit && s.output.distance == 1.0);
    stage_close(&s);
}

static void what_is_no_travel_is_refused(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.angle = 1.0;
    fr_radar_output *out = &s.output;
    assert_int_equal(fr_radar_travel(s.radar, &s.input, out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_travel(s.radar, &s.input, out, NULL), FR_OK);
    assert_true(!out->is_hit && out->distance == 1.0);
    for (int i = 0; i < 7; i++) {
        fr_radar_input input = s.input;
        if (i == 0) { input.angle = 0.0; }
        if (i == 1) { input.angle = -1.0; }
        if (i == 2) { input.axis = fr_vec3_make(0, 0, 0); }
        if (i == 3) { input.travel.x = NAN; }
        if (i == 4) { input.pivot.y = INFINITY; }
        if (i == 5) { input.resolution = 0; }
        if (i == 6) { input.angle = NAN; }
        assert_int_equal(fr_radar_travel(s.radar, &input, out, NULL), FR_ERROR_ARGUMENT);
    }
    fr_object_remove(s.space, s.input.mover, NULL);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_travel(s.radar, &s.input, out, NULL), FR_ERROR_STALE_ID);
    stage_close(&s);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, box(4, 0.2, 0.2), fr_vec3_make(2, 0, 0), unturned);
    stage_add(&s, box(0.5, 0.5, 3), fr_vec3_make(0, 3, 0), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.resolution = 8;
    s.input.look = FR_RADAR_EXACT;
    s.input.travel = fr_vec3_make(0.1, 0.2, 0.3);
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.angle = 2.0;
    stage_question query = {fr_radar_travel, s.input, s.input.look};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 5);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(travels_are_those_of_motions),  cmocka_unit_test(one_of_the_two_may_be_none),
        cmocka_unit_test(a_turning_blade_passes_a_slit), cmocka_unit_test(what_is_no_travel_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
