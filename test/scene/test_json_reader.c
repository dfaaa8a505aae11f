#include "scene/json_reader.h"

#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    fr__json json;
    fr__json_reader reader;
    fr_error error;
} fixture;

static void open_text(fixture *f, const char *text) {
    *f = (fixture){0};
    assert_int_equal(fr__json_open(&f->json, text, strlen(text), 1 << 20, 32, NULL, &f->error), FR_OK);
    f->reader = (fr__json_reader){.json = &f->json, .name = "x.json", .error = &f->error};
    assert_int_equal(fr_arena_create(0, NULL, &f->reader.strings), FR_OK);
}

static void close_text(fixture *f) {
    fr_arena_destroy(f->reader.strings);
    fr__json_close(&f->json);
}

static void expect_error(const fixture *f, fr_status status, const char *text) {
    char printed[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES];
    assert_int_equal(f->reader.status, status);
    fr_error_format(&f->error, printed, sizeof printed);
    assert_string_equal(printed, text);
}

// ---------------------------------------------------------------------------------------------------------------
// Tokens

static void tokens_know_what_follows_them(void **state) {
    (void)state;
    fixture f;
    open_text(&f, "{\"a\":[1,[2,3],{}],\"b\":\"c\",\"d\":{\"e\":true}}");
    static const struct {
        fr__json_kind kind;
        uint32_t next, count;
    } expected[] = {
        {FR__JSON_OBJECT, 14, 3}, {FR__JSON_STRING, 8, 1},  {FR__JSON_ARRAY, 8, 3},   {FR__JSON_NUMBER, 4, 0},
        {FR__JSON_ARRAY, 7, 2},   {FR__JSON_NUMBER, 6, 0},  {FR__JSON_NUMBER, 7, 0},  {FR__JSON_OBJECT, 8, 0},
        {FR__JSON_STRING, 10, 1}, {FR__JSON_STRING, 10, 0}, {FR__JSON_STRING, 14, 1}, {FR__JSON_OBJECT, 14, 1},
        {FR__JSON_STRING, 14, 1}, {FR__JSON_BOOL, 14, 0},
    };
    assert_int_equal(f.json.token_count, 14);
    for (uint32_t i = 0; i < 14; i++) {
        assert_int_equal(f.json.tokens[i].kind, expected[i].kind);
        assert_int_equal(f.json.tokens[i].next, expected[i].next);
        assert_int_equal(f.json.tokens[i].count, expected[i].count);
    }
    close_text(&f);
}

static void places_are_found_in_any_order(void **state) {
    (void)state;
    fixture f;
    open_text(&f, "\xEF\xBB\xBF[1,\n  \"two\",\r\n\n\t3]");
    fr__json_mark mark = {0};
    static const int places[4][2] = {{1, 1}, {1, 2}, {2, 3}, {4, 2}};
    static const uint32_t order[] = {0, 1, 2, 3, 1, 3, 0};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        int line, column;
        fr__json_place(&f.json, order[i], &mark, &line, &column);
        assert_int_equal(line, places[order[i]][0]);
        assert_int_equal(column, places[order[i]][1]);
    }
    close_text(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Objects and arrays

static const fr__json_key keys[] = {{"name", true}, {"position", false}, {"scale", false}};

static void objects_give_values_by_key(void **state) {
    (void)state;
    fixture f;
    uint32_t values[3];
    open_text(&f, "{\"sc\\u0061le\":2,\"name\":\"n\"}");
    assert_true(fr__json_object(&f.reader, 0, "it", keys, 3, values));
    assert_int_equal(values[0], 4);
    assert_int_equal(values[1], FR__JSON_NONE);
    assert_int_equal(values[2], 2);
    close_text(&f);
}

static void wrong_objects_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[]", "x.json:1:1: it must be an object, not an array"},
        {"{}", "x.json:1:1: it lacks 'name'"},
        {"{\"name\":1,\n \"name\":2}", "x.json:2:2: 'name' stands here for the second time"},
        {"{\"name\":1, \"psoition\":2}", "x.json:1:12: it has no key 'psoition'; did you mean 'position'?"},
        {"{\"name\":1, \"weight\":2}", "x.json:1:12: it has no key 'weight'"},
        {"{\"\":1}", "x.json:1:2: it has no key ''"},
        {"{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\xC3\xA9\":1}",
         "x.json:1:2: it has no key 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        uint32_t values[3];
        open_text(&f, cases[i].text);
        assert_false(fr__json_object(&f.reader, 0, "it", keys, 3, values));
        expect_error(&f, FR_ERROR_SYNTAX, cases[i].message);
        close_text(&f);
    }
}

