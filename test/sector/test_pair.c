// Two sectors: by points of both that come nearest to each other.
#include "frame.h"

#include "sector_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_vec3 nearest_on_sector(const void *sector, fr_vec3 point) { return fr_sector_closest(sector, point); }

// Where two only graze each other, or nearly touch twice, walks are slow: the one that came nearest goes on for long.
static double least_walk(fr_random *random, const fr_sector *a, const fr_sector *b, bool is_hit) {
    double best = INFINITY;
    fr_vec3 best_from = a->center;
    for (int i = 0; i < (is_hit ? 400 : 40) && best > 1e-12; i++) {
        fr_vec3 from = sample_in_sector(random, i % 2 ? a : b);
        double found = walk_down(a, b, nearest_on_sector, from, i < 40 ? 50 : 5000);
        if (found < best) { best_from = from; }
        best = fmin(best, found);
    }
    return is_hit && best > 1e-4 ? walk_down(a, b, nearest_on_sector, best_from, 3000000) : best;
}

static void expect_right(fr_random *random, const fr_sector *a, const fr_sector *b, fr_sector_meeting answer,
                         double tolerance) {
    double found = least_walk(random, a, b, answer != FR_SECTORS_APART);
    if (answer == FR_SECTORS_APART && found < 1e-12) { fail_msg("apart, but two points are %g apart", found); }
    if (answer == FR_SECTORS_MEET && found > 1e-4) {
        fail_msg("they meet, but no two points are nearer than %g", found);
    }
    if (answer == FR_SECTORS_NEAR && found > 4.0 * tolerance + 1e-3) { fail_msg("near, but %g apart", found); }
}

static void test_in_one_plane(void **state) {
    (void)state;
    fr_random random = fr_random_seed(40);
    uint64_t count = test_count(800, 1000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector a = sample_sector(&random, false), b = sample_sector(&random, false);
        b.axis = i % 2 ? a.axis : fr_vec3_negate(a.axis);
        b.bisector = fr_vec3_cross(a.axis, sample_direction(&random));
        fr_vec3 shift = sample_point(&random, i % 20 == 0 ? 0.0 : 30.0);
        b.center = fr_vec3_add(a.center, shift);
        if (i % 3) { b.center = fr_vec3_add_scaled(b.center, -fr_vec3_dot(shift, a.axis), a.axis); }
        if (fr_sector_check(&b, NULL) != FR_OK) { continue; }
        fr_sector_meeting answer = fr_sector_overlap_sector(&a, &b, 1e-6);
        assert_int_not_equal(answer, FR_SECTORS_NEAR);
        assert_int_equal(answer, fr_sector_overlap_sector(&b, &a, 1e-6));
        expect_right(&random, &a, &b, answer, 0.0);
        hits += answer == FR_SECTORS_MEET;

        // Tilted by less than matters, so that the slices are asked.
        fr_sector tilted = b;
        tilted.axis = fr_vec3_add_scaled(b.axis, 1e-10, b.side);
        assert_int_equal(fr_sector_check(&tilted, NULL), FR_OK);
        tilted.bisector = b.bisector;
        fr_sector_meeting sliced = fr_sector_overlap_sector(&a, &tilted, 1e-7);
        fr_sector grown = b;
        grown.outer += 1e-3, grown.half_thickness += 1e-3, grown.inner = fmax(0.0, grown.inner - 1e-3);
        if (sliced == FR_SECTORS_MEET) { assert_int_equal(fr_sector_overlap_sector(&a, &grown, 0.0), FR_SECTORS_MEET); }
        if (answer == FR_SECTORS_MEET && sliced == FR_SECTORS_APART) {
            assert_true(b.outer - b.inner < 1e-6 || b.half_thickness < 1e-6 || a.half_thickness < 1e-6 ||
                        a.outer - a.inner < 1e-6 || fr_vec3_dot(shift, a.axis) != 0.0 || a.half_angle == 0.0 ||
                        b.half_angle == 0.0);
        }
    }
    assert_true(hits > count / 5 && hits < count * 9 / 10);
}

static void test_any_axes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(41);
    uint64_t count = test_count(800, 1000000), hits = 0, near = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_sector a = sample_sector(&random, false), b = sample_sector(&random, false);
        fr_sector_meeting answer = fr_sector_overlap_sector(&a, &b, 1e-3);
        expect_right(&random, &a, &b, answer, 1e-3);
        fr_sector_meeting other = fr_sector_overlap_sector(&b, &a, 1e-3);
        assert_true(answer == other || answer == FR_SECTORS_NEAR || other == FR_SECTORS_NEAR);
        hits += answer == FR_SECTORS_MEET;
        near += answer == FR_SECTORS_NEAR;
    }
    assert_true(hits > count / 10 && hits < count * 9 / 10 && near < count / 20);
}

static void test_known_pairs(void **state) {
    (void)state;
    fr_sector ring = sample_canonical(2, 3, FR_PI, 1), disc = sample_canonical(0, 1.5, FR_PI, 1), link = ring;
    assert_int_equal(fr_sector_overlap_sector(&ring, &disc, 1e-3), FR_SECTORS_APART);
    disc.outer = 2.0;
    assert_int_equal(fr_sector_overlap_sector(&ring, &disc, 1e-3), FR_SECTORS_MEET);
    link.axis = fr_vec3_make(1, 0, 0);
    link.bisector = fr_vec3_make(0, 1, 0);
    link.center = fr_vec3_make(0, 2.5, 0);
    link.half_thickness = 0.1;
    assert_int_equal(fr_sector_check(&link, NULL), FR_OK);
    assert_int_equal(fr_sector_overlap_sector(&ring, &link, 1e-3), FR_SECTORS_APART); // two links of a chain
    link.center.y = 2.2;
    link.inner = 1.2;
    assert_int_equal(fr_sector_overlap_sector(&ring, &link, 1e-3), FR_SECTORS_MEET);
}

// A sheet of one angle and a flat ring inside it, about one center: where they share a plane the sheet is a piece of a
// line through the center, give or take what is rounded.
static void test_sheets_that_point_at_the_center(void **state) {
    (void)state;
    fr_random random = fr_random_seed(42);
    uint64_t count = test_count(20000, 2000000);
    for (uint64_t i = 0; i < count; i++) {
        fr_sector a = sample_sector(&random, false), b = sample_sector(&random, false);
        a.half_thickness = b.half_angle = 0.0;
        b.inner = a.outer + fr_random_between(&random, 0.1, 5.0);
        b.outer = b.inner + fr_random_between(&random, 0.0, 5.0);
        b.center = a.center;
        b.axis = fr_vec3_add_scaled(a.axis, i % 2 ? 1e-10 : 1e-3, sample_direction(&random));
        b.bisector = fr_vec3_cross(a.axis, sample_direction(&random));
        if (fr_sector_check(&a, NULL) != FR_OK || fr_sector_check(&b, NULL) != FR_OK) { continue; }
        assert_int_equal(fr_sector_overlap_sector(&a, &b, 1e-7), FR_SECTORS_APART);
        assert_int_equal(fr_sector_overlap_sector(&b, &a, 1e-7), FR_SECTORS_APART);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_pairs),
        cmocka_unit_test(test_sheets_that_point_at_the_center),
        cmocka_unit_test(test_in_one_plane),
        cmocka_unit_test(test_any_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
