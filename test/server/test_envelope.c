// Envelopes of homes and edges: what is written is read again, and anything else is refused.
#include "frame.h"

#include "server/envelope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fr__envelope random_envelope(fr_random *random, unsigned char bytes[64]) {
    fr__envelope e = {.kind = (fr__envelope_kind)(1 + fr_random_bits(random) % (FR__ENVELOPE_KINDS - 1)),
                      .flags = (uint32_t)fr_random_bits(random) & FR__ENVELOPE_FLAGS,
                      .home = fr_random_bits(random) | 1,
                      .epoch = fr_random_bits(random),
                      .serial = fr_random_bits(random),
                      .since = fr_random_bits(random),
                      .edge = fr_random_bits(random),
                      .part = (uint32_t)fr_random_bits(random),
                      .client = (uint32_t)fr_random_bits(random),
                      .value = (uint32_t)fr_random_bits(random),
                      .bytes = bytes,
                      .size = fr_random_bits(random) % 65};
    size_t name = fr_random_bits(random) % FR__ENVELOPE_NAME_BYTES;
    for (size_t i = 0; i < name; i++) {
        e.name[i] = (char)('a' + fr_random_bits(random) % 26);
    }
    for (size_t i = 0; i < 64; i++) {
        bytes[i] = (unsigned char)fr_random_bits(random);
    }
    return e;
}

static void expect_equal(const fr__envelope *a, const fr__envelope *b) {
    assert_true(a->kind == b->kind && a->flags == b->flags && a->home == b->home && a->epoch == b->epoch &&
                a->serial == b->serial && a->since == b->since && a->edge == b->edge && a->part == b->part &&
                a->client == b->client && a->value == b->value && a->size == b->size);
    assert_string_equal(a->name, b->name);
    if (a->size > 0) { assert_memory_equal(a->bytes, b->bytes, a->size); }
}

static void what_is_written_is_read(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    fr_byte_array out = fr_byte_array_make(NULL);
    for (uint64_t i = 0; i < test_count(2000, 200000); i++) {
        unsigned char bytes[64];
        fr__envelope written = random_envelope(&random, bytes), read;
        out.count = 0;
        assert_true(fr__envelope_write(&written, &out));
        assert_int_equal(fr__envelope_read(out.data, out.count, &read, NULL), FR_OK);
        expect_equal(&written, &read);
        // Cut anywhere before its bytes it is refused.
        for (size_t size = 0; size < out.count - written.size; size++) {
            fr_error error = {0};
            assert_int_equal(fr__envelope_read(out.data, size, &read, &error), FR_ERROR_SYNTAX);
            assert_true(error.message[0] != '\0');
        }
    }
    fr_byte_array_destroy(&out);
}

static void lists_are_walked(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    fr_byte_array out = fr_byte_array_make(NULL);
    fr__envelope written[20], read;
    unsigned char bytes[64];
    for (int i = 0; i < 20; i++) {
        written[i] = random_envelope(&random, bytes);
        written[i].size = 0;
        assert_true(fr__envelope_write(&written[i], &out));
    }
    size_t at = 0;
    for (int i = 0; i < 20; i++) {
        assert_true(fr__envelope_next(out.data, out.count, &at, &read));
        expect_equal(&written[i], &read);
    }
    assert_false(fr__envelope_next(out.data, out.count, &at, &read));
    assert_int_equal(at, out.count);
    // One that is cut ends the walk.
    at = 0;
    int count = 0;
    while (fr__envelope_next(out.data, out.count - 1, &at, &read)) {
        count++;
    }
    assert_int_equal(count, 19);
    fr_byte_array_destroy(&out);
}

static void what_is_none_is_refused(void **state) {
    (void)state;
    unsigned char bytes[64];
    fr_random random = fr_random_seed(3);
    fr__envelope written = random_envelope(&random, bytes), read;
    fr_byte_array out = fr_byte_array_make(NULL);
    fr_error error = {0};
    assert_true(fr__envelope_write(&written, &out));
    out.data[3]++;
    assert_int_equal(fr__envelope_read(out.data, out.count, &read, &error), FR_ERROR_VERSION);
    assert_non_null(strstr(error.message, "another version"));
    out.data[3]--;
    out.data[0] ^= 1;
    assert_int_equal(fr__envelope_read(out.data, out.count, &read, NULL), FR_ERROR_SYNTAX);
    out.data[0] ^= 1;
    static const struct {
        size_t at;
        unsigned char value;
    } wrong[] = {{4, 0}, {4, FR__ENVELOPE_KINDS}, {5, 1}, {8, 32}, {64, 1}, {68, 64}, {71, 255}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        unsigned char before = out.data[wrong[i].at];
        out.data[wrong[i].at] = wrong[i].value;
        assert_int_equal(fr__envelope_read(out.data, out.count, &read, &error), FR_ERROR_SYNTAX);
        out.data[wrong[i].at] = before;
    }
    memset(out.data + 12, 0, 8); // of no home
    assert_int_equal(fr__envelope_read(out.data, out.count, &read, NULL), FR_ERROR_SYNTAX);
    fr_byte_array_destroy(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(lists_are_walked),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
