#include "failing.h"
#include "frame.h"
#include "mesh_sets.h"
#include "shape/mesh.h"

#include <string.h>

// The sum over all triangles (van Oosterom and Strackee 1983).
static double winding_by_sum(const fr_mesh *mesh, fr_vec3 point) {
    double sum = 0.0;
    for (uint32_t t = 0; t < fr_mesh_get(mesh)->triangle_count; t++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, t, c);
        for (int k = 0; k < 3; k++) {
            c[k] = fr_vec3_unit(fr_vec3_sub(c[k], point), fr_vec3_make(0, 0, 0));
        }
        double volume = fr_vec3_dot(c[0], fr_vec3_cross(c[1], c[2]));
        double edges = 1.0 + fr_vec3_dot(c[0], c[1]) + fr_vec3_dot(c[1], c[2]) + fr_vec3_dot(c[2], c[0]);
        sum += 2.0 * atan2(volume, edges);
    }
    return sum / (4.0 * FR_PI);
}

// A mesh of the triangles of another whose number, modulo `every`, is not 0; some turned over with `flip`.
static fr_mesh *part_of(const fr_mesh *mesh, uint32_t every, bool flip, bool loose) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    double *points = malloc(9 * (size_t)view->triangle_count * sizeof *points);
    uint32_t *triangles = malloc(3 * (size_t)view->triangle_count * sizeof *triangles);
    double *vertices = malloc(3 * (size_t)view->vertex_count * sizeof *vertices);
    assert_true(points != NULL && triangles != NULL && vertices != NULL);
    for (uint32_t i = 0; i < 3 * view->vertex_count; i++) {
        vertices[i] = (double)view->positions_float[i];
    }
    uint32_t count = 0;
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        if (every > 0 && t % every == 0) { continue; }
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t corner = flip && t % 3 == 0 ? 2 - k : k;
            triangles[3 * count + k] = view->triangles[3 * t + corner];
            memcpy(&points[9 * count + 3 * k], &vertices[3 * triangles[3 * count + k]], 3 * sizeof(double));
        }
        count++;
    }
    fr_mesh *part = NULL;
    if (loose) {
        part = mesh_of_points(points, count, false);
    } else {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = vertices;
        def.vertex_count = view->vertex_count;
        def.triangles = triangles;
        def.triangle_count = count;
        assert_int_equal(fr_mesh_create(&def, &part, NULL), FR_OK);
    }
    free(points);
    free(triangles);
    free(vertices);
    return part;
}

static void a_closed_mesh_winds_a_whole_number_of_times(void **state) {
    (void)state;
    fr_random random = fr_random_seed(91);
    for (int set = MESH_SET_SPHERE; set <= MESH_SET_BOX; set++) {
        fr_mesh *whole = make_mesh_of((mesh_set)set, 0, &random), *loose = part_of(whole, 0, false, true);
        assert_int_equal(whole->border.count, 0);
        assert_int_equal(loose->border.count, 0); // edges cancel by place, not by number
        uint64_t rounds = test_count(3000, 100000);
        for (uint64_t i = 0; i < rounds; i++) {
            fr_vec3 point = random_place((mesh_set)set, &random);
            if (i % 4 == 1) { point = fr_vec3_make(0.25, 0.25, 0.25); }
            double expected = winding_by_sum(whole, point);
            bool on_surface = fr_mesh_closest(whole, point, INFINITY).distance < 1e-9;
            if (on_surface) { continue; }
            assert_true(fr_mesh_winding(whole, point) == nearbyint(expected));
            assert_true(fr_mesh_winding(loose, point) == nearbyint(expected));
            assert_true(fr_mesh_contains(whole, point) == (expected > 0.5));
        }
        fr_mesh_release(whole);
        fr_mesh_release(loose);
    }
}

static void the_surface_is_contained(void **state) {
    (void)state;
    fr_random random = fr_random_seed(92);
    fr_mesh *box = make_mesh_of(MESH_SET_BOX, 0, &random);
    for (int i = 0; i < 2000; i++) {
        double x = (double)fr_random_below(&random, 9) / 8 - 0.5,
               y = 1.5 * ((double)fr_random_below(&random, 9) / 8 - 0.5);
        double z = 2.0 * ((double)fr_random_below(&random, 9) / 8 - 0.5);
        assert_true(fr_mesh_contains(box, fr_vec3_make(x, y, z)));
    }
    assert_false(fr_mesh_contains(box, fr_vec3_make(nextafter(0.5, 1), 0, 0)));
    assert_false(fr_mesh_contains(box, fr_vec3_make(0, 0, nextafter(-1.0, -2))));
    assert_false(fr_mesh_contains(box, fr_vec3_make(NAN, 0, 0)));
    fr_mesh_release(box);
}

