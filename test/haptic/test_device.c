// What adapters of devices need: lengths from counts, sentences, vibration.
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
    fr_string_tip tip;
    assert_int_equal(fr_strings_tip(&strings, lengths, NULL, &tip, NULL), FR_OK);
    assert_true(fr_vec3_distance(tip.tip, dock) < 1e-9 && tip.residual < 1e-9);
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

static void test_a_force_becomes_vibration(void **state) {
    (void)state;
    fr_vibration v = fr_haptic_force_vibration(fr_vec3_make(0.0, 1.0, 0.0), 4.0);
    assert_true(v.intensity == 0.25 && v.ms == 60);
    v = fr_haptic_force_vibration(fr_vec3_make(30.0, 1.0, 0.0), 4.0);
    assert_true(v.intensity == 1.0);
    const fr_vec3 none[] = {{0.0, 0.0, 0.0}, {0.0, 0.01, 0.0}, {(double)NAN, 1.0, 0.0}, {(double)INFINITY, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        v = fr_haptic_force_vibration(none[i], 4.0);
        assert_true(v.intensity == 0.0 && v.ms == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_dock_sets_the_lengths),
        cmocka_unit_test(test_every_flag_has_a_sentence),
        cmocka_unit_test(test_a_force_becomes_vibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
