#include "fureai/json.h"

#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parses a copy without a byte to spare, so that a read beyond the end is seen.
static fr_status check(const char *text, size_t size, uint32_t *count, fr_error *error) {
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    fr_json_def def = fr_default_json_def();
    def.max_depth = 8;
    def.is_container = true;
    fr_json *json;
    fr_status status = fr_json_create(copy, size, &def, &json, error);
    if (status == FR_OK) {
        *count = fr_json_value_count(json);
        fr_json_destroy(json);
    } else {
        assert_null(json);
    }
    free(copy);
    return status;
}

// The offset of the byte that an error is at.
static size_t offset_of(const char *text, const fr_error *error) {
    const char *at = text;
    for (int line = 1; line < error->line; line++) {
        at = strchr(at, '\n') + 1;
    }
    return (size_t)(at - text) + (size_t)error->column - 1;
}

static void expect_right(const char *text, size_t tokens) {
    uint32_t count;
    fr_error error = {0};
    fr_status status = check(text, strlen(text), &count, &error);
    if (status != FR_OK) { fail_msg("%s: %s at %d", text, error.message, error.column); }
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
        uint32_t count;
        fr_error error = {0};
        assert_int_not_equal(check(w->text, strlen(w->text), &count, &error), FR_OK);
        size_t offset = offset_of(w->text, &error);
        if (strstr(error.message, w->message) == NULL || offset != w->offset) {
            fail_msg("%s: '%s' at %zu, not '%s' at %zu", w->text, error.message, offset, w->message, w->offset);
        }
    }
}

static void zero_bytes_are_no_text(void **state) {
    (void)state;
    uint32_t count;
    fr_error error = {0};
    assert_int_equal(check("[1]\0[2]", 7, &count, &error), FR_ERROR_SYNTAX);
    assert_int_equal(error.column, 4);
    assert_string_equal(error.message, "the end of the text expected, not the byte 0x00");
    assert_int_equal(check("[\"\0\"]", 5, &count, &error), FR_ERROR_SYNTAX);
    assert_int_equal(check("[\"\\\0\"]", 6, &count, &error), FR_ERROR_SYNTAX);
}

// Every beginning of a right text is wrong, at its end at the latest.
static void beginnings_are_refused(void **state) {
    (void)state;
    const char *text = "{\"a\":[1.5e-3,\"\\uD83D\\uDE00\\n\",{\"b\":null}],\"c\":-0}";
    for (size_t size = 0; size < strlen(text); size++) {
        uint32_t count;
        fr_error error = {0};
        assert_int_not_equal(check(text, size, &count, &error), FR_OK);
        assert_true(error.line == 1 && error.column >= 1 && (size_t)error.column <= size + 1);
    }
}

// Strings of every length around eight bytes, with what ends, breaks or continues them at every place.
static void strings_are_scanned_at_every_offset(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool is_right;
    } pieces[] = {{"a", true},        {"\x7f", true},
                  {"\\n", true},      {"\\\"", true},
                  {"\xC3\xA9", true}, {"\xF4\x8F\xBF\xBF", true},
                  {"\x1f", false},    {"\xF4\x90\x80\x80", false},
                  {"\x80", false},    {"\\", false}};
    for (size_t length = 0; length < 40; length++) {
        for (size_t at = 0; at <= length; at++) {
            for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
                char text[64] = "[\"";
                memset(text + 2, '~', length);
                memcpy(text + 2 + at, pieces[i].bytes, strlen(pieces[i].bytes));
                size_t end = 2 + (at + strlen(pieces[i].bytes) > length ? at + strlen(pieces[i].bytes) : length);
                memcpy(text + end, "\"]", 3);
                uint32_t count = 0;
                fr_status status = check(text, end + 2, &count, NULL);
                assert_int_equal(status, pieces[i].is_right ? FR_OK : FR_ERROR_SYNTAX);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Random bytes against a slow checker that follows the grammar rule by rule

typedef struct slow {
    const unsigned char *at, *end;
    int depth;
} slow;

static void slow_space(slow *s) {
    while (s->at < s->end && (*s->at == 0x20 || *s->at == 0x09 || *s->at == 0x0A || *s->at == 0x0D)) {
        s->at++;
    }
}

static bool slow_take(slow *s, unsigned char byte) {
    if (s->at >= s->end || *s->at != byte) { return false; }
    s->at++;
    return true;
}

// A code point by its value, not by ranges of its bytes.
static bool slow_utf8(slow *s) {
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = *s->at;
    int length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length == 0 || s->end - s->at < length) { return false; }
    uint32_t number = length == 1 ? first : first & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if (s->at[i] >> 6 != 2) { return false; }
        number = number << 6 | (s->at[i] & 0x3Fu);
    }
    s->at += length;
    return number >= lowest[length] && number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF);
}

static int slow_hex(slow *s) {
    unsigned number = 0;
    if (s->end - s->at < 4) { return -1; }
    for (int i = 0; i < 4; i++, s->at++) {
        const char *digits = "0123456789abcdefABCDEF", *found = *s->at != 0 ? strchr(digits, *s->at) : NULL;
        if (found == NULL) { return -1; }
        unsigned digit = (unsigned)(found - digits);
        number = 16 * number + (digit < 16 ? digit : digit - 6);
    }
    return (int)number;
}

