// A text that is parsed and read, for the tests of readers.
#ifndef FUREAI_TEST_READER_FIXTURE_H
#define FUREAI_TEST_READER_FIXTURE_H

#include "fureai/json.h"

#include "failing.h"

#include <string.h>

typedef struct fixture {
    fr_json *json;
    fr_json_reader reader;
    fr_arena *strings;
    fr_error error;
} fixture;

static inline void open_text(fixture *f, const char *text) {
    *f = (fixture){0};
    fr_json_def def = fr_default_json_def();
    def.name = "x.json";
    assert_int_equal(fr_json_create(text, strlen(text), &def, &f->json, &f->error), FR_OK);
    assert_int_equal(fr_arena_create(0, NULL, &f->strings, NULL), FR_OK);
    f->reader = fr_json_reader_make(f->json, f->strings, &f->error);
}

static inline void close_text(fixture *f) {
    fr_arena_destroy(f->strings);
    fr_json_destroy(f->json);
}

#endif
