#include "failing.h"
#include "fureai/shape.h"

static const double nan_value = (double)NAN;

// A solid: closed, manifold, in one piece, faces outwards, with the triangles the header promises.
static void expect_solid(fr_mesh *mesh, uint32_t triangle_count) {
    fr_topology_def def = fr_default_topology_def();
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
    assert_true(topology->is_closed && topology->is_manifold);
    assert_int_equal(topology->component_count, 1);
    fr_topology_destroy(topology);
    assert_int_equal(fr_mesh_get(mesh)->triangle_count, triangle_count);
    assert_int_equal(fr_mesh_get(mesh)->degenerate_count, 0);
    assert_true(fr_mesh_mass(mesh).volume > 0.0);
}

static void expect_bounds(fr_mesh *mesh, double x, double y, double z) {
    const fr_bounds *bounds = &fr_mesh_get(mesh)->bounds;
    const double tolerance = 1e-6;
    assert_true(fr_vec3_distance(bounds->max, fr_vec3_make(x, y, z)) < tolerance);
    assert_true(fr_vec3_distance(bounds->min, fr_vec3_make(-x, -y, -z)) < tolerance);
}

static void box_is_a_solid_of_12(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 2, 3), NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 12);
    expect_bounds(mesh, 0.5, 1, 1.5);
    fr_mesh_release(mesh);
}

static void sphere_has_the_count_of_the_header_on_every_axis(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t stacks = 2; stacks < 12; stacks += 3) {
            fr_mesh *mesh;
            assert_int_equal(fr_mesh_create_sphere(2.0, stacks, 2 * stacks, (fr_axis)axis, NULL, &mesh, NULL), FR_OK);
            expect_solid(mesh, 2 * (2 * stacks) * (stacks - 1));
            fr_vec3 top = fr_mesh_get(mesh)->bounds.max;
            double pole = axis == 0 ? top.x : axis == 1 ? top.y : top.z;
            assert_true(pole == 2.0);
            fr_mesh_release(mesh);
        }
    }
}

