#include "fureai/json.h"

#include "reader_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_error(const fixture *f, fr_status status, const char *text) {
    char printed[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES];
    assert_int_equal(f->reader.status, status);
    fr_error_format(&f->error, printed, sizeof printed);
    assert_string_equal(printed, text);
}

static void arrays_have_as_many_values_as_wanted(void **state) {
    (void)state;
    fixture f;
    open_text(&f, "[[1,2],[],3]");
    assert_true(fr_json_read_array(&f.reader, 0, "list", 3, 3));
    assert_int_equal(fr_json_next(f.json, 1), 4);
    assert_false(fr_json_read_array(&f.reader, 0, "list", 4, 9));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:1: list must have at least 4 values, not 3");
    assert_false(fr_json_read_array(&f.reader, 1, "list", 0, 1));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:2: list must have at most 1 values, not 2");
    assert_false(fr_json_read_array(&f.reader, 5, "list", 0, 1));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:11: list must be an array, not a number");
    close_text(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void numbers_are_read_in_their_range(void **state) {
    (void)state;
    fixture f;
    fr_json_range range = {-1.0, 100.0};
    open_text(&f, "[0.1, -1, 100, 101, 1e999, \"1\", 4.0, 4.5, -1e-400]");
    double value = 0.0;
    assert_true(fr_json_read_number(&f.reader, 1, "n", range, &value));
    assert_true(value == 0.1);
    assert_true(fr_json_read_number(&f.reader, 2, "n", range, &value) && value == -1.0);
    assert_true(fr_json_read_number(&f.reader, 3, "n", range, &value) && value == 100.0);
    assert_true(fr_json_read_number(&f.reader, 9, "n", range, &value) && value == 0.0);
    assert_false(fr_json_read_number(&f.reader, 4, "n", range, &value));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:16: n must be from -1 to 100");
    assert_false(fr_json_read_number(&f.reader, 5, "n", range, &value));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:21: n must be from -1 to 100");
    assert_false(fr_json_read_number(&f.reader, 6, "n", range, &value));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:28: n must be a number, not a string");

    uint32_t whole = 0;
    range.low = 0.0;
    assert_true(fr_json_read_whole(&f.reader, 7, "n", range, &whole));
    assert_int_equal(whole, 4);
    assert_false(fr_json_read_whole(&f.reader, 8, "n", range, &whole));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:38: n must be a whole number");
    close_text(&f);
}

static void lists_of_numbers_have_their_length(void **state) {
    (void)state;
    fixture f;
    fr_json_range range = {0.0, 9.0};
    double out[3] = {0};
    open_text(&f, "[[1,2,3],[1,2],[1,null,3],7,[1,2,10]]");
    assert_true(fr_json_read_numbers(&f.reader, 1, "p", range, 3, out));
    assert_true(out[0] == 1.0 && out[1] == 2.0 && out[2] == 3.0);
    assert_false(fr_json_read_numbers(&f.reader, 5, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:10: p must be 3 numbers, not 2");
    assert_false(fr_json_read_numbers(&f.reader, 8, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:19: p must be 3 numbers, not null");
    assert_false(fr_json_read_numbers(&f.reader, 12, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:27: p must be 3 numbers, not a number");
    assert_false(fr_json_read_numbers(&f.reader, 13, "p", range, 3, out));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:34: p must be from 0 to 9");
    close_text(&f);
}

static void strings_are_decoded(void **state) {
    (void)state;
    fixture f;
    const char *text = NULL;
    open_text(&f,
              "[\"a\\\"\\\\\\/b\", \"\\u00e9\\u3075\\uD83D\\uDE00\", \"\", \"a\\nb\", \"a\\u0000b\", \"toolong\", 1]");
    assert_true(fr_json_read_string(&f.reader, 1, "s", 6, &text));
    assert_string_equal(text, "a\"\\/b");
    assert_true(fr_json_read_string(&f.reader, 2, "s", 9, &text));
    assert_string_equal(text, "\xC3\xA9\xE3\x81\xB5\xF0\x9F\x98\x80");
    assert_false(fr_json_read_string(&f.reader, 3, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s must have from 1 to 6 bytes"));
    assert_false(fr_json_read_string(&f.reader, 4, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s holds a control character"));
    assert_false(fr_json_read_string(&f.reader, 5, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s holds a control character"));
    assert_false(fr_json_read_string(&f.reader, 6, "s", 6, &text));
    assert_int_equal(f.reader.status, FR_ERROR_LIMIT);
    assert_false(fr_json_read_string(&f.reader, 7, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s must be a string, not a number"));
    close_text(&f);
}

static void truth_is_read(void **state) {
    (void)state;
    fixture f;
    bool value = false;
    open_text(&f, "[true,false,0]");
    assert_true(fr_json_read_bool(&f.reader, 1, "b", &value) && value);
    assert_true(fr_json_read_bool(&f.reader, 2, "b", &value) && !value);
    assert_false(fr_json_read_bool(&f.reader, 3, "b", &value));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:13: b must be true or false, not a number");
    close_text(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_have_as_many_values_as_wanted),
        cmocka_unit_test(numbers_are_read_in_their_range),
        cmocka_unit_test(lists_of_numbers_have_their_length),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(truth_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
