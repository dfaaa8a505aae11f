#include "fureai/json.h"

#include "failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fr_json *parse(const char *text) {
    fr_json *json;
    fr_error error;
    fr_status status = fr_json_create(text, strlen(text), NULL, &json, &error);
    if (status != FR_OK) { fail_msg("%s: %s", text, error.message); }
    return json;
}

// ---------------------------------------------------------------------------------------------------------------
// Definitions and limits

static void expect_refusal(const char *text, const fr_json_def *def, fr_status status, const char *printed) {
    fr_json *json = (fr_json *)&status;
    fr_error error = {0};
    char line[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES];
    assert_int_equal(fr_json_create(text, strlen(text), def, &json, &error), status);
    assert_null(json);
    fr_error_format(&error, line, sizeof line);
    assert_string_equal(line, printed);
}

static void limits_are_refused_with_their_place(void **state) {
    (void)state;
    fr_json_def def = fr_default_json_def();
    def.name = "x.json";
    def.max_bytes = 5;
    expect_refusal("[1,2,3]", &def, FR_ERROR_LIMIT, "x.json: 7 bytes are more than the 5 that are read");
    def.max_bytes = 100;
    def.max_depth = 2;
    expect_refusal("[[1,\n[]]]", &def, FR_ERROR_LIMIT, "x.json:2:1: more than 2 objects and arrays inside one another");
    def.max_depth = 9;
    def.max_values = 4;
    expect_refusal("[1,{\"a\":2}]", &def, FR_ERROR_LIMIT, "x.json:1:9: more than 4 values and keys");
    def.is_container = true;
    expect_refusal(" 5", &def, FR_ERROR_SYNTAX, "x.json:1:2: '{' or '[' expected, not '5'");
    def.max_depth = 0;
    expect_refusal("5", &def, FR_ERROR_ARGUMENT, "max_depth is 0; it is at least 1");
    fr_json_def forgotten = {0};
    expect_refusal("[]", &forgotten, FR_ERROR_ARGUMENT, "the definition or input was not made by fr_default_json_def");
}

static void limits_themselves_are_accepted(void **state) {
    (void)state;
    const char *text = "[1,{\"a\":2}]";
    fr_json_def def = fr_default_json_def();
    def.max_bytes = strlen(text);
    def.max_depth = 2;
    def.max_values = 5;
    fr_json *json;
    assert_int_equal(fr_json_create(text, strlen(text), &def, &json, NULL), FR_OK);
    assert_int_equal(fr_json_value_count(json), 5);
    fr_json_destroy(json);
    fr_json_destroy(NULL);
}

