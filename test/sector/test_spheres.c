// Many balls at once: against one at a time, in every form of the kernel, by any number of workers.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BALLS 3000

typedef struct crowd {
    float x[BALLS], y[BALLS], z[BALLS], radius[BALLS];
} crowd;

static void fill(crowd *c, fr_random *random, double reach) {
    for (size_t i = 0; i < BALLS; i++) {
        fr_vec3 p = sample_point(random, reach);
        c->x[i] = (float)p.x, c->y[i] = (float)p.y, c->z[i] = (float)p.z;
        c->radius[i] = (float)fr_random_between(random, 0.0, 3.0);
    }
}

static fr_spheres first_of(const crowd *c, size_t count) { return (fr_spheres){c->x, c->y, c->z, c->radius, count}; }

static fr_vec3 center_of(const crowd *c, size_t i) {
    return fr_vec3_make((double)c->x[i], (double)c->y[i], (double)c->z[i]);
}

static bool bit(const uint8_t *bits, size_t i) { return bits[i / 8] >> (i % 8) & 1; }

static void test_none_is_missed_and_few_are_added(void **state) {
    (void)state;
    fr_random random = fr_random_seed(70);
    static crowd c;
    uint8_t bits[BALLS / 8 + 1];
    uint64_t rounds = test_count(60, 1000), hits = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        fr_sector s = sample_sector(&random, false);
        fill(&c, &random, i % 4 == 3 ? 5000.0 : 35.0);
        fr_spheres spheres = first_of(&c, BALLS);
        if (i % 5 == 0) { spheres.radius = NULL; }
        size_t told = fr_sector_spheres(&s, &spheres, NULL, bits), counted = 0;
        for (size_t k = 0; k < BALLS; k++) {
            double radius = spheres.radius != NULL ? (double)c.radius[k] : 0.0;
            double d = fr_sector_distance(&s, center_of(&c, k));
            double size =
                s.outer + s.half_thickness + fr_vec3_length(s.center) + fr_vec3_distance(center_of(&c, k), s.center);
            if (d <= radius) { assert_true(bit(bits, k)); }
            if (d > radius + 6e-6 * size) { assert_false(bit(bits, k)); }
            counted += bit(bits, k);
        }
        assert_int_equal(told, counted);
        hits += told;
    }
    assert_true(hits > rounds * BALLS / 200);
}

static void test_boxes_miss_none(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    static crowd c;
    uint8_t bits[BALLS / 8 + 1];
    for (int i = 0; i < 30; i++) {
        fr_vec3 center = sample_point(&random, 30.0), half = sample_point(&random, 20.0);
        half = fr_vec3_make(fabs(half.x), fabs(half.y), fabs(half.z));
        fr_bounds box = {fr_vec3_sub(center, half), fr_vec3_add(center, half)};
        fill(&c, &random, 60.0);
        fr_spheres spheres = first_of(&c, BALLS);
        fr_bounds_spheres(&box, &spheres, NULL, bits);
        for (size_t k = 0; k < BALLS; k++) {
            fr_vec3 p = center_of(&c, k), q = fr_vec3_max(box.min, fr_vec3_min(box.max, p));
            double d = fr_vec3_distance(p, q);
            if (d <= (double)c.radius[k]) { assert_true(bit(bits, k)); }
            if (d > (double)c.radius[k] + 1e-3) { assert_false(bit(bits, k)); }
        }
    }
}

