// A model as text: every kind of line, a sink that ends it.
#include "fureai/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct collected {
    char text[4096];
    size_t size, limit;
} collected;

static bool collect(const void *bytes, size_t size, void *context) {
    collected *c = context;
    if (c->size + size > c->limit) { return false; }
    memcpy(c->text + c->size, bytes, size);
    c->size += size;
    c->text[c->size] = '\0';
    return true;
}

static const char square[] = "o slab\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

static fr_model *read_square(void) {
    fr_model *model = NULL;
    assert_int_equal(fr_model_read(square, sizeof square - 1, NULL, &model, NULL), FR_OK);
    return model;
}

static void every_vertex_and_face_has_a_line(void **state) {
    (void)state;
    fr_model *model = read_square();
    collected c = {.limit = sizeof c.text - 1};
    assert_int_equal(fr_model_dump(model, collect, &c, NULL), FR_OK);
    assert_non_null(strstr(c.text, "model format obj unit 1 "));
    assert_non_null(strstr(c.text, "name \"slab\""));
    assert_non_null(strstr(c.text, "\nvertex 1 1 0\n"));
    assert_non_null(strstr(c.text, "\nface 0 corners 0 1 2 3 plane 0 0 1 "));
    fr_model_destroy(model);
}

static void a_sink_may_end_it(void **state) {
    (void)state;
    fr_model *model = read_square();
    collected c = {.limit = 40};
    fr_error error = {0};
    assert_int_equal(fr_model_dump(model, collect, &c, &error), FR_ERROR_FILE);
    assert_int_equal(error.status, FR_ERROR_FILE);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vertex_and_face_has_a_line),
        cmocka_unit_test(a_sink_may_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
