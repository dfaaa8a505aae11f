// Polygons that blink together, against all of them asked one by one, and when they are lit.
#include "failing.h"
#include "frame.h"

#include "fureai/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t found[200000], wanted[200000];

// A cube whose sides are n x n squares of two triangles; with polygons a square is one.
static fr_mesh *cube_of(uint32_t n, bool has_polygons) {
    uint32_t vertices = 6 * (n + 1) * (n + 1), count = 0, v = 0;
    double *positions = malloc((size_t)vertices * 3 * sizeof *positions);
    uint32_t *triangles = malloc((size_t)36 * n * n * sizeof *triangles);
    uint32_t *faces = malloc((size_t)12 * n * n * sizeof *faces);
    assert_true(positions != NULL && triangles != NULL && faces != NULL);
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t axis = side / 2, first = v;
        double sign = side % 2 == 0 ? -0.5 : 0.5;
        for (uint32_t i = 0; i < (n + 1) * (n + 1); i++, v++) {
            positions[3 * v + axis] = sign;
            positions[3 * v + (axis + 1) % 3] = (double)(i % (n + 1)) / n - 0.5;
            positions[3 * v + (axis + 2) % 3] = (double)(i / (n + 1)) / n - 0.5;
        }
        for (uint32_t i = 0; i < n * n; i++) {
            uint32_t a = first + i / n * (n + 1) + i % n, b = a + 1, c = a + n + 2, d = a + n + 1;
            uint32_t quad[6] = {a, side % 2 == 0 ? c : b, side % 2 == 0 ? b : c,
                                a, side % 2 == 0 ? d : c, side % 2 == 0 ? c : d};
            memcpy(triangles + 3 * (size_t)count, quad, sizeof quad);
            faces[count] = faces[count + 1] = count / 2;
            count += 2;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = vertices;
    def.triangles = triangles;
    def.triangle_count = count;
    def.faces = has_polygons ? faces : NULL;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    free(positions);
    free(triangles);
    free(faces);
    return mesh;
}

static fr_blink_groups *groups_of(const fr_mesh *mesh, const fr_blink_def *def) {
    fr_blink_groups *groups;
    assert_int_equal(fr_blink_groups_create(mesh, def, &groups, NULL), FR_OK);
    return groups;
}

static void test_one_side_of_a_cube_blinks(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 64; n *= 4) {
        fr_mesh *mesh = cube_of(n, n % 8 == 0);
        fr_blink_groups *groups = groups_of(mesh, NULL);
        fr_blink_def both = fr_default_blink_def();
        both.is_either_side = true;
        fr_blink_groups *sides = groups_of(mesh, &both);
        uint32_t each = 2 * n * n;
        for (uint32_t side = 0; side < 6; side++) {
            assert_int_equal(fr_blink_triangles(groups, side * each + each / 2, found), each);
            for (uint32_t i = 0; i < each; i++) {
                assert_int_equal(found[i], side * each + i);
            }
            assert_int_equal(fr_blink_triangles(sides, side * each, found), 2 * each);
            assert_int_equal(found[0], side / 2 * 2 * each);
        }
        fr_blink_groups_destroy(groups);
        fr_blink_groups_destroy(sides);
        fr_mesh_release(mesh);
    }
}

// The same as asking every triangle, whose normals are the polygons' here.
static void test_groups_are_those_of_all_triangles(void **state) {
    (void)state;
    static const char *const names[] = {"shuttle_528", "sphere_3968", "gear", "knot_1920"};
    static const double angles[] = {0.0, 1.0, 7.5, 45.0};
    fr_random random = fr_random_seed(5);
    uint64_t most = 0;
    for (int n = 0; n < 4; n++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named(names[n], NULL, &mesh, NULL), FR_OK);
        uint32_t count = fr_mesh_get(mesh)->triangle_count;
        fr_topology_def topology_def = fr_default_topology_def();
        fr_topology *topology;
        assert_int_equal(fr_topology_create(mesh, &topology_def, &topology, NULL), FR_OK);
        for (int k = 0; k < 16; k++) {
            fr_blink_def def = fr_default_blink_def();
            def.angle = fr_radians(angles[k % 4]);
            def.is_either_side = (k & 4) != 0;
            def.connected = (k & 8) != 0 ? topology : NULL;
            fr_blink_groups *groups = groups_of(mesh, &def);
            for (int i = 0; i < 20; i++) {
                uint32_t struck = (uint32_t)fr_random_below(&random, count);
                // A hair more: what is just at the angle may differ by rounding
                uint32_t low =
                    fr_mesh_inclined(mesh, struck, def.angle * (1.0 - 1e-9), def.is_either_side, def.connected, wanted);
                uint32_t got = fr_blink_triangles(groups, struck, found);
                assert_true(got >= low);
                uint32_t high = fr_mesh_inclined(mesh, struck, def.angle * (1.0 + 1e-9) + 1e-12, def.is_either_side,
                                                 def.connected, wanted);
                assert_true(got <= high);
                for (uint32_t h = 0; low == high && h < got; h++) {
                    assert_int_equal(found[h], wanted[h]);
                }
                most = got > most ? got : most;
            }
            fr_blink_groups_destroy(groups);
        }
        fr_topology_destroy(topology);
        fr_mesh_release(mesh);
    }
    assert_true(most > 256); // both ways of putting them in order
}

static void test_degenerate_polygons_blink_alone(void **state) {
    (void)state;
    const double positions[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const uint32_t triangles[] = {0, 1, 1, 0, 1, 2, 2, 2, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = 3;
    def.triangles = triangles;
    def.triangle_count = 3;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_blink_groups *groups = groups_of(mesh, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(fr_blink_triangles(groups, i, found), 1);
        assert_int_equal(found[0], i);
    }
    fr_blink_groups_destroy(groups);
    fr_mesh_release(mesh);
}

static void test_points_and_boxes_let_all_of_it_blink(void **state) {
    (void)state;
    uint32_t whole = 0;
    for (int i = 0; i < FR_TOUCH_PAIRS; i++) {
        whole |= fr_blink_is_whole((fr_touch_pair)(1 << i)) ? 1u << i : 0u;
    }
    assert_int_equal(whole, 0x7f); // pairs 1 .. 7
}

static fr_status make(const fr_allocator *allocator, void *context) {
    fr_blink_def def = fr_default_blink_def();
    def.allocator = *allocator;
    fr_blink_groups *groups;
    fr_status status = fr_blink_groups_create(context, &def, &groups, NULL);
    if (status == FR_OK) { fr_blink_groups_destroy(groups); }
    return status;
}

static void test_wrong_definitions_and_memory(void **state) {
    (void)state;
    fr_mesh *mesh = cube_of(2, true);
    fr_blink_groups *groups;
    fr_blink_def def = fr_default_blink_def();
    def.cookie = 0;
    assert_int_equal(fr_blink_groups_create(mesh, &def, &groups, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_blink_def();
    def.angle = 1.0;
    assert_int_equal(fr_blink_groups_create(mesh, &def, &groups, NULL), FR_ERROR_ARGUMENT);
    def.angle = NAN;
    assert_int_equal(fr_blink_groups_create(mesh, &def, &groups, NULL), FR_ERROR_ARGUMENT);
    test_every_failure(make, mesh);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_side_of_a_cube_blinks),
        cmocka_unit_test(test_groups_are_those_of_all_triangles),
        cmocka_unit_test(test_degenerate_polygons_blink_alone),
        cmocka_unit_test(test_points_and_boxes_let_all_of_it_blink),
        cmocka_unit_test(test_wrong_definitions_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
