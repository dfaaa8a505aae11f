// Definitions and inputs of room act that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/act_plug_in.h"

#define CASES(X)                                                                                                       \
    X(plug_ins, fr_plug_ins_def, fr_default_plug_ins_def, fr_plug_ins_create(&given, COOKIE_OUT(fr_plug_ins), error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
