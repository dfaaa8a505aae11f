// IndexedFaceSet: index rules, repairs and their warnings, polygons that are hard to cut, strips and fans.
#include "made_part.h"

#include "failing.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define FACES(s, p, i)                                                                                                 \
    do {                                                                                                               \
        (s).points = (p);                                                                                              \
        (s).point_count = COUNT(p) / 3;                                                                                \
        (s).indices = (i);                                                                                             \
        (s).index_count = COUNT(i);                                                                                    \
    } while (0)

static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

// ---------------------------------------------------------------------------------------------------------------
// Indices

static void polygons_are_kept_as_they_are(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const int32_t indices[] = {0, 1, 2, 3, -1, 0, 2, 3}; // the last -1 may be missing
    FACES(set, square, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 2);
    has_polygon(mesh, 0, (const uint32_t[]){0, 1, 2, 3}, 4);
    has_polygon(mesh, 1, (const uint32_t[]){0, 2, 3}, 3);
    assert_memory_equal(mesh->positions_float, square, sizeof square);
    assert_false(mesh->is_two_sided);
    assert_null(mesh->corner_normals);
    assert_null(mesh->corner_uvs);
    assert_int_equal(m.warning_count, 0);
    end(&m);
}

static void clockwise_is_turned_about(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const int32_t indices[] = {0, 1, 2, 3, -1, 0, 1, 2, -1};
    FACES(set, square, indices);
    set.ccw = set.solid = false;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    has_polygon(mesh, 0, (const uint32_t[]){0, 3, 2, 1}, 4);
    has_polygon(mesh, 1, (const uint32_t[]){0, 2, 1}, 3);
    assert_true(mesh->is_two_sided);
    end(&m);
}

static void bad_polygons_are_left_out_and_keep_their_number(void **state) {
    (void)state;
    static const char here[] = "coordIndex", node[] = "IndexedFaceSet";
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const int32_t indices[] = {
        0,  1,  -1,                // 0: two corners
        0,  1,  2,  -1,            // 1
        0,  1,  4,  -1,            // 2: no point 4
        0,  -2, 1,  -1,            // 3: below -1
        0,  0,  1,  2,  2,  0, -1, // 4: corners that repeat go, the triangle stays
        1,  1,  1,  -1,            // 5: one corner
        0,  2,  0,  -1,            // 6: there and back: last is first
        -1,                        // 7: empty
        0,  1,  2,  3,  -1,        // 8
    };
    FACES(set, square, indices);
    set.at = node;
    set.index_at = here;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const int32_t next[] = {0, 1, 2, -1};
    FACES(set, square, next);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    assert_int_equal(m.warning_count, 2);
    has_warning(&m, 0, here, "index has no point: 2, the first at polygon 2");
    has_warning(&m, 1, here, "fewer than 3 corners: 4, the first at polygon 0");
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->face_count, 3);
    const uint32_t ids[] = {1, 4, 8};
    assert_memory_equal(mesh->face_ids, ids, sizeof ids);
    has_polygon(mesh, 1, (const uint32_t[]){0, 1, 2}, 3);
    assert_int_equal(mesh[1].face_ids[0], 9); // the next node counts on
    end(&m);
}

static void numbers_go_on_from_node_to_node(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const int32_t bad_ends[] = {0, 1, 7, -1, 0, 1, 2, -1, 0, 1, 7, -1}, good[] = {0, 1, 2, -1};
    FACES(set, square, bad_ends);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    FACES(set, square, good);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_null(mesh->face_ids); // the bad ones are at the ends: numbers in a row need no list
    assert_int_equal(mesh[0].first_face, 1);
    assert_int_equal(mesh[1].first_face, 3);
    end(&m);
}

static void what_has_no_area_is_left_out(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const float points[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0};
    const int32_t indices[] = {0, 1, 2, -1, 0, 1, 3, -1, 0, 1, 2, 1, -1};
    FACES(set, points, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    has_warning(&m, 0, NULL, "without area: 2, the first at polygon 0");
    assert_int_equal(finished(&m)->face_count, 1);
    end(&m);
}

// A bow tie, whose halves turn against each other.
static void what_crosses_itself_to_no_area_is_kept(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const float points[] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0};
    const int32_t indices[] = {0, 1, 2, 3, -1};
    FACES(set, points, indices);
    set.crease_angle = 1.0;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    has_warning(&m, 0, NULL, "cross themselves, cut anyhow: 1, the first at polygon 0");
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->face_count, 1);
    for (int i = 0; i < 12; i++) {
        assert_true(mesh->corner_normals == NULL || isfinite(mesh->corner_normals[i]));
    }
    end(&m);
}

