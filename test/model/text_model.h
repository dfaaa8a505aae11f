// Models from text in a test, and queries of them.
#ifndef FUREAI_TEST_TEXT_MODEL_H
#define FUREAI_TEST_TEXT_MODEL_H

#include "fureai/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Reads bytes from a block of exactly their size, so that the sanitizer sees every byte read too far.
static inline fr_status read_bytes(const void *bytes, size_t size, const fr_model_read_input *options, fr_model **out,
                                   fr_error *error) {
    void *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    fr_status status = fr_model_read(exact, size, options, out, error);
    free(exact);
    assert_int_equal(*out == NULL, status != FR_OK);
    return status;
}

static inline fr_model *read_text(const char *text, fr_model_format format) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    fr_model *model;
    fr_error error;
    if (read_bytes(text, strlen(text), &options, &model, &error) != FR_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    return model;
}

// A text must be refused at a place, with these words somewhere in the message.
static inline void refuses(const char *text, fr_model_format format, fr_status status, int line, int column,
                           const char *words) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    options.name = "a file";
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), status);
    assert_int_equal(error.status, status);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_string_equal(error.path, "a file");
}

// Reads bytes with each allocation failing in turn until, before the n-th for n = `most`, all is read: a status each
// time, and nothing may stay behind. A warning that finds no memory is the one loss that is no failure.
static inline void survives_failures(const void *bytes, size_t size, fr_model_format format, uint64_t most) {
    fr_probe *probe = fr_probe_create();
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    options.allocator = fr_probe_allocator(probe);
    fr_status status = FR_ERROR_MEMORY;
    for (uint64_t n = 1; status != FR_OK; n++) {
        fr_probe_fail(probe, n, false);
        fr_model *model;
        fr_error error;
        status = read_bytes(bytes, size, &options, &model, &error);
        assert_true(status == FR_OK || status == FR_ERROR_MEMORY);
        if (status != FR_OK) { assert_int_equal(error.status, status); }
        fr_model_destroy(model);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        assert_true(n < most);
    }
    fr_probe_destroy(probe);
}

static inline bool push_bytes(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place == NULL) { return false; }
    memcpy(place, bytes, size);
    return true;
}

// The bytes that a model is written as; free the array.
static inline fr_array written(const fr_model *model, fr_model_format format) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error;
    if (fr_model_write(model, format, NULL, push_bytes, &bytes, &error) != FR_OK) { fail_msg("%s", error.message); }
    return bytes;
}

static inline fr_model *written_and_read(const fr_model *model, fr_model_format format) {
    fr_array bytes = written(model, format);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    fr_model *again;
    fr_error error;
    if (read_bytes(bytes.data, bytes.count, &options, &again, &error) != FR_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    assert_int_equal(fr_model_get(again)->format, format);
    fr_array_destroy(&bytes);
    return again;
}

#endif
