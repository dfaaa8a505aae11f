#include "failing.h"
#include "fureai/shape.h"

#include <string.h>

// A mesh with its topology and planar faces, made and destroyed together.
typedef struct planar_case {
    fr_mesh *mesh;
    fr_topology *topology;
    fr_planar_faces *planar;
} planar_case;

static planar_case open_case(fr_mesh *mesh, bool weld) {
    planar_case c = {.mesh = mesh};
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = weld;
    assert_int_equal(fr_topology_create(mesh, &topology_def, &c.topology, NULL), FR_OK);
    fr_planar_def def = fr_default_planar_def();
    def.topology = c.topology;
    assert_int_equal(fr_planar_create(mesh, &def, &c.planar, NULL), FR_OK);
    return c;
}

static void close_case(planar_case *c) {
    fr_planar_destroy(c->planar);
    fr_topology_destroy(c->topology);
    fr_mesh_release(c->mesh);
}

static fr_mesh *named(const char *name) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// What holds for every result: each triangle in one face, ascending; areas add up; loops enclose the faces' areas.
static void expect_consistent(const planar_case *c) {
    const fr_planar_faces *planar = c->planar;
    uint32_t triangle_count = fr_mesh_get(c->mesh)->triangle_count, seen = 0;
    double area = 0.0;
    for (uint32_t f = 0; f < planar->face_count; f++) {
        const fr_planar_face *face = &planar->faces[f];
        assert_int_equal(face->first_triangle, seen);
        for (uint32_t i = 0; i < face->triangle_count; i++) {
            uint32_t t = planar->triangles[face->first_triangle + i];
            assert_int_equal(planar->face_of[t], f);
            if (i > 0) { assert_true(t > planar->triangles[face->first_triangle + i - 1]); }
        }
        if (f > 0) { assert_true(planar->triangles[seen] > planar->triangles[planar->faces[f - 1].first_triangle]); }
        seen += face->triangle_count;
        area += face->area;

        double enclosed = 0.0;
        for (uint32_t l = face->first_loop; l < face->first_loop + face->loop_count; l++) {
            uint32_t count = planar->loop_begin[l + 1] - planar->loop_begin[l];
            fr_vec3 points[64];
            assert_true(count >= 3 && count <= 64);
            for (uint32_t i = 0; i < count; i++) {
                const float *p =
                    fr_mesh_get(c->mesh)->positions_float + 3 * planar->loop_vertices[planar->loop_begin[l] + i];
                points[i] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
            }
            double loop_area = fr_vec3_dot(face->normal, fr_polygon_area_vector(points, count));
            assert_true(l == face->first_loop ? loop_area > 0.0 : loop_area < 0.0);
            enclosed += loop_area;
        }
        assert_true(fabs(enclosed - face->area) < 1e-9);
    }
    assert_int_equal(seen, triangle_count);
    assert_true(fabs(area - fr_mesh_mass(c->mesh).area) < 1e-9);
}

static void box_has_six_squares(void **state) {
    (void)state;
    planar_case c = open_case(named("box"), false);
    expect_consistent(&c);
    assert_int_equal(c.planar->face_count, 6);
    assert_int_equal(c.planar->loop_count, 6);
    for (uint32_t f = 0; f < 6; f++) {
        const fr_planar_face *face = &c.planar->faces[f];
        assert_true(face->area == 1.0);
        assert_true(face->offset == 0.5);
        assert_true(fr_vec3_distance(face->centroid, fr_vec3_scale(0.5, face->normal)) < 1e-15);
        assert_int_equal(c.planar->loop_begin[f + 1] - c.planar->loop_begin[f], 4);
    }
    close_case(&c);
}

static void cylinder_has_two_discs_and_its_sides(void **state) {
    (void)state;
    planar_case c = open_case(named("cylinder"), false);
    expect_consistent(&c);
    assert_int_equal(c.planar->face_count, 2 + 32);
    close_case(&c);
}

static void chair_merges_its_cells(void **state) {
    (void)state;
    planar_case c = open_case(named("chair"), false);
    expect_consistent(&c);
    // Underside: one plane with the four legs' roots cut from its corners: a cross. Feet are four faces of their own.
    uint32_t down = 0;
    for (uint32_t f = 0; f < c.planar->face_count; f++) {
        down += c.planar->faces[f].normal.y < -0.5;
    }
    assert_int_equal(down, 5);
    close_case(&c);
}

// A square frame in the plane z = 0: an outer square with a square hole, 8 triangles.
static fr_mesh *make_frame(void) {
    const double points[] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0, 1, 1, 0, 2, 1, 0, 2, 2, 0, 1, 2, 0};
    const uint32_t triangles[] = {4, 0, 5, 0, 1, 5, 5, 1, 6, 1, 2, 6, 6, 2, 7, 2, 3, 7, 7, 3, 4, 3, 0, 4};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = 8;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

static void hole_comes_after_the_outline(void **state) {
    (void)state;
    planar_case c = open_case(make_frame(), false);
    expect_consistent(&c);
    assert_int_equal(c.planar->face_count, 1);
    assert_int_equal(c.planar->loop_count, 2);
    assert_true(c.planar->faces[0].area == 8.0);
    assert_true(fr_vec3_distance(c.planar->faces[0].centroid, fr_vec3_make(1.5, 1.5, 0)) < 1e-15);
    for (uint32_t i = c.planar->loop_begin[0]; i < c.planar->loop_begin[1]; i++) {
        assert_true(c.planar->loop_vertices[i] < 4);
    }
    close_case(&c);
}

