// Bodies that move at once, against the colliding faces of their motions.
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

static void meet(stage *s, fr_object_id mover, fr_vec3 travel) {
    s->input.mover = mover;
    s->input.travel = travel;
    fr_error error = {0};
    if (!fr_space_is_current(s->space)) { assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK); }
    fr_status status = fr_radar_meet(s->radar, &s->input, &s->output, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}

static void set_travel(stage *s, fr_object_id id, fr_vec3 travel, fr_vec3 turn) {
    fr_motion motion = fr_motion_still(&fr_object_get(s->space, id)->pose);
    motion.travel = travel;
    motion.turn = turn;
    fr_pose end = fr_motion_pose(&motion, 1.0);
    assert_int_equal(fr_object_set_motion(s->space, id, &motion, &end, NULL), FR_OK);
}

static void check_meeting(uint64_t seed, uint64_t *hits) {
    fr_random random = fr_random_seed(seed);
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add_star(&s, &random, 5, 0.3, fr_vec3_make(0, 0, 0));
    fr_vec3 travel = random_about(&random, 9), shared = {0};
    for (int i = 0; i < 4; i++) {
        fr_vec3 off = random_about(&random, 1);
        off = fr_vec3_scale(fr_random_between(&random, 3.0, 7.0), fr_vec3_unit(off, fr_vec3_make(1, 0, 0)));
        fr_object_id b = stage_add_star(&s, &random, 5, 0.3, off);
        if (i == 0) { shared = fr_vec3_scale(-1.0, off); }
        // Two go alike, one as the mover does, one stands.
        if (i < 2) { set_travel(&s, b, shared, fr_vec3_make(0, 0, 0)); }
        if (i == 2) { set_travel(&s, b, travel, fr_vec3_make(0, 0, 0)); }
    }
    // Only meetings of the mover count: the others do not look at one another.
    double low = INFINITY, high = INFINITY;
    set_travel(&s, a, travel, fr_vec3_make(0, 0, 0));
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    (void)true_contact(s.space, a, &low, &high);
    *hits += low < 1.0 ? 1 : 0;
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        meet(&s, a, travel);
        if (look == FR_RADAR_CENTRE) { assert_true(!s.output.is_hit || s.output.distance >= low - 1e-7); }
        if (look != FR_RADAR_CENTRE && low < 1.0) {
            assert_true(s.output.is_hit && s.output.low <= fmin(high, low + 1e-6));
        }
        if (look != FR_RADAR_EXACT) { continue; }
        assert_true(s.output.is_hit == (low < 1.0));
        if (s.output.is_hit) {
            assert_true(fabs(s.output.distance - low) < 1e-6 && s.output.contact.time == s.output.distance);
        }
    }
    stage_close(&s);
}

static void meetings_are_those_of_motions(void **state) {
    (void)state;
    uint64_t hits = 0, count = test_count(30, 1000);
    for (uint64_t i = 0; i < count; i++) {
        check_meeting(60 + i, &hits);
    }
    assert_true(hits >= count / 5);
}

