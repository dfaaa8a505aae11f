// Straight travels drawn by OpenGL against the same drawn by the radar itself.
#include "drawn.h"

static const fr_quat unturned = {1, 0, 0, 0};

// How far images may differ, and how they do.
typedef struct agreement {
    uint64_t pixels, front, range, travel, names; // that differ by more than 2 q
    double worst;                                 // of those that agree, in q
} agreement;

// The depth of the volume: the mover's along the travel, and the travel.
static double depth_of(const fr_space *space, fr_object_id mover, fr_vec3 travel) {
    double low = INFINITY, high = -INFINITY, length = fr_vec3_length(travel);
    uint32_t count = fr_object_get(space, mover)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 corners[3];
        fr_object_corners(space, mover, i, corners, NULL);
        for (int k = 0; k < 3; k++) {
            double z = fr_vec3_dot(travel, corners[k]) / length;
            low = fmin(low, z);
            high = fmax(high, z);
        }
    }
    return high - low + length;
}

static bool are_equal(double a, double b, double slack) { return a == b || fabs(a - b) <= slack; }

// A number that differs must lie between those of the pixel and its neighbours: coverage of one pixel. At a ridge it is
// that of a face's plane a 1/256 pixel beyond the face.
static void check_around(const fr_radar_images *own, const double *plane, uint32_t x, uint32_t y, double drawn,
                         double slack) {
    double low, high;
    drawn_around(own, plane, x, y, &low, &high);
    double beyond = high - low < INFINITY ? slack + (high - low) / 64.0 : INFINITY;
    assert_true(drawn >= low - beyond && drawn <= high + beyond);
}

static void compare(const fr_radar_images *own, const fr_radar_images *drawn, double depth, agreement *a) {
    double q = 0x1p-23 * depth;
    assert_true(own->width == drawn->width && own->height == drawn->height && own->stride == drawn->stride);
    for (uint32_t y = 0; y < own->height; y++) {
        for (uint32_t x = 0; x < own->width; x++) {
            size_t at = (size_t)y * own->stride + x;
            // What lies deeper than the volume is not drawn.
            bool is_deep = own->free_travel[at] > depth - 2.0 * q;
            a->pixels++;
            if (!are_equal(own->front[at], drawn->front[at], 2.0 * q)) {
                a->front++;
                check_around(own, own->front, x, y, drawn->front[at], 2.0 * q);
            }
            if (is_deep) { continue; }
            if (!are_equal(own->range[at], drawn->range[at], 2.0 * q)) { a->range++; }
            if (!are_equal(own->free_travel[at], drawn->free_travel[at], 2.0 * q)) {
                a->travel++;
            } else if (own->free_travel[at] < INFINITY) {
                a->worst = fmax(a->worst, fabs(own->free_travel[at] - drawn->free_travel[at]) / q);
                a->names += own->object[at] != drawn->object[at] || own->triangle[at] != drawn->triangle[at] ? 1 : 0;
            }
        }
    }
}

// Asks both and compares; `high` gets what each finds.
static void ask_both(stage *s, fr_radar *radar, fr_object_id mover, fr_vec3 travel, agreement *a, double high[2]) {
    fr_radar_output drawn;
    fr_error error = {0};
    stage_look(s, mover, travel);
    fr_status status = fr_radar_move(radar, &s->input, &drawn, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    double depth = depth_of(s->space, mover, travel);
    compare(&s->output.images, &drawn.images, depth, a);
    assert_int_equal(s->output.flags & ~(uint32_t)FR_RADAR_GRAZING, drawn.flags & ~(uint32_t)FR_RADAR_GRAZING);
    high[0] = s->output.high;
    high[1] = drawn.high;
    // Within 2 q, or by the coverage of one pixel: then no later than lines are, and never early.
    bool is_near = are_equal(high[0], high[1], 0x1p-22 * depth) || high[0] > depth;
    assert_true(is_near || fabs(high[0] - high[1]) <= 3.0 * s->output.images.pixel);
    if (is_near && s->output.is_hit) {
        assert_true(drawn.is_hit);
        assert_true(fr_vec3_distance(s->output.contact.point, drawn.contact.point) <= 4.0 * s->output.images.pixel);
    }
}

static void show(const agreement *a, const char *what) {
    printf("%s: %llu pixels, of 2 q differ front %llu, range %llu, travel %llu, names %llu; worst %.2f q\n", what,
           (unsigned long long)a->pixels, (unsigned long long)a->front, (unsigned long long)a->range,
           (unsigned long long)a->travel, (unsigned long long)a->names, a->worst);
}

// Rims alone may differ: a share of pixels that is small at every resolution.
static void check_share(const agreement *a, double share) {
    double most = share * (double)a->pixels;
    assert_true((double)a->front <= most && (double)a->range <= most && (double)a->travel <= most);
    assert_true((double)a->names <= most && a->worst <= 2.0);
}

static void rough_stars_look_the_same(void **state) {
    (void)state;
    static const uint32_t resolutions[4] = {10, 32, 64, 96};
    agreement a = {0};
    fr_radar *radar = drawn_radar();
    uint64_t count = test_count(5, 200);
    for (uint64_t i = 0; i < count; i++) {
        fr_random random = fr_random_seed(500 + i);
        stage s;
        stage_open(&s, NULL);
        fr_object_id one = stage_add_star(&s, &random, 8, 0.3, fr_vec3_make(100, 0, 0));
        fr_vec3 ahead = random_beside(&random, 1, 4);
        fr_object_id other = stage_add_star(&s, &random, 8, 0.3, fr_vec3_add(fr_vec3_make(100, 0, 0), ahead));
        assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
        fr_vec3 travel = fr_vec3_make(0.1, -0.2, 6);
        double truth = true_way(s.space, one, other, travel), high[2];
        s.input.layers = FR_RADAR_MAX_LAYERS;
        for (int k = 0; k < 4; k++) {
            s.input.resolution = resolutions[k];
            ask_both(&s, radar, one, travel, &a, high);
            assert_true(high[1] >= truth - 0x1p-22 * depth_of(s.space, one, travel));
        }
        stage_close(&s);
    }
    fr_radar_destroy(radar);
    show(&a, "stars");
    check_share(&a, 0.001);
}

static fr_mesh *named(const char *name) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// A sheet of two triangles, open.
static fr_mesh *sheet(double half) {
    const double corners[12] = {-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = corners;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

// Open movers, large faces far beyond the image, and the hole of a torus that another stands in.
static void shapes_look_the_same(void **state) {
    (void)state;
    agreement a = {0};
    double high[2];
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(31);
    fr_object_id open = stage_add(&s, sheet(1.0), fr_vec3_make(0, 0, 0), any_turn(&random));
    fr_object_id ball = stage_add(&s, named("sphere_960"), fr_vec3_make(0.3, 0.2, 3), unturned);
    stage_add(&s, sheet(500.0), fr_vec3_make(0, 0, 7), fr_quat_from_axis_angle(fr_vec3_make(1, 0.3, 0), 0.4));
    ask_both(&s, radar, open, fr_vec3_make(0, 0, 8), &a, high);
    assert_true(high[1] < 3.0);
    s.input.resolution = 100;
    ask_both(&s, radar, ball, fr_vec3_make(0.2, 1, 6), &a, high);
    assert_true(high[1] < 6.0);
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, -6), &a, high);
    stage_close(&s);
    fr_radar_destroy(radar);
    show(&a, "shapes");
    check_share(&a, 0.001);
}

static void a_start_in_overlap_is_told(void **state) {
    (void)state;
    agreement a = {0};
    double high[2];
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_object_id ball = stage_add(&s, named("sphere_960"), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, named("sphere_168"), fr_vec3_make(0.3, 0.2, 1.2), unturned);
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, 2), &a, high);
    assert_true((s.output.flags & FR_RADAR_START_OVERLAP) != 0);
    s.input.layers = 1;
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, -2), &a, high);
    stage_close(&s);
    fr_radar_destroy(radar);
}

