// Extrusion: straight, bent, closed, scaled, turned, degenerate; vertices, volumes, caps.
#include "made_part.h"

#define PI 3.14159265358979323846

static const fr_model_mesh *make(made *m, const fr__extrusion *node) {
    begin(m);
    assert_int_equal(fr__add_extrusion(&m->geometry, node), FR_OK);
    return finished(m);
}

static void the_default_is_a_box(void **state) {
    (void)state;
    made m;
    fr__extrusion node = fr__default_extrusion();
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, 8); // the section is closed
    assert_int_equal(mesh->face_count, 6);
    has_vertex(mesh, 0, 1, 0, 1);
    has_vertex(mesh, 5, 1, 1, -1);
    has_polygon(mesh, 0, (const uint32_t[]){0, 1, 5, 4}, 4);
    has_polygon(mesh, 4, (const uint32_t[]){3, 2, 1, 0}, 4); // the begin, reversed
    has_polygon(mesh, 5, (const uint32_t[]){4, 5, 6, 7}, 4); // the end
    assert_true(is_closed(&m));
    assert_true(fabs(mass_of(&m).volume - 4.0) < 1e-9);
    fr_bounds box = fr_model_get(m.model)->bounds;
    assert_true(box.min.x == -1.0 && box.max.x == 1.0 && box.min.y == 0.0 && box.max.y == 1.0 && box.max.z == 1.0);
    end(&m);
    node.ccw = false;
    mesh = make(&m, &node);
    has_polygon(mesh, 0, (const uint32_t[]){0, 4, 5, 1}, 4);
    assert_true(fabs(mass_of(&m).volume + 4.0) < 1e-9);
    end(&m);
    node.begin_cap = node.end_cap = false;
    assert_int_equal(make(&m, &node)->face_count, 4);
    end(&m);
}

// A straight spine in any direction is the box turned by the smallest angle, of the same volume.
static void straight_spines_turn_the_section(void **state) {
    (void)state;
    const float spines[][6] = {{0, 0, 0, 3, 0, 0}, {0, 0, 0, 0, 0, 3}, {1, 2, 3, 1, -1, 3}, {0, 0, 0, 1, 2, 2}};
    for (size_t i = 0; i < 4; i++) {
        made m;
        fr__extrusion node = fr__default_extrusion();
        node.spine = spines[i];
        make(&m, &node);
        assert_true(is_closed(&m));
        assert_true(fabs(mass_of(&m).volume - 12.0) < 1e-5);
        end(&m);
    }
    // Along x: y went to x, so x went to -y, and z stays.
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.spine = spines[0];
    const fr_model_mesh *mesh = make(&m, &node);
    has_vertex(mesh, 0, 0, -1, 1);
    end(&m);
}

static void collinear_and_equal_points_change_nothing(void **state) {
    (void)state;
    const float spine[] = {0, 0, 0, 0, 0, 0, 0, 0.25f, 0, 0, 0.25f, 0, 0, 1, 0};
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.spine = spine;
    node.spine_count = 5;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->face_count, 4 * 2 + 2); // steps of no length have no area, and keep their numbers
    assert_int_equal(mesh->face_ids[0], 4);
    assert_int_equal(mesh->face_ids[9], 17);
    assert_true(fabs(mass_of(&m).volume - 4.0) < 1e-6);
    end(&m);
}

// Where a spine turns back the section is turned about, and the quads between are bow ties, in part of no area.
static void a_spine_that_turns_back_keeps_its_quads(void **state) {
    (void)state;
    const float spine[] = {0, -1, 0, 0, -2, 0, 0, 1, 0};
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.spine = spine;
    node.spine_count = 3;
    node.begin_cap = node.end_cap = false;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->face_count, 8);
    end(&m);
}

// A right angle: the section at the bend is in the plane between the legs.
static void a_bend_is_mitred(void **state) {
    (void)state;
    const float spine[] = {0, 0, 0, 0, 4, 0, 4, 4, 0};
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.spine = spine;
    node.spine_count = 3;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, 12);
    assert_true(is_closed(&m));
    assert_true(mass_of(&m).volume > 0.0);
    for (uint32_t v = 4; v < 8; v++) { // x = 4 - y about the corner (0, 4): across the diagonal
        const float *p = mesh->positions_float + (size_t)3 * v;
        assert_true(fabs((double)p[0] - (4.0 - (double)p[1])) < 1e-6 || fabs((double)p[0] + 4.0 - (double)p[1]) < 1e-6);
        assert_true(fabs(fabs((double)p[2]) - 1.0) < 1e-6);
        assert_true(fabs(hypot((double)p[0], (double)p[1] - 4.0) - 1.0) < 1e-6);
    }
    end(&m);
}

