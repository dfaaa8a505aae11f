#include "frame.h"
#include "mesh_sets.h"
#include "shape/mesh_closest.h"

static fr_closest closest_by_force(const fr_mesh *mesh, fr_vec3 point, double limit) {
    fr__closest_query query = {.view = &mesh->view, .point = point, .limit = limit};
    query.best = (fr_closest){FR_NONE, limit, point};
    for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
        fr__closest_triangle(&query, t);
    }
    return query.best;
}

static void finds_the_side_of_a_box(void **state) {
    (void)state;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &mesh, NULL), FR_OK);
    fr_closest at = fr_mesh_closest(mesh, fr_vec3_make(0.25, 3, 0.5), INFINITY);
    assert_true(fabs(at.distance - 2.0) < 1e-12);
    assert_true(fr_vec3_distance(at.point, fr_vec3_make(0.25, 1, 0.5)) < 1e-12);
    assert_int_not_equal(fr_mesh_closest(mesh, fr_vec3_make(0, 3, 0), 2.0).triangle, FR_NONE);
    assert_int_equal(fr_mesh_closest(mesh, fr_vec3_make(0, 3, 0), 1.999).triangle, FR_NONE);
    assert_int_equal(fr_mesh_closest(mesh, fr_vec3_make(NAN, 3, 0), 1.0).triangle, FR_NONE);
    assert_int_equal(fr_mesh_closest(mesh, fr_vec3_make(0, 0, 0), NAN).triangle, FR_NONE);
    assert_int_equal(fr_mesh_closest(mesh, fr_vec3_make(0, 1, 0), 0.0).triangle,
                     closest_by_force(mesh, fr_vec3_make(0, 1, 0), 0.0).triangle);
    fr_mesh_release(mesh);
}

static void the_tree_gives_the_point_of_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    for (int set = 0; set < MESH_SET_COUNT; set++) {
        fr_mesh *mesh = make_mesh_of((mesh_set)set, 500, &random);
        uint64_t rounds = test_count(500, 10000);
        for (uint64_t i = 0; i < rounds; i++) {
            fr_vec3 point = random_place((mesh_set)set, &random);
            if (i % 7 == 3) { point = fr_vec3_scale(1e6, point); }
            double limit = i % 4 == 0 ? 0.3 * mesh_set_reach((mesh_set)set) : INFINITY;
            fr_closest by_force = closest_by_force(mesh, point, limit);
            for (int simd = 0; simd < 2; simd++) {
                fr_simd_set(simd == 0 ? FR_SIMD_BASELINE : fr_simd_best());
                fr_closest by_tree = fr_mesh_closest(mesh, point, limit);
                assert_int_equal(by_tree.triangle, by_force.triangle);
                assert_true(by_tree.distance == by_force.distance && fr_vec3_equal(by_tree.point, by_force.point));
            }
        }
        fr_mesh_release(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_side_of_a_box),
        cmocka_unit_test(the_tree_gives_the_point_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
