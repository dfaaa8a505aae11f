#include "fureai/base_drawing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void characters_have_their_length(void **state) {
    (void)state;
    assert_int_equal(fr_utf8_length("", 0), 0);
    assert_int_equal(fr_utf8_length("", 1), 1);
    assert_int_equal(fr_utf8_length("a", 1), 1);
    assert_int_equal(fr_utf8_length("\xC3\xA9", 2), 2);
    assert_int_equal(fr_utf8_length("\xE3\x81\xB5\xE3", 4), 3);
    assert_int_equal(fr_utf8_length("\xF0\x9F\x98\x80", 4), 4);
    assert_int_equal(fr_utf8_length("\xF4\x8F\xBF\xBF", 4), 4);
}

static void what_is_not_well_formed_has_none(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "\x80",             // continues nothing
        "\xC3",             // cut short
        "\xC0\x80",         // overlong
        "\xE0\x9F\xBF",     // overlong
        "\xED\xA0\x80",     // a surrogate
        "\xF0\x8F\xBF\xBF", // overlong
        "\xF4\x90\x80\x80", // above U+10FFFF
        "\xE3\x81z",        // broken off
        "\xFF",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(fr_utf8_length(wrong[i], strlen(wrong[i])), 0);
    }
}

static void broken_bytes_count_and_are_replaced(void **state) {
    (void)state;
    char text[16];
    assert_int_equal(fr_utf8_count(""), 0);
    assert_int_equal(fr_utf8_count("\xC3\xA9"
                                   "a\x80\xFF"),
                     4);
    fr_utf8_repair("a\x80z", text, sizeof text);
    assert_string_equal(text, "a\xEF\xBF\xBDz");
    fr_utf8_repair("ab\xC3\xA9", text, 4); // no room for the whole character
    assert_string_equal(text, "ab");
    fr_utf8_repair("ab", text, 1);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_their_length),
        cmocka_unit_test(what_is_not_well_formed_has_none),
        cmocka_unit_test(broken_bytes_count_and_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
