// When a moving vertex first meets a moving face.
#include "frame.h"

#include "exact_roots.h"

// A vertex through the middle of a face: sure once it is on the other side.
static void test_a_vertex_through_a_face(void **state) {
    (void)state;
    fr_triangle_path face = {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, NULL};
    fr_triangle_path vertex = {{{1, 1, 3}}, {{1, 1, -1}}, NULL};
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_vertex_face_time(&vertex, &face, &options, &r));
    assert_true(r.time <= 0.75 && r.time >= 0.75 - 1e-6);
    assert_true(r.time_sure >= 0.75 && r.time_sure <= 0.75 + 1e-5);
    assert_int_equal(r.feature, FR_FEATURE_VERTEX_FACE);
    assert_int_equal(r.flags, 0);
    assert_true(fr_vec3_distance(r.normal, fr_vec3_make(0, 0, -1)) < 1e-9);
    assert_float_equal(r.approach, 4.0, 1e-12);

    // Beside the face by more than the tolerance.
    vertex.start[0].x = vertex.end[0].x = 2 + 2e-6;
    assert_false(fr_vertex_face_time(&vertex, &face, &options, &r));
    options.separation = 1e-3;
    assert_true(fr_vertex_face_time(&vertex, &face, &options, &r));
}

// Over the border it is near, and nothing is proven: the vertex may as well pass outside.
static void test_a_vertex_at_the_border_is_near(void **state) {
    (void)state;
    fr_triangle_path face = {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, NULL};
    fr_triangle_path vertex = {{{1, 0, 3}}, {{1, 0, -1}}, NULL};
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_vertex_face_time(&vertex, &face, &options, &r));
    assert_true((r.flags & FR_TIME_NEAR) != 0 && fr_is_unknown(r.time_sure));
}

static void test_exact_roots(void **state) {
    (void)state;
    check_exact_roots(1, 81, test_count(5000, 500000));
}

static void test_random_against_samples(void **state) {
    (void)state;
    check_random_sets(1, 82, test_count(500, 20000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_vertex_through_a_face),
        cmocka_unit_test(test_a_vertex_at_the_border_is_near),
        cmocka_unit_test(test_exact_roots),
        cmocka_unit_test(test_random_against_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