static void what_a_track_moves_may_have_no_area_yet(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    const float points[12] = {0};
    const int32_t indices[] = {0, 1, 2, -1, 0, 2, 3, 1, -1};
    FACES(set, points, indices);
    set.is_moved = true;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    assert_int_equal(finished(&m)->face_count, 2);
    end(&m);
}

static void a_strict_reader_stops(void **state) {
    (void)state;
    made m;
    begin(&m);
    m.warn_status = FR_ERROR_CORRUPT;
    fr__face_set set = fr__default_face_set();
    const int32_t indices[] = {0, 1, 9, -1};
    FACES(set, square, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_ERROR_CORRUPT);
    end(&m);
}

static void nothing_gives_an_empty_part(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    set.crease_angle = 1.0;
    set.wants_uvs = true;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->vertex_count, 0);
    assert_int_equal(mesh->face_count, 0);
    end(&m);
}

static void only_the_points_in_use_are_kept(void **state) {
    (void)state;
    float points[300];
    for (int i = 0; i < 100; i++) {
        points[3 * i] = (float)i;
        points[3 * i + 1] = (float)(i * i);
        points[3 * i + 2] = 1.0f;
    }
    // Few indices are sorted, many are marked: the same comes out.
    for (int repeats = 1; repeats <= 16; repeats *= 16) {
        int32_t indices[16 * 10];
        for (int r = 0; r < repeats; r++) {
            memcpy(indices + (ptrdiff_t)10 * r, (const int32_t[]){90, 7, 42, -1, 7, 200, 42, 3, 90, -1},
                   10 * sizeof *indices);
        }
        made m;
        begin(&m);
        fr__face_set set = fr__default_face_set();
        FACES(set, points, indices);
        set.index_count = (size_t)(10 * repeats);
        set.only_used = true;
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        const fr_model_mesh *mesh = finished(&m);
        assert_int_equal(mesh->vertex_count, 4);
        has_vertex(mesh, 0, 3, 9, 1);
        has_vertex(mesh, 1, 7, 49, 1);
        has_vertex(mesh, 2, 42, 42 * 42, 1);
        has_vertex(mesh, 3, 90, 90 * 90, 1);
        assert_int_equal(mesh->face_count, repeats);
        has_polygon(mesh, (uint32_t)repeats - 1, (const uint32_t[]){3, 1, 2}, 3);
        end(&m);
    }
}

static void doubles_are_kept(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__builder_set_double(&m.builder, true);
    const double points[] = {0.1, 0, 0, 1, 0, 0, 0, 1.0 / 3.0, 0};
    const int32_t indices[] = {0, 1, 2, -1};
    fr__face_set set = fr__default_face_set();
    FACES(set, points, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    assert_memory_equal(finished(&m)->positions_double, points, sizeof points);
    end(&m);
}

// ---------------------------------------------------------------------------------------------------------------
// Colours, normals, texture coordinates

static const float colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};

static fr__attribute attribute(const float *values, size_t count, uint32_t width, const int32_t *indices,
                               size_t index_count, bool per_face) {
    return (fr__attribute){.values = values,
                           .count = count,
                           .width = width,
                           .indices = indices,
                           .index_count = index_count,
                           .per_face = per_face};
}

static void is_color(fr_color color, int r, int g, int b) {
    assert_int_equal(color.r, r);
    assert_int_equal(color.g, g);
    assert_int_equal(color.b, b);
    assert_int_equal(color.a, 255);
}

