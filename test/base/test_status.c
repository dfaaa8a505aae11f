#include "fureai/base.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void every_status_has_its_own_name_and_sentence(void **state) {
    (void)state;
    for (int i = 0; i < FR_STATUS_COUNT; ++i) {
        const char *name = fr_status_name((fr_status)i), *text = fr_status_text((fr_status)i);
        assert_int_equal(strncmp(name, i == 0 ? "FR_OK" : "FR_ERROR_", i == 0 ? 6 : 9), 0);
        assert_true(strlen(text) > 0 && strcmp(text, "unknown status") != 0);
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(name, fr_status_name((fr_status)j));
            assert_string_not_equal(text, fr_status_text((fr_status)j));
        }
    }
    assert_int_equal(FR_OK, 0);
    assert_string_equal(fr_status_name(FR_ERROR_MEMORY), "FR_ERROR_MEMORY");
    assert_string_equal(fr_status_text(FR_ERROR_MEMORY), "out of memory");
}

static void a_number_that_is_no_status_is_unknown(void **state) {
    (void)state;
    static const int numbers[] = {FR_STATUS_COUNT, FR_STATUS_COUNT + 1, 1000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        assert_string_equal(fr_status_text((fr_status)numbers[i]), "unknown status");
        assert_string_equal(fr_status_name((fr_status)numbers[i]), "unknown status");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_name_and_sentence),
        cmocka_unit_test(a_number_that_is_no_status_is_unknown),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
