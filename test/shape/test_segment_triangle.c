// Segment against triangle: exact, by the oracle of whole numbers.
#include "frame.h"

#include "random_shapes.h"
#include "whole_number_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_known_segments(void **state) {
    (void)state;
    fr_vec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, p;
    fr_vec3 through[2] = {{1, 1, -1}, {1, 1, 3}};
    assert_true(fr_segment_triangle_overlap(through, t, &p) && fr_vec3_equal(p, fr_vec3_make(1, 1, 0)));
    fr_vec3 along[2] = {{5, 1, 0}, {-1, 1, 0}};
    assert_true(fr_segment_triangle_overlap(along, t, &p) && fr_vec3_distance(p, fr_vec3_make(3, 1, 0)) < 1e-15);
    fr_vec3 ends_on[2] = {{2, 2, 0}, {9, 9, 9}};
    assert_true(fr_segment_triangle_overlap(ends_on, t, &p) && fr_vec3_equal(p, ends_on[0]));
    fr_vec3 short_of[2] = {{1, 1, 1}, {1, 1, 0x1p-60}};
    assert_false(fr_segment_triangle_overlap(short_of, t, NULL));
}

static void test_whole_numbers_against_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(81);
    uint64_t count = test_count(100000, 2000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 s[2], t[3], p;
        int reach = (int)(1 + i % 3);
        for (int k = 0; k < 3; k++) {
            t[k] = random_whole_point(&random, reach);
        }
        for (int k = 0; k < 2; k++) {
            s[k] = random_whole_point(&random, reach);
        }
        if (i % 9 == 0) { s[1] = s[0]; }
        if (i % 11 == 0) { t[2] = fr_vec3_sub(fr_vec3_scale(2.0, t[1]), t[0]); }
        bool expected = whole_sets_overlap(s, 2, t, 3);
        assert_int_equal(fr_segment_triangle_overlap(s, t, &p), expected);
        if (expected) {
            assert_true(fr_triangle_closest(t, p).distance < 1e-14);
            fr_vec3 q;
            fr_segment_closest(s, p, &q);
            assert_true(fr_vec3_distance(p, q) < 1e-14);
        }
        hits += expected;
    }
    assert_true(hits > count / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_segments),
        cmocka_unit_test(test_whole_numbers_against_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
