#include "scene/json_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fr_status check(const char *text, size_t size, size_t *tokens, size_t *offset, fr_error *error) {
    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    fr_status status = fr__json_check(copy, size, 8, tokens, offset, error);
    free(copy);
    return status;
}

static void expect_right(const char *text, size_t tokens) {
    size_t count, offset;
    fr_error error = {0};
    fr_status status = check(text, strlen(text), &count, &offset, &error);
    if (status != FR_OK) { fail_msg("%s: %s at %zu", text, error.message, offset); }
    assert_int_equal(count, tokens);
}

static void right_texts_are_counted(void **state) {
    (void)state;
    expect_right("{}", 1);
    expect_right(" [ ] \r\n\t", 1);
    expect_right("[1,-0,0.5,1e5,1E-5,-12.25e+3]", 7);
    expect_right("{\"a\":1,\"b\":[true,false,null],\"\":{}}", 10);
    expect_right("[\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0041 \\uD83D\\uDE00\"]", 2);
    expect_right("[\"\xE3\x81\xB5\xE3\x82\x8C\xF0\x9F\x98\x80\"]", 2);
    expect_right("[[[[[[[[]]]]]]]]", 8);
}

typedef struct wrong_text {
    const char *text;
    size_t offset;
    const char *message;
} wrong_text;

static const wrong_text wrong_texts[] = {
    {"", 0, "'{' or '[' expected, but the text ends"},
    {"  ", 2, "the text ends"},
    {"5", 0, "'{' or '[' expected, not '5'"},
    {"[", 1, "a value expected, but the text ends"},
    {"{", 1, "a key in quotes expected, but the text ends"},
    {"[1", 2, "',' or ']' expected, but the text ends"},
    {"[1 2]", 3, "',' or ']' expected, not '2'"},
    {"[1,]", 3, "a value expected, not ']'"},
    {"[,1]", 1, "a value expected, not ','"},
    {"[1}", 2, "',' or ']' expected, not '}'"},
    {"{]", 1, "a key in quotes expected, not ']'"},
    {"{\"a\"}", 4, "':' expected, not '}'"},
    {"{\"a\" 1}", 5, "':' expected"},
    {"{\"a\":}", 5, "a value expected"},
    {"{\"a\":1,}", 7, "a key in quotes expected, not '}'"},
    {"{\"a\":1 \"b\":2}", 7, "',' or '}' expected"},
    {"{a:1}", 1, "a key in quotes expected, not 'a'"},
    {"{1:1}", 1, "a key in quotes expected"},
    {"[]]", 2, "the end of the text expected, not ']'"},
    {"{} {}", 3, "the end of the text expected"},
    {"[tru]", 1, "a value expected, not 't'"},
    {"[True]", 1, "a value expected"},
    {"[nan]", 1, "a value expected"},
    {"[NaN]", 1, "a value expected"},
    {"[Infinity]", 1, "a value expected"},
    {"[-Infinity]", 2, "a digit expected, not 'I'"},
    {"[+1]", 1, "a value expected, not '+'"},
    {"[.5]", 1, "a value expected"},
    {"[5.]", 3, "a digit expected, not ']'"},
    {"[01]", 2, "a number begins with 0 and goes on"},
    {"[-]", 2, "a digit expected"},
    {"[1e]", 3, "a digit expected"},
    {"[1e+]", 4, "a digit expected"},
    {"[0x10]", 2, "',' or ']' expected, not 'x'"},
    {"[1_000]", 2, "not '_'"},
    {"['a']", 1, "a value expected"},
    {"[\"a]", 4, "the quote that ends a string expected, but the text ends"},
    {"[\"a\nb\"]", 3, "the control character 0x0a unescaped"},
    {"[\"\\x\"]", 3, "after a backslash expected, not 'x'"},
    {"[\"\\", 3, "after a backslash expected, but the text ends"},
    {"[\"\\u12g4\"]", 3, "four hexadecimal digits"},
    {"[\"\\u12", 3, "four hexadecimal digits"},
    {"[\"\\uD800\"]", 3, "half of a surrogate pair"},
    {"[\"\\uD800\\u0041\"]", 3, "half of a surrogate pair"},
    {"[\"\\uDC00\"]", 3, "half of a surrogate pair"},
    {"[\"a\xFFz\"]", 3, "no UTF-8"},
    {"[\"\xC0\x80\"]", 2, "no UTF-8"},
    {"[\"\xED\xA0\x80\"]", 2, "no UTF-8"},
    {"[\xFF]", 1, "bytes that are no UTF-8"},
    {"[\xE3\x81\xB5]", 1, "not '\xE3\x81\xB5'"},
    {"[1, // one\n 2]", 4, "a value expected, not '/'"},
    {"[[[[[[[[[]]]]]]]]]", 8, "more than 8 objects and arrays inside one another"},
};

static void wrong_texts_are_refused_where_they_are_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_texts / sizeof wrong_texts[0]; i++) {
        const wrong_text *w = &wrong_texts[i];
        size_t tokens, offset;
        fr_error error = {0};
        assert_int_not_equal(check(w->text, strlen(w->text), &tokens, &offset, &error), FR_OK);
        if (strstr(error.message, w->message) == NULL || offset != w->offset) {
            fail_msg("%s: '%s' at %zu, not '%s' at %zu", w->text, error.message, offset, w->message, w->offset);
        }
    }
}

static void zero_bytes_are_no_text(void **state) {
    (void)state;
    size_t tokens, offset;
    fr_error error = {0};
    assert_int_equal(check("[1]\0[2]", 7, &tokens, &offset, &error), FR_ERROR_SYNTAX);
    assert_int_equal(offset, 3);
    assert_string_equal(error.message, "the end of the text expected, not the byte 0x00");
    assert_int_equal(check("[\"\0\"]", 5, &tokens, &offset, &error), FR_ERROR_SYNTAX);
    assert_int_equal(check("[\"\\\0\"]", 6, &tokens, &offset, &error), FR_ERROR_SYNTAX);
}

// Every beginning of a right text is wrong, at its end at the latest.
static void beginnings_are_refused(void **state) {
    (void)state;
    const char *text = "{\"a\":[1.5e-3,\"\\uD83D\\uDE00\\n\",{\"b\":null}],\"c\":-0}";
    for (size_t size = 0; size < strlen(text); size++) {
        size_t tokens, offset;
        assert_int_not_equal(check(text, size, &tokens, &offset, NULL), FR_OK);
        assert_true(offset <= size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_texts_are_counted),
        cmocka_unit_test(wrong_texts_are_refused_where_they_are_wrong),
        cmocka_unit_test(zero_bytes_are_no_text),
        cmocka_unit_test(beginnings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
