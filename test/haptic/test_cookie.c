// Definitions and inputs of room haptic that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/haptic.h"

#define CASES(X)                                                                                                       \
    X(strings_tip, fr_strings, fr_default_strings,                                                                     \
      fr_strings_tip(&given, (const double[4]){1, 1, 1, 1}, NULL, &(fr_strings_tip_output){0}, error))                 \
    X(strings_pull, fr_strings, fr_default_strings,                                                                    \
      fr_strings_pull(&given, fr_vec3_make(0, 0, 0), fr_vec3_make(0, 1, 0), FR_PULL_NEAREST,                           \
                      &(fr_strings_pull_output){0}, error))                                                            \
    X(pulleys_dock, fr_strings, fr_default_strings,                                                                    \
      fr_pulleys_dock(&given, fr_vec3_make(0, 0, 0), (const int64_t[4]){0}, &(fr_pulleys){{0}, 0.01, 4096}, error))    \
    X(capability, fr_capability_input, fr_default_capability_input, fr_strings_capability(&given, &(float){0}, error)) \
    X(haptic, fr_haptic_def, fr_default_haptic_def, fr_haptic_create(&given, COOKIE_OUT(fr_haptic), error))            \
    X(track, fr_track_def, fr_default_track_def, fr_track_create(&given, COOKIE_OUT(fr_track), error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
