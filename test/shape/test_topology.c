#include "failing.h"
#include "fureai/shape.h"

#include <string.h>

static fr_mesh *make_mesh(const double *points, uint32_t vertex_count, const uint32_t *triangles, uint32_t count) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = count;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

static fr_topology *make_topology(const fr_mesh *mesh, bool weld) {
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, weld, NULL, &topology, NULL), FR_OK);
    return topology;
}

static const double tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron_triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

static void tetrahedron_is_closed_and_manifold(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    fr_topology *topology = make_topology(mesh, false);
    assert_true(topology->closed && topology->manifold);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal(topology->edge_count, 12);
    for (uint32_t e = 0; e < 12; e++) {
        assert_int_not_equal(topology->twin[e], FR_NONE);
        assert_int_equal(topology->twin[topology->twin[e]], e);
    }
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

static void open_edges_are_counted(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 3);
    fr_topology *topology = make_topology(mesh, false);
    assert_false(topology->closed);
    assert_true(topology->manifold);
    assert_int_equal(topology->border_edges, 3);
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

static void turned_face_shows_as_flipped_edges(void **state) {
    (void)state;
    uint32_t triangles[12];
    memcpy(triangles, tetrahedron_triangles, sizeof triangles);
    triangles[0] = 1;
    triangles[2] = 0;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, triangles, 4);
    fr_topology *topology = make_topology(mesh, false);
    assert_false(topology->closed);
    assert_true(topology->manifold);
    assert_int_equal(topology->flipped_edges, 6);
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

static void three_faces_at_an_edge_are_crowded(void **state) {
    (void)state;
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    fr_mesh *mesh = make_mesh(points, 5, triangles, 3);
    fr_topology *topology = make_topology(mesh, false);
    assert_int_equal(topology->crowded_edges, 3);
    assert_int_equal(topology->twin[0], FR_NONE);
    assert_false(topology->manifold);
    assert_false(topology->closed);
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

static void two_fans_at_a_vertex_are_not_manifold(void **state) {
    (void)state;
    // Two tetrahedra that share one vertex only.
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 0, 4, 5, 0, 6, 4, 4, 6, 5, 0, 5, 6};
    fr_mesh *mesh = make_mesh(points, 7, triangles, 8);
    fr_topology *topology = make_topology(mesh, false);
    assert_true(topology->closed);
    assert_false(topology->manifold);
    assert_int_equal(topology->component_count, 2);
    for (uint32_t t = 0; t < 8; t++) {
        assert_int_equal(topology->component[t], t / 4);
    }
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

// A mesh whose triangles share no vertex, as an STL file gives it; zeros of either sign.
static fr_mesh *make_soup(const fr_mesh *mesh) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 points[3 * 512];
    uint32_t triangles[3 * 512];
    assert_true(view->triangle_count <= 512);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_mesh_corners(mesh, t, points + 3 * t);
        for (uint32_t k = 3 * t; k < 3 * t + 3; k++) {
            triangles[k] = k;
            if (points[k].x == 0.0 && t % 2 == 0) { points[k].x = -0.0; }
        }
    }
    return make_mesh(&points[0].x, 3 * view->triangle_count, triangles, view->triangle_count);
}

static void welding_joins_repeated_vertices(void **state) {
    (void)state;
    fr_mesh *sphere, *soup;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &sphere, NULL), FR_OK);
    soup = make_soup(sphere);
    fr_topology *loose = make_topology(soup, false), *welded = make_topology(soup, true);
    fr_topology *original = make_topology(sphere, false);
    assert_int_equal(loose->border_edges, 3 * 168);
    assert_int_equal(loose->component_count, 168);
    assert_true(welded->closed && welded->manifold);
    assert_memory_equal(welded->twin, original->twin, original->edge_count * sizeof(uint32_t));
    fr_topology_destroy(loose);
    fr_topology_destroy(welded);
    fr_topology_destroy(original);
    fr_mesh_release(sphere);
    fr_mesh_release(soup);
}

static void collapsed_triangle_lets_its_neighbours_meet(void **state) {
    (void)state;
    // A square of two triangles with a sliver between them whose two corners are at one place.
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 4, 0, 4, 3};
    fr_mesh *mesh = make_mesh(points, 5, triangles, 3);
    fr_topology *topology = make_topology(mesh, true);
    assert_int_equal(topology->twin[2], 6);
    assert_int_equal(topology->twin[6], 2);
    assert_int_equal(topology->component[1], FR_NONE);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal(topology->border_edges, 4);
    assert_true(topology->manifold);
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

// Every pair of edges, the plain way.
static uint32_t brute_twin(const uint32_t *triangles, uint32_t edge_count, uint32_t edge, uint32_t *others) {
    uint32_t u = triangles[edge], v = triangles[edge % 3 == 2 ? edge - 2 : edge + 1], twin = FR_NONE;
    *others = 0;
    for (uint32_t f = 0; f < edge_count; f++) {
        uint32_t a = triangles[f], b = triangles[f % 3 == 2 ? f - 2 : f + 1];
        bool same = (a == u && b == v) || (a == v && b == u);
        if (f == edge || !same) { continue; }
        twin = f;
        ++*others;
    }
    return *others == 1 ? twin : FR_NONE;
}

static bool collapsed(const uint32_t *corners) {
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

static void random_soups_agree_with_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    for (int round = 0; round < 200; round++) {
        double points[3 * 8];
        uint32_t triangles[3 * 24], count = 1 + (uint32_t)fr_random_below(&random, 24), kept = 0;
        for (int i = 0; i < 24; i++) {
            points[i] = fr_random_unit(&random);
        }
        for (uint32_t t = 0; t < count; t++) {
            for (int k = 0; k < 3; k++) {
                triangles[3 * kept + (uint32_t)k] = (uint32_t)fr_random_below(&random, 8);
            }
            if (!collapsed(triangles + 3 * kept)) { kept++; }
        }
        if (kept == 0) { continue; }
        fr_mesh *mesh = make_mesh(points, 8, triangles, kept);
        fr_topology *topology = make_topology(mesh, false);
        uint32_t border = 0, crowded = 0;
        for (uint32_t e = 0; e < 3 * kept; e++) {
            uint32_t others;
            assert_int_equal(topology->twin[e], brute_twin(triangles, 3 * kept, e, &others));
            border += others == 0;
            crowded += others > 1;
        }
        assert_int_equal(topology->border_edges, border);
        assert_int_equal(topology->crowded_edges, crowded);
        fr_topology_destroy(topology);
        fr_mesh_release(mesh);
    }
}

static fr_status make_and_destroy(const fr_allocator *allocator, void *context) {
    fr_topology *topology = NULL;
    fr_status status = fr_topology_create(context, true, allocator, &topology, NULL);
    fr_topology_destroy(topology);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    assert_int_equal(test_every_failure(make_and_destroy, mesh), 7);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedron_is_closed_and_manifold),
        cmocka_unit_test(open_edges_are_counted),
        cmocka_unit_test(turned_face_shows_as_flipped_edges),
        cmocka_unit_test(three_faces_at_an_edge_are_crowded),
        cmocka_unit_test(two_fans_at_a_vertex_are_not_manifold),
        cmocka_unit_test(welding_joins_repeated_vertices),
        cmocka_unit_test(collapsed_triangle_lets_its_neighbours_meet),
        cmocka_unit_test(random_soups_agree_with_brute_force),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
