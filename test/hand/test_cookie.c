// Definitions and inputs of room hand that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/hand.h"

static fr_space *space;

#define CASES(X)                                                                                                       \
    X(voice, fr_hand_voice_def, fr_default_hand_voice_def,                                                             \
      fr_hand_voice_create(&given, COOKIE_OUT(fr_hand_voice), error))                                                  \
    X(aid, fr_aid_def, fr_default_aid_def, fr_aid_create(&given, COOKIE_OUT(fr_aid), error))                           \
    X(real, fr_real_def, fr_default_real_def, fr_real_create(&given, COOKIE_OUT(fr_real), error))                      \
    X(assembly, fr_assembly_def, fr_default_assembly_def,                                                              \
      fr_assembly_create(&given, space, COOKIE_OUT(fr_assembly), error))

COOKIE_TABLE(CASES)

static int make_all(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    return fr_space_create(&def, &space, NULL) == FR_OK ? 0 : 1;
}

static int destroy_all(void **state) {
    (void)state;
    fr_space_destroy(space);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, make_all, destroy_all);
}
