#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void version_is_that_of_the_header(void **state) {
    (void)state;
    fr_version version = fr_get_version();
    assert_int_equal(version.major, FR_VERSION_MAJOR);
    assert_int_equal(version.minor, FR_VERSION_MINOR);
    assert_int_equal(version.patch, FR_VERSION_PATCH);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(version_is_that_of_the_header)};
    return cmocka_run_group_tests_name("version", tests, NULL, NULL);
}
