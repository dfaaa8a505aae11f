// The JSON writer: text, numbers, nesting, holding back, failing writes.
#include "json.h"

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

static void expect(json *j, sink *s, const char *text) {
    assert_true(json_end(j));
    assert_string_equal(s->text, text);
}

static void test_nesting_and_commas(void **state) {
    (void)state;
    sink s = {.room = 4000};
    json j = json_begin(take, &s, 100);
    double v[3] = {1.0, -0.0, 0.1};
    json_object(&j);
    json_key(&j, "empty");
    json_object(&j);
    json_object_end(&j);
    json_key(&j, "list");
    json_array(&j);
    json_array(&j);
    json_array_end(&j);
    json_null(&j);
    json_bool(&j, true);
    json_int(&j, INT64_MIN);
    json_uint(&j, UINT64_MAX);
    json_array_end(&j);
    json_numbers_field(&j, "v", v, 3);
    json_string_field(&j, "none", NULL);
    json_object_end(&j);
    expect(&j, &s,
           "{\"empty\":{},\"list\":[[],null,true,-9223372036854775808,18446744073709551615],\"v\":[1,-0,0.1],"
           "\"none\":null}\n");
}

static void test_indent(void **state) {
    (void)state;
    sink s = {.room = 4000};
    json j = json_begin(take, &s, 100);
    j.indent = 2;
    json_object(&j);
    json_int_field(&j, "a", 1);
    json_key(&j, "b");
    json_array(&j);
    json_int(&j, 2);
    json_array_end(&j);
    json_object_end(&j);
    expect(&j, &s, "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n");
}

static void expect_text(const char *bytes, size_t size, const char *text) {
    sink s = {.room = 4000};
    json j = json_begin(take, &s, 100);
    json_bytes(&j, bytes, size);
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
    json j = json_begin(take, &s, 100);
    json_number(&j, value);
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
        json j = json_begin(take, &s, 100);
        json_number(&j, value);
        assert_true(json_end(&j));
        assert_true(strtod(s.text, NULL) == value);
    }
}

static void test_a_held_document_can_be_cancelled(void **state) {
    (void)state;
    sink s = {.room = 4000};
    json j = json_begin(take, &s, 100);
    json_array(&j);
    json_string(&j, "held back");
    assert_true(json_cancel(&j));
    assert_int_equal(s.size, 0);
}

static void test_a_large_document_is_streamed(void **state) {
    (void)state;
    sink s = {.room = 4000};
    json j = json_begin(take, &s, 16);
    json_array(&j);
    json_string(&j, "longer than what may be held back");
    for (int i = 0; i < 10; ++i) {
        json_int(&j, i);
    }
    assert_true(s.size > 0);
    assert_false(json_cancel(&j));
}

static void test_a_failed_write_is_told(void **state) {
    (void)state;
    sink s = {.room = 10};
    json j = json_begin(take, &s, 4);
    json_array(&j);
    for (int i = 0; i < 100; ++i) {
        json_int(&j, i);
    }
    json_array_end(&j);
    assert_false(json_end(&j));
}

// Without memory to hold anything back, the bytes are the same.
static void test_no_memory_streams(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    sink s = {.room = 4000};
    fr_set_default_allocator(fr_probe_allocator(probe));
    fr_probe_fail(probe, 1, true);
    json j = json_begin(take, &s, 100);
    json_array(&j);
    json_string(&j, "a\nb");
    json_array_end(&j);
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
    json j = json_begin(take, &s, 100);
    fr_set_assert(count_assert, &failures);
    json_object(&j);
    json_int(&j, 1); // a value without its key
    assert_int_equal(failures, 1);
    json_array_end(&j); // an object is open
    assert_int_equal(failures, 2);
    json_object_end(&j);
    json_int(&j, 2); // a second document
    assert_int_equal(failures, 3);
    json_key(&j, "k"); // no object is open
    assert_int_equal(failures, 4);
    fr_set_assert(NULL, NULL);
    json_cancel(&j);
#else
    (void)count_assert;
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting_and_commas),
        cmocka_unit_test(test_indent),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_read_back),
        cmocka_unit_test(test_a_held_document_can_be_cancelled),
        cmocka_unit_test(test_a_large_document_is_streamed),
        cmocka_unit_test(test_a_failed_write_is_told),
        cmocka_unit_test(test_no_memory_streams),
        cmocka_unit_test(test_wrong_nesting_is_asserted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
