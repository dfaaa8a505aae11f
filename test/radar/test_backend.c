// What a radar hands to its backend, by one that notes what it gets and draws one face.
#include "seen.h"

static const fr_quat unturned = {1, 0, 0, 0};

typedef struct painter {
    int masks, ranges, turns;
    uint64_t last_mask;
    fr_status result;
} painter;

// Every pixel has one exit, the mover's foremost depth.
static fr_status paint_masks(fr_radar_mask_drawing *drawings, size_t count, void *user, fr_error *error) {
    painter *p = user;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        const fr_radar_mask_drawing *d = &drawings[i];
        p->masks++;
        for (size_t k = 0; k < (size_t)d->stride * d->height; k++) {
            assert_true(d->planes[0][k] == -INFINITY && d->planes[d->layers - 1][k] == -INFINITY);
            d->planes[0][k] = d->z_max;
        }
    }
    return p->result;
}

static fr_status paint_ranges(fr_radar_range_drawing *drawings, size_t count, void *user, fr_error *error) {
    painter *p = user;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        fr_radar_range_drawing *d = &drawings[i];
        p->ranges++;
        p->last_mask = d->mask;
        assert_true(d->count > 0 && d->entries != NULL && d->free_min == INFINITY);
        // The middle pixel meets the first face a metre ahead.
        d->free_min = 1.0;
        d->column_at_min = d->width / 2;
        d->row_at_min = d->height / 2;
        d->range_at_min = d->exits[0][0] + 1.0;
        d->object_at_min = d->triangles[0].object;
        d->triangle_at_min = d->triangles[0].triangle;
        if (d->free_travel == NULL) { continue; }
        size_t at = (size_t)d->row_at_min * d->stride + d->column_at_min;
        assert_true(d->free_travel[at] == INFINITY && d->object[at] == FR_NONE);
        d->free_travel[at] = d->free_min;
        d->range[at] = d->range_at_min;
        d->object[at] = d->object_at_min;
        d->triangle[at] = d->triangle_at_min;
    }
    return p->result;
}

static fr_status paint_turns(fr_radar_turn_drawing *drawings, size_t count, void *user, fr_error *error) {
    painter *p = user;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        const fr_radar_turn_drawing *d = &drawings[i];
        p->turns++;
        assert_true(d->mover_count > 0 && d->other_count > 0 && d->pixel > 0.0);
        d->free_travel[0] = 0.25;
        d->range[0] = 0.5;
        d->object[0] = d->others[0].object;
        d->triangle[0] = d->others[0].triangle;
    }
    return p->result;
}

typedef struct scene {
    stage s;
    fr_object_id mover, other;
    painter p;
} scene;

static void scene_open(scene *c) {
    fr_random random = fr_random_seed(6);
    *c = (scene){.p = {.result = FR_OK}};
    stage_open(&c->s, NULL);
    c->mover = stage_add(&c->s, star(&random, 4, 0.2), fr_vec3_make(0, 0, 0), unturned);
    c->other = stage_add(&c->s, star(&random, 4, 0.2), fr_vec3_make(0, 0, 4), unturned);
    fr_radar_backend backend = {paint_masks, paint_ranges, paint_turns, &c->p};
    fr_radar_set_backend(c->s.radar, &backend);
}

static void a_backend_draws_lines(void **state) {
    (void)state;
    scene c;
    scene_open(&c);
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
    assert_true(c.s.output.is_hit && c.s.output.distance == 1.0 && c.p.masks == 2 && c.p.ranges == 1);
    assert_true(fr_object_id_equal(c.s.output.contact.b, c.other));
    uint64_t mask = c.p.last_mask;
    // The mask is kept, and keeps its name.
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 5));
    assert_true(c.p.masks == 2 && c.p.ranges == 2 && c.p.last_mask == mask);
    c.s.input.resolution = 8;
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 5));
    assert_true(c.p.masks == 4 && c.p.last_mask != mask);
    stage_close(&c.s);
}