static void any_value_may_stand_alone(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_json_kind kind;
    } cases[] = {{"5", FR_JSON_NUMBER}, {" \"a\" ", FR_JSON_STRING}, {"null\n", FR_JSON_NULL}, {"true", FR_JSON_BOOL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_json *json = parse(cases[i].text);
        assert_int_equal(fr_json_get_kind(json, FR_JSON_ROOT), cases[i].kind);
        assert_int_equal(fr_json_next(json, FR_JSON_ROOT), FR_JSON_NONE);
        assert_int_equal(fr_json_first(json, FR_JSON_ROOT), FR_JSON_NONE);
        fr_json_destroy(json);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Walking

static void values_follow_one_another_in_their_container(void **state) {
    (void)state;
    fr_json *json = parse("{\"a\":[1,[2,3],{}],\"b\":\"c\",\"d\":{\"e\":true}}");
    static const struct {
        fr_json_kind kind;
        uint32_t next, count;
    } expected[] = {
        {FR_JSON_OBJECT, FR_JSON_NONE, 3},
        {FR_JSON_STRING, FR_JSON_NONE, 0},
        {FR_JSON_ARRAY, 9, 3},
        {FR_JSON_NUMBER, 4, 0},
        {FR_JSON_ARRAY, 7, 2},
        {FR_JSON_NUMBER, 6, 0},
        {FR_JSON_NUMBER, FR_JSON_NONE, 0},
        {FR_JSON_OBJECT, FR_JSON_NONE, 0},
        {FR_JSON_STRING, FR_JSON_NONE, 0},
        {FR_JSON_STRING, 11, 0},
        {FR_JSON_STRING, FR_JSON_NONE, 0},
        {FR_JSON_OBJECT, FR_JSON_NONE, 1},
        {FR_JSON_STRING, FR_JSON_NONE, 0},
        {FR_JSON_BOOL, FR_JSON_NONE, 0},
    };
    assert_int_equal(fr_json_value_count(json), 14);
    for (uint32_t i = 0; i < 14; i++) {
        assert_int_equal(fr_json_get_kind(json, i), expected[i].kind);
        assert_int_equal(fr_json_next(json, i), expected[i].next);
        assert_int_equal(fr_json_count(json, i), expected[i].count);
    }
    assert_int_equal(fr_json_first(json, 0), 2);
    assert_int_equal(fr_json_first(json, 2), 3);
    assert_int_equal(fr_json_first(json, 7), FR_JSON_NONE);
    assert_int_equal(fr_json_first(json, 11), 13);
    assert_int_equal(fr_json_key(13), 12);
    fr_json_destroy(json);
}

static void members_are_found_by_key(void **state) {
    (void)state;
    fr_json *json = parse("{\"\\u0061\":1,\"b\":2,\"a\":3,\"\":4,\"n\\u0000\":5}");
    static const char *const keys[] = {"b", "a", "zz", ""};
    fr_json_value values[4];
    assert_true(fr_json_members(json, FR_JSON_ROOT, keys, 4, values));
    assert_int_equal(values[0], 4);
    assert_int_equal(values[1], 2); // the first of two
    assert_int_equal(values[2], FR_JSON_NONE);
    assert_int_equal(values[3], 8);
    assert_int_equal(fr_json_member(json, FR_JSON_ROOT, "b"), 4);
    assert_int_equal(fr_json_member(json, FR_JSON_ROOT, "n"), FR_JSON_NONE);
    assert_int_equal(fr_json_member(json, FR_JSON_NONE, "b"), FR_JSON_NONE);
    assert_int_equal(fr_json_member(json, 2, "b"), FR_JSON_NONE);
    assert_false(fr_json_members(json, 2, keys, 4, values));
    assert_int_equal(values[3], FR_JSON_NONE);
    fr_json_destroy(json);
}

// ---------------------------------------------------------------------------------------------------------------
// Values

// Whole numbers are those of their digits, not those that they round to.
static void whole_numbers_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_whole;
        uint64_t whole;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"-0.0e5", true, 0},
        {"0e99999999999999999999", true, 0},
        {"9007199254740991", true, UINT64_C(9007199254740991)},
        {"9007199254740992", true, UINT64_C(9007199254740992)},
        {"9007199254740992.000", true, UINT64_C(9007199254740992)},
        {"900719925474099200000e-5", true, UINT64_C(9007199254740992)},
        {"9.007199254740992e15", true, UINT64_C(9007199254740992)},
        {"9007199254740993", false, 0},
        {"9007199254740992.5", false, 0},
        {"9007199254740992.0000000000000000000000000001", false, 0},
        {"90071992547409930e-1", false, 0},
        {"0.99999999999999999999", false, 0},
        {"1.00000000000000000001", false, 0},
        {"1.5e1", true, 15},
        {"1.5e0", false, 0},
        {"150e-1", true, 15},
        {"150e-2", false, 0},
        {"1e15", true, UINT64_C(1000000000000000)},
        {"1e16", false, 0},
        {"1e-1", false, 0},
        {"1e-99999999999999999999", false, 0},
        {"1e99999999999999999999", false, 0},
        {"-1", false, 0},
        {"18446744073709551617", false, 0},
        {"123456789012345678901234567890", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_json *json = parse(cases[i].text);
        uint64_t whole = 7;
        bool is_whole = fr_json_get_whole(json, FR_JSON_ROOT, &whole);
        if (is_whole != cases[i].is_whole || whole != (is_whole ? cases[i].whole : 7)) {
            fail_msg("%s gave %d, %llu", cases[i].text, is_whole, (unsigned long long)whole);
        }
        fr_json_destroy(json);
    }
}

