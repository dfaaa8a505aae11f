// The models that one file holds.
#include "fureai/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A group with a named part that holds two boxes without names, and a box beside it.
static const char text[] =
    "#VRML V2.0 utf8\n"
    "Group { children [ DEF A Transform { children [ Shape { geometry Box { } } Transform { "
    "translation 4 0 0 children Shape { geometry Box { } } } ] } Shape { geometry Box { } } ] }\n";

static void rules_gather_nodes(void **state) {
    (void)state;
    fr_model *model;
    fr_model_group groups[16];
    assert_int_equal(fr_model_read(text, sizeof text - 1, NULL, &model, NULL), FR_OK);
    assert_true(fr_model_get(model)->node_count <= 16);
    assert_int_equal(fr_model_split(model, FR_MODEL_SPLIT_SHAPE, groups), 3);
    assert_int_equal(groups[0].faces, 6);
    uint32_t count = fr_model_split(model, FR_MODEL_SPLIT_NAME, groups);
    uint64_t faces = 0, max = 0;
    for (uint32_t i = 0; i < count; i++) {
        faces += groups[i].faces;
        max = groups[i].faces > max ? groups[i].faces : max;
        if (groups[i].faces == 12) { assert_true(groups[i].bounds.max.x == 5.0 && groups[i].triangles == 24); }
    }
    assert_true(faces == 18 && max == 12);
    count = fr_model_split(model, FR_MODEL_SPLIT_TOP, groups);
    assert_true(count >= 1 && count <= 2);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_gather_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
