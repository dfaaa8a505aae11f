// Scenes of a folder, as those of the demos, and their worlds.
#ifndef FUREAI_TEST_DEMO_H
#define FUREAI_TEST_DEMO_H

#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEMO_OBJECTS_MAX = 64, DEMO_FILE_BYTES = 1 << 22 };

// A file of the folder that `context` names; demo_unload frees it.
static inline fr_status demo_load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    char whole[600];
    snprintf(whole, sizeof whole, "%s/%s", (const char *)context, path);
    FILE *file = fopen(whole, "rb");
    if (file == NULL) { return fr_error_set(error, FR_ERROR_FILE, "cannot open %s", whole); }
    char *text = calloc(1, DEMO_FILE_BYTES);
    assert_non_null(text);
    *size = fread(text, 1, DEMO_FILE_BYTES - 1, file);
    *bytes = text;
    fclose(file);
    return FR_OK;
}

static inline void demo_unload(const void *bytes, size_t size, void *context) {
    (void)size, (void)context;
    free((void *)(uintptr_t)bytes);
}

static inline fr_scene *demo_read(const char *folder, const char *name) {
    const void *text = NULL;
    size_t size = 0;
    fr_scene *scene;
    fr_error error = {0};
    assert_int_equal(demo_load(name, &text, &size, (void *)(uintptr_t)folder, NULL), FR_OK);
    if (fr_scene_read(text, size, NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    demo_unload(text, size, NULL);
    return scene;
}

// The world of a scene, whose models are in the folder; NULL: it has none.
static inline fr_world *demo_world(const fr_scene *scene, const char *folder, fr_sense sense) {
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = demo_load;
    options.unload = demo_unload;
    options.context = (void *)(uintptr_t)folder;
    fr_world_def def = fr_scene_world_def(scene);
    def.sense = sense;
    def.want = FR_WANT_CONTACTS;
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    assert_int_equal(fr_scene_build_world(scene, folder != NULL ? &options : NULL, world, NULL, NULL), FR_OK);
    return world;
}

#endif
