// The JSON writer: text, numbers, nesting, holding back, failing writes.
#include "fureai/json.h"

#include "failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sink {
    char text[4096];
    size_t size;
    size_t room; // a write that would pass it fails
} sink;

static bool take(const void *bytes, size_t size, void *context) {
    sink *s = context;
    if (s->size + size > s->room) { return false; }
    memcpy(s->text + s->size, bytes, size);
    s->size += size;
    s->text[s->size] = '\0';
    return true;
}

static void expect(fr_json_writer *j, sink *s, const char *text) {
    assert_true(fr_json_writer_end(j));
    assert_string_equal(s->text, text);
}

static void test_nesting_and_commas(void **state) {
    (void)state;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    double v[3] = {1.0, -0.0, 0.1};
    fr_json_write_object(&j);
    fr_json_write_key(&j, "empty");
    fr_json_write_object(&j);
    fr_json_write_object_end(&j);
    fr_json_write_key(&j, "list");
    fr_json_write_array(&j);
    fr_json_write_array(&j);
    fr_json_write_array_end(&j);
    fr_json_write_null(&j);
    fr_json_write_bool(&j, true);
    fr_json_write_int(&j, INT64_MIN);
    fr_json_write_uint(&j, UINT64_MAX);
    fr_json_write_array_end(&j);
    fr_json_write_numbers_field(&j, "v", v, 3);
    fr_json_write_string_field(&j, "none", NULL);
    fr_json_write_object_end(&j);
    expect(&j, &s,
           "{\"empty\":{},\"list\":[[],null,true,-9223372036854775808,18446744073709551615],\"v\":[1,-0,0.1],"
           "\"none\":null}\n");
}

static void test_indent(void **state) {
    (void)state;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    j.indent = 2;
    fr_json_write_object(&j);
    fr_json_write_int_field(&j, "a", 1);
    fr_json_write_key(&j, "b");
    fr_json_write_array(&j);
    fr_json_write_int(&j, 2);
    fr_json_write_array_end(&j);
    fr_json_write_object_end(&j);
    expect(&j, &s, "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n");
}

// Levels below `line_depth` share a line, with spaces.
static void test_lines_up_to_a_depth(void **state) {
    (void)state;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    double v[2] = {1.0, 2.0};
    j.indent = 2;
    j.line_depth = 1;
    fr_json_write_object(&j);
    fr_json_write_numbers_field(&j, "v", v, 2);
    fr_json_write_key(&j, "list");
    fr_json_write_array(&j);
    fr_json_write_object(&j);
    fr_json_write_int_field(&j, "a", 1);
    fr_json_write_int_field(&j, "b", 2);
    fr_json_write_object_end(&j);
    fr_json_write_object(&j);
    fr_json_write_object_end(&j);
    fr_json_write_array_end(&j);
    fr_json_write_object_end(&j);
    expect(&j, &s, "{\n  \"v\": [1, 2],\n  \"list\": [{ \"a\": 1, \"b\": 2 }, {}]\n}\n");
}

static void expect_text(const char *bytes, size_t size, const char *text) {
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    fr_json_write_bytes(&j, bytes, size);
    expect(&j, &s, text);
}

static void test_strings(void **state) {
    (void)state;
    expect_text("plain", 5, "\"plain\"\n");
    expect_text("a\"b\\c\n\r\t\x01\x7F", 10, "\"a\\\"b\\\\c\\n\\r\\t\\u0001\x7F\"\n");
    expect_text("\0", 1, "\"\\u0000\"\n");
    expect_text("\xE3\x81\xB5\xF0\x9F\x98\x80", 7, "\"\xE3\x81\xB5\xF0\x9F\x98\x80\"\n");
    expect_text("\xFF!", 2, "\"\xEF\xBF\xBD!\"\n");                               // no character begins so
    expect_text("\xC0\xAF", 2, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n");                 // overlong
    expect_text("\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"); // surrogate
    expect_text("\xF4\x90\x80\x80", 4, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"); // too large
    expect_text("x\xE3\x81", 3, "\"x\xEF\xBF\xBD\xEF\xBF\xBD\"\n");                               // cut off
}

static void expect_digits(double value, const char *text) {
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    fr_json_write_number(&j, value);
    expect(&j, &s, text);
}

static void test_numbers(void **state) {
    (void)state;
    expect_digits(0.1, "0.1\n");
    expect_digits(1.0 / 3.0, "0.3333333333333333\n");
    expect_digits(0.1 + 0.2, "0.30000000000000004\n");
    expect_digits(1e21, "1e21\n");
    expect_digits(5e-324, "5e-324\n");
    expect_digits(NAN, "null\n");
    expect_digits(-INFINITY, "null\n");
}

static void test_numbers_read_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (int i = 0; i < 100000; ++i) {
        uint64_t bits = fr_random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) { continue; }
        sink s = {.room = 4000};
        fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
        fr_json_write_number(&j, value);
        assert_true(fr_json_writer_end(&j));
        assert_true(strtod(s.text, NULL) == value);
    }
}

