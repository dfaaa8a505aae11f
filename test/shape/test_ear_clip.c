// Cutting polygons into triangles: convex, concave, with equal and collinear points, crossing themselves, large.
#include "failing.h"
#include "frame.h"

#include "random_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static fr_arena *arena;

static int make_arena(void **state) {
    (void)state;
    return fr_arena_create(0, NULL, &arena, NULL) == FR_OK ? 0 : -1;
}

static int destroy_arena(void **state) {
    (void)state;
    fr_arena_destroy(arena);
    return 0;
}

// Cuts and checks: every number in range, and, where clean, no triangle turns against the polygon.
static bool cut(const fr_vec3 *points, size_t count, uint32_t *triangles) {
    bool clean = false;
    fr_arena_reset(arena);
    assert_int_equal(fr_polygon_triangulate(points, count, arena, triangles, &clean, NULL), FR_OK);
    fr_vec3 whole = fr_polygon_area_vector(points, count), sum = {0, 0, 0};
    for (size_t t = 0; t < count - 2; t++) {
        fr_vec3 c[3];
        for (int k = 0; k < 3; k++) {
            assert_true(triangles[3 * t + (size_t)k] < count);
            c[k] = points[triangles[3 * t + (size_t)k]];
        }
        fr_vec3 area = fr_polygon_area_vector(c, 3);
        sum = fr_vec3_add(sum, area);
        if (clean) { assert_true(fr_vec3_dot(area, whole) >= -1e-12 * fr_vec3_length_squared(whole)); }
    }
    assert_true(fr_vec3_distance(sum, whole) <= 1e-9 * (1.0 + fr_vec3_length(whole)));
    return clean;
}

