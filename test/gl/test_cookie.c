// Definitions and inputs of room gl that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/gl.h"

#define CASES(X) X(gl, fr_gl_def, fr_default_gl_def, fr_gl_create(&given, COOKIE_OUT(fr_gl), error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
