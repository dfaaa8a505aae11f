// Turns drawn by OpenGL against the same drawn by the radar itself.
#include "drawn.h"

static const fr_quat unturned = {1, 0, 0, 0};

typedef struct agreement {
    uint64_t pixels, differing; // by more than 1e-5
    double worst;               // of those that agree
} agreement;

static void compare(const fr_radar_images *own, const fr_radar_images *drawn, agreement *a) {
    assert_true(own->width == drawn->width && own->height == drawn->height);
    for (uint32_t y = 0; y < own->height; y++) {
        for (uint32_t x = 0; x < own->width; x++) {
            size_t at = (size_t)y * own->stride + x;
            double one = own->free_travel[at], other = drawn->free_travel[at];
            a->pixels++;
            if (one == other) { continue; }
            // A whole turn is none.
            double apart = fabs(one - other);
            apart = fmin(apart, fabs(2.0 * FR_PI - apart));
            if (apart <= 1e-5) {
                a->worst = fmax(a->worst, apart);
            } else {
                a->differing++;
            }
        }
    }
}

static double ask_both(stage *s, fr_radar *radar, agreement *a) {
    fr_radar_output drawn;
    fr_error error = {0};
    assert_int_equal(fr_radar_turn(s->radar, &s->input, &s->output, NULL), FR_OK);
    fr_status status = fr_radar_turn(radar, &s->input, &drawn, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    compare(&s->output.images, &drawn.images, a);
    assert_true(s->output.is_hit == drawn.is_hit);
    return s->output.high < INFINITY ? drawn.high - s->output.high : 0.0;
}

static void check_share(const agreement *a) {
    printf("%llu pixels, %llu differ by more than 1e-5, worst of the others %.2g\n", (unsigned long long)a->pixels,
           (unsigned long long)a->differing, a->worst);
    assert_true((double)a->differing <= 0.002 * (double)a->pixels);
}

// On an arm, and about an axis that goes through the mover, which has many layers then.
static void stars_turn_alike(void **state) {
    (void)state;
    agreement a = {0};
    fr_radar *radar = drawn_radar();
    uint64_t count = test_count(8, 100);
    double worst = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        fr_random random = fr_random_seed(40 + i);
        stage s;
        stage_open(&s, NULL);
        bool is_arm = i % 2 == 0;
        s.input.mover = stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(is_arm ? 3.0 : 0.2, 0, 0));
        stage_add_star(&s, &random, 6, 0.3, is_arm ? fr_vec3_make(-0.5, 3, 0.3) : fr_vec3_make(0.3, 2.0, 0.1));
        assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
        s.input.pivot = fr_vec3_make(0, 0.1, 0);
        s.input.axis = fr_vec3_make(0.1, -0.05, 1);
        s.input.angle = 3.0;
        for (uint32_t resolution = 16; resolution <= 64; resolution *= 2) {
            s.input.resolution = resolution;
            worst = fmax(worst, fabs(ask_both(&s, radar, &a)));
        }
        stage_close(&s);
    }
    printf("distances differ by %.2g rad at most\n", worst);
    assert_true(worst <= 2e-3);
    fr_radar_destroy(radar);
    check_share(&a);
}

// Something in the hole of a ring: only layers behind the front find it.
static void what_stands_between_layers_is_met(void **state) {
    (void)state;
    agreement a = {0};
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_mesh *box;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 0.2, 1), NULL, &box, NULL), FR_OK);
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = box;
    parts[1].pose = fr_pose_make(fr_vec3_make(0, 1.0, 0), unturned);
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 2;
    def.pose = fr_pose_make(fr_vec3_make(3, 0, 0), unturned);
    assert_int_equal(fr_object_add(s.space, &def, &s.input.mover, NULL), FR_OK);
    fr_mesh_release(box);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.4, 0.1, 0.4), NULL, &box, NULL), FR_OK);
    stage_add(&s, box, fr_vec3_make(3, 0.5, 0), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.axis = fr_vec3_make(0, 0, 1);
    s.input.angle = 1.0;
    s.input.resolution = 40;
    double late = ask_both(&s, radar, &a);
    assert_true(s.output.is_hit && s.output.distance < 0.2 && fabs(late) <= 1e-5);
    stage_close(&s);
    fr_radar_destroy(radar);
    check_share(&a);
}

static void nothing_to_meet_is_free(void **state) {
    (void)state;
    agreement a = {0};
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(1);
    s.input.mover = stage_add(&s, star(&random, 4, 0.2), fr_vec3_make(2, 0, 0), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.axis = fr_vec3_make(0, 1, 0);
    s.input.angle = 2.0;
    ask_both(&s, radar, &a);
    assert_false(s.output.is_hit);
    stage_close(&s);
    fr_radar_destroy(radar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_turn_alike),
        cmocka_unit_test(what_stands_between_layers_is_met),
        cmocka_unit_test(nothing_to_meet_is_free),
    };
    return drawn_run(tests, sizeof tests / sizeof tests[0]);
}
