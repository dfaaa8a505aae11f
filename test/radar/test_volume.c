// The volume from the mask, against the corners of the mover; movers and obstacles that deform.
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

// The mover's extent along a unit direction of the image, from its corner.
static void extent(const stage *s, fr_object_id id, fr_vec3 axis, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t t = 0; t < fr_object_get(s->space, id)->triangle_count; t++) {
        fr_vec3 corners[3];
        assert_int_equal(fr_object_corners(s->space, id, t, corners, NULL), FR_OK);
        for (int k = 0; k < 3; k++) {
            double at = fr_vec3_dot(axis, fr_vec3_sub(corners[k], s->output.images.corner));
            *low = fmin(*low, at);
            *high = fmax(*high, at);
        }
    }
}

// The frame lies about the true box, on each side within `pixels` of the first look; what is sure holds all of it.
static void check_frame(const stage *s, fr_object_id id, double greatest, double pixels, bool is_sure) {
    const fr_radar_images *im = &s->output.images;
    double first = greatest / s->input.resolution;
    for (int axis = 0; axis < 2; axis++) {
        double low, high, end = im->pixel * (axis == 0 ? im->width : im->height);
        extent(s, id, axis == 0 ? im->u : im->v, &low, &high);
        assert_true(fabs(low) <= pixels * first && fabs(end - high) <= pixels * first + im->pixel);
        if (is_sure) { assert_true(low >= -1e-9 && high <= end + 1e-9); }
    }
}

static void margins_are_cut_off(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        fr_random random = fr_random_seed(seed + 5);
        stage s;
        stage_open(&s, NULL);
        fr_mesh *mesh = seed % 2 == 0 ? star(&random, 6, 0.3) : box(0.3, 2, 1);
        fr_bounds made = fr_mesh_get(mesh)->bounds;
        double greatest = fr_vec3_distance(made.min, made.max);
        fr_object_id a = stage_add(&s, mesh, fr_vec3_make(3, 4, 5), any_turn(&random));
        stage_add(&s, box(20, 20, 1), fr_vec3_make(3, 4, 12), unturned);
        s.input.is_volume_from_mask = true;
        s.input.resolution = 16 + (uint32_t)seed % 3 * 24;
        fr_vec3 travel = fr_vec3_make(0.1, -0.2, 9);
        stage_look(&s, a, travel);
        check_frame(&s, a, greatest, 2.0, false);
        double seen = s.output.distance, pixel = s.output.images.pixel;
        s.input.look = FR_RADAR_CONSERVATIVE;
        stage_look(&s, a, travel);
        check_frame(&s, a, greatest, 1.0, true);
        double low = s.output.low;
        s.input.look = FR_RADAR_EXACT;
        stage_look(&s, a, travel);
        assert_true(low <= s.output.distance + 1e-9 && s.output.distance <= seen + 1e-9);
        assert_true(seen - s.output.distance <= 3.0 * pixel);
        stage_close(&s);
    }
}

// Gives an object the corners of its mesh times a factor.
static void stretch(stage *s, fr_object_id id, fr_vec3 factor) {
    const fr_mesh_view *view = fr_mesh_get(fr_object_part(s->space, id, 0).mesh);
    fr_vec3 vertices[64];
    assert_true(view->vertex_count <= 64);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        const float *p = view->positions_float + 3 * (size_t)v;
        vertices[v] = fr_vec3_make(factor.x * (double)p[0], factor.y * (double)p[1], factor.z * (double)p[2]);
    }
    assert_int_equal(fr_object_set_vertices(s->space, id, vertices, view->vertex_count, NULL), FR_OK);
}

// A mover that has grown beyond the length it was made with is held whole.
static void what_outgrows_its_length_is_held(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    fr_object_id wall = stage_add(&s, box(40, 40, 1), fr_vec3_make(0, 0, 20), unturned);
    s.input.is_volume_from_mask = true;
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        stretch(&s, a, fr_vec3_make(9, 3, 2));
        stage_look(&s, a, fr_vec3_make(0, 0, 30));
        check_frame(&s, a, sqrt(9.0 * 9.0 + 3.0 * 3.0 + 2.0 * 2.0), look == FR_RADAR_CENTRE ? 2.0 : 1.0,
                    look != FR_RADAR_CENTRE);
        assert_true(s.output.is_hit && fabs(s.output.distance - 18.5) < 1e-6);
        // A mover that deforms is drawn again, and so is what it meets.
        assert_true(s.output.stats.is_mask_drawn);
        stretch(&s, a, fr_vec3_make(1, 1, 4));
        stretch(&s, wall, fr_vec3_make(1, 1, 5));
        stage_look(&s, a, fr_vec3_make(0, 0, 30));
        assert_true(s.output.stats.is_mask_drawn && fabs(s.output.distance - 15.5) < 1e-6);
        stretch(&s, wall, fr_vec3_make(1, 1, 1));
    }
    stage_close(&s);
}

// A mover that has shrunk to a hundredth, or whose corners have gone far off: the first look is as large as it is now.
static void what_shrinks_or_goes_off_is_seen_as_finely(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, box(400, 400, 1), fr_vec3_make(0, 0, 20), unturned);
    s.input.is_volume_from_mask = true;
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        const double pixels = look == FR_RADAR_CENTRE ? 2.0 : 1.0;
        stretch(&s, a, fr_vec3_make(0.01, 0.01, 0.01));
        stage_look(&s, a, fr_vec3_make(0, 0, 30));
        check_frame(&s, a, 0.01 * sqrt(3.0), pixels, look != FR_RADAR_CENTRE);
        fr_vec3 vertices[64];
        uint32_t count = 0;
        for (; count < fr_mesh_get(fr_object_part(s.space, a, 0).mesh)->vertex_count; count++) {
            const float *p = fr_mesh_get(fr_object_part(s.space, a, 0).mesh)->positions_float + 3 * (size_t)count;
            vertices[count] = fr_vec3_make(100.0 + (double)p[0], -100.0 + (double)p[1], (double)p[2]);
        }
        assert_int_equal(fr_object_set_vertices(s.space, a, vertices, count, NULL), FR_OK);
        stage_look(&s, a, fr_vec3_make(0, 0, 30));
        check_frame(&s, a, sqrt(3.0), pixels, look != FR_RADAR_CENTRE);
        assert_true(s.output.is_hit && fabs(s.output.distance - 19.0) < 1e-6);
    }
    stage_close(&s);
}

// Joined and split objects get their frames from how they look now: parts far apart are one mover.
static void movers_of_several_parts_are_held(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_mesh *mesh = box(1, 1, 1);
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = mesh;
    parts[1].pose.position = fr_vec3_make(7, 2, 0);
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 2;
    fr_object_id id;
    assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    s.input.is_volume_from_mask = true;
    stage_look(&s, id, fr_vec3_make(0, 0, 1));
    check_frame(&s, id, sqrt(8.0 * 8.0 + 3.0 * 3.0 + 1.0), 2.0, false);
    stage_close(&s);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.is_volume_from_mask = true;
    s.input.travel = fr_vec3_make(1, 0, 0);
    stage_question query = {fr_radar_move, s.input, s.input.look};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 2);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_are_cut_off),
        cmocka_unit_test(what_outgrows_its_length_is_held),
        cmocka_unit_test(what_shrinks_or_goes_off_is_seen_as_finely),
        cmocka_unit_test(movers_of_several_parts_are_held),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