static void test_limits(void **state) {
    (void)state;
    fr_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t triangles[3];
    assert_int_equal(fr_polygon_triangulate(points, 2, arena, triangles, NULL, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_polygon_triangulate(points, FR_POLYGON_MAX_POINTS + 1u, arena, triangles, NULL, NULL),
                     FR_ERROR_LIMIT);
    assert_int_equal(fr_polygon_triangulate(points, 3, arena, triangles, NULL, NULL), FR_OK);
    assert_true(triangles[0] == 0 && triangles[1] == 1 && triangles[2] == 2);
}

static void test_convex_is_a_fan(void **state) {
    (void)state;
    fr_vec3 points[12];
    uint32_t triangles[30];
    for (int turn = -1; turn <= 1; turn += 2) {
        for (int i = 0; i < 12; i++) {
            double angle = turn * i * FR_PI / 6;
            points[i] = fr_vec3_make(3 + cos(angle), sin(angle), 2 * sin(angle) - cos(angle));
        }
        assert_true(cut(points, 12, triangles));
        for (uint32_t i = 0; i < 10; i++) {
            assert_true(triangles[3 * i] == 0 && triangles[3 * i + 1] == i + 1 && triangles[3 * i + 2] == i + 2);
        }
    }
    fr_vec3 square[8] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
    assert_true(cut(square, 8, triangles));
}

static void test_concave_shapes(void **state) {
    (void)state;
    uint32_t triangles[60];
    fr_vec3 arrow[4] = {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
    assert_true(cut(arrow, 4, triangles));
    fr_vec3 start_blunt[4] = {{1, 1, 0}, {0, 4, 0}, {0, 0, 0}, {4, 0, 0}};
    assert_true(cut(start_blunt, 4, triangles));
    fr_vec3 comb[10] = {{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 3, 0}, {4, 1, 0},
                        {3, 1, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {0, 1, 0}};
    assert_true(cut(comb, 10, triangles));
    // A square with a square hole, joined by a bridge that is walked twice.
    fr_vec3 hole[10] = {{0, 0, 0}, {6, 0, 0}, {6, 6, 0}, {0, 6, 0}, {0, 0, 0},
                        {2, 2, 0}, {2, 4, 0}, {4, 4, 0}, {4, 2, 0}, {2, 2, 0}};
    assert_true(cut(hole, 10, triangles));
}

static void test_crossing_and_flat_are_flagged(void **state) {
    (void)state;
    uint32_t triangles[60];
    fr_vec3 bow[5] = {{0, 0, 0}, {4, 4, 0}, {4, 0, 0}, {0, 3, 0}, {-1, 1, 0}};
    assert_false(cut(bow, 5, triangles));
    fr_vec3 line[5] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 1, 1}};
    assert_false(cut(line, 5, triangles));
    fr_vec3 same[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assert_false(cut(same, 4, triangles));
}

// Stars with random spikes: never crossing, far from convex.
static void random_star(fr_random *random, fr_vec3 *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double angle = 2.0 * FR_PI * (double)i / (double)count, r = fr_random_between(random, 0.5, 1.5);
        points[i] = fr_vec3_make(r * cos(angle), 0.3 * r * cos(angle), r * sin(angle));
    }
}

static void test_random_stars(void **state) {
    (void)state;
    fr_random random = fr_random_seed(151);
    fr_vec3 points[64];
    uint32_t triangles[200], again[200];
    for (int i = 0; i < 3000; i++) {
        size_t count = 4 + fr_random_below(&random, 60);
        random_star(&random, points, count);
        assert_true(cut(points, count, triangles));
        assert_true(cut(points, count, again));
        assert_memory_equal(triangles, again, (count - 2) * 3 * sizeof *triangles);
    }
}

// Points that are there twice, and edges that go out and come back the same way, change nothing.
static void test_spikes_and_equal_points_are_clean(void **state) {
    (void)state;
    fr_random random = fr_random_seed(153);
    fr_vec3 star[20], points[100];
    uint32_t triangles[300];
    for (int i = 0; i < 2000; i++) {
        size_t count = 4 + fr_random_below(&random, 16), all = 0;
        random_star(&random, star, count);
        for (size_t k = 0; k < count; k++) {
            points[all++] = star[k];
            uint64_t kind = fr_random_below(&random, 4);
            if (kind == 1) { points[all++] = star[k]; }
            if (kind == 2) { points[all++] = fr_vec3_scale(2.0, star[k]); }
            if (kind >= 2) { points[all++] = star[k]; }
        }
        assert_true(cut(points, all, triangles));
    }
}

static void test_random_tangles_end(void **state) {
    (void)state;
    fr_random random = fr_random_seed(152);
    fr_vec3 points[64];
    uint32_t triangles[200];
    for (int i = 0; i < 3000; i++) {
        size_t count = 4 + fr_random_below(&random, 60);
        for (size_t k = 0; k < count; k++) {
            points[k] = random_whole_point(&random, 3);
            points[k].z = 0.0;
        }
        (void)cut(points, count, triangles);
    }
}

static void test_large_polygons_take_seconds(void **state) {
    (void)state;
    size_t count = test_is_long() ? FR_POLYGON_MAX_POINTS : 1u << 16;
    fr_vec3 *points = malloc(count * sizeof *points);
    uint32_t *triangles = malloc(3 * count * sizeof *triangles);
    assert_true(points != NULL && triangles != NULL);
    for (size_t i = 0; i < count; i++) { // a coast: a circle with many small bays
        double angle = 2.0 * FR_PI * (double)i / (double)count;
        double r = 1.0 + 0.05 * sin(40 * angle) + (i % 2 == 0 ? 2.0 / (double)count : 0.0);
        points[i] = fr_vec3_make(r * cos(angle), r * sin(angle), 0.0);
    }
    uint64_t start = fr_clock_ns();
    assert_true(cut(points, count, triangles));
    print_message("%zu points: %.0f ms\n", count, fr_clock_ms_since(start));
    free(points);
    free(triangles);
}

static fr_status cut_coast(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_vec3 points[200];
    uint32_t triangles[3 * 198];
    for (size_t i = 0; i < 200; i++) {
        double angle = FR_PI * (double)i / 100.0, r = i % 2 == 0 ? 1.0 : 0.7;
        points[i] = fr_vec3_make(r * fr_cos(angle), r * fr_sin(angle), 0.0);
    }
    fr_arena *scratch;
    fr_status status = fr_arena_create(0, allocator, &scratch, NULL);
    if (status != FR_OK) { return status; }
    if (fr_arena_alloc(scratch, 10, 8, 8) == NULL) { status = FR_ERROR_MEMORY; }
    if (status == FR_OK) { status = fr_polygon_triangulate(points, 200, scratch, triangles, NULL, NULL); }
    if (status == FR_OK) { test_note(triangles, sizeof triangles); }
    fr_arena_destroy(scratch);
    return status;
}

static void test_memory_may_run_out(void **state) {
    (void)state;
    assert_true(test_every_failure(cut_coast, NULL) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_convex_is_a_fan),
        cmocka_unit_test(test_concave_shapes),
        cmocka_unit_test(test_crossing_and_flat_are_flagged),
        cmocka_unit_test(test_random_stars),
        cmocka_unit_test(test_spikes_and_equal_points_are_clean),
        cmocka_unit_test(test_random_tangles_end),
        cmocka_unit_test(test_large_polygons_take_seconds),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make_arena, destroy_arena);
}
