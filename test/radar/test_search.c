// Who is in a volume, against rays through the pixels and boxes of the space.
#include "heap_calls.h"
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

typedef struct hunt {
    stage s;
    fr_radar_search_input input;
    fr_radar_search_output output;
} hunt;

static void hunt_open(hunt *h, const fr_allocator *allocator) {
    stage_open(&h->s, allocator);
    h->input = fr_default_radar_search_input();
    h->input.space = h->s.space;
}

static void hunt_look(hunt *h) {
    fr_error error = {0};
    if (!fr_space_is_current(h->s.space)) { assert_int_equal(fr_space_update(h->s.space, NULL, NULL), FR_OK); }
    fr_status status = fr_radar_search(h->s.radar, &h->input, &h->output, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void objects_are_named_nearest_first(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    fr_object_id far = stage_add(&h.s, box(1, 1, 1), fr_vec3_make(2, 0, 9), unturned);
    fr_object_id near = stage_add(&h.s, box(1, 1, 1), fr_vec3_make(-2, 1, 4), unturned);
    stage_add(&h.s, box(1, 1, 1), fr_vec3_make(0, 0, 30), unturned);
    stage_add(&h.s, box(1, 1, 1), fr_vec3_make(0, 0, -3), unturned);
    h.input.width = 8.0;
    h.input.height = 4.0;
    h.input.depth = 20.0;
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_CONSERVATIVE; look++) {
        h.input.look = (fr_radar_look)look;
        hunt_look(&h);
        const fr_radar_search_output *out = &h.output;
        assert_true(out->is_hit && out->count == 2 && out->volumes == 1 && out->flags == 0);
        assert_true(fr_object_id_equal(out->sights[0].object, near) && fr_object_id_equal(out->sights[1].object, far));
        assert_true(fabs(out->sights[0].distance - 3.5) < 1e-9 && fabs(out->sights[1].distance - 8.5) < 1e-9);
        assert_true(fabs(out->sights[0].point.x + 2.0) <= 0.5 && fabs(out->sights[0].point.y - 1.0) <= 0.5);
        assert_true(fabs(out->sights[0].point.z - 3.5) < 1e-9);
        assert_true(out->images.width == 16 && out->images.height == 8 && out->images.pixel == 0.5);
        assert_true(out->sights[0].pixels >= 4 && out->stats.parts == 2);
    }
    h.input.depth = 3.0;
    hunt_look(&h);
    assert_true(!h.output.is_hit && h.output.count == 0);
    stage_close(&h.s);
}

// What the near side goes through is seen from there on, and what lies beyond the far side is not.
static void only_what_is_in_the_volume_counts(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    stage_add(&h.s, box(1, 1, 40), fr_vec3_make(0.03, 0.02, 0), unturned);
    h.input.width = h.input.height = 3.0;
    h.input.depth = 5.0;
    hunt_look(&h);
    assert_false(h.output.is_hit);
    h.input.look = FR_RADAR_CONSERVATIVE;
    hunt_look(&h);
    assert_true(h.output.count == 1 && fabs(h.output.sights[0].distance) < 1e-12);
    stage_close(&h.s);
}

// Closer looks at a ball come nearer to where it is nearest; with every pass the pixels are smaller.
static void closer_looks_find_the_nearest_point(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    fr_mesh *ball;
    assert_int_equal(fr_mesh_create_sphere(0.7, 24, 48, FR_AXIS_Y, NULL, &ball, NULL), FR_OK);
    stage_add(&h.s, ball, fr_vec3_make(3.1, -2.3, 40), unturned);
    stage_add(&h.s, box(1.2, 1.2, 1.2), fr_vec3_make(-4, 5, 20), unturned);
    h.input.width = h.input.height = 16.0;
    h.input.depth = 100.0;
    h.input.look = FR_RADAR_CONSERVATIVE;
    hunt_look(&h);
    double truth = h.output.sights[1].distance;
    h.input.look = FR_RADAR_CENTRE;
    double before = INFINITY;
    for (double pixel = 1.0; pixel >= 1e-3; pixel *= 0.1) {
        h.input.pixel = pixel;
        hunt_look(&h);
        assert_int_equal(h.output.count, 2);
        double off = h.output.sights[1].distance - truth;
        assert_true(off >= -1e-9 && off <= before + 1e-12 && off <= pixel);
        before = off;
    }
    assert_true(h.output.volumes > 4 && h.output.sights[1].pixel <= 0.2);
    // No more looks one upon another than passes
    h.input.passes = 1;
    hunt_look(&h);
    assert_true(h.output.volumes == 3 && h.output.sights[1].pixel > h.input.pixel);
    stage_close(&h.s);
}

// What is smaller than a pixel before a wall is seen when the eye comes closer.
static void closer_looks_tell_apart(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    stage_add(&h.s, box(3, 3, 1), fr_vec3_make(0, 0, 10), unturned);
    fr_object_id small = stage_add(&h.s, box(0.1, 0.1, 0.1), fr_vec3_make(0.03, 0.02, 9), unturned);
    h.input.width = h.input.height = 16.0;
    h.input.depth = 20.0;
    hunt_look(&h);
    assert_int_equal(h.output.count, 1);
    h.input.pixel = 0.02;
    hunt_look(&h);
    assert_int_equal(h.output.count, 2);
    assert_true(fr_object_id_equal(h.output.sights[0].object, small));
    stage_close(&h.s);
}

static void a_wire_is_not_missed(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    stage_add(&h.s, box(1e-4, 8, 1e-4), fr_vec3_make(0.13, 0, 5), unturned);
    h.input.width = h.input.height = 4.0;
    h.input.depth = 10.0;
    hunt_look(&h);
    assert_false(h.output.is_hit);
    h.input.look = FR_RADAR_CONSERVATIVE;
    hunt_look(&h);
    assert_true(h.output.count == 1 && h.output.sights[0].pixels == 16);
    assert_true(fabs(h.output.sights[0].distance - (5.0 - 5e-5)) < 1e-9);
    stage_close(&h.s);
}

// ---------------------------------------------------------------------------------------------------------------
// Against the space's own queries

static void scatter(hunt *h, fr_random *random, int count) {
    for (int i = 0; i < count; i++) {
        fr_vec3 place = random_within(random, fr_vec3_make(-6, -6, -2), fr_vec3_make(6, 6, 14));
        fr_mesh *mesh = i % 3 == 0 ? box(3, 0.01, 0.01) : star(random, 4, 0.3);
        stage_add(&h->s, mesh, place, any_turn(random));
    }
}

static void pixels_are_rays(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < test_count(12, 300); seed++) {
        fr_random random = fr_random_seed(seed + 40);
        hunt h;
        hunt_open(&h, NULL);
        scatter(&h, &random, 12);
        h.input.eye = fr_vec3_make(0.1, 0.2, 0);
        h.input.direction = random_beside(&random, 1, 3);
        h.input.width = 7.0;
        h.input.height = 5.0;
        h.input.depth = 12.0;
        hunt_look(&h);
        const fr_radar_images *im = &h.output.images;
        for (uint32_t y = 0; y < im->height; y++) {
            for (uint32_t x = 0; x < im->width; x++) {
                size_t at = (size_t)y * im->stride + x;
                fr_vec3 from = fr_vec3_add_scaled(im->corner, (x + 0.5) * im->pixel, im->u);
                fr_ray ray = {.origin = fr_vec3_add_scaled(from, (y + 0.5) * im->pixel, im->v),
                              .direction = im->d,
                              .limit = 12.0};
                fr_space_hit hit;
                assert_int_equal(fr_space_ray(h.s.space, &ray, NULL, &hit, NULL), FR_OK);
                uint32_t met = hit.object.index1 > 0 ? hit.object.index1 - 1 : FR_NONE;
                assert_int_equal(im->object[at], met);
                if (met != FR_NONE) { assert_true(fabs(im->range[at] - hit.distance) < 1e-6); }
            }
        }
        stage_close(&h.s);
    }
}

