// A mesh inside of another: as deep as it shall be, for solids with notches, open sheets and broken files alike.
#include "failing.h"
#include "frame.h"

#include "shape/mesh_inset.h"

#include <math.h>
#include <string.h>

#define DEPTH 1e-4

static fr_mesh *inset_of(const fr_mesh *mesh) {
    const fr_allocator allocator = fr_default_allocator();
    fr_mesh *inside = NULL;
    assert_int_equal(fr__mesh_inset(mesh, DEPTH, &allocator, &inside, NULL), FR_OK);
    return inside;
}

// No corner is moved too far. Returns the smallest distance of any point of the inset from the mesh.
static double check_inset(const fr_mesh *mesh, const fr_mesh *inside) {
    const uint32_t count = fr_mesh_get(mesh)->triangle_count;
    double smallest = INFINITY;
    assert_int_equal(fr_mesh_get(inside)->triangle_count, count);
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        fr_mesh_corners(inside, i, a);
        fr_mesh_corners(mesh, i, b);
        for (int k = 0; k < 3; k++) {
            assert_true(fr_vec3_distance(a[k], b[k]) <= FR__INSET_MAX * DEPTH * (1.0 + 1e-9));
        }
        for (uint32_t j = 0; j < count; j++) {
            fr_mesh_corners(mesh, j, b);
            smallest = fmin(smallest, fr_triangle_distance(a, b, NULL, NULL));
        }
    }
    return smallest;
}

static void check_solid(const fr_mesh *mesh, double share) {
    fr_mesh *inside = inset_of(mesh);
    double smallest = check_inset(mesh, inside), volume = fr_mesh_mass(mesh).volume;
    if (!(smallest >= share * DEPTH)) { fail_msg("%g of the depth is kept, not %g", smallest / DEPTH, share); }
    assert_true(fabs(fr_mesh_mass(inside).volume) < fabs(volume));
    fr_mesh_release(inside);
}

// The same faces, each with corners of its own, and turned inside out where wanted.
static fr_mesh *torn(const fr_mesh *mesh, bool is_turned, uint32_t left_out) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    uint32_t count = view->triangle_count - left_out;
    double *positions = calloc(9 * (size_t)count, sizeof *positions);
    uint32_t *triangles = calloc(3 * (size_t)count, sizeof *triangles);
    for (uint32_t t = 0; t < count; t++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, t + left_out, corners);
        for (uint32_t k = 0; k < 3; k++) {
            memcpy(positions + 9 * (size_t)t + 3 * k, &corners[is_turned ? 2 - k : k], sizeof corners[0]);
            triangles[3 * t + k] = 3 * t + k;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = 3 * count;
    def.triangles = triangles;
    def.triangle_count = count;
    def.is_double = true;
    fr_mesh *out = NULL;
    assert_int_equal(fr_mesh_create(&def, &out, NULL), FR_OK);
    free(positions);
    free(triangles);
    return out;
}

// As they are, torn into triangles, and torn and turned inside out. The tips of a cone and of teeth are sharp: their
// faces go less deep.
static void test_solids(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double share;
    } solids[] = {{"box", 0.999},  {"sphere_168", 0.999}, {"torus", 0.99}, {"cylinder", 0.999},
                  {"chair", 0.99}, {"gear", 0.5},         {"cone", 0.5}};
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        fr_mesh *mesh = NULL;
        assert_int_equal(fr_mesh_create_named(solids[i].name, NULL, &mesh, NULL), FR_OK);
        check_solid(mesh, solids[i].share);
        for (int k = 0; k < 2; k++) {
            fr_mesh *other = torn(mesh, k == 1, 0);
            check_solid(other, solids[i].share);
            fr_mesh_release(other);
        }
        fr_mesh_release(mesh);
    }
}

// A box without its first triangles: the border moves into the faces.
static void test_open_meshes(void **state) {
    (void)state;
    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 2.0, 3.0), NULL, &box, NULL), FR_OK);
    fr_mesh *open = torn(box, false, 2), *inside = inset_of(open);
    assert_true(check_inset(open, inside) >= 0.999 * DEPTH);
    const fr_bounds *outer = &fr_mesh_get(open)->bounds, *inner = &fr_mesh_get(inside)->bounds;
    assert_true(outer->min.x < inner->min.x && outer->min.y < inner->min.y && outer->min.z < inner->min.z);
    assert_true(outer->max.x > inner->max.x && outer->max.y > inner->max.y && outer->max.z > inner->max.z);
    fr_mesh_release(inside);
    fr_mesh_release(open);
    fr_mesh_release(box);
}

// Triangles that are segments and points, a sheet with two sides, all at one place: a mesh of finite numbers.
static void test_broken_meshes(void **state) {
    (void)state;
    static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0};
    static const uint32_t triangles[][3] = {{0, 1, 2}, {0, 2, 1}, {0, 0, 1}, {2, 2, 2}, {0, 1, 3},
                                            {0, 1, 2}, {3, 1, 0}, {1, 0, 2}, {0, 3, 2}, {2, 3, 0}};
    for (uint32_t first = 0; first < 10; first++) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = positions;
        def.vertex_count = 4;
        def.triangles = triangles[first];
        def.triangle_count = 10 - first;
        fr_mesh *mesh = NULL;
        assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
        fr_mesh *inside = inset_of(mesh);
        (void)check_inset(mesh, inside);
        fr_mesh_release(inside);
        fr_mesh_release(mesh);
    }
}

static fr_status make_with(const fr_allocator *allocator, void *context) {
    fr_mesh *inside = NULL;
    fr_status status = fr__mesh_inset(context, DEPTH, allocator, &inside, NULL);
    fr_mesh_release(inside);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &box, NULL), FR_OK);
    assert_true(test_every_failure(make_with, box) >= 8);
    fr_mesh_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solids), cmocka_unit_test(test_open_meshes),
                                       cmocka_unit_test(test_broken_meshes),
                                       cmocka_unit_test(test_every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