// A ring: sections around a circle, its ends joined.
static void a_closed_spine_is_a_torus(void **state) {
    (void)state;
    enum { AROUND = 48, SECTION = 24 };
    float spine[3 * (AROUND + 1)], section[2 * (SECTION + 1)];
    for (int i = 0; i <= AROUND; i++) {
        double sine, cosine;
        fr_sincos(2.0 * PI * (double)(i % AROUND) / AROUND, &sine, &cosine);
        spine[3 * i] = (float)(5.0 * cosine);
        spine[3 * i + 1] = 0.0f;
        spine[3 * i + 2] = (float)(5.0 * sine);
    }
    for (int j = 0; j <= SECTION; j++) {
        double sine, cosine;
        fr_sincos(2.0 * PI * (double)(j % SECTION) / SECTION, &sine, &cosine);
        section[2 * j] = (float)cosine;
        section[2 * j + 1] = -(float)sine; // counter-clockwise seen from +y
    }
    fr__extrusion node = fr__default_extrusion();
    node.spine = spine;
    node.spine_count = AROUND + 1;
    node.section = section;
    node.section_count = SECTION + 1;
    node.begin_cap = node.end_cap = false;
    made m;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, AROUND * SECTION);
    assert_int_equal(mesh->face_count, AROUND * SECTION);
    assert_true(is_closed(&m));
    double exact = 2.0 * PI * PI * 5.0;
    double volume = mass_of(&m).volume;
    assert_true(volume < exact && volume > 0.97 * exact);
    end(&m);
}

static void scales_and_turns_go_along(void **state) {
    (void)state;
    const float scales[] = {1, 1, 2, 3}, turns[] = {0, 1, 0, 0, 0, 1, 0, (float)(PI / 2.0)};
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.scales = scales;
    node.scale_count = 2;
    node.turns = turns;
    node.turn_count = 2;
    const fr_model_mesh *mesh = make(&m, &node);
    has_vertex(mesh, 0, 1, 0, 1);
    has_vertex(mesh, 4, 3, 1, -2); // (2, 3) in x, z, turned a quarter about y
    end(&m);
}

static void a_scale_of_nothing_makes_a_tip(void **state) {
    (void)state;
    const float scales[] = {1, 1, 0, 0};
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.scales = scales;
    node.scale_count = 2;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->face_count, 5); // four triangles and the bottom; the cap at the tip has no area
    assert_int_equal(fr_model_face_end(mesh, 0), 3);
    assert_true(fabs(mass_of(&m).volume - 4.0 / 3.0) < 1e-6);
    end(&m);
}

static void concave_caps_are_cut(void **state) {
    (void)state;
    const float section[] = {0, 0, 0, 3, 1, 3, 1, 1, 3, 1, 3, 0, 0, 0}; // an L of area 5, counter-clockwise from +y
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.section = section;
    node.section_count = 7;
    node.convex = false;
    node.wants_uvs = true;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->face_count, 8);
    assert_true(is_closed(&m));
    assert_true(fabs(mass_of(&m).volume - 5.0) < 1e-6);
    // The end cap's texture spans the longer side: corner (3, 1) of the section.
    uint32_t cap = fr_model_face_begin(mesh, 7);
    assert_true(mesh->corner_uvs[2 * (cap + 4)] == 1.0f &&
                fabsf(mesh->corner_uvs[2 * (cap + 4) + 1] - 1.0f / 3.0f) < 1e-6f);
    end(&m);
}

static void smooth_where_the_crease_allows(void **state) {
    (void)state;
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.crease_angle = 0.5;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_true(mesh->corner_normals[0] == 1.0f); // the side at +x
    end(&m);
}

static void what_cannot_be_drawn_is_reported(void **state) {
    (void)state;
    static const char place[] = "Extrusion";
    fr__extrusion nodes[3] = {fr__default_extrusion(), fr__default_extrusion(), fr__default_extrusion()};
    nodes[0].section_count = 1;
    nodes[1].spine_count = 0;
    nodes[2].scale_count = 0;
    for (int i = 0; i < 3; i++) {
        made m;
        nodes[i].at = place;
        assert_int_equal(make(&m, &nodes[i])->face_count, 0);
        has_warning(&m, 0, place, "left out");
        end(&m);
    }
}

static void one_point_of_a_spine_gives_caps_alone(void **state) {
    (void)state;
    made m;
    fr__extrusion node = fr__default_extrusion();
    node.spine_count = 1;
    assert_int_equal(make(&m, &node)->face_count, 2);
    end(&m);
}

static void products_are_checked(void **state) {
    (void)state;
    static float many[3 * 20000];
    made m;
    begin(&m);
    fr__extrusion node = fr__default_extrusion();
    node.section = node.spine = many;
    node.section_count = 30000;
    node.spine_count = 20000;
    assert_int_equal(fr__add_extrusion(&m.geometry, &node), FR_ERROR_LIMIT);
    assert_int_equal(m.builder.positions.count, 0);
    end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_a_box),
        cmocka_unit_test(straight_spines_turn_the_section),
        cmocka_unit_test(collinear_and_equal_points_change_nothing),
        cmocka_unit_test(a_spine_that_turns_back_keeps_its_quads),
        cmocka_unit_test(a_bend_is_mitred),
        cmocka_unit_test(a_closed_spine_is_a_torus),
        cmocka_unit_test(scales_and_turns_go_along),
        cmocka_unit_test(a_scale_of_nothing_makes_a_tip),
        cmocka_unit_test(concave_caps_are_cut),
        cmocka_unit_test(smooth_where_the_crease_allows),
        cmocka_unit_test(what_cannot_be_drawn_is_reported),
        cmocka_unit_test(one_point_of_a_spine_gives_caps_alone),
        cmocka_unit_test(products_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
