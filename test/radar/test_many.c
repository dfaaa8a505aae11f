// Many queries at once against the same asked one by one.
#include "heap_calls.h"
#include "seen.h"

#include "failing.h"

#define BALLS 60

typedef struct crowd {
    stage s;
    fr_radar_input inputs[BALLS];
    fr_radar_output outputs[BALLS];
} crowd;

// Stars and balls in a cube, each with a travel of its own; some overlap.
static void crowd_open(crowd *c, const fr_allocator *allocator, bool is_round) {
    fr_random random = fr_random_seed(77);
    stage_open(&c->s, allocator);
    for (int i = 0; i < BALLS; i++) {
        fr_vec3 place = random_about(&random, 6);
        fr_vec3 travel = random_within(&random, fr_vec3_make(-3, -3, 0.5), fr_vec3_make(3, 3, 3));
        c->inputs[i] = c->s.input;
        c->inputs[i].mover = stage_add_star(&c->s, &random, 5, is_round ? 0.0 : 0.3, place);
        c->inputs[i].travel = travel;
        c->inputs[i].is_round = is_round;
        c->inputs[i].resolution = 10;
    }
    assert_int_equal(fr_space_update(c->s.space, NULL, NULL), FR_OK);
}

static void check_equal(const fr_radar_output *many, const fr_radar_output *one) {
    assert_true(many->is_hit == one->is_hit && many->distance == one->distance && many->high == one->high);
    assert_int_equal(many->flags & ~(uint32_t)FR_RADAR_GRAZING, one->flags & ~(uint32_t)FR_RADAR_GRAZING);
    assert_true(many->stats.triangles == one->stats.triangles && many->stats.parts == one->stats.parts);
    if (!many->is_hit) { return; }
    assert_true(fr_object_id_equal(many->contact.a, one->contact.a) &&
                fr_object_id_equal(many->contact.b, one->contact.b));
    assert_true(many->contact.time == one->contact.time && many->kind == 1 && many->points == 1);
    assert_true(fabs(fr_vec3_length(many->contact.normal) - 1.0) <= 1e-12);
    // Both lie on the surface that is met first, to the pixels that meet it.
    assert_true(fr_vec3_distance(many->contact.point, one->contact.point) <= 2.0);
    assert_true(many->contact.approach >= 0.0);
}

// More movers than masks are kept for, so that several batches are drawn.
static void many_answer_as_one_by_one(void **state) {
    (void)state;
    static crowd c;
    crowd_open(&c, NULL, false);
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, NULL), FR_OK);
    int hits = 0;
    for (int i = 0; i < BALLS; i++) {
        fr_radar_output one;
        assert_int_equal(fr_radar_move(c.s.radar, &c.inputs[i], &one, NULL), FR_OK);
        check_equal(&c.outputs[i], &one);
        hits += one.is_hit ? 1 : 0;
    }
    assert_true(hits > 5 && hits < BALLS);
    // Masks that are kept from before are among the new ones.
    static fr_radar_output again[BALLS];
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs + BALLS - 20, 20, again, NULL), FR_OK);
    fr_radar_input turned_round[BALLS];
    for (int i = 0; i < BALLS; i++) {
        turned_round[i] = c.inputs[BALLS - 1 - i];
    }
    assert_int_equal(fr_radar_move_many(c.s.radar, turned_round, BALLS, again, NULL), FR_OK);
    for (int i = 0; i < BALLS; i++) {
        check_equal(&again[BALLS - 1 - i], &c.outputs[i]);
    }
    stage_close(&c.s);
}

static void none_at_all_is_answered(void **state) {
    (void)state;
    static crowd c;
    crowd_open(&c, NULL, true);
    assert_int_equal(fr_radar_move_many(c.s.radar, NULL, 0, NULL, NULL), FR_OK);
    stage_close(&c.s);
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    static crowd c;
    crowd_open(&c, NULL, true);
    fr_error error;
    c.inputs[7].look = FR_RADAR_EXACT;
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, &error), FR_ERROR_ARGUMENT);
    c.inputs[7].look = FR_RADAR_CENTRE;
    c.inputs[7].is_as_printed = true;
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, &error), FR_ERROR_ARGUMENT);
    c.inputs[7].is_as_printed = false;
    c.inputs[7].travel = fr_vec3_make(0, 0, 0);
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, &error), FR_ERROR_ARGUMENT);
    c.inputs[7].travel = fr_vec3_make(0, 0, 1);
    c.inputs[7].mover = (fr_object_id){0};
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, &error), FR_ERROR_STALE_ID);
    // The radar serves on.
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, 7, c.outputs, &error), FR_OK);
    stage_close(&c.s);
}

static fr_status ask(const fr_allocator *allocator, void *context) {
    crowd *c = context;
    fr_radar *radar;
    fr_status status = fr_radar_create(allocator, &radar, NULL);
    if (status != FR_OK) { return status; }
    status = fr_radar_move_many(radar, c->inputs, 4, c->outputs, NULL);
    fr_radar_destroy(radar);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static crowd c;
    crowd_open(&c, NULL, false);
    assert_true(test_every_failure(ask, &c) > 5);
    stage_close(&c.s);
}

static void a_second_time_allocates_nothing(void **state) {
    (void)state;
    static crowd c;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    crowd_open(&c, &allocator, true);
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, NULL), FR_OK);
    uint64_t before = test_allocations(probe);
    assert_int_equal(fr_radar_move_many(c.s.radar, c.inputs, BALLS, c.outputs, NULL), FR_OK);
    assert_true(test_allocations(probe) == before);
    stage_close(&c.s);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_answer_as_one_by_one),       cmocka_unit_test(none_at_all_is_answered),
        cmocka_unit_test(wrong_questions_are_refused),     cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_second_time_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
