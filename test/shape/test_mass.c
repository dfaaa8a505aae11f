#include "fureai/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

static fr_mesh *make_box(fr_vec3 size) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(size, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// A copy of a mesh with every position moved, doubles kept.
static fr_mesh *move_mesh(const fr_mesh *mesh, const fr_pose *pose, bool inside_out) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 points[4096];
    uint32_t triangles[3 * 8192];
    assert_true(view->vertex_count <= 4096 && view->triangle_count <= 8192);
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i, corners);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t vertex = view->triangles[3 * i + k];
            points[vertex] = fr_pose_apply(pose, corners[k]);
            triangles[3 * i + (inside_out ? 2 - k : k)] = vertex;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &points[0].x;
    def.vertex_count = view->vertex_count;
    def.triangles = triangles;
    def.triangle_count = view->triangle_count;
    def.is_double = true;
    fr_mesh *moved;
    assert_int_equal(fr_mesh_create(&def, &moved, NULL), FR_OK);
    return moved;
}

static void box_has_the_mass_of_the_textbook(void **state) {
    (void)state;
    fr_mesh *mesh = make_box(fr_vec3_make(1, 2, 4));
    fr_mass mass = fr_mesh_mass(mesh);
    expect_near(mass.area, 28, 1e-13);
    expect_near(mass.volume, 8, 1e-13);
    expect_near(fr_vec3_length(mass.center), 0, 1e-15);
    expect_near(mass.inertia.row[0].x, 8.0 * (4 + 16) / 12, 1e-12);
    expect_near(mass.inertia.row[1].y, 8.0 * (1 + 16) / 12, 1e-12);
    expect_near(mass.inertia.row[2].z, 8.0 * (1 + 4) / 12, 1e-12);
    expect_near(mass.inertia.row[0].y, 0, 1e-12);
    fr_mesh_release(mesh);
}

static void turning_and_moving_carry_the_inertia_along(void **state) {
    (void)state;
    fr_mesh *mesh = make_box(fr_vec3_make(1, 2, 4));
    fr_pose pose = fr_pose_make(fr_vec3_make(10, -20, 5), fr_quat_from_axis_angle(fr_vec3_make(1, 2, 3), 0.7));
    fr_mesh *moved = move_mesh(mesh, &pose, false);
    fr_mass here = fr_mesh_mass(mesh), there = fr_mesh_mass(moved);
    fr_mat3 turn = fr_quat_to_mat3(pose.rotation);
    fr_mat3 expected = fr_mat3_multiply(fr_mat3_multiply(turn, here.inertia), fr_mat3_transpose(turn));
    expect_near(there.volume, here.volume, 1e-10);
    expect_near(fr_vec3_distance(there.center, pose.position), 0, 1e-12);
    for (int i = 0; i < 3; i++) {
        expect_near(fr_vec3_distance(there.inertia.row[i], expected.row[i]), 0, 1e-10);
    }
    fr_mesh_release(mesh);
    fr_mesh_release(moved);
}

static void far_from_the_origin_keeps_its_digits(void **state) {
    (void)state;
    fr_mesh *mesh = make_box(fr_vec3_make(1, 1, 1));
    fr_pose pose = fr_pose_make(fr_vec3_make(1e6, 1e6, -1e6), fr_quat_identity());
    fr_mesh *moved = move_mesh(mesh, &pose, false);
    fr_mass mass = fr_mesh_mass(moved);
    expect_near(mass.volume, 1, 1e-9);
    expect_near(mass.inertia.row[0].x, 1.0 / 6, 1e-9);
    fr_mesh_release(mesh);
    fr_mesh_release(moved);
}

static void inside_out_has_negative_volume_and_the_same_centre(void **state) {
    (void)state;
    fr_mesh *mesh = make_box(fr_vec3_make(1, 2, 4));
    fr_pose pose = fr_pose_make(fr_vec3_make(3, 0, 0), fr_quat_identity());
    fr_mesh *moved = move_mesh(mesh, &pose, true);
    fr_mass mass = fr_mesh_mass(moved);
    expect_near(mass.volume, -8, 1e-12);
    expect_near(mass.center.x, 3, 1e-12);
    fr_mesh_release(mesh);
    fr_mesh_release(moved);
}

static void flat_surface_has_the_centre_of_its_area(void **state) {
    (void)state;
    const double points[] = {0, 0, 7, 3, 0, 7, 0, 3, 7};
    const uint32_t triangle[] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_mass mass = fr_mesh_mass(mesh);
    expect_near(mass.area, 4.5, 1e-14);
    expect_near(fr_vec3_distance(mass.center, fr_vec3_make(1, 1, 7)), 0, 1e-14);
    fr_mesh_release(mesh);
}

static void fine_sphere_comes_near_the_ball(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 200, 400, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    fr_mass mass = fr_mesh_mass(mesh);
    expect_near(mass.volume, 4.0 / 3.0 * FR_PI, 1e-3);
    expect_near(mass.area, 4.0 * FR_PI, 1e-3);
    expect_near(mass.inertia.row[1].y, 0.4 * mass.volume, 1e-3);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_the_mass_of_the_textbook),
        cmocka_unit_test(turning_and_moving_carry_the_inertia_along),
        cmocka_unit_test(far_from_the_origin_keeps_its_digits),
        cmocka_unit_test(inside_out_has_negative_volume_and_the_same_centre),
        cmocka_unit_test(flat_surface_has_the_centre_of_its_area),
        cmocka_unit_test(fine_sphere_comes_near_the_ball),
    };
    return cmocka_run_group_tests_name("mass", tests, NULL, NULL);
}
