// Definitions and inputs of room clash that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/clash.h"

static fr_clash_finder *finder;

#define CASES(X)                                                                                                       \
    X(rest, fr_clash_input, fr_default_clash_input, fr_clash_find(finder, &given, &(fr_clash_output){0}, error))       \
    X(motion, fr_motion_clash_input, fr_default_motion_clash_input,                                                    \
      fr_clash_find_motion(finder, &given, &(fr_motion_clash_output){0}, error))

COOKIE_TABLE(CASES)

static int make_all(void **state) {
    (void)state;
    return fr_clash_finder_create(NULL, &finder, NULL) == FR_OK ? 0 : 1;
}

static int destroy_all(void **state) {
    (void)state;
    fr_clash_finder_destroy(finder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, make_all, destroy_all);
}
