// VRML 1.0 and Inventor from text in a test, compared with the same scene in VRML97.
#ifndef FUREAI_TEST_INVENTOR_TEXT_H
#define FUREAI_TEST_INVENTOR_TEXT_H

#include "vrml_text.h"

#define V1 "#VRML V1.0 ascii\n"
#define IV "#Inventor V2.1 ascii\n"

// All that a model holds as text, but for the first line, which names the format; free it.
static inline char *dump_of(const fr_model *model) {
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_model_dump(model, push_bytes, &bytes, NULL), FR_OK);
    char *text = malloc(bytes.count + 1);
    assert_non_null(text);
    memcpy(text, bytes.data, bytes.count);
    text[bytes.count] = '\0';
    fr_array_destroy(&bytes);
    const char *second = strchr(text, '\n');
    assert_non_null(second);
    memmove(text, second + 1, strlen(second));
    return text;
}

// Both texts give the same model: every node, matrix, vertex, polygon, colour, normal and material, bit for bit.
static inline void twins(const char *old_text, const char *new_text) {
    fr_model *a = vrml(old_text), *b = vrml(new_text);
    assert_int_not_equal(fr_model_get(a)->format, fr_model_get(b)->format);
    assert_int_equal(fr_model_get(a)->warning_count, 0);
    assert_int_equal(fr_model_get(b)->warning_count, 0);
    assert_true(fr_model_get(a)->placed_triangle_count > 0);
    char *a_dump = dump_of(a), *b_dump = dump_of(b);
    if (strcmp(a_dump, b_dump) != 0) { fail_msg("%s\n---- is\n%s---- and not\n%s", old_text, a_dump, b_dump); }
    free(a_dump);
    free(b_dump);
    fr_model_destroy(a);
    fr_model_destroy(b);
}

// The box of all that is shown, and its triangles.
static inline void has_box(const char *text, uint64_t triangles, const double low[3], const double high[3]) {
    fr_model *model = vrml(text);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->placed_triangle_count, triangles);
    const double found[6] = {view->bounds.min.x, view->bounds.min.y, view->bounds.min.z,
                             view->bounds.max.x, view->bounds.max.y, view->bounds.max.z};
    for (int i = 0; i < 6; i++) {
        double wanted = i < 3 ? low[i] : high[i - 3];
        if (fabs(found[i] - wanted) > 1e-6) {
            fail_msg("%s\n%g %g %g .. %g %g %g", text, found[0], found[1], found[2], found[3], found[4], found[5]);
        }
    }
    fr_model_destroy(model);
}
#define BOX(text, triangles, x0, y0, z0, x1, y1, z1)                                                                   \
    has_box(text, triangles, (const double[3]){x0, y0, z0}, (const double[3]){x1, y1, z1})

#endif
