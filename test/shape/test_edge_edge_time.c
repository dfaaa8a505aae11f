// When two moving edges first meet.
#include "frame.h"

#include "exact_roots.h"

static void test_edges_pass_through_each_other(void **state) {
    (void)state;
    fr_triangle_path a = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}, NULL};
    fr_triangle_path b = {{{0, 1, -1}, {0.25, 1, 1}}, {{0, -3, -1}, {0.25, -3, 1}}, NULL};
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_edge_edge_time(&a, &b, &options, &r));
    assert_true(r.time <= 0.25 && r.time >= 0.25 - 1e-6);
    assert_true(r.time_sure >= 0.25 && r.time_sure <= 0.25 + 1e-5);
    assert_int_equal(r.feature, FR_FEATURE_EDGE_EDGE);
    assert_int_equal(r.flags, 0);
    assert_true(fr_vec3_distance(r.normal, fr_vec3_make(0, 1, 0)) < 1e-9);
    assert_float_equal(r.approach, 4.0, 1e-9);
}

// Parallel edges, moving in the plane they lie in, touch along a length: near, since lines in one plane prove nothing.
static void test_parallel_edges(void **state) {
    (void)state;
    fr_triangle_path a = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}, NULL};
    fr_triangle_path b = {{{-2, 1, 0}, {0.5, 1, 0}}, {{-2, -1, 0}, {0.5, -1, 0}}, NULL};
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_edge_edge_time(&a, &b, &options, &r));
    assert_true(r.time <= 0.5 && r.time >= 0.5 - 1e-6);
    assert_true((r.flags & FR_TIME_NEAR) != 0);

    // On one line, end against end, and never.
    fr_triangle_path c = {{{3, 0, 0}, {5, 0, 0}}, {{1, 0, 0}, {3, 0, 0}}, NULL};
    assert_true(fr_edge_edge_time(&a, &c, &options, &r));
    assert_true(r.time <= 1.0 && r.time >= 1.0 - 1e-6);
    c.end[0].x = c.end[1].x - 1.9;
    assert_false(fr_edge_edge_time(&a, &c, &options, &r));
}

// An edge that is a point is measured to where it is nearest, not to an end.
static void test_a_point_beside_an_edge(void **state) {
    (void)state;
    fr_triangle_path a = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}, NULL};
    fr_triangle_path b = {{{0.25, 0.125, 0}, {0.25, 0.125, 0}}, {{0.25, 0.125, 0}, {0.25, 0.125, 0}}, NULL};
    fr_time_input options = fr_default_time_input();
    options.tolerance = 4.0;
    for (int i = 0; i < 2; i++) {
        fr_time_output r;
        assert_true(fr_edge_edge_time(i == 0 ? &a : &b, i == 0 ? &b : &a, &options, &r));
        assert_true(r.distance == 0.125 && r.normal.y == (i == 0 ? 1.0 : -1.0));
        assert_true(fr_vec3_distance(r.point, fr_vec3_make(0.25, 0.0625, 0)) < 1e-12);
    }
}

static void test_exact_roots(void **state) {
    (void)state;
    check_exact_roots(2, 91, test_count(5000, 500000));
}

static void test_random_against_samples(void **state) {
    (void)state;
    check_random_sets(2, 92, test_count(500, 20000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_pass_through_each_other), cmocka_unit_test(test_parallel_edges),
        cmocka_unit_test(test_a_point_beside_an_edge),        cmocka_unit_test(test_exact_roots),
        cmocka_unit_test(test_random_against_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
