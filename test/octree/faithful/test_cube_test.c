#include "octree/faithful/cube_test.h"

#include "octree/solids.h"

typedef struct pair {
    double large, small;
    fr_vec3 middle;
    fr_mat3 axes;
} pair;

static pair random_pair(fr_random *random) {
    pair p;
    p.large = fr_random_between(random, 0.5, 2.0);
    p.small = p.large * fr_random_between(random, 0.2, 1.0);
    double reach = p.large + 1.8 * p.small;
    p.middle = random_about(random, reach);
    fr_vec3 axis = random_about(random, 1.0);
    p.axes = fr_octree_motion_turn(p.middle, axis, fr_random_between(random, -3.0, 3.0)).rotation;
    return p;
}

// Whether a small change of size turns the answer: the cubes are within that of touching.
static bool is_close(const pair *p) {
    return fr_cube_test_axes(p->large, p->middle, p->small + 1e-9, &p->axes) !=
           fr_cube_test_axes(p->large, p->middle, p->small - 1e-9, &p->axes);
}

static void the_two_exact_tests_agree(void **state) {
    (void)state;
    fr_random random = fr_random_seed(91);
    uint64_t counts[3] = {0, 0, 0};
    for (uint64_t i = 0; i < test_count(100000, 1000000); i++) {
        pair p = random_pair(&random);
        fr_cube_relation staged = fr_cube_test_staged(p.large, p.middle, p.small, &p.axes);
        fr_cube_relation axes = fr_cube_test_axes(p.large, p.middle, p.small, &p.axes);
        counts[axes]++;
        if (staged != axes) { assert_true(is_close(&p)); }
    }
    assert_true(counts[FR_CUBE_APART] > 1000 && counts[FR_CUBE_PARTLY] > 1000 && counts[FR_CUBE_CONTAINED] > 100);
}

// By the distance of the two boxes as convex sets.
static void they_agree_with_the_distance_of_convex_sets(void **state) {
    (void)state;
    fr_random random = fr_random_seed(92);
    for (uint64_t i = 0; i < test_count(3000, 100000); i++) {
        pair p = random_pair(&random);
        fr_vec3 a[8], b[8];
        for (int k = 0; k < 8; k++) {
            fr_vec3 signs = {k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
            a[k] = fr_vec3_scale(p.large, signs);
            b[k] = fr_vec3_add(p.middle, fr_mat3_apply(p.axes, fr_vec3_scale(p.small, signs)));
        }
        fr_convex ca = {a, 8, 0.0}, cb = {b, 8, 0.0};
        double distance = fr_gjk(&ca, &cb, fr_vec3_make(0.0, 0.0, 0.0)).distance;
        if (distance > 0.0 && distance < 1e-6) { continue; }
        bool is_apart = fr_cube_test_axes(p.large, p.middle, p.small, &p.axes) == FR_CUBE_APART;
        if (is_apart != (distance > 0.0)) { assert_true(is_close(&p)); }
    }
}

static void upright_cubes_are_told_apart_at_their_borders(void **state) {
    (void)state;
    fr_mat3 identity = fr_mat3_identity();
    const struct {
        double x;
        fr_cube_relation relation;
    } cases[] = {{0.0, FR_CUBE_CONTAINED},
                 {0.5, FR_CUBE_CONTAINED},
                 {0.75, FR_CUBE_PARTLY},
                 {1.4, FR_CUBE_PARTLY},
                 {1.6, FR_CUBE_APART}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_vec3 middle = {cases[i].x, 0.0, 0.0};
        assert_int_equal(fr_cube_test_staged(1.0, middle, 0.5, &identity), cases[i].relation);
        assert_int_equal(fr_cube_test_axes(1.0, middle, 0.5, &identity), cases[i].relation);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_exact_tests_agree),
        cmocka_unit_test(they_agree_with_the_distance_of_convex_sets),
        cmocka_unit_test(upright_cubes_are_told_apart_at_their_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
