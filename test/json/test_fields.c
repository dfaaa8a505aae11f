#include "fureai/json.h"

#include "reader_fixture.h"

#include <string.h>

static void expect_error(const fixture *f, const char *text) {
    char printed[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES];
    assert_int_equal(f->reader.status, f->error.status);
    assert_int_not_equal(f->reader.status, FR_OK);
    fr_error_format(&f->error, printed, sizeof printed);
    assert_string_equal(printed, text);
}

// ---------------------------------------------------------------------------------------------------------------
// Keys

static const fr_json_field keys[] = {{.key = "name", .is_required = true}, {.key = "position"}, {.key = "scale"}};

static void objects_give_values_by_key(void **state) {
    (void)state;
    fixture f;
    fr_json_value values[3];
    open_text(&f, "{\"sc\\u0061le\":2,\"name\":\"n\"}");
    assert_true(fr_json_read_object(&f.reader, FR_JSON_ROOT, "it", keys, 3, values));
    assert_int_equal(values[0], 4);
    assert_int_equal(values[1], FR_JSON_NONE);
    assert_int_equal(values[2], 2);
    close_text(&f);
}

static void wrong_objects_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[]", "x.json:1:1: it must be an object, not an array"},
        {"{}", "x.json:1:1: it lacks 'name'"},
        {"{\"name\":1,\n \"name\":2}", "x.json:2:2: 'name' stands here for the second time"},
        {"{\"name\":1,\n \"n\\u0061me\":2}", "x.json:2:2: 'name' stands here for the second time"},
        {"{\"name\":1, \"psoition\":2}", "x.json:1:12: it has no key 'psoition'; did you mean 'position'?"},
        {"{\"name\":1, \"weight\":2}", "x.json:1:12: it has no key 'weight'"},
        {"{\"\":1}", "x.json:1:2: it has no key ''"},
        {"{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\xC3\xA9\":1}",
         "x.json:1:2: it has no key 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        fr_json_value values[3];
        open_text(&f, cases[i].text);
        assert_false(fr_json_read_object(&f.reader, FR_JSON_ROOT, "it", keys, 3, values));
        expect_error(&f, cases[i].message);
        close_text(&f);
    }
}

static void values_are_named_by_their_path(void **state) {
    (void)state;
    fixture f;
    fr_json_value values[3];
    double numbers[2];
    int word;
    static const fr_json_word words[] = {{"one", 1}, {"three", 3}, {NULL, 0}};
    open_text(&f, "{\"a\":[{\"b\":[1,\"x\"]},7]}");
    assert_false(fr_json_read_object(&f.reader, 3, NULL, keys, 3, values));
    expect_error(&f, "x.json:1:8: a[0] has no key 'b'");
    assert_false(fr_json_read_numbers(&f.reader, 5, NULL, (fr_json_range){0.0, 9.0}, 2, numbers));
    expect_error(&f, "x.json:1:15: a[0].b[1] must be 2 numbers, not a string");
    assert_false(fr_json_read_word(&f.reader, 7, NULL, words, &word));
    expect_error(&f, "x.json:1:15: a[0].b[1] is not 'x'");
    assert_false(fr_json_read_array(&f.reader, FR_JSON_ROOT, NULL, 0, 9));
    expect_error(&f, "x.json:1:1: the document must be an array, not an object");
    close_text(&f);
}

// ---------------------------------------------------------------------------------------------------------------
// Values

typedef enum color { RED = 3, GREEN = 5 } color;

typedef struct target {
    double size;
    uint32_t count;
    int32_t shift;
    double point[3];
    const char *name;
    bool is_on;
    uint32_t flags;
    color paint;
} target;

static const fr_json_word colors[] = {{"red", RED}, {"green", GREEN}, {NULL, 0}};

enum { FIELDS = 10 };

static const fr_json_field fields[FIELDS] = {
    {.key = "size", .type = FR_JSON_AS_NUMBER, .offset = offsetof(target, size), .range = {0.0, 10.0}},
    {.key = "count", .type = FR_JSON_AS_WHOLE, .offset = offsetof(target, count), .range = {1.0, UINT32_MAX}},
    {.key = "shift", .type = FR_JSON_AS_INTEGER, .offset = offsetof(target, shift), .range = {INT32_MIN, 7.0}},
    {.key = "point", .type = FR_JSON_AS_NUMBERS, .offset = offsetof(target, point), .range = {-1.0, 1.0}, .count = 3},
    {.key = "name", .type = FR_JSON_AS_STRING, .offset = offsetof(target, name), .count = 4},
    {.key = "on", .type = FR_JSON_AS_BOOL, .offset = offsetof(target, is_on)},
    {.key = "hot", .type = FR_JSON_AS_FLAG, .offset = offsetof(target, flags), .count = 4},
    {.key = "wet", .type = FR_JSON_AS_FLAG, .offset = offsetof(target, flags), .count = 8},
    {.key = "paint", .type = FR_JSON_AS_WORD, .offset = offsetof(target, paint), .words = colors},
    {.key = "any"},
};