static void values_are_got_where_they_have_the_wanted_kind(void **state) {
    (void)state;
    fr_json *json = parse("[12.0,-1,0.5,1e999,9007199254740992,9007199254740994,\"7\",true,[1,2],[1,\"2\"]]");
    double number = 7.0, pair[2] = {0};
    uint64_t whole = 7;
    bool truth = false;
    assert_true(fr_json_get_number(json, 1, &number) && number == 12.0);
    assert_true(fr_json_get_whole(json, 1, &whole) && whole == 12);
    assert_true(fr_json_get_number(json, 2, &number) && number == -1.0);
    assert_false(fr_json_get_whole(json, 2, &whole));
    assert_false(fr_json_get_whole(json, 3, &whole));
    assert_false(fr_json_get_number(json, 4, &number));
    assert_true(fr_json_get_whole(json, 5, &whole) && whole == UINT64_C(9007199254740992));
    assert_false(fr_json_get_whole(json, 6, &whole));
    assert_false(fr_json_get_number(json, 7, &number));
    assert_true(fr_json_get_bool(json, 8, &truth) && truth);
    assert_false(fr_json_get_bool(json, 7, &truth));
    assert_true(fr_json_get_numbers(json, 9, 2, pair) && pair[0] == 1.0 && pair[1] == 2.0);
    assert_false(fr_json_get_numbers(json, 9, 3, pair));
    assert_false(fr_json_get_numbers(json, 12, 2, pair));
    assert_false(fr_json_get_number(json, FR_JSON_NONE, &number));
    assert_false(fr_json_get_whole(json, FR_JSON_NONE, &whole));
    assert_false(fr_json_get_numbers(json, FR_JSON_NONE, 2, pair));
    assert_false(fr_json_get_bool(json, FR_JSON_NONE, &truth));
    assert_true(number == -1.0 && whole == UINT64_C(9007199254740992) && truth);
    fr_json_destroy(json);
}

