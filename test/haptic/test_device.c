// What adapters of devices need: lengths from counts, and sentences.
#include "fureai/haptic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_a_dock_sets_the_lengths(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    fr_pulleys pulleys = {.radius = 0.01, .per_turn = 628.3};
    const int64_t counts[FR_STRING_COUNT] = {100, -30, 0, 7000};
    fr_vec3 dock = fr_vec3_make(0.02, -0.05, 0.01);
    assert_int_equal(fr_pulleys_dock(&strings, dock, counts, &pulleys, NULL), FR_OK);
    double lengths[FR_STRING_COUNT];
    fr_pulleys_lengths(&pulleys, counts, lengths);
    fr_strings_tip_output tip;
    assert_int_equal(fr_strings_tip(&strings, lengths, NULL, &tip, NULL), FR_OK);
    assert_true(fr_vec3_distance(tip.tip, dock) < 1e-9 && tip.residual < 1e-9);
    pulleys.length_zero[0] = 0.3;
    pulleys.per_turn = 2000.0;
    fr_pulleys_lengths(&pulleys, (const int64_t[FR_STRING_COUNT]){-2000, 0, 0, 0}, lengths);
    assert_true(fabs(lengths[0] - (0.3 - 0.0628318530717958)) < 1e-14 && lengths[1] == pulleys.length_zero[1]);
    pulleys.radius = 0.0;
    assert_int_equal(fr_pulleys_dock(&strings, dock, counts, &pulleys, NULL), FR_ERROR_ARGUMENT);
    dock.x = (double)NAN;
    assert_int_equal(fr_pulleys_dock(&strings, dock, counts, &pulleys, NULL), FR_ERROR_NOT_FINITE);
}

static void test_every_flag_has_a_sentence(void **state) {
    (void)state;
    const char *none = fr_haptic_flags_text(0);
    assert_string_equal(none, fr_track_flags_text(0));
    for (uint32_t flag = 1; flag <= FR_HAPTIC_PASSIVE; flag *= 2) {
        assert_string_not_equal(fr_haptic_flags_text(flag), none);
    }
    for (uint32_t flag = 1; flag <= FR_TRACK_STARTED; flag *= 2) {
        assert_string_not_equal(fr_track_flags_text(flag), none);
    }
    // Of several the one that ends the force
    assert_string_equal(fr_haptic_flags_text(FR_HAPTIC_RISING | FR_HAPTIC_SLIPPED),
                        fr_haptic_flags_text(FR_HAPTIC_SLIPPED));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_dock_sets_the_lengths),
        cmocka_unit_test(test_every_flag_has_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
