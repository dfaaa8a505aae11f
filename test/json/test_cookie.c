// Definitions and inputs of room json that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/json.h"

#define CASES(X) X(json, fr_json_def, fr_default_json_def, fr_json_create("{}", 2, &given, COOKIE_OUT(fr_json), error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