static void colors_follow_the_index_rules(void **state) {
    (void)state;
    const int32_t indices[] = {0, 1, 2, -1, 0, 2, 3, -1}, own[] = {3, 2, 1, -1, 0, 0, 0, -1}, of_faces[] = {2, 0};
    const struct {
        fr__attribute colors;
        int corner_color; // index in `colors` of corner 1 of polygon 0 and of corner 0 of polygon 1; or of the polygons
        int other_color;
    } cases[] = {
        {attribute(colors, 4, 3, NULL, 0, false), 1, 0},
        {attribute(colors, 4, 3, own, COUNT(own), false), 2, 0},
        {attribute(colors, 4, 3, NULL, 0, true), 0, 1},
        {attribute(colors, 4, 3, of_faces, 2, true), 2, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        made m;
        begin(&m);
        fr__face_set set = fr__default_face_set();
        FACES(set, square, indices);
        set.colors = cases[i].colors;
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        assert_int_equal(m.warning_count, 0);
        const fr_model_mesh *mesh = finished(&m);
        bool per_face = cases[i].colors.per_face;
        assert_int_equal(mesh->face_colors != NULL, per_face);
        assert_int_equal(mesh->corner_colors != NULL, !per_face);
        fr_color first = per_face ? mesh->face_colors[0] : mesh->corner_colors[1];
        fr_color second = per_face ? mesh->face_colors[1] : mesh->corner_colors[3];
        const float *a = colors + (ptrdiff_t)3 * cases[i].corner_color,
                    *b = colors + (ptrdiff_t)3 * cases[i].other_color;
        is_color(first, (int)(255 * a[0]), (int)(255 * a[1]), (int)(255 * a[2]));
        is_color(second, (int)(255 * b[0]), (int)(255 * b[1]), (int)(255 * b[2]));
        end(&m);
    }
}

static void colors_of_polygons_left_out_are_passed_over(void **state) {
    (void)state;
    const int32_t indices[] = {0, 1, 9, -1, 0, 2, 3, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.colors = attribute(colors, 4, 3, NULL, 0, true);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    is_color(finished(&m)->face_colors[0], 0, 255, 0);
    end(&m);
}

static void colors_that_are_missing_are_grey(void **state) {
    (void)state;
    static const char place[] = "colorIndex";
    const int32_t indices[] = {0, 1, 2, -1, 0, 2, 3, -1}, own[] = {0, 1, 2, -1, 9};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.colors = attribute(colors, 4, 3, own, COUNT(own), false);
    set.colors.index_at = place;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    has_warning(&m, 0, place, "colours that are not there, grey taken: 3, the first at polygon 1");
    const fr_model_mesh *mesh = finished(&m);
    is_color(mesh->corner_colors[2], 0, 0, 255);
    is_color(mesh->corner_colors[3], 204, 204, 204);
    is_color(mesh->corner_colors[5], 204, 204, 204);
    end(&m);
}

static void colors_outside_are_moved_in(void **state) {
    (void)state;
    const float wild[] = {-1.0f, 2.0f, 0.5f, 0.25f};
    const int32_t indices[] = {0, 1, 2, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.colors = attribute(wild, 1, 4, NULL, 0, true);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    fr_color color = finished(&m)->face_colors[0];
    assert_int_equal(color.r, 0);
    assert_int_equal(color.g, 255);
    assert_int_equal(color.b, 128);
    assert_int_equal(color.a, 64);
    end(&m);
}

static void normals_are_made_unit(void **state) {
    (void)state;
    const float normals[] = {0, 0, 5, 3, 0, 4, 0, 0, 0};
    const int32_t indices[] = {0, 1, 2, -1}, own[] = {0, 1, 2, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.normals = attribute(normals, 3, 3, own, COUNT(own), false);
    set.crease_angle = 3.0; // there are normals: it says nothing
    set.ccw = false;        // given normals are taken as they are, the polygon's own is turned about
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const float expected[] = {0, 0, 1, 0, 0, -1, 0.6f, 0, 0.8f};
    const float *normals_now = finished(&m)->corner_normals;
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_true(normals_now[i] == expected[i]);
    }
    end(&m);
}

static void normals_of_faces_stand_at_their_corners(void **state) {
    (void)state;
    const float normals[] = {1, 0, 0, 0, 1, 0};
    const int32_t indices[] = {0, 1, 2, -1, 0, 2, 3, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.normals = attribute(normals, 2, 3, NULL, 0, true);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const float expected[] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
    assert_memory_equal(finished(&m)->corner_normals, expected, sizeof expected);
    end(&m);
}

static void textures_lie_over_the_box(void **state) {
    (void)state;
    const float points[] = {1, 5, 0, 1, 5, 8, 1, 7, 8, 1, 7, 0}; // 0 by 2 by 8
    const int32_t indices[] = {0, 1, 2, 3, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, points, indices);
    set.wants_uvs = true;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const float expected[] = {0, 0, 1, 0, 1, 0.25f, 0, 0.25f};
    assert_memory_equal(finished(&m)->corner_uvs, expected, sizeof expected);
    end(&m);
    // Equal sides: x, then y, then z.
    const float even[] = {0, 0, 0, 2, 0, 0, 2, 2, 2, 0, 2, 2};
    begin(&m);
    FACES(set, even, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const float even_uvs[] = {0, 0, 1, 0, 1, 1, 0, 1};
    assert_memory_equal(finished(&m)->corner_uvs, even_uvs, sizeof even_uvs);
    end(&m);
    // Those of the file come first.
    const float uvs[] = {0.5f, 0.25f};
    const int32_t own[] = {0, 0, 0, 0, -1};
    begin(&m);
    set.uvs = attribute(uvs, 1, 2, own, 5, false);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    assert_memory_equal(finished(&m)->corner_uvs + 6, uvs, sizeof uvs);
    end(&m);
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles, quads, strips, fans

static void other_layouts_are_polygons_too(void **state) {
    (void)state;
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
    const int32_t strips[] = {0, 1, 2, 3, 4, -1, 2, 3, 4}, fans[] = {0, 1, 3, 2, -1, 2, 3, 5, 4};
    const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 2, 3}, quads[] = {0, 1, 3, 2, 2, 3, 5, 4}, runs[] = {4, 3, 99};
    const struct {
        fr__face_layout layout;
        const int32_t *indices;
        size_t index_count;
        const int32_t *runs;
        size_t run_count;
        uint32_t faces, corners; // and those of the last polygon
        uint32_t last[4];
        int warnings;
    } cases[] = {
        {FR__TRIANGLES, triangles, 8, NULL, 0, 2, 3, {1, 3, 2}, 1},
        {FR__TRIANGLES, NULL, 0, NULL, 0, 2, 3, {3, 4, 5}, 0},
        {FR__QUADS, quads, 8, NULL, 0, 2, 4, {2, 3, 5, 4}, 0},
        {FR__TRIANGLE_STRIPS, strips, 9, NULL, 0, 4, 3, {2, 3, 4}, 0},
        {FR__TRIANGLE_STRIPS, strips, 4, NULL, 0, 2, 3, {2, 1, 3}, 0},
        {FR__TRIANGLE_FANS, fans, 9, NULL, 0, 4, 3, {2, 5, 4}, 0},
        {FR__TRIANGLE_STRIPS, NULL, 0, runs, 1, 2, 3, {2, 1, 3}, 0},
        {FR__TRIANGLE_STRIPS, NULL, 0, runs, 3, 2, 3, {2, 1, 3}, 0}, // what is promised beyond the points is not there
        {FR__TRIANGLE_FANS, NULL, 0, runs, 1, 2, 3, {0, 2, 3}, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        made m;
        begin(&m);
        fr__face_set set = fr__default_face_set();
        set.points = points;
        set.point_count = 6;
        set.layout = cases[i].layout;
        set.indices = cases[i].indices;
        set.index_count = cases[i].index_count;
        set.runs = cases[i].runs;
        set.run_count = cases[i].run_count;
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        assert_int_equal(m.warning_count, cases[i].warnings);
        const fr_model_mesh *mesh = finished(&m);
        assert_int_equal(mesh->face_count, cases[i].faces);
        has_polygon(mesh, mesh->face_count - 1, cases[i].last, cases[i].corners);
        end(&m);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Polygons that are hard to cut

// One polygon of `count` points is cut without a warning into triangles that turn with it and cover its area.
static void cuts_clean(const float *points, size_t count, const int32_t *indices, size_t index_count, double area) {
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    set.points = points;
    set.point_count = count;
    set.indices = indices;
    set.index_count = index_count;
    set.convex = false;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    if (m.warning_count != 0) { fail_msg("%s", m.warnings[0]); }
    const fr_model_mesh *part = finished(&m);
    assert_int_equal(part->face_count, 1);
    fr_mesh *mesh = cut_mesh(&m);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_int_equal(view->triangle_count, fr_model_face_end(part, 0) - 2);
    double sum = 0.0;
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const float *at = view->positions_float + (size_t)3 * view->triangles[3 * t + (uint32_t)k];
            p[k] = fr_vec3_make((double)at[0], (double)at[1], (double)at[2]);
        }
        double z = fr_polygon_area_vector(p, 3).z;
        assert_true(z >= 0.0); // all turn as the polygon does: with the right sum, none lies over another
        sum += z;
        assert_int_equal(fr_mesh_face(mesh, t), 0);
    }
    assert_true(fabs(sum - area) <= 1e-6 * area);
    fr_mesh_release(mesh);
    end(&m);
}

static void holes_on_bridges_are_cut(void **state) {
    (void)state;
    // A square of 6 with two square holes of 1, joined to the corner by edges that are gone over twice.
    const float points[] = {0, 0, 0, 6, 0, 0, 6, 6, 0, 0, 6, 0, 1, 1, 0, 1, 2, 0,
                            2, 2, 0, 2, 1, 0, 4, 4, 0, 4, 5, 0, 5, 5, 0, 5, 4, 0};
    const int32_t indices[] = {0, 1, 2, 3, 0, 4, 5, 6, 8, 9, 10, 11, 8, 6, 7, 4, -1};
    cuts_clean(points, 12, indices, COUNT(indices), 34.0);
}

static void collinear_runs_and_equal_points_are_cut(void **state) {
    (void)state;
    // Points along the sides, one point twice under two numbers, a spike that goes out and comes back.
    const float points[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 3, 0, 0, 3, 3, 0, 2, 3, 0, 1, 3, 0, 0, 3, 0, 0, 1, 0};
    const int32_t indices[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
    cuts_clean(points, 10, indices, COUNT(indices), 9.0);
    const float spike[] = {0, 0, 0, 3, 0, 0, 5, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0};
    const int32_t spike_indices[] = {0, 1, 2, 3, 4, 5, -1};
    cuts_clean(spike, 6, spike_indices, COUNT(spike_indices), 9.0);
}

static void spirals_are_cut(void **state) {
    (void)state;
    enum { TURNS = 40, POINTS = 4 * TURNS };
    // A square spiral one wide: out along its outer side, back along its inner one.
    float points[3 * 2 * POINTS];
    int32_t indices[2 * POINTS + 1];
    fr_vec3 exact[2 * POINTS];
    for (int i = 0; i < POINTS; i++) {
        double reach = 4.0 + (double)i;
        double x = i % 4 == 0 || i % 4 == 3 ? reach : -reach, y = i % 4 < 2 ? reach : -reach;
        double inner = (reach - 1.5) / reach;
        exact[i] = fr_vec3_make(x, y, 0.0);
        exact[2 * POINTS - 1 - i] = fr_vec3_make(x * inner, y * inner, 0.0);
    }
    for (int i = 0; i < 2 * POINTS; i++) {
        points[3 * i] = (float)exact[i].x;
        points[3 * i + 1] = (float)exact[i].y;
        points[3 * i + 2] = 0.0f;
        exact[i] = fr_vec3_make((double)points[3 * i], (double)points[3 * i + 1], 0.0);
        indices[i] = i;
    }
    indices[2 * POINTS] = -1;
    cuts_clean(points, 2 * POINTS, indices, 2 * POINTS + 1, fr_polygon_area_vector(exact, 2 * POINTS).z);
}

static void a_comb_of_ten_thousand_corners_is_cut(void **state) {
    (void)state;
    enum { TEETH = 2500, POINTS = 4 * TEETH };
    float *points = calloc((size_t)3 * POINTS, sizeof *points);
    int32_t *indices = calloc(POINTS + 1, sizeof *indices);
    assert_true(points != NULL && indices != NULL);
    for (int i = 0; i < TEETH; i++) {
        // Along the bottom to the right, and back over the teeth.
        float *low = points + (ptrdiff_t)3 * i, *high = points + (ptrdiff_t)3 * TEETH + (ptrdiff_t)9 * i;
        low[0] = (float)i;
        for (int k = 0; k < 3; k++) {
            high[3 * k] = (float)(TEETH - 1 - i) + 0.9f - 0.4f * (float)k;
            high[3 * k + 1] = k == 1 ? 50.0f : 1.0f;
        }
    }
    fr_vec3 *exact = calloc(POINTS, sizeof *exact);
    assert_non_null(exact);
    for (int i = 0; i < POINTS; i++) {
        indices[i] = i;
        exact[i] = fr_vec3_make((double)points[3 * i], (double)points[3 * i + 1], 0.0);
    }
    indices[POINTS] = -1;
    cuts_clean(points, POINTS, indices, POINTS + 1, fr_polygon_area_vector(exact, POINTS).z);
    free(points);
    free(indices);
    free(exact);
}

static void what_crosses_itself_or_is_bent_is_reported(void **state) {
    (void)state;
    const float points[] = {0, 0, 0, 4, 0, 0, 1, 3, 0, 2, -1, 0, 3, 3, 0, 0, 4, 0, 4, 4, 0.1f};
    const int32_t indices[] = {0, 1, 2, 3, 4, -1, 0, 1, 6, 5, -1};
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    FACES(set, points, indices);
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    assert_int_equal(m.warning_count, 2);
    has_warning(&m, 0, NULL, "not flat: 1, the first at polygon 1");
    has_warning(&m, 1, NULL, "cross themselves, cut anyhow: 1, the first at polygon 0");
    assert_int_equal(finished(&m)->face_count, 2);
    end(&m);
}

static void limits_are_kept(void **state) {
    (void)state;
    const int32_t indices[] = {0, 1, 2, 3, -1, 0, 1, 2, -1, 1, 2, 3, -1};
    for (int which = 0; which < 4; which++) {
        made m;
        begin(&m);
        uint64_t *limits[] = {&m.builder.limits.vertices, &m.builder.limits.faces, &m.builder.limits.corners,
                              &m.builder.limits.polygon_corners};
        *limits[which] = which == 2 ? 6 : which == 1 ? 2 : 3;
        fr__face_set set = fr__default_face_set();
        FACES(set, square, indices);
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_ERROR_LIMIT);
        assert_non_null(m.builder.over_what);
        end(&m);
    }
}

// Indices, counts and options by chance, around the edges of what is there.
static fr__attribute random_attribute(fr_random *random, const float *values, uint32_t width, const int32_t *indices) {
    fr__attribute a = {.values = values, .width = width, .per_face = fr_random_below(random, 2) == 0};
    a.count = fr_random_below(random, 5);
    if (fr_random_below(random, 2) == 0) {
        a.indices = indices;
        a.index_count = fr_random_below(random, 30);
    }
    return a;
}

static void whatever_comes_makes_a_whole_mesh(void **state) {
    (void)state;
    fr_random random = fr_random_seed(99);
    float points[3 * 8], values[4 * 8];
    int32_t indices[64], runs[6];
    for (int round = 0; round < 3000; round++) {
        for (size_t i = 0; i < COUNT(points); i++) {
            points[i] = (float)fr_random_below(&random, 3);
        }
        for (size_t i = 0; i < COUNT(values); i++) {
            values[i] = (float)fr_random_between(&random, -1.0, 2.0);
        }
        for (size_t i = 0; i < COUNT(indices); i++) {
            indices[i] = (int32_t)fr_random_below(&random, 11) - 2;
        }
        for (size_t i = 0; i < COUNT(runs); i++) {
            runs[i] = (int32_t)fr_random_below(&random, 9) - 2;
        }
        fr__face_set set = fr__default_face_set();
        set.points = points;
        set.point_count = fr_random_below(&random, 9);
        set.layout = (fr__face_layout)fr_random_below(&random, 5);
        set.indices = fr_random_below(&random, 4) == 0 ? NULL : indices;
        set.index_count = set.indices != NULL ? fr_random_below(&random, COUNT(indices) + 1) : 0;
        set.runs = fr_random_below(&random, 2) == 0 ? runs : NULL;
        set.run_count = set.runs != NULL ? fr_random_below(&random, COUNT(runs) + 1) : 0;
        set.colors = random_attribute(&random, values, 3 + (uint32_t)fr_random_below(&random, 2), indices);
        set.normals = random_attribute(&random, values, 3, indices);
        set.uvs = random_attribute(&random, values, 2, indices);
        set.uvs.per_face = false;
        set.ccw = fr_random_below(&random, 2) == 0;
        set.only_used = fr_random_below(&random, 2) == 0;
        set.wants_uvs = fr_random_below(&random, 2) == 0;
        set.crease_angle = fr_random_between(&random, -1.0, 4.0);
        made m;
        begin(&m);
        for (int part = 0; part < 2; part++) {
            assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        }
        const fr_model_mesh *mesh = finished(&m);
        assert_int_equal(mesh[0].face_count, mesh[1].face_count);
        for (int part = 0; part < 2; part++) {
            uint32_t last = 0;
            for (uint32_t f = 0; f < mesh[part].face_count; f++) {
                uint32_t first = fr_model_face_begin(&mesh[part], f), end_corner = fr_model_face_end(&mesh[part], f);
                assert_true(end_corner >= first + 3);
                for (uint32_t k = first; k < end_corner; k++) {
                    assert_true(mesh[part].corners[k] < mesh[part].vertex_count);
                }
                uint32_t id = mesh[part].face_ids != NULL ? mesh[part].face_ids[f] : mesh[part].first_face + f;
                assert_true(f == 0 || id > last);
                last = id;
            }
        }
        end(&m);
    }
}

static fr_status make_all(const fr_allocator *allocator, void *context) {
    (void)context;
    const int32_t indices[] = {0, 1, 2, 3, -1, 0, 1, 9, -1, 0, 1, 2, -1, 0, 3, 1, 2, -1};
    made m;
    fr_status status = begin_with(&m, allocator);
    fr__face_set set = fr__default_face_set();
    FACES(set, square, indices);
    set.colors = attribute(colors, 4, 3, NULL, 0, false);
    set.crease_angle = 1.0;
    set.wants_uvs = true;
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        set.only_used = i == 1;
        set.colors.per_face = i == 1;
        status = fr__add_face_set(&m.geometry, &set);
    }
    if (status != FR_ERROR_MEMORY || m.geometry.scratch != NULL) { fr__geometry_destroy(&m.geometry); }
    fr__builder_free(&m.builder);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_all, NULL) > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_are_kept_as_they_are),
        cmocka_unit_test(clockwise_is_turned_about),
        cmocka_unit_test(bad_polygons_are_left_out_and_keep_their_number),
        cmocka_unit_test(numbers_go_on_from_node_to_node),
        cmocka_unit_test(what_has_no_area_is_left_out),
        cmocka_unit_test(what_crosses_itself_to_no_area_is_kept),
        cmocka_unit_test(what_a_track_moves_may_have_no_area_yet),
        cmocka_unit_test(a_strict_reader_stops),
        cmocka_unit_test(nothing_gives_an_empty_part),
        cmocka_unit_test(only_the_points_in_use_are_kept),
        cmocka_unit_test(doubles_are_kept),
        cmocka_unit_test(colors_follow_the_index_rules),
        cmocka_unit_test(colors_of_polygons_left_out_are_passed_over),
        cmocka_unit_test(colors_that_are_missing_are_grey),
        cmocka_unit_test(colors_outside_are_moved_in),
        cmocka_unit_test(normals_are_made_unit),
        cmocka_unit_test(normals_of_faces_stand_at_their_corners),
        cmocka_unit_test(textures_lie_over_the_box),
        cmocka_unit_test(other_layouts_are_polygons_too),
        cmocka_unit_test(holes_on_bridges_are_cut),
        cmocka_unit_test(collinear_runs_and_equal_points_are_cut),
        cmocka_unit_test(spirals_are_cut),
        cmocka_unit_test(a_comb_of_ten_thousand_corners_is_cut),
        cmocka_unit_test(what_crosses_itself_or_is_bent_is_reported),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(whatever_comes_makes_a_whole_mesh),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
