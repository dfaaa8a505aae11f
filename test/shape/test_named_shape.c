#include "fureai/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static fr_mesh *make(const char *name) {
    fr_mesh *mesh;
    fr_error error;
    if (fr_mesh_create_named(name, NULL, &mesh, &error) != FR_OK) { fail_msg("%s: %s", name, error.message); }
    return mesh;
}

// Triangles that share no vertex must not touch.
static void expect_no_self_crossing(const fr_mesh *mesh) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    for (uint32_t a = 0; a < view->triangle_count; a++) {
        fr_vec3 corners_a[3], corners_b[3];
        fr_mesh_corners(mesh, a, corners_a);
        for (uint32_t b = a + 1; b < view->triangle_count; b++) {
            const uint32_t *p = view->triangles + 3 * a, *q = view->triangles + 3 * b;
            bool neighbours = false;
            for (int i = 0; i < 9; i++) {
                neighbours = neighbours || p[i / 3] == q[i % 3];
            }
            if (neighbours) { continue; }
            fr_mesh_corners(mesh, b, corners_b);
            if (fr_triangle_overlap(corners_a, corners_b)) { fail_msg("triangles %u and %u cross", a, b); }
        }
    }
}

static void every_name_makes_a_solid_that_does_not_cross_itself(void **state) {
    (void)state;
    size_t count = 0;
    for (const char *name; (name = fr_mesh_name(count)) != NULL; count++) {
        if (strchr(name, ':') != NULL) { continue; }
        fr_mesh *mesh = make(name);
        fr_topology_def def = fr_default_topology_def();
        fr_topology *topology;
        assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
        assert_true(topology->is_closed && topology->is_manifold);
        assert_int_equal(topology->component_count, 1);
        assert_int_equal(fr_mesh_get(mesh)->degenerate_count, 0);
        assert_true(fr_mesh_mass(mesh).volume > 0.0);
        if (fr_mesh_get(mesh)->triangle_count < 2000) { expect_no_self_crossing(mesh); }
        fr_topology_destroy(topology);
        fr_mesh_release(mesh);
    }
    assert_true(count >= 20);
}

static void count_in_a_name_is_the_count_of_triangles(void **state) {
    (void)state;
    const char *names[] = {"sphere_24",  "sphere_48",  "sphere_80",   "sphere_168",  "sphere_360", "sphere_528",
                           "sphere_728", "sphere_960", "sphere_3968", "shuttle_528", "head_1816",  "knot_1920"};
    const uint32_t counts[] = {24, 48, 80, 168, 360, 528, 728, 960, 3968, 528, 1816, 1920};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        fr_mesh *mesh = make(names[i]);
        assert_int_equal(fr_mesh_get(mesh)->triangle_count, counts[i]);
        fr_mesh_release(mesh);
    }
}

// Mean over the faces of the longest edge, of a sphere of diameter 3.8 in a cube of edge 16, in voxels of 16 / 2^level:
// printed 0.88, 0.73, 0.91 (Kitamura, colliding-faces 5.1).
static double mean_longest_edge(const char *name, int level) {
    fr_mesh *mesh = make(name);
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    double sum = 0.0;
    for (uint32_t t = 0; t < count; t++) {
        fr_vec3 p[3];
        fr_mesh_corners(mesh, t, p);
        double longest = 0.0;
        for (int k = 0; k < 3; k++) {
            longest = fmax(longest, fr_vec3_distance(p[k], p[(k + 1) % 3]));
        }
        sum += longest;
    }
    fr_mesh_release(mesh);
    return 1.9 * sum / count / (16.0 / (1 << level));
}

static void mean_longest_edges_are_those_of_the_thesis(void **state) {
    (void)state;
    assert_true(fabs(mean_longest_edge("sphere_48", 3) - 0.876) < 5e-4);
    assert_true(fabs(mean_longest_edge("sphere_360", 4) - 0.730) < 5e-4);
    assert_true(fabs(mean_longest_edge("sphere_960", 5) - 0.913) < 5e-4);
    assert_true(fabs(mean_longest_edge("sphere_3968", 6) - 0.911) < 5e-4);
}

// Some edge between two faces bends inwards.
static void models_are_concave(void **state) {
    (void)state;
    const char *names[] = {"shuttle_528", "head_1816", "chair", "torus", "knot_1920", "gear"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fr_mesh *mesh = make(names[i]);
        fr_topology_def def = fr_default_topology_def();
        fr_topology *topology;
        assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
        bool concave = false;
        for (uint32_t e = 0; e < topology->edge_count; e++) {
            fr_vec3 here[3], beside[3];
            fr_mesh_corners(mesh, e / 3, here);
            fr_mesh_corners(mesh, topology->twin[e] / 3, beside);
            fr_vec3 opposite = beside[(topology->twin[e] % 3 + 2) % 3];
            concave = concave || fr_orient3d(here[0], here[1], here[2], opposite) > 0;
        }
        assert_true(concave);
        fr_topology_destroy(topology);
        fr_mesh_release(mesh);
    }
}

static void sphere_of_any_counts(void **state) {
    (void)state;
    fr_mesh *mesh = make("sphere:21x24");
    assert_int_equal(fr_mesh_get(mesh)->triangle_count, 960);
    fr_mesh_release(mesh);
}

static void unknown_names_get_a_list_of_the_known_ones(void **state) {
    (void)state;
    const char *wrong[] = {"",
                           "sphere",
                           "sphere:",
                           "sphere:3",
                           "sphere:3x",
                           "sphere:x4",
                           "sphere:3x4x5",
                           "sphere:-3x4",
                           "sphere:99999999999x4",
                           "sphere:STACKSxSLICES",
                           "Box",
                           "sphere_25"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_mesh *mesh;
        fr_error error;
        assert_int_equal(fr_mesh_create_named(wrong[i], NULL, &mesh, &error), FR_ERROR_ARGUMENT);
        assert_null(mesh);
        assert_non_null(strstr(error.message, "shuttle_528"));
    }
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere:1x8", NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_makes_a_solid_that_does_not_cross_itself),
        cmocka_unit_test(count_in_a_name_is_the_count_of_triangles),
        cmocka_unit_test(mean_longest_edges_are_those_of_the_thesis),
        cmocka_unit_test(models_are_concave),
        cmocka_unit_test(sphere_of_any_counts),
        cmocka_unit_test(unknown_names_get_a_list_of_the_known_ones),
    };
    return cmocka_run_group_tests_name("named_shape", tests, NULL, NULL);
}