static void round_ones_are_solids_of_their_size(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_capsule(0.5, 2.0, 8, 16, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 2 * 16 * 8);
    expect_bounds(mesh, 0.5, 1.5, 0.5);
    fr_mesh_release(mesh);

    assert_int_equal(fr_mesh_create_capsule(0.5, 2.0, 2, 4, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 2 * 4 * 2);
    expect_bounds(mesh, 1.5, 0.5, 0.5);
    fr_mesh_release(mesh);

    assert_int_equal(fr_mesh_create_cylinder(0.5, 2.0, 16, FR_AXIS_Z, NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 4 * 16);
    expect_bounds(mesh, 0.5, 0.5, 1.0);
    fr_mesh_release(mesh);

    assert_int_equal(fr_mesh_create_cone(0.5, 2.0, 16, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 2 * 16);
    expect_bounds(mesh, 0.5, 1.0, 0.5);
    assert_true(fabs(fr_mesh_mass(mesh).center.y + 0.5) < 1e-6);
    fr_mesh_release(mesh);

    assert_int_equal(fr_mesh_create_torus(1.0, 0.25, 16, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    expect_solid(mesh, 2 * 16 * 8);
    expect_bounds(mesh, 1.25, 0.25, 1.25);
    fr_mesh_release(mesh);
}

static void extrusion_takes_concave_outlines_in_both_orders(void **state) {
    (void)state;
    fr_vec2 corner[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, turned[6];
    for (int i = 0; i < 6; i++) {
        turned[i] = corner[5 - i];
    }
    for (int turn = 0; turn < 2; turn++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_extrusion(turn == 0 ? corner : turned, 6, 3.0, NULL, &mesh, NULL), FR_OK);
        expect_solid(mesh, 4 * 6 - 4);
        assert_true(fabs(fr_mesh_mass(mesh).volume - 9.0) < 1e-6);
        assert_true(fr_mesh_get(mesh)->bounds.max.z == 1.5);
        fr_mesh_release(mesh);
    }
}

static void extrusion_refuses_what_is_no_polygon(void **state) {
    (void)state;
    fr_vec2 crossed[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, flat[] = {{0, 0}, {1, 0}, {2, 0}},
            broken[] = {{0, 0}, {1, 0}, {0, nan_value}};
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_extrusion(crossed, 4, 1.0, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_extrusion(flat, 3, 1.0, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_extrusion(broken, 3, 1.0, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_extrusion(crossed, 2, 1.0, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_extrusion(crossed, 3, 0.0, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_null(mesh);
}

static void wrong_sizes_are_refused(void **state) {
    (void)state;
    const double wrong[] = {0.0, -1.0, nan_value, (double)INFINITY};
    fr_mesh *mesh;
    for (int i = 0; i < 4; i++) {
        double bad = wrong[i];
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, bad, 1), NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_mesh_create_sphere(bad, 4, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_mesh_create_capsule(1, bad, 4, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_mesh_create_cylinder(bad, 1, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_mesh_create_cone(1, bad, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_mesh_create_torus(1, bad, 8, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    }
    assert_int_equal(fr_mesh_create_sphere(1, 1, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_sphere(1, 2, 2, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_capsule(1, 1, 3, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_torus(1, 1, 8, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_mesh_create_sphere(1, 100000, 100000, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_mesh_create_torus(1, 0.5, UINT32_MAX, UINT32_MAX, FR_AXIS_Y, NULL, &mesh, NULL),
                     FR_ERROR_LIMIT);
    assert_int_equal(fr_mesh_create_sphere(1e300, 4, 8, FR_AXIS_Y, NULL, &mesh, NULL), FR_ERROR_NOT_FINITE);
}

enum { PRIMITIVES = 8 };

static fr_status make_primitive(const fr_allocator *allocator, void *context) {
    const fr_vec2 corner[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    fr_mesh_def like = fr_default_mesh_def();
    like.allocator = *allocator;
    fr_mesh *mesh = NULL;
    fr_status status = FR_OK;
    switch (*(const int *)context) {
    case 0: status = fr_mesh_create_extrusion(corner, 6, 1.0, &like, &mesh, NULL); break;
    case 1: status = fr_mesh_create_box(fr_vec3_make(1, 2, 3), &like, &mesh, NULL); break;
    case 2: status = fr_mesh_create_sphere(1.0, 12, 16, FR_AXIS_Y, &like, &mesh, NULL); break;
    case 3: status = fr_mesh_create_capsule(1.0, 2.0, 8, 12, FR_AXIS_Y, &like, &mesh, NULL); break;
    case 4: status = fr_mesh_create_cylinder(1.0, 2.0, 24, FR_AXIS_Y, &like, &mesh, NULL); break;
    case 5: status = fr_mesh_create_cone(1.0, 2.0, 24, FR_AXIS_Y, &like, &mesh, NULL); break;
    case 6: status = fr_mesh_create_torus(2.0, 0.5, 12, 16, FR_AXIS_Y, &like, &mesh, NULL); break;
    default: status = fr_mesh_create_named(fr_mesh_name(3), &like, &mesh, NULL); break;
    }
    if (status == FR_OK) { test_note(fr_mesh_get(mesh)->triangles, 12 * (size_t)fr_mesh_get(mesh)->triangle_count); }
    fr_mesh_release(mesh);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    for (int i = 0; i < PRIMITIVES; i++) {
        assert_true(test_every_failure(make_primitive, &i) > 3);
    }
}

static bool stop_at_third_call(void *user) { return ++*(int *)user >= 3; }

// A shape of many points is stopped while they are made, before there is a mesh.
static void a_large_shape_is_stopped_at_once(void **state) {
    (void)state;
    int calls = 0;
    const fr_control control = {.stop = stop_at_third_call, .user = &calls};
    fr_mesh_def like = fr_default_mesh_def();
    like.control = &control;
    fr_mesh *mesh = NULL;
    fr_error error = {0};
    assert_int_equal(fr_mesh_create_sphere(1.0, 1000, 1000, FR_AXIS_Y, &like, &mesh, &error), FR_ERROR_STOPPED);
    assert_null(mesh);
    assert_int_equal(calls, 3);
    assert_string_equal(error.message, "stopped while making a shape");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_is_a_solid_of_12),
        cmocka_unit_test(sphere_has_the_count_of_the_header_on_every_axis),
        cmocka_unit_test(round_ones_are_solids_of_their_size),
        cmocka_unit_test(extrusion_takes_concave_outlines_in_both_orders),
        cmocka_unit_test(extrusion_refuses_what_is_no_polygon),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(a_large_shape_is_stopped_at_once),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("primitive", tests, NULL, NULL);
}
