// Definitions and inputs of room protocol that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/protocol.h"

#define CASES(X) X(mirror, fr_mirror_def, fr_default_mirror_def, fr_mirror_create(&given, COOKIE_OUT(fr_mirror), error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
