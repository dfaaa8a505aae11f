// The sector of a mesh's faces under a screw.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_held(fr_random *random, const fr_mesh *mesh, const fr_pose *pose, const fr_screw *screw,
                        const fr_sector *s, int samples) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    for (int i = 0; i < samples; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, (uint32_t)fr_random_below(random, count), c);
        double u = i % 2 ? fr_random_unit(random) : (double)(i / 2 % 2), v = fr_random_unit(random) * (1.0 - u);
        fr_vec3 p = fr_vec3_add_scaled(fr_vec3_add_scaled(fr_vec3_scale(1.0 - u - v, c[0]), u, c[1]), v, c[2]);
        p = fr_screw_apply(screw, fr_pose_apply(pose, p), i < 2 ? i : fr_random_unit(random));
        if (!(fr_sector_distance(s, p) <= 1e-12)) { fail_msg("outside by %g", fr_sector_distance(s, p)); }
    }
}

static void test_a_ring_keeps_its_hole(void **state) {
    (void)state;
    fr_mesh *ring;
    assert_int_equal(fr_mesh_create_torus(3.0, 1.0, 64, 32, FR_AXIS_Y, NULL, &ring, NULL), FR_OK);
    fr_pose pose = fr_pose_identity();
    fr_screw screw = {{0, 0, 0}, {0, 1, 0}, 0.5, 0.0};
    fr_sector s;
    assert_int_equal(fr_sector_of_mesh(ring, &pose, &screw, &s, NULL), FR_OK);
    assert_true(s.half_angle == FR_PI && s.inner > 1.95 && s.inner <= 2.0 && fabs(s.outer - 4.0) < 1e-6);
    fr_random random = fr_random_seed(60);
    expect_held(&random, ring, &pose, &screw, &s, 1000);
    screw.axis = fr_vec3_make(0, 0, 0);
    s.outer = 77.0;
    assert_int_equal(fr_sector_of_mesh(ring, &pose, &screw, &s, NULL), FR_ERROR_ARGUMENT);
    assert_true(s.outer == 77.0);
    fr_mesh_release(ring);
}

static void test_holds_named_shapes(void **state) {
    (void)state;
    static const char *const names[] = {"shuttle_528", "chair", "box", "gear", "sphere_80"};
    fr_random random = fr_random_seed(61);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named(names[i], NULL, &mesh, NULL), FR_OK);
        uint64_t count = test_count(12, 1000);
        for (uint64_t k = 0; k < count; k++) {
            fr_pose pose = sample_pose(&random, 4.0);
            fr_screw screw = sample_screw(&random);
            screw.point = sample_point(&random, 3.0);
            fr_sector s;
            assert_int_equal(fr_sector_of_mesh(mesh, &pose, &screw, &s, NULL), FR_OK);
            expect_held(&random, mesh, &pose, &screw, &s, 300);
        }
        fr_mesh_release(mesh);
    }
}

// Far from the axis a convex mesh has the sector of its corners.
static void test_a_box_is_as_tight_as_its_corners(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 4, 1), NULL, &mesh, NULL), FR_OK);
    fr_random random = fr_random_seed(62);
    for (int i = 0; i < 200; i++) {
        fr_pose pose = sample_pose(&random, 10.0);
        fr_oriented_box box = {pose.position, fr_mat3_transpose(fr_quat_to_mat3(pose.rotation)), {1, 2, 0.5}};
        fr_screw screw = sample_screw(&random);
        fr_sector by_mesh, by_box;
        assert_int_equal(fr_sector_of_mesh(mesh, &pose, &screw, &by_mesh, NULL), FR_OK);
        assert_int_equal(fr_sector_of_box(&box, &screw, &by_box, NULL), FR_OK);
        if (by_box.inner == 0.0) { continue; }
        assert_true(fabs(by_mesh.inner - by_box.inner) < 1e-9 && fabs(by_mesh.outer - by_box.outer) < 1e-9);
        assert_true(fabs(by_mesh.half_angle - by_box.half_angle) < 1e-9);
        assert_true(fr_vec3_distance(by_mesh.center, by_box.center) < 1e-9);
        if (by_box.half_angle < FR_PI) { assert_true(fr_vec3_distance(by_mesh.bisector, by_box.bisector) < 1e-8); }
    }
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ring_keeps_its_hole),
        cmocka_unit_test(test_holds_named_shapes),
        cmocka_unit_test(test_a_box_is_as_tight_as_its_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