// More surfaces than layers; the two that follow each other have the same depth and are both kept.
static void too_few_layers_are_told(void **state) {
    (void)state;
    agreement a = {0};
    double high[2];
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(2);
    fr_object_id one = stage_add(&s, star(&random, 24, 0.5), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, named("sphere_168"), fr_vec3_make(0.3, 0.2, 4), unturned);
    s.input.resolution = 64;
    for (uint32_t layers = 1; layers <= FR_RADAR_MAX_LAYERS; layers += layers) {
        s.input.layers = layers;
        ask_both(&s, radar, one, fr_vec3_make(0, 0, 5), &a, high);
        if (layers == 1) { assert_true((s.output.flags & FR_RADAR_LAYER_OVERFLOW) != 0); }
    }
    stage_close(&s);
    fr_radar_destroy(radar);
    check_share(&a, 0.001);
}

// Nothing there, nothing ahead, and one pixel.
static void what_is_not_there_is_not_met(void **state) {
    (void)state;
    agreement a = {0};
    double high[2];
    fr_radar *radar = drawn_radar();
    stage s;
    stage_open(&s, NULL);
    fr_object_id ball = stage_add(&s, named("sphere_168"), fr_vec3_make(0, 0, 0), unturned);
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, 2), &a, high);
    assert_true(high[1] == INFINITY);
    stage_add(&s, named("sphere_168"), fr_vec3_make(0, 0, 4), unturned);
    s.input.resolution = 1;
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, -2), &a, high);
    assert_true(high[1] == INFINITY);
    ask_both(&s, radar, ball, fr_vec3_make(0, 0, 4), &a, high);
    assert_true(high[1] < 4.0);
    stage_close(&s);
    fr_radar_destroy(radar);
}

// A caller's own context stays current.
static void two_contexts_do_not_disturb_each_other(void **state) {
    (void)state;
    fr_gl *other;
    fr_gl_def def = fr_default_gl_def();
    assert_int_equal(fr_gl_create(&def, &other, NULL), FR_OK);
    fr_radar_backend backend = fr_gl_radar_backend(other);
    fr_radar *first = drawn_radar(), *second = drawn_radar();
    fr_radar_set_backend(second, &backend);
    stage s;
    stage_open(&s, NULL);
    agreement a = {0};
    double high[2];
    fr_object_id ball = stage_add(&s, named("sphere_168"), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, named("sphere_168"), fr_vec3_make(0.2, 0, 4), unturned);
    for (int i = 0; i < 3; i++) {
        ask_both(&s, i % 2 == 0 ? first : second, ball, fr_vec3_make(0, 0.1 * i, 4), &a, high);
    }
    stage_close(&s);
    fr_radar_destroy(first);
    fr_radar_destroy(second);
    fr_gl_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rough_stars_look_the_same),    cmocka_unit_test(shapes_look_the_same),
        cmocka_unit_test(a_start_in_overlap_is_told),   cmocka_unit_test(too_few_layers_are_told),
        cmocka_unit_test(what_is_not_there_is_not_met), cmocka_unit_test(two_contexts_do_not_disturb_each_other),
    };
    return drawn_run(tests, sizeof tests / sizeof tests[0]);
}