static void test_a_held_document_can_be_cancelled(void **state) {
    (void)state;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    fr_json_write_array(&j);
    fr_json_write_string(&j, "held back");
    assert_true(fr_json_writer_cancel(&j));
    assert_int_equal(s.size, 0);
}

static void test_a_large_document_is_streamed(void **state) {
    (void)state;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 16, NULL);
    fr_json_write_array(&j);
    fr_json_write_string(&j, "longer than what may be held back");
    for (int i = 0; i < 10; ++i) {
        fr_json_write_int(&j, i);
    }
    assert_true(s.size > 0);
    assert_false(fr_json_writer_cancel(&j));
}

static void test_a_failed_write_is_reported(void **state) {
    (void)state;
    sink s = {.room = 10};
    fr_json_writer j = fr_json_writer_make(take, &s, 4, NULL);
    fr_json_write_array(&j);
    for (int i = 0; i < 100; ++i) {
        fr_json_write_int(&j, i);
    }
    fr_json_write_array_end(&j);
    assert_false(fr_json_writer_end(&j));
}

// A writer holds back on the process's allocator: every call of it under bounds, which it makes up for by streaming.
static fr_status write_all(const fr_allocator *allocator, void *context) {
    (void)context;
    sink s = {.room = 4000};
    const double numbers[3] = {1.5, -2.0, 1e300};
    fr_set_default_allocator(*allocator);
    fr_json_writer j = fr_json_writer_make(take, &s, 2000, NULL);
    fr_json_write_object(&j);
    for (int i = 0; i < 10; i++) {
        fr_json_write_key(&j, "list");
        fr_json_write_array(&j);
        fr_json_write_bool(&j, true);
        fr_json_write_null(&j);
        fr_json_write_int(&j, -i);
        fr_json_write_uint(&j, UINT64_MAX);
        fr_json_write_number(&j, 0.1);
        fr_json_write_numbers(&j, numbers, 3);
        fr_json_write_string(&j, "a\nb");
        fr_json_write_bytes(&j, "cd", 2);
        fr_json_write_array_end(&j);
    }
    fr_json_write_bool_field(&j, "bool", false);
    fr_json_write_int_field(&j, "int", -7);
    fr_json_write_uint_field(&j, "uint", 7);
    fr_json_write_number_field(&j, "number", 0.25);
    fr_json_write_numbers_field(&j, "numbers", numbers, 3);
    fr_json_write_string_field(&j, "string", "text");
    fr_json_write_object_end(&j);
    assert_true(fr_json_writer_end(&j));
    fr_set_default_allocator((fr_allocator){0});
    test_note(s.text, s.size);
    return FR_OK;
}

static void test_every_bound_writes_the_same(void **state) {
    (void)state;
    test_every_bound(write_all, NULL, true);
}

// Without memory to hold anything back, the bytes are the same.
static void test_no_memory_streams(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    sink s = {.room = 4000};
    fr_set_default_allocator(fr_probe_allocator(probe));
    fr_probe_fail(probe, 1, true);
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    fr_json_write_array(&j);
    fr_json_write_string(&j, "a\nb");
    fr_json_write_array_end(&j);
    expect(&j, &s, "[\"a\\nb\"]\n");
    fr_set_default_allocator((fr_allocator){0});
    fr_probe_destroy(probe);
}

static bool count_assert(const char *condition, const char *file, int line, void *user) {
    (void)condition, (void)file, (void)line;
    ++*(int *)user;
    return false;
}

static void test_wrong_nesting_is_asserted(void **state) {
    (void)state;
#if defined(FR_ENABLE_ASSERT) || !defined(NDEBUG)
    int failures = 0;
    sink s = {.room = 4000};
    fr_json_writer j = fr_json_writer_make(take, &s, 100, NULL);
    fr_set_assert(count_assert, &failures);
    fr_json_write_object(&j);
    fr_json_write_int(&j, 1); // a value without its key
    assert_int_equal(failures, 1);
    fr_json_write_array_end(&j); // an object is open
    assert_int_equal(failures, 2);
    fr_json_write_object_end(&j);
    fr_json_write_int(&j, 2); // a second document
    assert_int_equal(failures, 3);
    fr_json_write_key(&j, "k"); // no object is open
    assert_int_equal(failures, 4);
    fr_set_assert(NULL, NULL);
    fr_json_writer_cancel(&j);
#else
    (void)count_assert;
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting_and_commas),
        cmocka_unit_test(test_indent),
        cmocka_unit_test(test_lines_up_to_a_depth),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_read_back),
        cmocka_unit_test(test_a_held_document_can_be_cancelled),
        cmocka_unit_test(test_a_large_document_is_streamed),
        cmocka_unit_test(test_a_failed_write_is_reported),
        cmocka_unit_test(test_every_bound_writes_the_same),
        cmocka_unit_test(test_no_memory_streams),
        cmocka_unit_test(test_wrong_nesting_is_asserted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