static void a_backend_draws_many_at_once(void **state) {
    (void)state;
    scene c;
    scene_open(&c);
    assert_int_equal(fr_space_update(c.s.space, NULL, NULL), FR_OK);
    fr_radar_input inputs[3] = {c.s.input, c.s.input, c.s.input};
    fr_radar_output outputs[3];
    for (int i = 0; i < 3; i++) {
        inputs[i].mover = c.mover;
        inputs[i].travel = fr_vec3_make(0, 0, i == 1 ? 2.5 : 6);
    }
    assert_int_equal(fr_radar_move_many(c.s.radar, inputs, 3, outputs, NULL), FR_OK);
    assert_true(c.p.ranges == 3 && c.p.masks == 2);
    for (int i = 0; i < 3; i++) {
        assert_true(outputs[i].is_hit && outputs[i].distance == 1.0 && outputs[i].images.range == NULL);
        assert_true(fr_object_id_equal(outputs[i].contact.b, c.other) && outputs[i].contact.normal.z > 0.0);
    }
    stage_close(&c.s);
}

static void a_backend_draws_turns(void **state) {
    (void)state;
    scene c;
    scene_open(&c);
    c.s.input.mover = c.mover;
    c.s.input.axis = fr_vec3_make(0, 1, 0);
    c.s.input.pivot = fr_vec3_make(0, 0, 2);
    c.s.input.angle = 6.0;
    assert_int_equal(fr_space_update(c.s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_turn(c.s.radar, &c.s.input, &c.s.output, NULL), FR_OK);
    assert_true(c.p.turns == 1 && c.s.output.is_hit && c.s.output.distance == 0.25);
    stage_close(&c.s);
}

static void columns_are_not_for_a_backend(void **state) {
    (void)state;
    scene c;
    scene_open(&c);
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
    for (int look = FR_RADAR_CONSERVATIVE; look <= FR_RADAR_EXACT; look++) {
        c.s.input.look = (fr_radar_look)look;
        stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
        assert_true(c.s.output.distance > 1.5);
    }
    c.s.input.look = FR_RADAR_CENTRE;
    c.s.input.is_as_printed = true;
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
    assert_true(c.s.output.distance > 1.5 && c.p.ranges == 1 && c.p.masks == 2);
    // Without a backend the radar draws by itself again, the mask too.
    c.s.input.is_as_printed = false;
    fr_radar_set_backend(c.s.radar, NULL);
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
    assert_true(c.s.output.distance > 1.5 && c.p.ranges == 1 && c.s.output.stats.is_mask_drawn);
    stage_close(&c.s);
}

static void what_a_backend_fails_at_fails(void **state) {
    (void)state;
    scene c;
    scene_open(&c);
    c.p.result = FR_ERROR_UNSUPPORTED;
    assert_int_equal(fr_space_update(c.s.space, NULL, NULL), FR_OK);
    c.s.input.mover = c.mover;
    c.s.input.travel = fr_vec3_make(0, 0, 6);
    assert_int_equal(fr_radar_move(c.s.radar, &c.s.input, &c.s.output, NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_radar_move_many(c.s.radar, &c.s.input, 1, &c.s.output, NULL), FR_ERROR_UNSUPPORTED);
    c.p.result = FR_OK;
    stage_look(&c.s, c.mover, fr_vec3_make(0, 0, 6));
    assert_true(c.s.output.stats.is_mask_drawn);
    // Of many, a wrong one leaves no mask behind that was not drawn.
    fr_radar_input inputs[2] = {c.s.input, c.s.input};
    fr_radar_output outputs[2];
    inputs[0].resolution = inputs[1].resolution = 9;
    inputs[1].mover = (fr_object_id){0};
    assert_int_equal(fr_radar_move_many(c.s.radar, inputs, 2, outputs, NULL), FR_ERROR_STALE_ID);
    int masks = c.p.masks;
    assert_int_equal(fr_radar_move_many(c.s.radar, inputs, 1, outputs, NULL), FR_OK);
    assert_true(c.p.masks == masks + 2 && outputs[0].is_hit);
    stage_close(&c.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backend_draws_lines),         cmocka_unit_test(a_backend_draws_many_at_once),
        cmocka_unit_test(a_backend_draws_turns),         cmocka_unit_test(columns_are_not_for_a_backend),
        cmocka_unit_test(what_a_backend_fails_at_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
