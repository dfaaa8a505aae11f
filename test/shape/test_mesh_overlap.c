#include "frame.h"
#include "mesh_sets.h"

#include <string.h>

#define MOST 600u

static uint8_t found_by_tree[MOST];

static bool mark_triangle(uint32_t triangle, void *context) {
    (void)context;
    assert_int_equal(found_by_tree[triangle], 0);
    found_by_tree[triangle] = 1;
    return true;
}

static bool end_now(uint32_t triangle, void *context) {
    (void)triangle;
    ++*(int *)context;
    return false;
}

static void expect_same_as_brute_force(const fr_mesh *mesh, const fr_bounds *bounds) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    memset(found_by_tree, 0, sizeof found_by_tree);
    assert_true(fr_mesh_overlap_bounds(mesh, bounds, mark_triangle, NULL));
    for (uint32_t t = 0; t < count; t++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, t, corners);
        assert_int_equal(found_by_tree[t], fr_triangle_box_overlap(corners, bounds));
    }
}

static void the_tree_finds_what_brute_force_finds(void **state) {
    (void)state;
    fr_random random = fr_random_seed(81);
    for (int set = 0; set < MESH_SET_COUNT; set++) {
        fr_mesh *mesh = make_mesh_of((mesh_set)set, MOST, &random);
        uint64_t rounds = test_count(300, 10000);
        for (uint64_t i = 0; i < rounds; i++) {
            fr_vec3 a = random_place((mesh_set)set, &random), b = random_place((mesh_set)set, &random);
            if (i % 2 == 0) { b = fr_vec3_add_scaled(a, 0.1, b); }
            if (i % 16 == 1) { b = a; }
            fr_bounds bounds = {fr_vec3_min(a, b), fr_vec3_max(a, b)};
            if (i % 32 == 2) { bounds = fr_bounds_empty(); }
            expect_same_as_brute_force(mesh, &bounds);
        }
        fr_mesh_release(mesh);
    }
}

static void a_callback_ends_the_search(void **state) {
    (void)state;
    fr_random random = fr_random_seed(82);
    fr_mesh *mesh = make_mesh_of(MESH_SET_SPHERE, 0, &random);
    int calls = 0;
    assert_false(fr_mesh_overlap_bounds(mesh, &fr_mesh_get(mesh)->bounds, end_now, &calls));
    assert_int_equal(calls, 1);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_what_brute_force_finds),
        cmocka_unit_test(a_callback_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