// Along an axis the volume is a box: whoever the space finds in it is told, and nobody else.
static void columns_see_everybody_in_the_box(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < test_count(30, 1000); seed++) {
        fr_random random = fr_random_seed(seed + 700);
        hunt h;
        hunt_open(&h, NULL);
        scatter(&h, &random, 15);
        h.input.width = fr_random_between(&random, 0.5, 6);
        h.input.height = h.input.width;
        h.input.depth = fr_random_between(&random, 1, 12);
        h.input.look = FR_RADAR_CONSERVATIVE;
        hunt_look(&h);
        double half = 0.5 * h.input.width;
        fr_overlap_shape shape = {.kind = FR_OVERLAP_BOX,
                                  .box = {fr_vec3_make(-half, -half, 0), fr_vec3_make(half, half, h.input.depth)}};
        fr_space_item items[4096];
        uint32_t count, objects = 0;
        assert_int_equal(fr_space_overlap(h.s.space, &shape, NULL, items, 4096, &count, NULL), FR_OK);
        for (uint32_t i = 0; i < count; i++) {
            bool is_new = i == 0 || !fr_object_id_equal(items[i].object, items[i - 1].object);
            objects += is_new ? 1 : 0;
            bool is_told = false;
            for (uint32_t k = 0; k < h.output.count; k++) {
                is_told = is_told || fr_object_id_equal(items[i].object, h.output.sights[k].object);
            }
            assert_true(is_told);
        }
        assert_int_equal(h.output.count, objects);
        // Nobody is nearer than told: what lines see of one lies behind its place.
        fr_radar_sight told[15];
        assert_true(h.output.count <= 15);
        for (uint32_t i = 0; i < h.output.count; i++) {
            told[i] = h.output.sights[i];
        }
        uint32_t told_count = h.output.count;
        h.input.look = FR_RADAR_CENTRE;
        h.input.resolution = 64;
        hunt_look(&h);
        assert_true(h.output.count <= told_count);
        for (uint32_t i = 0; i < h.output.count; i++) {
            for (uint32_t k = 0; k < told_count; k++) {
                bool is_same = fr_object_id_equal(told[k].object, h.output.sights[i].object);
                if (is_same) { assert_true(told[k].distance <= h.output.sights[i].distance + 1e-9); }
            }
        }
        stage_close(&h.s);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Wrong input, memory

static void what_is_no_search_is_refused(void **state) {
    (void)state;
    hunt h;
    hunt_open(&h, NULL);
    fr_radar_search_output *out = &h.output;
    // A space without anybody is a fair query.
    hunt_look(&h);
    assert_true(!out->is_hit && out->images.width == 16);
    stage_add(&h.s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    assert_int_equal(fr_radar_search(h.s.radar, &h.input, out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(h.s.space, NULL, NULL), FR_OK);
    const double no_lengths[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 12; i++) {
        fr_radar_search_input input = h.input;
        *(i % 3 == 0 ? &input.width : i % 3 == 1 ? &input.height : &input.depth) = no_lengths[i / 3];
        assert_int_equal(fr_radar_search(h.s.radar, &input, out, NULL), FR_ERROR_ARGUMENT);
    }
    for (int i = 0; i < 6; i++) {
        fr_radar_search_input input = h.input;
        if (i == 0) { input.direction = fr_vec3_make(0, 0, 0); }
        if (i == 1) { input.eye.x = NAN; }
        if (i == 2) { input.resolution = 0; }
        if (i == 3) { input.resolution = FR_RADAR_MAX_RESOLUTION + 1; }
        if (i == 4) { input.look = FR_RADAR_EXACT; }
        if (i == 5) { input.pixel = -1.0; }
        assert_int_equal(fr_radar_search(h.s.radar, &input, out, NULL), FR_ERROR_ARGUMENT);
    }
    h.input.direction = h.input.up;
    assert_int_equal(fr_radar_search(h.s.radar, &h.input, out, NULL), FR_OK);
    stage_close(&h.s);
}

static fr_status search_with(const fr_allocator *allocator, void *context) {
    fr_radar_search_input input = *(const fr_radar_search_input *)context;
    fr_radar *radar;
    fr_status status = fr_radar_create(allocator, &radar, NULL);
    if (status != FR_OK) { return status; }
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_CONSERVATIVE && status == FR_OK; look++) {
        fr_radar_search_output output;
        input.look = (fr_radar_look)look;
        status = fr_radar_search(radar, &input, &output, NULL);
    }
    fr_radar_destroy(radar);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    hunt h;
    hunt_open(&h, &allocator);
    fr_random random = fr_random_seed(2);
    scatter(&h, &random, 10);
    h.input.width = h.input.height = 12.0;
    h.input.depth = 12.0;
    h.input.pixel = 0.05;
    uint64_t before = 0;
    for (int round = 0; round < 2; round++) {
        hunt_look(&h);
        if (round == 0) { before = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), before);
    assert_true(test_every_failure(search_with, &h.input) > 5);
    stage_close(&h.s);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_named_nearest_first),
        cmocka_unit_test(only_what_is_in_the_volume_counts),
        cmocka_unit_test(closer_looks_find_the_nearest_point),
        cmocka_unit_test(closer_looks_tell_apart),
        cmocka_unit_test(a_wire_is_not_missed),
        cmocka_unit_test(pixels_are_rays),
        cmocka_unit_test(columns_see_everybody_in_the_box),
        cmocka_unit_test(what_is_no_search_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
