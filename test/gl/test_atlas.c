// Many queries in one drawing against the same drawn one by one by the radar itself.
#include "drawn.h"

#include "gl/atlas.h"

// Slots lie inside, and none over another.
static void slots_do_not_overlap(void **state) {
    (void)state;
    static bool taken[2048][2048];
    fr_random random = fr_random_seed(4);
    uint64_t pixels = 200 * 60 * 60;
    fr__gl_atlas atlas = fr__gl_atlas_make(drawn_gl, pixels, 120);
    int placed = 0;
    fr__gl_slot slot;
    for (int i = 0; i < 200; i++) {
        uint32_t width = (uint32_t)fr_random_between(&random, 1, 120),
                 height = (uint32_t)fr_random_between(&random, 1, 120);
        if (!fr__gl_atlas_place(&atlas, width, height, &slot)) { break; }
        placed++;
        assert_true(slot.width == width && slot.height == height && slot.x + width <= atlas.width);
        assert_true(slot.y + height <= atlas.height && atlas.height <= atlas.most);
        for (uint32_t y = slot.y; y < slot.y + height; y++) {
            for (uint32_t x = slot.x; x < slot.x + width; x++) {
                assert_false(taken[y][x]);
                taken[y][x] = true;
            }
        }
    }
    assert_true(placed > 100);
    fr__gl_atlas small = fr__gl_atlas_make(drawn_gl, 100, 10);
    assert_false(fr__gl_atlas_place(&small, small.width + 1, 1, &slot));
    assert_false(fr__gl_atlas_place(&small, 1, small.most + 1, &slot));
}

#define MOST 100

typedef struct crowd {
    stage s;
    fr_radar_input inputs[MOST];
    fr_radar_output outputs[MOST];
} crowd;

static void crowd_open(crowd *c, bool is_round, uint32_t resolution) {
    fr_random random = fr_random_seed(77);
    stage_open(&c->s, NULL);
    fr_mesh *ball;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &ball, NULL), FR_OK);
    for (int i = 0; i < MOST; i++) {
        fr_vec3 place = random_about(&random, 9);
        c->inputs[i] = c->s.input;
        fr_mesh *mesh = is_round ? fr_mesh_retain(ball) : star(&random, 6, 0.3);
        c->inputs[i].mover = stage_add(&c->s, mesh, place, any_turn(&random));
        c->inputs[i].travel = random_within(&random, fr_vec3_make(-3, -3, 0.5), fr_vec3_make(3, 3, 3));
        c->inputs[i].is_round = is_round;
        c->inputs[i].resolution = resolution;
    }
    fr_mesh_release(ball);
    assert_int_equal(fr_space_update(c->s.space, NULL, NULL), FR_OK);
}

static void check_crowd(bool is_round, uint32_t resolution, uint32_t most_masks) {
    static crowd c;
    crowd_open(&c, is_round, resolution);
    fr_radar *radar = drawn_radar();
    fr_error error = {0};
    fr_status status = fr_radar_move_many(radar, c.inputs, MOST, c.outputs, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    int hits = 0, differing = 0;
    uint32_t masks = 0;
    for (int i = 0; i < MOST; i++) {
        fr_radar_output own;
        assert_int_equal(fr_radar_move(c.s.radar, &c.inputs[i], &own, NULL), FR_OK);
        const fr_radar_output *drawn = &c.outputs[i];
        double q = 0x1p-23 * (3.0 + fr_vec3_length(c.inputs[i].travel));
        hits += own.is_hit ? 1 : 0;
        masks += drawn->stats.is_mask_drawn ? 1 : 0;
        // The last pixel of a rim may be another's; then a pixel of the radar's own finds nearly the same.
        if (fabs(own.distance - drawn->distance) > 2.0 * q) {
            differing++;
            assert_true(fabs(own.distance - drawn->distance) <= 3.0 * own.images.pixel || own.is_hit != drawn->is_hit);
            continue;
        }
        assert_int_equal(own.flags & FR_RADAR_START_OVERLAP, drawn->flags & FR_RADAR_START_OVERLAP);
        if (!own.is_hit) { continue; }
        assert_true(fr_object_id_equal(own.contact.a, drawn->contact.a) || own.contact.a.index1 > 0);
        assert_true(fr_vec3_distance(own.contact.point, drawn->contact.point) <= 2.5);
    }
    printf("%d of %d hit, %d differ by more than 2 q, %u masks\n", hits, MOST, differing, masks);
    assert_true(hits > 10 && differing <= 2 && masks <= most_masks);
    fr_radar_destroy(radar);
    stage_close(&c.s);
}

static void balls_share_a_mask_and_a_drawing(void **state) {
    (void)state;
    check_crowd(true, 10, 1);
}

static void stars_have_a_mask_each(void **state) {
    (void)state;
    check_crowd(false, 25, MOST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_do_not_overlap),
        cmocka_unit_test(balls_share_a_mask_and_a_drawing),
        cmocka_unit_test(stars_have_a_mask_each),
    };
    return drawn_run(tests, sizeof tests / sizeof tests[0]);
}
