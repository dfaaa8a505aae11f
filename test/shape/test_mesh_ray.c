#include "frame.h"
#include "mesh_sets.h"
#include "shape/mesh_ray.h"

#include <string.h>

static fr_ray ray_to(fr_vec3 from, fr_vec3 to, double limit) {
    fr_ray ray = {from, fr_vec3_sub(to, from), limit};
    return ray;
}

static fr_ray_hit ray_by_force(const fr_mesh *mesh, const fr_ray *ray) {
    fr__ray_query query;
    fr_ray_hit none = {FR_NONE, 0.0, 0.0, 0.0, false};
    if (!fr__ray_prepare(&mesh->view, ray, &query)) { return none; }
    for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
        fr__ray_triangle(&query, t);
    }
    if (query.hit.triangle == FR_NONE) { return none; }
    int exponent;
    frexp(fr_vec3_largest(ray->direction), &exponent);
    query.hit.distance = ldexp(query.hit.distance, -exponent);
    return query.hit;
}

static void expect_same_hit(const fr_ray_hit *a, const fr_ray_hit *b) {
    assert_int_equal(a->triangle, b->triangle);
    assert_true(a->distance == b->distance && a->u == b->u && a->v == b->v && a->is_back == b->is_back);
}

static fr_vec3 corner_of(const fr_mesh *mesh, uint32_t triangle) {
    fr_vec3 corners[3];
    fr_mesh_corners(mesh, triangle, corners);
    return corners[1];
}

static void hits_a_box_where_it_should(void **state) {
    (void)state;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &mesh, NULL), FR_OK);
    fr_ray ray = {fr_vec3_make(0.25, 0.5, 5), fr_vec3_make(0, 0, -2), INFINITY};
    fr_ray_hit hit = fr_mesh_ray(mesh, &ray);
    fr_vec3 c[3];
    assert_int_not_equal(hit.triangle, FR_NONE);
    assert_true(hit.distance == 2.0 && !hit.is_back);
    fr_mesh_corners(mesh, hit.triangle, c);
    fr_vec3 at = fr_vec3_scale(1.0 - hit.u - hit.v, c[0]);
    at = fr_vec3_add_scaled(fr_vec3_add_scaled(at, hit.u, c[1]), hit.v, c[2]);
    assert_true(fr_vec3_distance(at, fr_vec3_make(0.25, 0.5, 1)) < 1e-12);

    ray.origin.z = 0.0;
    hit = fr_mesh_ray(mesh, &ray);
    assert_true(hit.distance == 0.5 && hit.is_back);
    ray.limit = 0.5;
    assert_true(fr_mesh_ray_any(mesh, &ray));
    ray.limit = 0.4999;
    assert_false(fr_mesh_ray_any(mesh, &ray));
    assert_int_equal(fr_mesh_ray(mesh, &ray).triangle, FR_NONE);

    // Along the plane of the top: its two triangles are not hit, the side at the edge is.
    fr_ray along = {{0.25, 1, 5}, {0, 0, -1}, INFINITY};
    hit = fr_mesh_ray(mesh, &along);
    assert_int_not_equal(hit.triangle, FR_NONE);
    fr_mesh_corners(mesh, hit.triangle, c);
    assert_true(hit.distance == 4.0 && c[0].z == 1 && c[1].z == 1 && c[2].z == 1);

    const fr_ray bad[] = {{{NAN, 0, 0}, {1, 0, 0}, 1},
                          {{0, 0, 0}, {0, 0, 0}, 1},
                          {{0, 0, 0}, {1, 0, 0}, -1},
                          {{0, 0, 0}, {INFINITY, 0, 0}, 1},
                          {{0, 0, 0}, {1, 0, 0}, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(fr_mesh_ray(mesh, &bad[i]).triangle, FR_NONE);
    }
    fr_mesh_release(mesh);
}

// From inside a closed mesh every ray hits, through corners and edges too; lengths of the direction do not matter.
static void no_ray_leaks(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    for (int set = MESH_SET_SPHERE; set <= MESH_SET_BOX; set++) {
        fr_mesh *mesh = make_mesh_of((mesh_set)set, 0, &random);
        uint64_t rounds = test_count(20000, 1000000);
        for (uint64_t i = 0; i < rounds; i++) {
            double x = 0.4 * fr_random_unit(&random), y = 0.3 * fr_random_unit(&random);
            fr_vec3 from = fr_vec3_make(x, y, 0.1), c[3];
            if (i % 3 == 0) { from = fr_vec3_make(0, 0, 0); }
            fr_mesh_corners(mesh, (uint32_t)fr_random_below(&random, mesh->view.triangle_count), c);
            fr_vec3 to = i % 2 == 0 ? c[0] : fr_vec3_lerp(c[0], c[1], fr_random_unit(&random));
            fr_ray ray = ray_to(from, to, INFINITY);
            ray.direction = fr_vec3_scale(pow(10.0, fr_random_between(&random, -200, 200)), ray.direction);
            fr_ray_hit hit = fr_mesh_ray(mesh, &ray);
            assert_int_not_equal(hit.triangle, FR_NONE);
            assert_true(hit.is_back && fr_mesh_ray_any(mesh, &ray));
        }
        fr_mesh_release(mesh);
    }
}

static void the_tree_gives_the_hit_of_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(62);
    for (int set = 0; set < MESH_SET_COUNT; set++) {
        fr_mesh *mesh = make_mesh_of((mesh_set)set, 500, &random);
        uint64_t rounds = test_count(1000, 10000), hits = 0;
        for (uint64_t i = 0; i < rounds; i++) {
            fr_vec3 from = random_place((mesh_set)set, &random), to = random_place((mesh_set)set, &random);
            if (i % 4 == 1) { to = fr_vec3_add(from, fr_vec3_make(0, i % 8 == 1 ? 1.0 : -1.0, 0)); }
            if (i % 4 == 2) { to = corner_of(mesh, (uint32_t)fr_random_below(&random, mesh->view.triangle_count)); }
            fr_ray ray = ray_to(from, to, i % 5 == 0 ? 0.7 : INFINITY);
            fr_ray_hit by_force = ray_by_force(mesh, &ray);
            for (int simd = 0; simd < 2; simd++) {
                fr_simd_set(simd == 0 ? FR_SIMD_BASELINE : fr_simd_best());
                fr_ray_hit by_tree = fr_mesh_ray(mesh, &ray);
                expect_same_hit(&by_tree, &by_force);
                assert_true(fr_mesh_ray_any(mesh, &ray) == (by_force.triangle != FR_NONE));
            }
            hits += by_force.triangle != FR_NONE;
        }
        if (set != MESH_SET_SEGMENTS) { assert_true(hits > 0); }
        fr_mesh_release(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_a_box_where_it_should),
        cmocka_unit_test(no_ray_leaks),
        cmocka_unit_test(the_tree_gives_the_hit_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