static void test_rest_and_nan(void **state) {
    (void)state;
    fr_random random = fr_random_seed(72);
    static crowd c;
    fill(&c, &random, 20.0);
    fr_sector s = sample_canonical(0, 15, FR_PI, 15);
    uint8_t whole[8], part[9];
    fr_spheres all = first_of(&c, 64);
    assert_true(fr_sector_spheres(&s, &all, NULL, whole) > 10);
    for (size_t n = 0; n < 64; n++) {
        memset(part, 0xAA, sizeof part);
        fr_spheres some = first_of(&c, n);
        size_t told = fr_sector_spheres(&s, &some, NULL, part), expected = 0;
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(bit(part, i), bit(whole, i));
            expected += bit(whole, i);
        }
        assert_int_equal(told, expected);
        for (size_t i = n; i < (n + 7) / 8 * 8; i++) {
            assert_false(bit(part, i));
        }
        assert_int_equal(part[(n + 7) / 8], 0xAA); // nothing behind
    }
    for (size_t i = 0; i < 8; i++) {
        c.x[i] = c.y[i] = c.z[i] = 1.0f;
    }
    c.x[0] = c.y[1] = c.z[2] = c.radius[3] = NAN;
    fr_spheres eight = first_of(&c, 8);
    assert_int_equal(fr_sector_spheres(&s, &eight, NULL, part), 4);
    assert_int_equal(part[0], 0xF0);
    fr_bounds box = {{-9, -9, -9}, {9, 9, 9}};
    assert_int_equal(fr_bounds_spheres(&box, &eight, NULL, part), 4);
    fr_range_hit hits[8];
    assert_int_equal(fr_sector_range(&s, &eight, hits, 8), 4);
}

static void test_every_form_gives_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(73);
    static crowd c;
    uint8_t bits[2][BALLS / 8 + 1];
    fr_simd best = fr_simd_best();
    for (int i = 0; i < 100; i++) {
        fr_sector s = sample_sector(&random, false);
        fr_bounds box = fr_sector_bounds(&s);
        fill(&c, &random, 60.0);
        fr_spheres spheres = first_of(&c, BALLS - (size_t)i);
        for (int pass = 0; pass < 2; pass++) {
            memset(bits, 0, sizeof bits);
            for (int form = 0; form < 2; form++) {
                assert_true(fr_simd_set(form == 0 ? FR_SIMD_BASELINE : best));
                if (pass == 0) {
                    fr_sector_spheres(&s, &spheres, NULL, bits[form]);
                } else {
                    fr_bounds_spheres(&box, &spheres, NULL, bits[form]);
                }
            }
            assert_memory_equal(bits[0], bits[1], sizeof bits[0]);
        }
    }
    assert_true(fr_simd_set(best));
}

static void test_workers_make_no_difference(void **state) {
    (void)state;
    enum { MANY = 100003 };
    float *lanes = malloc(4 * MANY * sizeof *lanes);
    uint8_t *bits = malloc(2 * (MANY / 8 + 1));
    assert_true(lanes != NULL && bits != NULL);
    fr_random random = fr_random_seed(74);
    for (size_t i = 0; i < 4 * MANY; i++) {
        lanes[i] = (float)fr_random_between(&random, i < 3 * MANY ? -50.0 : 0.0, i < 3 * MANY ? 50.0 : 2.0);
    }
    fr_spheres spheres = {lanes, lanes + MANY, lanes + 2 * MANY, lanes + 3 * MANY, MANY};
    fr_sector s = sample_canonical(5, 30, 2, 10);
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    size_t alone = fr_sector_spheres(&s, &spheres, NULL, bits);
    size_t together = fr_sector_spheres(&s, &spheres, &tasks, bits + MANY / 8 + 1);
    assert_int_equal(alone, together);
    assert_memory_equal(bits, bits + MANY / 8 + 1, MANY / 8 + 1);
    fr_task_pool_destroy(pool);
    free(lanes);
    free(bits);
}

// ---------------------------------------------------------------------------------------------------------------
// Ranges and predictions

static void test_ranges_are_exact(void **state) {
    (void)state;
    fr_random random = fr_random_seed(75);
    static crowd c;
    fr_range_hit *hits = malloc(BALLS * sizeof *hits);
    assert_non_null(hits);
    for (int i = 0; i < 50; i++) {
        fr_sector s = sample_sector(&random, false);
        fill(&c, &random, 50.0);
        fr_spheres spheres = first_of(&c, BALLS);
        size_t count = fr_sector_range(&s, &spheres, hits, BALLS), next = 0;
        for (size_t k = 0; k < BALLS; k++) {
            fr_vec3 p = center_of(&c, k), local = fr_sector_local(&s, p);
            if (!fr_sector_overlap_sphere(&s, p, (double)c.radius[k])) { continue; }
            assert_true(next < count && hits[next].index == k);
            assert_true(fabs(hits[next].distance - fr_vec3_distance(p, s.center)) < 1e-11);
            assert_true(fabs(hits[next].angle - atan2(local.y, local.x)) < 1e-12);
            next++;
        }
        assert_int_equal(next, count);
        assert_int_equal(fr_sector_range(&s, &spheres, hits, count / 2), count);
    }
    free(hits);
}

