// Scenes of one line of text, read right or refused at the right place.
#ifndef FUREAI_TEST_SCENE_SCENE_TEXT_H
#define FUREAI_TEST_SCENE_SCENE_TEXT_H

#include "failing.h"

#include "fureai/scene.h"

#include <string.h>

static inline fr_scene *read_right(const char *text) {
    fr_scene *scene;
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    return scene;
}

// Refused with these words, at where `at` begins.
static inline void expect_wrong(const char *text, const char *message, const char *at) {
    fr_scene *scene;
    fr_error error = {0};
    assert_int_not_equal(fr_scene_read(text, strlen(text), NULL, &scene, &error), FR_OK);
    assert_null(scene);
    if (strstr(error.message, message) == NULL) { fail_msg("%s", error.message); }
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, (int)(strstr(text, at) - text) + 1);
}

#endif