static void arrays_have_as_many_values_as_wanted(void **state) {
    (void)state;
    fixture f;
    open_text(&f, "[[1,2],[],3]");
    assert_true(fr__json_array(&f.reader, 0, "list", 3, 3));
    assert_int_equal(fr__json_next(&f.reader, 1), 4);
    assert_false(fr__json_array(&f.reader, 0, "list", 4, 9));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:1: list must have at least 4 values, not 3");
    assert_false(fr__json_array(&f.reader, 1, "list", 0, 1));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:2: list must have at most 1 values, not 2");
    assert_false(fr__json_array(&f.reader, 5, "list", 0, 1));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:11: list must be an array, not a number");
    close_text(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void numbers_are_read_in_their_range(void **state) {
    (void)state;
    fixture f;
    fr__json_range range = {-1.0, 100.0};
    open_text(&f, "[0.1, -1, 100, 101, 1e999, \"1\", 4.0, 4.5, -1e-400]");
    double value = 0.0;
    assert_true(fr__json_number(&f.reader, 1, "n", range, &value));
    assert_true(value == 0.1);
    assert_true(fr__json_number(&f.reader, 2, "n", range, &value) && value == -1.0);
    assert_true(fr__json_number(&f.reader, 3, "n", range, &value) && value == 100.0);
    assert_true(fr__json_number(&f.reader, 9, "n", range, &value) && value == 0.0);
    assert_false(fr__json_number(&f.reader, 4, "n", range, &value));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:16: n must be from -1 to 100");
    assert_false(fr__json_number(&f.reader, 5, "n", range, &value));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:21: n must be from -1 to 100");
    assert_false(fr__json_number(&f.reader, 6, "n", range, &value));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:28: n must be a number, not a string");

    uint32_t whole = 0;
    assert_true(fr__json_whole(&f.reader, 7, "n", range, &whole));
    assert_int_equal(whole, 4);
    assert_false(fr__json_whole(&f.reader, 8, "n", range, &whole));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:38: n must be a whole number");
    close_text(&f);
}

static void lists_of_numbers_have_their_length(void **state) {
    (void)state;
    fixture f;
    fr__json_range range = {0.0, 9.0};
    double out[3] = {0};
    open_text(&f, "[[1,2,3],[1,2],[1,null,3],7,[1,2,10]]");
    assert_true(fr__json_numbers(&f.reader, 1, "p", range, 3, out));
    assert_true(out[0] == 1.0 && out[1] == 2.0 && out[2] == 3.0);
    assert_false(fr__json_numbers(&f.reader, 5, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:10: p must be 3 numbers, not 2");
    assert_false(fr__json_numbers(&f.reader, 8, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:19: p must be 3 numbers, not null");
    assert_false(fr__json_numbers(&f.reader, 12, "p", range, 3, out));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:27: p must be 3 numbers, not a number");
    assert_false(fr__json_numbers(&f.reader, 13, "p", range, 3, out));
    expect_error(&f, FR_ERROR_LIMIT, "x.json:1:34: p must be from 0 to 9");
    close_text(&f);
}

static void strings_are_decoded(void **state) {
    (void)state;
    fixture f;
    const char *text = NULL;
    open_text(&f,
              "[\"a\\\"\\\\\\/b\", \"\\u00e9\\u3075\\uD83D\\uDE00\", \"\", \"a\\nb\", \"a\\u0000b\", \"toolong\", 1]");
    assert_true(fr__json_string(&f.reader, 1, "s", 6, &text));
    assert_string_equal(text, "a\"\\/b");
    assert_true(fr__json_string(&f.reader, 2, "s", 9, &text));
    assert_string_equal(text, "\xC3\xA9\xE3\x81\xB5\xF0\x9F\x98\x80");
    assert_false(fr__json_string(&f.reader, 3, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s must have from 1 to 6 bytes"));
    assert_false(fr__json_string(&f.reader, 4, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s holds a control character"));
    assert_false(fr__json_string(&f.reader, 5, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s holds a control character"));
    assert_false(fr__json_string(&f.reader, 6, "s", 6, &text));
    assert_int_equal(f.reader.status, FR_ERROR_LIMIT);
    assert_false(fr__json_string(&f.reader, 7, "s", 6, &text));
    assert_non_null(strstr(f.error.message, "s must be a string, not a number"));
    close_text(&f);
}

static void truth_is_read(void **state) {
    (void)state;
    fixture f;
    bool value = false;
    open_text(&f, "[true,false,0]");
    assert_true(fr__json_bool(&f.reader, 1, "b", &value) && value);
    assert_true(fr__json_bool(&f.reader, 2, "b", &value) && !value);
    assert_false(fr__json_bool(&f.reader, 3, "b", &value));
    expect_error(&f, FR_ERROR_SYNTAX, "x.json:1:13: b must be true or false, not a number");
    close_text(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Size

// A million values in one object and in one array, each found in time that grows with the text alone.
static void large_texts_take_linear_time(void **state) {
    (void)state;
    size_t count = 500000, size = 0;
    char *text = malloc(40 * count);
    assert_non_null(text);
    size += (size_t)sprintf(text, "{\"a\":[0");
    for (size_t i = 1; i < count; i++) {
        size += (size_t)sprintf(text + size, ",%zu", i);
    }
    size += (size_t)sprintf(text + size, "]");
    for (size_t i = 1; i < count; i++) {
        size += (size_t)sprintf(text + size, ",\"k%zu\":1", i);
    }
    text[size++] = '}';

    fr__json json;
    uint64_t start = fr_clock_ns();
    assert_int_equal(fr__json_open(&json, text, size, FR__JSON_MAX_BYTES, 32, NULL, NULL), FR_OK);
    assert_int_equal(json.token_count, 3 + count + 2 * (count - 1));
    assert_true(fr_clock_ms_since(start) < 20000.0);
    fr__json_close(&json);
    assert_int_equal(fr__json_open(&json, text, size, size - 1, 32, NULL, NULL), FR_ERROR_LIMIT);
    free(text);
}

static void deep_texts_are_refused_at_once(void **state) {
    (void)state;
    size_t size = 10000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '[', size);
    fr__json json;
    fr_error error = {0};
    assert_int_equal(fr__json_open(&json, text, size, FR__JSON_MAX_BYTES, 32, NULL, &error), FR_ERROR_LIMIT);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 33);
    free(text);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    const char *text = "{\"a\":[1,2,3]}";
    fr__json json;
    fr_status status = fr__json_open(&json, text, strlen(text), 100, 8, allocator, NULL);
    if (status == FR_OK) { fr__json_close(&json); }
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_know_what_follows_them),
        cmocka_unit_test(places_are_found_in_any_order),
        cmocka_unit_test(objects_give_values_by_key),
        cmocka_unit_test(wrong_objects_are_told),
        cmocka_unit_test(arrays_have_as_many_values_as_wanted),
        cmocka_unit_test(numbers_are_read_in_their_range),
        cmocka_unit_test(lists_of_numbers_have_their_length),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(truth_is_read),
        cmocka_unit_test(large_texts_take_linear_time),
        cmocka_unit_test(deep_texts_are_refused_at_once),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