static void test_predictions_by_first_contact(void **state) {
    (void)state;
    fr_random random = fr_random_seed(76);
    static crowd c;
    fr_prediction *told = malloc(BALLS * sizeof *told);
    assert_non_null(told);
    uint64_t rounds = test_count(6, 200), all = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        fill(&c, &random, 20.0);
        fr_prediction_input input = {.spheres = first_of(&c, BALLS), .tolerance = 1e-6};
        input.box = sample_box(&random, 10.0, 8.0);
        input.turn = sample_screw(&random);
        input.frames = 1 + (uint32_t)fr_random_below(&random, 12);
        input.turn.angle *= 0.1, input.turn.slide *= 0.05, input.turn.point = sample_point(&random, 8.0);
        size_t count, next = 0;
        assert_int_equal(fr_predict(&input, told, BALLS, &count, NULL), FR_OK);
        fr_screw whole = input.turn;
        whole.angle *= input.frames, whole.slide *= input.frames;
        for (size_t k = 0; k < BALLS; k++) {
            fr_screw_hit hit = fr_screw_box_sphere(&input.box, &whole, center_of(&c, k), (double)c.radius[k], 1e-6);
            if (!hit.is_hit) { continue; }
            assert_true(next < count && told[next].index == k);
            assert_true(fabs(told[next].frames - hit.time * input.frames) < 1e-6 * input.frames);
            next++;
        }
        assert_int_equal(next, count);
        all += count;
    }
    assert_true(all > 20 * rounds);
    fr_prediction_input bad = {.frames = 0, .turn = {{0, 0, 0}, {0, 0, 1}, 1, 0}, .tolerance = 1e-6};
    size_t count;
    assert_int_equal(fr_predict(&bad, told, 1, &count, NULL), FR_ERROR_ARGUMENT);
    bad.frames = 1, bad.tolerance = 0.0;
    assert_int_equal(fr_predict(&bad, told, 1, &count, NULL), FR_ERROR_ARGUMENT);
    bad.tolerance = 1e-6, bad.turn.axis.z = 0.0;
    assert_int_equal(fr_predict(&bad, told, 1, &count, NULL), FR_ERROR_ARGUMENT);
    bad.turn.axis.z = (double)NAN;
    assert_int_equal(fr_predict(&bad, told, 1, &count, NULL), FR_ERROR_NOT_FINITE);
    free(told);
}

static void test_a_full_turn_is_predicted_once(void **state) {
    (void)state;
    float x[1] = {0.0f}, y[1] = {-5.0f}, z[1] = {0.0f}, radius[1] = {0.5f};
    fr_prediction_input input = {.box = {{0, 5, 0}, fr_mat3_identity(), {0.5, 2, 0.25}},
                                 .turn = {{0, 0, 0}, {0, 0, 1}, 0.5, 0},
                                 .frames = 100,
                                 .spheres = {x, y, z, radius, 1},
                                 .tolerance = 1e-6};
    fr_prediction told;
    size_t count;
    assert_int_equal(fr_predict(&input, &told, 1, &count, NULL), FR_OK);
    assert_int_equal(count, 1);
    assert_true(told.frames > 5.5 && told.frames < 6.2); // a little before half a turn
    input.frames = 5;
    assert_int_equal(fr_predict(&input, &told, 1, &count, NULL), FR_OK);
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_is_missed_and_few_are_added),
        cmocka_unit_test(test_boxes_miss_none),
        cmocka_unit_test(test_rest_and_nan),
        cmocka_unit_test(test_every_form_gives_the_same_bits),
        cmocka_unit_test(test_workers_make_no_difference),
        cmocka_unit_test(test_ranges_are_exact),
        cmocka_unit_test(test_predictions_by_first_contact),
        cmocka_unit_test(test_a_full_turn_is_predicted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