static void strings_are_decoded(void **state) {
    (void)state;
    static const struct {
        const char *text, *meant;
    } cases[] = {{"\"\"", ""},
                 {"\"abc\"", "abc"},
                 {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
                 {"\"x\\u00e9\\u3075y\\uD83D\\uDE00\"", "x\xC3\xA9\xE3\x81\xB5y\xF0\x9F\x98\x80"},
                 {"\"\\u007F\\u0080\\u07ff\\u0800\\uFFFF\\uDBFF\\uDFFF\"",
                  "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_json *json = parse(cases[i].text);
        char decoded[64];
        size_t size = fr_json_decode(json, FR_JSON_ROOT, decoded);
        assert_true(size <= fr_json_get_text(json, FR_JSON_ROOT).size);
        assert_int_equal(size, strlen(cases[i].meant));
        assert_memory_equal(decoded, cases[i].meant, size);
        assert_true(fr_json_equals(json, FR_JSON_ROOT, cases[i].meant));
        assert_false(fr_json_equals(json, FR_JSON_ROOT, "abd"));
        assert_false(fr_json_equals(json, FR_JSON_ROOT, "x"));
        fr_json_destroy(json);
    }
    fr_json *json = parse("[5]");
    char decoded[8];
    assert_int_equal(fr_json_decode(json, 1, decoded), 0);
    assert_false(fr_json_equals(json, 1, "5"));
    assert_false(fr_json_equals(json, FR_JSON_NONE, ""));
    assert_memory_equal(fr_json_get_text(json, 1).bytes, "5", fr_json_get_text(json, 1).size);
    fr_json_destroy(json);
}

// ---------------------------------------------------------------------------------------------------------------
// Places

static void places_are_found_in_any_order(void **state) {
    (void)state;
    fr_json *json = parse("\xEF\xBB\xBF[1,\n  \"two\",\r\n\n\t3]");
    fr_json_mark mark = {0};
    static const int places[4][2] = {{1, 1}, {1, 2}, {2, 3}, {4, 2}};
    static const uint32_t order[] = {0, 1, 2, 3, 1, 3, 0};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        int line, column;
        fr_json_place(json, order[i], &mark, &line, &column);
        assert_int_equal(line, places[order[i]][0]);
        assert_int_equal(column, places[order[i]][1]);
    }
    fr_json_destroy(json);
}

static void paths_name_keys_and_indices(void **state) {
    (void)state;
    fr_json *json = parse("{\"a\":[1,{\"b\":[[],2]}],\"c\":{\"d\":3}}");
    static const char *const paths[] = {"",          "a",         "a", "a[0]", "a[1]", "a[1].b", "a[1].b",
                                        "a[1].b[0]", "a[1].b[1]", "c", "c",    "c.d",  "c.d"};
    assert_int_equal(fr_json_value_count(json), 13);
    for (uint32_t i = 0; i < 13; i++) {
        char text[32];
        assert_int_equal(fr_json_path(json, i, text, sizeof text), strlen(paths[i]));
        assert_string_equal(text, paths[i]);
    }
    char cut[4] = "???";
    assert_int_equal(fr_json_path(json, 8, cut, sizeof cut), 9);
    assert_string_equal(cut, "a[1");
    assert_int_equal(fr_json_path(json, 8, NULL, 0), 9);
    fr_json_destroy(json);

    json = parse("{\"\xC3\xA9\":1}");
    char half[2];
    assert_int_equal(fr_json_path(json, 2, half, sizeof half), 2);
    assert_string_equal(half, "");
    fr_json_destroy(json);
}

// ---------------------------------------------------------------------------------------------------------------
// Keys that stand twice

static void keys_twice_are_refused_on_request(void **state) {
    (void)state;
    fr_json_def def = fr_default_json_def();
    def.has_unique_keys = true;
    expect_refusal("{\"a\":1,\n \"b\":2, \"a\":3}", &def, FR_ERROR_SYNTAX, "2:9: 'a' stands here for the second time");
    expect_refusal("{\"a\":1,\"\\u0061\":3}", &def, FR_ERROR_SYNTAX, "1:8: '\\u0061' stands here for the second time");
    expect_refusal("{\"a\":{\"b\":1,\"b\":2},\"a\":3}", &def, FR_ERROR_SYNTAX,
                   "1:13: 'b' stands here for the second time");
    fr_json *json;
    const char *text = "{\"a\":1,\"b\":{\"a\":2},\"c\":[{\"a\":1},{\"a\":1}]}";
    assert_int_equal(fr_json_create(text, strlen(text), &def, &json, NULL), FR_OK);
    fr_json_destroy(json);
}

// An object of many keys, one twice: the second of them is named.
static void keys_twice_are_found_among_many(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (int round = 0; round < 200; round++) {
        size_t count = 2 + fr_random_below(&random, 60), second = 1 + fr_random_below(&random, count - 1);
        size_t first = fr_random_below(&random, second), used = 1, column = 0;
        char text[1024] = "{";
        for (size_t i = 0; i < count; i++) {
            if (i == second) { column = used + 1; }
            size_t number = i == second ? first : i;
            const char *format = fr_random_below(&random, 2) ? "\"k%zu\":0," : "\"\\u006b%zu\":0,";
            used += (size_t)snprintf(text + used, sizeof text - used, format, number);
        }
        text[used - 1] = '}';
        fr_json_def def = fr_default_json_def();
        def.has_unique_keys = true;
        fr_json *json;
        fr_error error = {0};
        assert_int_equal(fr_json_create(text, used, &def, &json, &error), FR_ERROR_SYNTAX);
        assert_int_equal(error.column, column);
        def.has_unique_keys = false;
        assert_int_equal(fr_json_create(text, used, &def, &json, &error), FR_OK);
        fr_json_destroy(json);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Size, control, memory

// A million values in one object and in one array: the time grows with the text alone.
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

    fr_json *json;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_json_def def = fr_default_json_def();
    def.allocator = fr_probe_allocator(probe);
    uint64_t start = fr_clock_ns();
    assert_int_equal(fr_json_create(text, size, &def, &json, NULL), FR_OK);
    assert_int_equal(fr_json_value_count(json), 3 + count + 2 * (count - 1));
    assert_true(fr_probe_get(probe).peak_bytes <= 1024 + 80 * (uint64_t)fr_json_value_count(json));
    fr_json_destroy(json);
    def.has_unique_keys = true;
    assert_int_equal(fr_json_create(text, size, &def, &json, NULL), FR_OK);
    assert_true(fr_clock_ms_since(start) < 20000.0);
    fr_json_destroy(json);
    fr_probe_destroy(probe);
    free(text);
}

static void deep_texts_are_refused_at_once(void **state) {
    (void)state;
    size_t size = 10000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '[', size);
    fr_json_def def = fr_default_json_def();
    fr_json *json;
    fr_error error = {0};
    assert_int_equal(fr_json_create(text, size, &def, &json, &error), FR_ERROR_LIMIT);
    assert_int_equal(error.column, 65);

    // Without that limit no stack is used: half of it opens, half closes.
    memset(text + size / 2, ']', size - size / 2);
    def.max_depth = UINT32_MAX;
    assert_int_equal(fr_json_create(text, size, &def, &json, &error), FR_OK);
    assert_int_equal(fr_json_value_count(json), size / 2);
    assert_int_equal(fr_json_first(json, 0), 1);
    fr_json_destroy(json);
    free(text);
}

static bool count_stops(void *user) {
    int *left = user;
    return --*left < 0;
}

static void parsing_stops_on_request(void **state) {
    (void)state;
    size_t size = 4 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    for (size_t i = 0; i + 2 < size; i += 2) {
        memcpy(text + i, i == 0 ? "[0" : ",0", 2);
    }
    text[size - 1] = ']';
    int left = 3;
    fr_control control = {.stop = count_stops, .user = &left};
    fr_json_def def = fr_default_json_def();
    def.control = &control;
    fr_json *json;
    fr_error error = {0};
    assert_int_equal(fr_json_create(text, size, &def, &json, &error), FR_ERROR_STOPPED);
    left = 1 << 20;
    assert_int_equal(fr_json_create(text, size, &def, &json, &error), FR_OK);
    assert_true((1 << 20) - left >= 16);
    fr_json_destroy(json);
    free(text);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    const char *text =
        "{\"a\":[1,2,3,4,5,6,7,8,9,10],\"b\\n\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,"
        "\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,\"q\":1,\"r\":1,\"s\":1}";
    fr_json_def def = fr_default_json_def();
    def.has_unique_keys = true;
    def.allocator = *allocator;
    fr_json *json;
    fr_status status = fr_json_create(text, strlen(text), &def, &json, NULL);
    fr_json_destroy(json);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_refused_with_their_place),
        cmocka_unit_test(limits_themselves_are_accepted),
        cmocka_unit_test(any_value_may_stand_alone),
        cmocka_unit_test(values_follow_one_another_in_their_container),
        cmocka_unit_test(members_are_found_by_key),
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(values_are_got_where_they_have_the_wanted_kind),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(places_are_found_in_any_order),
        cmocka_unit_test(paths_name_keys_and_indices),
        cmocka_unit_test(keys_twice_are_refused_on_request),
        cmocka_unit_test(keys_twice_are_found_among_many),
        cmocka_unit_test(large_texts_take_linear_time),
        cmocka_unit_test(deep_texts_are_refused_at_once),
        cmocka_unit_test(parsing_stops_on_request),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