static bool slow_string(slow *s) {
    if (!slow_take(s, '"')) { return false; }
    while (s->at < s->end && *s->at != '"') {
        if (*s->at < 0x20) { return false; }
        if (*s->at != '\\') {
            if (!slow_utf8(s)) { return false; }
            continue;
        }
        s->at++;
        if (slow_take(s, 'u')) {
            int number = slow_hex(s);
            if (number < 0 || (number >= 0xDC00 && number <= 0xDFFF)) { return false; }
            if (number < 0xD800 || number > 0xDFFF) { continue; }
            if (!slow_take(s, '\\') || !slow_take(s, 'u')) { return false; }
            number = slow_hex(s);
            if (number < 0xDC00 || number > 0xDFFF) { return false; }
            continue;
        }
        if (s->at >= s->end || *s->at == 0 || strchr("\"\\/bfnrt", *s->at) == NULL) { return false; }
        s->at++;
    }
    return slow_take(s, '"');
}

static bool slow_digits(slow *s) {
    const unsigned char *begin = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9') {
        s->at++;
    }
    return s->at > begin;
}

static bool slow_number(slow *s) {
    slow_take(s, '-');
    if (!slow_take(s, '0') && !slow_digits(s)) { return false; }
    if (slow_take(s, '.') && !slow_digits(s)) { return false; }
    if (!slow_take(s, 'e') && !slow_take(s, 'E')) { return true; }
    if (!slow_take(s, '+')) { slow_take(s, '-'); }
    return slow_digits(s);
}

static bool slow_value(slow *s);

static bool slow_list(slow *s, bool is_object) {
    const unsigned char close = is_object ? '}' : ']';
    s->at++;
    slow_space(s);
    if (++s->depth > 8) { return false; }
    for (bool is_first = true; !slow_take(s, close); is_first = false) {
        if (!is_first && !slow_take(s, ',')) { return false; }
        slow_space(s);
        if (is_object) {
            if (!slow_string(s)) { return false; }
            slow_space(s);
            if (!slow_take(s, ':')) { return false; }
        }
        if (!slow_value(s)) { return false; }
    }
    s->depth--;
    return true;
}

static bool slow_value(slow *s) {
    static const char *const words[] = {"true", "false", "null"};
    slow_space(s);
    if (s->at >= s->end) { return false; }
    bool is_right = false;
    if (*s->at == '{' || *s->at == '[') {
        is_right = slow_list(s, *s->at == '{');
    } else if (*s->at == '"') {
        is_right = slow_string(s);
    } else if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9')) {
        is_right = slow_number(s);
    } else {
        for (int i = 0; i < 3 && !is_right; i++) {
            size_t length = strlen(words[i]);
            is_right = (size_t)(s->end - s->at) >= length && memcmp(s->at, words[i], length) == 0;
            if (is_right) { s->at += length; }
        }
    }
    slow_space(s);
    return is_right;
}

static bool slow_text(const char *text, size_t size) {
    slow s = {(const unsigned char *)text, (const unsigned char *)text + size, 0};
    slow_space(&s);
    if (s.at >= s.end || (*s.at != '{' && *s.at != '[')) { return false; }
    return slow_value(&s) && s.at == s.end;
}

// Pieces of JSON in a random order, and texts with a byte changed.
static void random_texts_are_judged_as_by_the_slow_checker(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "{",      "}",    "[",      "]",    ",",     ":",       "\"a\"", "\"\"", "1",
        "-0.5e3", "0",    "true",   "null", " ",     "\n",      "\"",    "\\u",  "\\uD83D\\uDE00",
        "\xC3",   "\xA9", "\"k\":", "\\\\", "false", ",\"b\":", "[]",    "{}"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    const char *right = "{\"a\":[1.5e-3,\"\\uD83D\\uDE00\\n\xC3\xA9\",{\"b\":null},[[],{}]],\"c\":-0, \"d\" : true}";
    fr_random random = fr_random_seed(17);
    uint32_t accepted = 0;
    for (int i = 0; i < 200000; i++) {
        char text[128] = {0};
        size_t size = 0;
        if (i % 2 == 0) {
            size_t count = fr_random_below(&random, 8) + 1;
            for (size_t k = 0; k < count; k++) {
                const char *piece = pieces[fr_random_below(&random, PIECES)];
                memcpy(text + size, piece, strlen(piece));
                size += strlen(piece);
            }
        } else {
            size = strlen(right);
            memcpy(text, right, size);
            text[fr_random_below(&random, size)] = (char)fr_random_below(&random, 256);
        }
        uint32_t count = 0;
        bool is_right = check(text, size, &count, NULL) == FR_OK;
        if (is_right != slow_text(text, size)) { fail_msg("'%.*s' is judged %d", (int)size, text, is_right); }
        accepted += is_right;
    }
    assert_true(accepted > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_texts_are_counted),
        cmocka_unit_test(wrong_texts_are_refused_where_they_are_wrong),
        cmocka_unit_test(zero_bytes_are_no_text),
        cmocka_unit_test(beginnings_are_refused),
        cmocka_unit_test(strings_are_scanned_at_every_offset),
        cmocka_unit_test(random_texts_are_judged_as_by_the_slow_checker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