static void expect_the_sum(const fr_mesh *mesh, mesh_set set, fr_random *random, uint64_t rounds) {
    for (uint64_t i = 0; i < rounds; i++) {
        fr_vec3 point = random_place(set, random);
        // Straight above or below a corner or an edge: where crossings and strips jump together.
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, (uint32_t)fr_random_below(random, fr_mesh_get(mesh)->triangle_count), corners);
        if (i % 4 == 1) { point = fr_vec3_make(corners[0].x, corners[0].y, corners[0].z + (i % 8 == 1 ? 0.7 : -0.7)); }
        if (i % 4 == 2) {
            fr_vec3 middle = fr_vec3_lerp(corners[0], corners[1], 0.5);
            point = fr_vec3_make(middle.x, middle.y, middle.z + (i % 8 == 2 ? 0.7 : -0.7));
        }
        if (fr_mesh_closest(mesh, point, INFINITY).distance < 1e-3) { continue; }
        assert_true(fabs(fr_mesh_winding(mesh, point) - winding_by_sum(mesh, point)) < 1e-9);
    }
}

static void an_open_mesh_gives_the_sum_over_its_triangles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(93);
    uint64_t rounds = test_count(2000, 20000);
    for (int set = MESH_SET_SPHERE; set <= MESH_SET_BOX; set++) {
        fr_mesh *whole = make_mesh_of((mesh_set)set, 0, &random);
        const uint32_t every[] = {7, 5, 3, 0};
        for (int k = 0; k < 8; k++) {
            fr_mesh *part = part_of(whole, every[k % 4], k >= 4, k % 2 == 1);
            expect_the_sum(part, (mesh_set)set, &random, rounds / 4);
            fr_mesh_release(part);
        }
        fr_mesh_release(whole);
    }
    fr_mesh *soup = make_mesh_of(MESH_SET_SOUP, 60, &random);
    expect_the_sum(soup, MESH_SET_SOUP, &random, rounds / 4);
    fr_mesh_release(soup);
}

// A square of `cells` by `cells` cells, two triangles each, its corners at (0, -0.5, 0) and (1, 0.5, 0).
static fr_mesh *make_square(uint32_t cells) {
    double points[81 * 3];
    uint32_t triangles[64 * 6], count = 0;
    assert_true(cells <= 8);
    for (uint32_t i = 0; i < (cells + 1) * (cells + 1); i++) {
        points[3 * i] = (double)(i % (cells + 1)) / cells;
        points[3 * i + 1] = (double)(i / (cells + 1)) / cells - 0.5;
        points[3 * i + 2] = 0.0;
    }
    for (uint32_t i = 0; i < cells * cells; i++) {
        uint32_t low = i / cells * (cells + 1) + i % cells, high = low + cells + 1;
        const uint32_t two[6] = {low, low + 1, high + 1, low, high + 1, high};
        memcpy(triangles + 6 * count++, two, sizeof two);
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.is_double = true;
    def.positions_double = points;
    def.vertex_count = (cells + 1) * (cells + 1);
    def.triangles = triangles;
    def.triangle_count = 2 * count;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

// Straight below the middle of a border edge the solid angle of a square is known: two rectangles of 1 by 1/2, seen
// from below a corner.
static void near_a_border_the_sum_is_kept(void **state) {
    (void)state;
    for (uint32_t cells = 1; cells <= 8; cells++) { // more border than triangles, and less
        fr_mesh *square = make_square(cells);
        for (double height = 1e-6 * sqrt(2.0); height < 1.0; height *= 1.7) {
            double area = 2.0 * atan2(0.5, height * sqrt(1.25 + height * height));
            double winding = fr_mesh_winding(square, fr_vec3_make(0.0, 0.0, -height));
            assert_true(fabs(winding - area / (4.0 * FR_PI)) < 1e-9);
        }
        fr_mesh_release(square);
    }
}

// A vertex with thousands of faces takes the other way through the border's search.
static void a_crowded_vertex_takes_no_longer(void **state) {
    (void)state;
    enum { SLICES = 5000 };
    fr_random random = fr_random_seed(94);
    fr_mesh *cone = NULL;
    assert_int_equal(fr_mesh_create_sphere(1.0, 2, SLICES, FR_AXIS_Z, NULL, &cone, NULL), FR_OK);
    assert_int_equal(cone->border.count, 0);
    fr_mesh *open = part_of(cone, 2 * SLICES, false, false);
    assert_int_equal(open->border.count, 3);
    expect_the_sum(open, MESH_SET_SPHERE, &random, 20);
    fr_mesh_release(cone);
    fr_mesh_release(open);
}

static fr_status make_open(const fr_allocator *allocator, void *context) {
    (void)context;
    const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t corners[3] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = points;
    def.vertex_count = 3;
    def.triangles = corners;
    def.triangle_count = 1;
    def.allocator = *allocator;
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create(&def, &mesh, NULL);
    fr_mesh_release(mesh);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    assert_true(test_every_failure(make_open, NULL) > 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_mesh_winds_a_whole_number_of_times),
        cmocka_unit_test(the_surface_is_contained),
        cmocka_unit_test(an_open_mesh_gives_the_sum_over_its_triangles),
        cmocka_unit_test(near_a_border_the_sum_is_kept),
        cmocka_unit_test(a_crowded_vertex_takes_no_longer),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
