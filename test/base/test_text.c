#include "base/text.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_dropped(const char *text, const char *expected) {
    char copy[32];
    strcpy(copy, text);
    assert_int_equal(fr__text_drop_partial(copy, strlen(copy)), strlen(expected));
    assert_string_equal(copy, expected);
}

static void a_whole_end_stays(void **state) {
    (void)state;
    expect_dropped("", "");
    expect_dropped("a", "a");
    expect_dropped("a\xC3\xA9", "a\xC3\xA9");
    expect_dropped("\xE3\x81\xB5", "\xE3\x81\xB5");
    expect_dropped("x\xF0\x9F\x98\x80", "x\xF0\x9F\x98\x80");
}

static void a_partial_end_is_dropped(void **state) {
    (void)state;
    expect_dropped("a\xC3", "a");
    expect_dropped("a\xE3", "a");
    expect_dropped("a\xE3\x81", "a");
    expect_dropped("a\xF0\x9F\x98", "a");
    expect_dropped("\xF0\x9F", "");
}

static void bytes_that_are_no_utf8_stay(void **state) {
    (void)state;
    expect_dropped("\x80\x80\x80\x80\x80", "\x80\x80\x80\x80\x80");
    expect_dropped("\x80", "\x80");
    expect_dropped("a\xFF", "a\xFF");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_end_stays),
        cmocka_unit_test(a_partial_end_is_dropped),
        cmocka_unit_test(bytes_that_are_no_utf8_stay),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
