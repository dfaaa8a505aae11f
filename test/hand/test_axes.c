// The round places of meshes: pegs and holes.
#include "failing.h"
#include "hands.h"
#include "plates.h"

static uint32_t axes_of(const fr_mesh *mesh, fr_aid_axis *axes, uint32_t capacity) {
    uint32_t count;
    assert_int_equal(fr_aid_axes(mesh, NULL, axes, capacity, &count, NULL), FR_OK);
    return count;
}

static void test_cylinders_are_pegs(void **state) {
    (void)state;
    for (uint32_t sides = 3; sides <= 128; sides += sides < 12 ? 1 : 13) {
        fr_mesh *mesh;
        fr_aid_axis axis;
        assert_int_equal(fr_mesh_create_cylinder(0.5, 3.0, sides, FR_AXIS_Z, NULL, &mesh, NULL), FR_OK);
        uint32_t count = axes_of(mesh, &axis, 1);
        assert_int_equal(count, sides >= FR_AID_AXIS_FACETS ? 1 : 0);
        fr_mesh_release(mesh);
        if (count == 0) { continue; }
        assert_false(axis.is_hole);
        assert_int_equal(axis.facet_count, sides);
        assert_true(fabs(axis.radius - 0.5) < 1e-6 && fabs(axis.outer - 0.5) < 1e-6);
        assert_true(fabs(axis.inner - 0.5 * cos(FR_PI / sides)) < 1e-6);
        assert_true(fabs(axis.length - 3.0) < 1e-6);
        assert_true(fr_vec3_length(axis.point) < 1e-6);
        assert_true(fabs(fabs(axis.direction.z) - 1.0) < 1e-9);
        assert_true(fabs(axis.angle - 2.0 * FR_PI) < 0.1);
    }
}

static void test_holes_of_plates_are_found(void **state) {
    (void)state;
    for (uint32_t sides = 12; sides <= 96; sides += 12) {
        fr_mesh *mesh = make_plate(0.05, 0.02, 0.012, sides);
        fr_aid_axis axes[4];
        assert_int_equal(axes_of(mesh, axes, 4), 1);
        assert_true(axes[0].is_hole);
        assert_int_equal(axes[0].facet_count, sides);
        assert_true(fabs(axes[0].radius - 0.012) < 1e-7);
        assert_true(fabs(axes[0].inner - 0.012 * cos(FR_PI / sides)) < 1e-7);
        assert_true(fabs(axes[0].length - 0.02) < 1e-7);
        assert_true(fabs(fabs(axes[0].direction.y) - 1.0) < 1e-9);
        fr_mesh_release(mesh);
    }
}

static void test_what_is_not_round_has_no_axis(void **state) {
    (void)state;
    const char *names[7] = {"box", "cone", "sphere_360", "sphere_960", "sphere_3968", "torus", "chair"};
    for (int i = 0; i < 7; i++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named(names[i], NULL, &mesh, NULL), FR_OK);
        assert_int_equal(axes_of(mesh, NULL, 0), 0);
        fr_mesh_release(mesh);
    }
}

// A cake from which a piece is cut: round where more than 200 degrees are left.
static void test_more_than_200_degrees_are_needed(void **state) {
    (void)state;
    for (uint32_t degrees = 60; degrees <= 340; degrees += 20) {
        fr_vec2 points[64];
        uint32_t steps = degrees / 10;
        points[0] = (fr_vec2){0.0, 0.0};
        for (uint32_t i = 0; i <= steps; i++) {
            double angle = fr_radians(10.0 * i);
            points[1 + i] = (fr_vec2){cos(angle), sin(angle)};
        }
        fr_mesh *mesh;
        fr_aid_axis axis;
        assert_int_equal(fr_mesh_create_extrusion(points, steps + 2, 1.0, NULL, &mesh, NULL), FR_OK);
        uint32_t count = axes_of(mesh, &axis, 1);
        assert_int_equal(count, degrees > 200 ? 1 : 0);
        if (count == 1) {
            assert_true(fabs(fr_degrees(axis.angle) - degrees) < 3.0);
            assert_int_equal(axis.facet_count, steps);
            assert_true(fabs(axis.radius - 1.0) < 1e-6);
        }
        fr_mesh_release(mesh);
    }
}

// A mesh that is turned and moved has its axis turned and moved.
static void test_axes_go_with_the_mesh(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    fr_mesh *mesh = make_plate(0.5, 0.2, 0.12, 24);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    uint64_t cases = test_count(50, 2000);
    for (uint64_t i = 0; i < cases; i++) {
        double positions[96][3];
        fr_pose pose = random_pose(&random, 2.0, 3.1);
        assert_true(view->vertex_count <= 96);
        for (uint32_t k = 0; k < view->vertex_count; k++) {
            const float *p = view->positions_float + 3 * (size_t)k;
            fr_vec3 at = fr_pose_apply(&pose, fr_vec3_make((double)p[0], (double)p[1], (double)p[2]));
            positions[k][0] = at.x;
            positions[k][1] = at.y;
            positions[k][2] = at.z;
        }
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = &positions[0][0];
        def.vertex_count = view->vertex_count;
        def.triangles = view->triangles;
        def.triangle_count = view->triangle_count;
        def.is_double = true;
        fr_mesh *moved;
        fr_aid_axis axis;
        assert_int_equal(fr_mesh_create(&def, &moved, NULL), FR_OK);
        assert_int_equal(axes_of(moved, &axis, 1), 1);
        assert_true(axis.is_hole && fabs(axis.radius - 0.12) < 1e-6);
        assert_true(fr_vec3_distance(axis.point, pose.position) < 1e-6);
        fr_vec3 along = fr_pose_turn(&pose, fr_vec3_make(0.0, 1.0, 0.0));
        assert_true(fabs(fabs(fr_vec3_dot(axis.direction, along)) - 1.0) < 1e-9);
        fr_mesh_release(moved);
    }
    fr_mesh_release(mesh);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    uint32_t count = 0;
    fr_aid_axis axis;
    fr_status status = fr_aid_axes(context, allocator, &axis, 1, &count, NULL);
    assert_int_equal(count, status == FR_OK ? 1 : 0);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fr_mesh *mesh = make_plate(0.05, 0.02, 0.012, 16);
    assert_true(test_every_failure(make, mesh) > 6);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cylinders_are_pegs),
        cmocka_unit_test(test_holes_of_plates_are_found),
        cmocka_unit_test(test_what_is_not_round_has_no_axis),
        cmocka_unit_test(test_more_than_200_degrees_are_needed),
        cmocka_unit_test(test_axes_go_with_the_mesh),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