static bool read(fixture *f, target *out) {
    fr_json_value values[FIELDS];
    return fr_json_read_object(&f->reader, FR_JSON_ROOT, "it", fields, FIELDS, values) &&
           fr_json_read_fields(&f->reader, values, fields, FIELDS, out);
}

static void fields_are_read_to_their_places(void **state) {
    (void)state;
    fixture f;
    target t = {.flags = 1};
    open_text(&f, "{\"any\":[],\"paint\":\"green\",\"wet\":true,\"hot\":false,\"on\":true,\"name\":\"n\\u0061\","
                  "\"point\":[1,-0.5,0],\"shift\":-2147483648,\"count\":4294967295,\"size\":2.5}");
    assert_true(read(&f, &t));
    assert_true(t.size == 2.5 && t.count == UINT32_MAX && t.shift == INT32_MIN && t.is_on && t.flags == 9);
    assert_true(t.point[0] == 1.0 && t.point[1] == -0.5 && t.point[2] == 0.0 && t.paint == GREEN);
    assert_string_equal(t.name, "na");
    close_text(&f);
}

static void fields_that_are_not_there_keep_their_default(void **state) {
    (void)state;
    fixture f;
    target t = {.size = 3.0, .name = "before", .paint = RED, .flags = 6}, before = t;
    open_text(&f, "{}");
    assert_true(read(&f, &t));
    assert_memory_equal(&t, &before, sizeof t);
    close_text(&f);
}

static void the_first_wrong_field_is_reported(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"count\":0,\"size\":11}", "x.json:1:19: size must be from 0 to 10"},
        {"{\"count\":1.5}", "x.json:1:10: count must be a whole number"},
        {"{\"shift\":8}", "x.json:1:10: shift must be from -2.14748365e+09 to 7"},
        {"{\"shift\":0.5}", "x.json:1:10: shift must be a whole number"},
        {"{\"shift\":1.00000000000000000001}", "x.json:1:10: shift must be a whole number"},
        {"{\"point\":[1,2]}", "x.json:1:10: point must be 3 numbers, not 2"},
        {"{\"name\":\"abcde\"}", "x.json:1:9: name must have from 1 to 4 bytes"},
        {"{\"on\":1}", "x.json:1:7: on must be true or false, not a number"},
        {"{\"hot\":null}", "x.json:1:8: hot must be true or false, not null"},
        {"{\"paint\":\"gren\"}", "x.json:1:10: paint is not 'gren'; did you mean 'green'?"},
        {"{\"paint\":\"violet\"}", "x.json:1:10: paint is not 'violet'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        target t = {0};
        open_text(&f, cases[i].text);
        assert_false(read(&f, &t));
        expect_error(&f, cases[i].message);
        close_text(&f);
    }
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    const char *text = "{\"name\":\"abcd\"}";
    fr_json_def def = fr_default_json_def();
    def.allocator = *allocator;
    fr_arena *strings = NULL;
    fr_json *json;
    fr_status status = fr_arena_create(0, allocator, &strings, NULL);
    if (status != FR_OK) { return status; }
    status = fr_json_create(text, strlen(text), &def, &json, NULL);
    if (status == FR_OK) {
        fixture f = {.json = json, .reader = fr_json_reader_make(json, strings, NULL)};
        target t = {0};
        static const fr_json_word words[] = {{"abcd", 7}, {NULL, 0}};
        const char *name = NULL;
        int word = 0;
        fr_json_value value = fr_json_member(json, FR_JSON_ROOT, "name");
        bool is_read = read(&f, &t) && fr_json_read_string(&f.reader, value, "a name", 10, &name) &&
                       fr_json_read_word(&f.reader, value, "a word", words, &word);
        if (!is_read) { status = f.reader.status; }
        if (is_read) { assert_true(word == 7 && strcmp(name, "abcd") == 0); }
    }
    fr_json_destroy(json);
    fr_arena_destroy(strings);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_give_values_by_key),
        cmocka_unit_test(wrong_objects_are_reported),
        cmocka_unit_test(values_are_named_by_their_path),
        cmocka_unit_test(fields_are_read_to_their_places),
        cmocka_unit_test(fields_that_are_not_there_keep_their_default),
        cmocka_unit_test(the_first_wrong_field_is_reported),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
