// The distance of two objects, against every pair of triangles.
#include "frame.h"
#include "scene_sets.h"

static void invalid_input_is_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_object_id a = scene_add(&s, true), b = scene_add(&s, true), none = {0, 0, 0};
    fr_object_distance out;
    assert_int_equal(fr_space_distance(s.space, a, b, 1, &out, NULL), FR_ERROR_STALE_DATA);
    scene_update(&s);
    assert_int_equal(fr_space_distance(s.space, a, none, 1, &out, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_distance(s.space, a, b, NAN, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_distance(s.space, a, b, -1, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_distance(s.space, a, a, 1, &out, NULL), FR_OK);
    assert_true(out.distance == 0 && out.triangle_a == 0 && out.triangle_b == 0);
    scene_close(&s);
}

static fr_vec3 *corners_of(const scene *s, fr_object_id id, uint32_t *count) {
    *count = fr_object_get(s->space, id)->triangle_count;
    fr_vec3 *corners = malloc(3 * *count * sizeof *corners);
    assert_non_null(corners);
    for (uint32_t t = 0; t < *count; t++) {
        assert_int_equal(fr_object_corners(s->space, id, t, corners + 3 * (size_t)t, NULL), FR_OK);
    }
    return corners;
}

static fr_object_distance brute_distance(const scene *s, fr_object_id a, fr_object_id b, double limit) {
    fr_object_distance best = {limit, {0, 0, 0}, {0, 0, 0}, FR_NONE, FR_NONE};
    uint32_t count_a, count_b;
    fr_vec3 *corners_a = corners_of(s, a, &count_a), *corners_b = corners_of(s, b, &count_b);
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t j = 0; j < count_b; j++) {
            fr_vec3 on_a, on_b;
            double distance = fr_triangle_distance(corners_a + 3 * (size_t)i, corners_b + 3 * (size_t)j, &on_a, &on_b);
            if (!(distance < best.distance) && !(distance == best.distance && best.triangle_a == FR_NONE)) { continue; }
            fr_object_distance closer = {distance, on_a, on_b, i, j};
            best = closer;
        }
    }
    free(corners_a);
    free(corners_b);
    return best;
}

static void compare_objects(scene *s, int time) {
    (void)time;
    fr_object_id a = scene_any(s), b = scene_any(s);
    double limit = scene_below(s, 2) == 0 ? INFINITY : scene_between(s, 0, 3);
    fr_object_distance expected = brute_distance(s, a, b, limit), out;
    assert_int_equal(fr_space_distance(s->space, a, b, limit, &out, NULL), FR_OK);
    assert_true(out.distance == expected.distance);
    assert_int_equal(out.triangle_a, expected.triangle_a);
    assert_int_equal(out.triangle_b, expected.triangle_b);
    assert_true(fr_vec3_equal(out.on_a, expected.on_a) && fr_vec3_equal(out.on_b, expected.on_b));
}

static void distances_are_those_of_brute_force(void **state) {
    (void)state;
    const scene_trial trial = {300, test_count(40, 400), {2, 8}, 8, 4, compare_objects};
    scene_compare(&trial);
}

// Far apart and far from everything: floats' squares overflow.
static void great_distances_are_found(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_object_id a = scene_add(&s, true), b = scene_add(&s, true);
    fr_pose pose = fr_pose_make(fr_vec3_make(1e25, 0, 0), fr_quat_identity());
    assert_int_equal(fr_object_set_pose(s.space, b, &pose, NULL), FR_OK);
    scene_update(&s);
    fr_object_distance out, expected = brute_distance(&s, a, b, 1e30);
    assert_int_equal(fr_space_distance(s.space, a, b, 1e30, &out, NULL), FR_OK);
    assert_true(out.distance == expected.distance && out.distance > 9e24);
    assert_int_equal(fr_space_distance(s.space, b, a, 1e20, &out, NULL), FR_OK);
    assert_true(out.triangle_a == FR_NONE && out.distance == 1e20);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(distances_are_those_of_brute_force),
        cmocka_unit_test(great_distances_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