static fr_mesh *ball(uint32_t stacks) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(0.5, stacks, 2 * stacks, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// Two balls that cross at right angles at 10 metres a second: neither meets the other's beginning or end.
static void fast_balls_do_not_pass_through(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, ball(32), fr_vec3_make(-5, 0, 0), unturned);
    fr_object_id b = stage_add(&s, ball(32), fr_vec3_make(0, -5, 0), unturned);
    fr_vec3 travel = fr_vec3_make(10, 0, 0);
    stage_look(&s, a, travel);
    assert_false(s.output.is_hit);
    set_travel(&s, b, fr_vec3_make(0, 10, 0), fr_vec3_make(0, 0, 0));
    // The centres are sqrt(2) (5 - 10 t) apart.
    double truth = (5.0 - 1.0 / sqrt(2.0)) / 10.0;
    assert_true(fabs(truth - 0.42929) < 1e-5);
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        meet(&s, a, travel);
        assert_true(s.output.is_hit && fabs(s.output.distance - truth) < 0.01 && s.output.contact.time > 0.0);
        assert_int_equal(s.output.flags & FR_RADAR_STRAIGHT, 0);
        // Where they meet, halfway between the two centres then.
        double off = 10.0 * truth - 5.0;
        assert_true(fr_vec3_distance(s.output.contact.point, fr_vec3_make(0.5 * off, 0.5 * off, 0)) < 0.1);
    }
    assert_true(fabs(s.output.distance - truth) < 2e-4);
    // Who stands is met by who comes.
    fr_vec3 still = {0, 0, 0};
    set_travel(&s, b, fr_vec3_make(-10, 10, 0), fr_vec3_make(0, 0.1, 0));
    meet(&s, a, still);
    assert_true(s.output.is_hit && (s.output.flags & FR_RADAR_STRAIGHT) != 0);
    // Who goes alike is not.
    set_travel(&s, b, travel, still);
    meet(&s, a, travel);
    assert_true(!s.output.is_hit && s.output.distance == 1.0);
    stage_close(&s);
}

// Every part of the filter decides, with the moving objects as with those that stand.
static void what_the_filter_leaves_out_is_not_met(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, ball(8), fr_vec3_make(-5, 0, 0), unturned);
    fr_object_id b = stage_add(&s, ball(8), fr_vec3_make(0, -5, 0), unturned);
    fr_vec3 travel = fr_vec3_make(10, 0, 0);
    set_travel(&s, b, fr_vec3_make(0, 10, 0), fr_vec3_make(0, 0, 0));
    meet(&s, a, travel);
    assert_true(s.output.is_hit);
    fr_query_filter all = s.input.filter;
    s.input.filter.ignore = b;
    meet(&s, a, travel);
    assert_false(s.output.is_hit);
    s.input.filter = all;
    s.input.filter.mask = 2;
    meet(&s, a, travel);
    assert_false(s.output.is_hit);
    s.input.filter = all;
    s.input.filter.as_object = a;
    meet(&s, a, travel);
    assert_true(s.output.is_hit);
    fr_filter apart = {1, 2, 0};
    assert_int_equal(fr_object_set_filter(s.space, a, apart, NULL), FR_OK);
    meet(&s, a, travel);
    assert_false(s.output.is_hit);
    stage_close(&s);
}

static void what_is_no_meeting_is_refused(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, ball(4), fr_vec3_make(0, 0, 0), unturned);
    assert_int_equal(fr_radar_meet(s.radar, &s.input, &s.output, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_meet(s.radar, &s.input, &s.output, NULL), FR_OK);
    assert_true(!s.output.is_hit && s.output.distance == 1.0);
    s.input.travel.x = NAN;
    assert_int_equal(fr_radar_meet(s.radar, &s.input, &s.output, NULL), FR_ERROR_ARGUMENT);
    s.input.travel.x = 1.0;
    s.input.layers = 0;
    assert_int_equal(fr_radar_meet(s.radar, &s.input, &s.output, NULL), FR_ERROR_ARGUMENT);
    s.input.layers = 1;
    fr_object_remove(s.space, s.input.mover, NULL);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_meet(s.radar, &s.input, &s.output, NULL), FR_ERROR_STALE_ID);
    stage_close(&s);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, ball(4), fr_vec3_make(0, 0, 0), unturned);
    fr_object_id other = stage_add(&s, ball(4), fr_vec3_make(4, 0, 0), unturned);
    stage_add(&s, ball(4), fr_vec3_make(0, 4, 0), unturned);
    set_travel(&s, other, fr_vec3_make(-1, 0.5, 0), fr_vec3_make(0, 0, 0));
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.travel = fr_vec3_make(5, 5, 0);
    s.input.resolution = 8;
    stage_question query = {fr_radar_meet, s.input, s.input.look};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 3);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meetings_are_those_of_motions),
        cmocka_unit_test(fast_balls_do_not_pass_through),
        cmocka_unit_test(what_the_filter_leaves_out_is_not_met),
        cmocka_unit_test(what_is_no_meeting_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
