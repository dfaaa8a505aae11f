// The twins of the point kernels against one point at a time, bit for bit.
#include "fureai/math.h"

#include "frame.h"
#include "math/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 33, GUARD = 2 };

static double any_coordinate(fr_random *random, bool finite) {
    static const double special[] = {0.0,        -0.0, 1.0, 5e-324, 1e308, -1e308, (double)INFINITY, -(double)INFINITY,
                                     (double)NAN};
    uint64_t count = finite ? 4 : sizeof special / sizeof special[0];
    if (fr_random_below(random, 6) == 0) { return special[fr_random_below(random, count)]; }
    return fr_random_between(random, -100.0, 100.0);
}

static fr_vec3 any_point(fr_random *random, bool finite) {
    double x = any_coordinate(random, finite), y = any_coordinate(random, finite), z = any_coordinate(random, finite);
    return fr_vec3_make(x, y, z);
}

static fr__frame any_frame(fr_random *random) {
    fr__frame frame;
    for (int i = 0; i < 3; i++) {
        frame.rotation.row[i] = any_point(random, true);
    }
    frame.position = any_point(random, true);
    frame.scale = fr_random_between(random, 0.1, 10.0);
    return frame;
}

// Same bits, or both NaN.
static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static bool same_point(fr_vec3 a, fr_vec3 b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }

// Bounds by the rule of points.h, one point at a time.
static fr_bounds reference_bounds(const fr_vec3 *points, size_t count) {
    fr_bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t column = 0; column < 4; column++) {
        for (size_t i = column; i < count; i += 4) {
            bounds.min = fr_vec3_min(points[i], bounds.min);
            bounds.max = fr_vec3_max(points[i], bounds.max);
        }
    }
    return bounds;
}

static void check_transform(const fr__points_table *table, fr_random *random, size_t count, bool finite) {
    fr_vec3 in[MOST], out[MOST + GUARD];
    fr_vec3f floats[MOST];
    fr__frame frame = any_frame(random);
    const fr_vec3 guard = {7.0, 8.0, 9.0};
    for (size_t i = 0; i < count; i++) {
        in[i] = any_point(random, finite);
        floats[i] = (fr_vec3f){(float)in[i].x, (float)in[i].y, (float)in[i].z};
    }
    for (size_t i = 0; i < MOST + GUARD; i++) {
        out[i] = guard;
    }

    table->transform(&frame, in, count, out);
    for (size_t i = 0; i < count; i++) {
        assert_true(same_point(out[i], fr__frame_apply(&frame, in[i])));
    }
    assert_true(same_point(out[count], guard));

    table->transform_floats(&frame, floats, count, out);
    for (size_t i = 0; i < count; i++) {
        assert_true(same_point(out[i], fr__frame_apply(&frame, fr_vec3_from_floats(floats[i]))));
    }
    assert_true(same_point(out[count], guard));

    fr_vec3 place[MOST];
    memcpy(place, in, count * sizeof *in);
    table->transform(&frame, place, count, place);
    for (size_t i = 0; i < count; i++) {
        assert_true(same_point(place[i], fr__frame_apply(&frame, in[i])));
    }
}

static void check_bounds(const fr__points_table *table, fr_random *random, size_t count, bool finite) {
    fr_vec3 points[MOST];
    for (size_t i = 0; i < count; i++) {
        points[i] = any_point(random, finite);
    }
    fr_bounds expected = reference_bounds(points, count), got = table->bounds(points, count);
    assert_true(same_point(got.min, expected.min) && same_point(got.max, expected.max));
}

static void check_placed_bounds(const fr__points_table *table, fr_random *random, size_t count) {
    fr_vec3 points[MOST];
    fr__frame inner = any_frame(random), frame = any_frame(random);
    for (int both = 0; both < 2; both++) {
        fr_bounds expected = fr_bounds_empty();
        for (size_t i = 0; i < count; i++) {
            points[i] = any_point(random, true);
            fr_vec3 within = both == 1 ? fr__frame_apply(&inner, points[i]) : points[i];
            expected = fr_bounds_with_point(&expected, fr__frame_apply(&frame, within));
        }
        // Equal but for the sign of a zero.
        fr_bounds got = table->placed_bounds(both == 1 ? &inner : NULL, &frame, points, count);
        assert_true(fr_vec3_equal(got.min, expected.min) && fr_vec3_equal(got.max, expected.max));
    }
}

static void check(const fr__points_table *table) {
    fr_random random = fr_random_seed(1);
    uint64_t rounds = test_count(300, 30000);
    for (uint64_t round = 0; round < rounds; round++) {
        for (size_t count = 0; count <= MOST; count++) {
            check_transform(table, &random, count, round % 2 == 0);
            check_bounds(table, &random, count, round % 2 == 0);
            check_placed_bounds(table, &random, count);
        }
    }
}

static void baseline_gives_the_bits_of_single_points(void **state) {
    (void)state;
    check(&fr__points_kernels_baseline);
}

static void avx2_gives_the_bits_of_single_points(void **state) {
    (void)state;
#if defined(FR_HAVE_AVX2_KERNELS)
    if (fr_simd_best() == FR_SIMD_AVX2) {
        check(&fr__points_kernels_avx2);
        return;
    }
#endif
    skip();
}

static void the_table_follows_the_choice(void **state) {
    (void)state;
    assert_true(fr_simd_set(FR_SIMD_BASELINE));
    assert_ptr_equal(fr__points_kernels(), &fr__points_kernels_baseline);
    assert_true(fr_simd_set(fr_simd_best()));
#if defined(FR_HAVE_AVX2_KERNELS)
    if (fr_simd_best() == FR_SIMD_AVX2) { assert_ptr_equal(fr__points_kernels(), &fr__points_kernels_avx2); }
#endif
}

static void nan_points_do_not_spoil_bounds(void **state) {
    (void)state;
    fr_vec3 points[9];
    for (int i = 0; i < 9; i++) {
        points[i] = fr_vec3_make((double)i, 8.0 - (double)i, i == 4 ? (double)NAN : 1.0);
    }
    fr_bounds bounds = fr__points_bounds(points, 9);
    assert_true(same_point(bounds.min, fr_vec3_make(0.0, 0.0, 1.0)));
    assert_true(same_point(bounds.max, fr_vec3_make(8.0, 8.0, 1.0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_follows_the_choice),
        cmocka_unit_test(nan_points_do_not_spoil_bounds),
        cmocka_unit_test(baseline_gives_the_bits_of_single_points),
        cmocka_unit_test(avx2_gives_the_bits_of_single_points),
    };
    return cmocka_run_group_tests_name("points_kernel", tests, NULL, NULL);
}