static void finely_rounded_surface_does_not_creep_into_one_face(void **state) {
    (void)state;
    // Neighbouring sides turn by 0.05 degree each, less than the tolerance; all of them turn by a full turn.
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_cylinder(1.0, 1.0, 7200, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    planar_case c = open_case(mesh, false);
    uint32_t largest = 0;
    for (uint32_t f = 0; f < c.planar->face_count; f++) {
        if (fabs(c.planar->faces[f].normal.y) > 0.5) { continue; }
        largest = c.planar->faces[f].triangle_count > largest ? c.planar->faces[f].triangle_count : largest;
    }
    assert_true(largest <= 10);
    close_case(&c);
}

static void degenerate_triangles_join_the_plane_they_lie_in(void **state) {
    (void)state;
    // A square whose diagonal carries a flat triangle through its middle.
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 4, 0, 4, 3, 4, 2, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 5;
    def.triangles = triangles;
    def.triangle_count = 4;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    planar_case c = open_case(mesh, false);
    assert_int_equal(c.planar->face_count, 1);
    assert_true(c.planar->faces[0].area == 1.0);
    assert_int_equal(c.planar->loop_count, 1);
    assert_int_equal(c.planar->loop_begin[1], 4);
    close_case(&c);
}

// Vertices 0 and 1 are at one place and not welded. Triangles 1 and 2 run along the edge between them the same way, so
// they disagree on what is outside, though the edge has no length.
static void a_short_edge_has_a_direction_too(void **state) {
    (void)state;
    const float positions[12] = {2, 2, 0, 2, 2, 0, 2, 1, 1, 1, 1, 0};
    const uint32_t triangles[9] = {3, 1, 2, 0, 2, 1, 1, 0, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 3;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    planar_case c = open_case(mesh, false);
    assert_int_equal(c.planar->face_of[0], c.planar->face_of[1]);
    assert_int_not_equal(c.planar->face_of[0], c.planar->face_of[2]);
    close_case(&c);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    planar_case c = open_case(named("box"), false), other = open_case(named("cone"), false);
    fr_planar_faces *planar;
    fr_planar_def def = fr_default_planar_def();
    assert_int_equal(fr_planar_create(c.mesh, &def, &planar, NULL), FR_ERROR_ARGUMENT);
    def.topology = other.topology;
    assert_int_equal(fr_planar_create(c.mesh, &def, &planar, NULL), FR_ERROR_ARGUMENT);
    def.topology = c.topology;
    def.angle = (double)NAN;
    assert_int_equal(fr_planar_create(c.mesh, &def, &planar, NULL), FR_ERROR_ARGUMENT);
    def.angle = 0.1;
    def.distance = -1.0;
    assert_int_equal(fr_planar_create(c.mesh, &def, &planar, NULL), FR_ERROR_ARGUMENT);
    assert_null(planar);
    close_case(&c);
    close_case(&other);
    fr_planar_destroy(NULL);
}

static void inclined_finds_what_faces_one_direction(void **state) {
    (void)state;
    planar_case c = open_case(named("chair"), false);
    uint32_t count = fr_mesh_get(c.mesh)->triangle_count, all[108], connected[108], either[108], foot = FR_NONE;
    assert_int_equal(count, 108);
    for (uint32_t t = 0; t < count; t++) {
        const fr_planar_face *face = &c.planar->faces[c.planar->face_of[t]];
        if (face->normal.y < -0.5 && face->centroid.y == 0.0 && foot == FR_NONE) { foot = t; }
    }
    // Downwards: four feet of 2 triangles, the underside of 5 cells.
    assert_int_equal(fr_mesh_inclined(c.mesh, foot, fr_radians(1), false, NULL, all), 4 * 2 + 5 * 2);
    assert_int_equal(fr_mesh_inclined(c.mesh, foot, fr_radians(1), false, c.topology, connected), 2);
    // Either way: the top of the seat (6 cells) and of the back (3) too.
    assert_int_equal(fr_mesh_inclined(c.mesh, foot, fr_radians(1), true, NULL, either), 18 + 6 * 2 + 3 * 2);
    for (uint32_t i = 1; i < 18; i++) {
        assert_true(all[i] > all[i - 1]);
    }
    assert_true(connected[0] == foot || connected[1] == foot);
    assert_int_equal(fr_mesh_inclined(c.mesh, foot, FR_PI, false, c.topology, all), count);
    close_case(&c);
}

static fr_status make_and_destroy(const fr_allocator *allocator, void *context) {
    const planar_case *c = context;
    fr_planar_def def = fr_default_planar_def();
    def.topology = c->topology;
    def.allocator = *allocator;
    fr_planar_faces *planar = NULL;
    fr_status status = fr_planar_create(c->mesh, &def, &planar, NULL);
    fr_planar_destroy(planar);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    planar_case c = open_case(named("chair"), false);
    assert_int_equal(test_every_failure(make_and_destroy, &c), 10);
    close_case(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_six_squares),
        cmocka_unit_test(cylinder_has_two_discs_and_its_sides),
        cmocka_unit_test(chair_merges_its_cells),
        cmocka_unit_test(hole_comes_after_the_outline),
        cmocka_unit_test(finely_rounded_surface_does_not_creep_into_one_face),
        cmocka_unit_test(degenerate_triangles_join_the_plane_they_lie_in),
        cmocka_unit_test(a_short_edge_has_a_direction_too),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(inclined_finds_what_faces_one_direction),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
