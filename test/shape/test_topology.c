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
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = weld;
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
    return topology;
}

static const double tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron_triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

static void tetrahedron_is_closed_and_manifold(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    fr_topology *topology = make_topology(mesh, false);
    assert_true(topology->is_closed && topology->is_manifold);
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
    assert_false(topology->is_closed);
    assert_true(topology->is_manifold);
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
    assert_false(topology->is_closed);
    assert_true(topology->is_manifold);
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
    assert_false(topology->is_manifold);
    assert_false(topology->is_closed);
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
    assert_true(topology->is_closed);
    assert_false(topology->is_manifold);
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
    assert_true(welded->is_closed && welded->is_manifold);
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
    assert_true(topology->is_manifold);
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
}

// Every pair of edges, by brute force.
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

// Joins corners at one vertex across edges that two triangles share, over and over until nothing changes.
static bool brute_fans_are_whole(const uint32_t *triangles, uint32_t edge_count) {
    uint32_t set[3 * 24];
    for (uint32_t e = 0; e < edge_count; e++) {
        set[e] = e;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < edge_count; e++) {
            uint32_t others, twin = brute_twin(triangles, edge_count, e, &others);
            if (twin == FR_NONE) { continue; }
            uint32_t ends[2] = {e, e % 3 == 2 ? e - 2 : e + 1}, across[2] = {twin, twin % 3 == 2 ? twin - 2 : twin + 1};
            for (int k = 0; k < 4; k++) {
                uint32_t *a = &set[ends[k / 2]], *b = &set[across[k % 2]];
                if (triangles[ends[k / 2]] != triangles[across[k % 2]] || *a == *b) { continue; }
                *a = *b = *a < *b ? *a : *b;
                changed = true;
            }
        }
    }
    for (uint32_t e = 0; e < edge_count; e++) {
        for (uint32_t f = 0; f < e; f++) {
            if (triangles[e] == triangles[f] && set[e] != set[f]) { return false; }
        }
    }
    return true;
}

static bool collapsed(const uint32_t *corners) {
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

static void random_soups_agree_with_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    int fans[2] = {0, 0}; // soups without a crowded edge: with a vertex of several fans, and without
    for (int round = 0; round < 400; round++) {
        double points[3 * 8];
        uint32_t triangles[3 * 24], kept = 0;
        uint32_t count = 1 + (uint32_t)fr_random_below(&random, round % 2 == 0 ? 24 : 6);
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
        bool fans_are_whole = brute_fans_are_whole(triangles, 3 * kept);
        assert_int_equal(topology->is_manifold, crowded == 0 && fans_are_whole);
        fans[fans_are_whole] += crowded == 0;
        fr_topology_destroy(topology);
        fr_mesh_release(mesh);
    }
    assert_true(fans[0] > 20 && fans[1] > 20);
}

static bool always(void *user) {
    ++*(int *)user;
    return true;
}

static void a_stopped_topology_is_none(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    int calls = 0;
    fr_control control = {.stop = always, .user = &calls};
    for (int weld = 0; weld < 2; weld++) {
        fr_topology_def def = fr_default_topology_def();
        def.is_welded = weld == 1;
        def.control = &control;
        fr_topology *topology = (fr_topology *)(void *)mesh;
        fr_error error;
        assert_int_equal(fr_topology_create(mesh, &def, &topology, &error), FR_ERROR_STOPPED);
        assert_null(topology);
        assert_int_equal(error.status, FR_ERROR_STOPPED);
        assert_int_equal(calls, weld + 1);
    }
    fr_mesh_release(mesh);
}

// Stops at the n-th call.
static bool at_last(void *user) { return --*(int *)user == 0; }

// A caller who wants to stop is heard soon: asked at min_calls once for a hundred thousand triangles in every stage.
static void stop_is_called_often(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere:400x512", NULL, &mesh, NULL), FR_OK);
    uint32_t triangle_count = fr_mesh_get(mesh)->triangle_count;
    int min_calls = 5 * (int)(triangle_count / 100000);
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    for (int stop_at = 1; stop_at <= min_calls; stop_at++) {
        int left = stop_at;
        fr_control control = {.stop = at_last, .user = &left};
        def.control = &control;
        fr_topology *topology = NULL;
        assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_ERROR_STOPPED);
        assert_null(topology);
    }
    fr_mesh_release(mesh);
}

static void needs_its_default_definition(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    fr_topology_def def = {0};
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_ERROR_ARGUMENT);
    assert_null(topology);
    fr_mesh_release(mesh);
    fr_topology_destroy(NULL);
}

static fr_status make_and_destroy(const fr_allocator *allocator, void *context) {
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    def.allocator = *allocator;
    fr_topology *topology = NULL;
    fr_status status = fr_topology_create(context, &def, &topology, NULL);
    fr_topology_destroy(topology);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    fr_mesh *mesh = make_mesh(tetrahedron, 4, tetrahedron_triangles, 4);
    assert_int_equal(test_every_failure(make_and_destroy, mesh), 6);
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
        cmocka_unit_test(needs_its_default_definition),
        cmocka_unit_test(a_stopped_topology_is_none),
        cmocka_unit_test(stop_is_called_often),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
