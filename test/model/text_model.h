// Models from text in a test, and queries of them.
#ifndef FUREAI_TEST_TEXT_MODEL_H
#define FUREAI_TEST_TEXT_MODEL_H

#include "failing.h"

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

// What is the same of a model however little memory there was; warnings are not.
static inline void note_model(const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    test_note(&view->bounds, sizeof view->bounds);
    test_note_number(view->node_count);
    test_note_number(view->vertex_count);
    test_note_number(view->placed_triangle_count);
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        const fr_model_mesh *mesh = &view->meshes[i];
        uint32_t corner_count = mesh->face_count > 0 ? fr_model_face_end(mesh, mesh->face_count - 1) : 0;
        test_note(mesh->corners, corner_count * sizeof *mesh->corners);
    }
}

typedef struct bounded_read {
    const void *bytes;
    size_t size;
    fr_model_read_input options;
} bounded_read;

static inline fr_status read_bounded(const fr_allocator *allocator, void *context) {
    const bounded_read *read = context;
    fr_model_read_input options = read->options;
    options.allocator = *allocator;
    fr_model *model;
    fr_error error;
    fr_status status = read_bytes(read->bytes, read->size, &options, &model, &error);
    if (status == FR_OK) { note_model(model); }
    if (status != FR_OK) { assert_int_equal(error.status, status); }
    fr_model_destroy(model);
    return status;
}

// Reads bytes with each allocation failing in turn until, before the n-th for n = `most`, all is read: a status each
// time, and nothing may stay behind. A warning that finds no memory is the one loss that is no failure. Then under
// bounds of bytes.
static inline void survives_failures(const void *bytes, size_t size, fr_model_format format, uint64_t most) {
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    bounded_read read = {bytes, size, fr_default_model_read_input()};
    read.options.format = format;
    fr_status status = FR_ERROR_MEMORY;
    for (uint64_t n = 1; status != FR_OK; n++) {
        fr_probe_fail(probe, n, false);
        status = read_bounded(&allocator, &read);
        assert_true(status == FR_OK || status == FR_ERROR_MEMORY);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        assert_true(n < most);
    }
    fr_probe_destroy(probe);
    test_every_bound(read_bounded, &read, true);
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
