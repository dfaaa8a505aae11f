// A scene with classes, its cast and its director, for tests of what people do in a room.
#ifndef FUREAI_TEST_ACT_DIRECTED_PLACE_H
#define FUREAI_TEST_ACT_DIRECTED_PLACE_H

#include "frame.h"

#include "fureai/act.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct place {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
} place;

// Not ticked yet. Surfaces of what has no class may be offered. Models are loaded by the callback; NULL: there are
// none.
static inline void open_place_with(place *p, const char *text, bool has_surfaces, fr_scene_load_fn *load,
                                   fr_scene_unload_fn *unload) {
    memset(p, 0, sizeof *p);
    fr_error error = {0};
    if (fr_library_open(OBJECT_FOLDER, NULL, &p->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(p->library);
    if (fr_scene_read(text, strlen(text), &reading, &p->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world_def def = fr_scene_world_def(p->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &p->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(p->library);
    building.load = load;
    building.unload = unload;
    if (fr_scene_build_world(p->scene, &building, p->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(p->scene, p->world, NULL, &p->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = p->cast;
    directing.library = p->library;
    directing.has_surfaces = has_surfaces;
    assert_int_equal(fr_director_create_for_scene(&directing, p->scene, &p->director, NULL), FR_OK);
}

static inline void open_place(place *p, const char *text, bool has_surfaces) {
    open_place_with(p, text, has_surfaces, NULL, NULL);
}

static inline void close_place(place *p) {
    fr_cast_destroy(p->cast);
    fr_world_destroy(p->world);
    fr_scene_destroy(p->scene);
    fr_library_destroy(p->library);
}

static inline fr_object_id find(const place *p, const char *name) { return fr_world_find(p->world, name); }

#endif
