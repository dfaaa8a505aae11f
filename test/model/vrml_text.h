// VRML from text in a test, with files beside it that the test makes up.
#ifndef FUREAI_TEST_VRML_TEXT_H
#define FUREAI_TEST_VRML_TEXT_H

#include "text_model.h"

#define V2 "#VRML V2.0 utf8\n"

// A triangle; the text of an IndexedFaceSet and of a Shape.
#define TRIANGLE "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 ] }"
#define SHAPE "Shape { geometry " TRIANGLE " }"

// A file beside the model.
typedef struct vrml_file {
    const char *path, *text;
} vrml_file;

static inline fr_status vrml_load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)error;
    for (const vrml_file *file = context; file->path != NULL; file++) {
        if (strcmp(file->path, path) == 0) {
            *bytes = file->text;
            *size = strlen(file->text);
            return FR_OK;
        }
    }
    return FR_ERROR_FILE;
}

static inline fr_model_read_input vrml_options(vrml_file *files) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_VRML;
    options.name = "a file";
    if (files != NULL) { options.files = (fr_model_files){vrml_load, NULL, files}; }
    return options;
}

static inline fr_model *vrml_with(const char *text, const fr_model_read_input *options) {
    fr_model *model;
    fr_error error;
    if (read_bytes(text, strlen(text), options, &model, &error) != FR_OK) {
        fail_msg("%s:%d:%d: %s", error.path, error.line, error.column, error.message);
    }
    return model;
}

static inline fr_model *vrml(const char *text) {
    fr_model_read_input options = vrml_options(NULL);
    return vrml_with(text, &options);
}

static inline uint64_t vrml_triangles(const char *text) {
    fr_model *model = vrml(text);
    uint64_t count = fr_model_get(model)->placed_triangle_count;
    fr_model_destroy(model);
    return count;
}

// A text must be read with one warning at a place.
static inline void says_with(const char *text, fr_model_read_input options, int line, int column, const char *words) {
    options.is_strict = false;
    fr_model *model = vrml_with(text, &options);
    const fr_model_view *view = fr_model_get(model);
    bool is_found = false;
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        const fr_model_warning *warning = &view->warnings[i];
        is_found |= strstr(warning->message, words) != NULL && warning->line == line && warning->column == column;
    }
    if (!is_found) {
        for (uint32_t i = 0; i < view->listed_warning_count; i++) {
            print_message("%d:%d: %s\n", view->warnings[i].line, view->warnings[i].column, view->warnings[i].message);
        }
        fail_msg("no warning '%s' at %d:%d", words, line, column);
    }
    fr_model_destroy(model);
}

static inline void says(const char *text, int line, int column, const char *words) {
    says_with(text, vrml_options(NULL), line, column, words);
}

// The same, and it must be refused at the same place by a strict reader.
static inline void warns_with(const char *text, fr_model_read_input options, int line, int column, const char *words) {
    says_with(text, options, line, column, words);
    options.is_strict = true;
    fr_model *model;
    fr_error error;
    assert_int_not_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_OK);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
}

static inline void warns(const char *text, int line, int column, const char *words) {
    warns_with(text, vrml_options(NULL), line, column, words);
}

static inline void vrml_refused(const char *text, fr_status status, int line, int column, const char *words) {
    refuses(text, FR_MODEL_VRML, status, line, column, words);
}

// The node of a name, which there must be.
static inline uint32_t find_node(const fr_model *model, const char *name) {
    const fr_model_view *view = fr_model_get(model);
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (strcmp(view->nodes[i].name, name) == 0) { return i; }
    }
    fail_msg("no node '%s'", name);
    return FR_NONE;
}

// A text with a part of it so many times in its middle; the caller frees it.
static inline char *vrml_repeated(const char *begin, const char *text, size_t count, const char *end) {
    char *all = malloc(strlen(begin) + count * strlen(text) + strlen(end) + 1), *at = all;
    assert_non_null(all);
    at = stpcpy(at, begin);
    for (size_t i = 0; i < count; i++) {
        at = stpcpy(at, text);
    }
    strcpy(at, end);
    return all;
}

#endif
