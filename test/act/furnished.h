// A floor, a cup and a person, of the classes that come with the project, with a director and additions.
#ifndef FUREAI_TEST_ACT_FURNISHED_H
#define FUREAI_TEST_ACT_FURNISHED_H

#include "frame.h"

#include "fureai/act.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct furnished {
    fr_library *library;
    fr_scene *scene;
    fr_scene_player *player;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_additions *additions;
} furnished;

// The library is that of a folder; without `has_person` nobody is there, which is made much faster.
static inline void open_furnished(furnished *f, const char *folder, bool has_person) {
    static const char things[] = "{\"fureai\":1,\"step\":0.02,\"objects\":["
                                 "{\"name\":\"floor\",\"class\":\"floor\"},"
                                 "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[1.5,0.05,2.6]}]";
    static const char person[] = ",\"people\":[{\"name\":\"Mai\",\"position\":[1.2,0,1.2]}]";
    char text[1024];
    memset(f, 0, sizeof *f);
    snprintf(text, sizeof text, "%s%s}", things, has_person ? person : "");
    fr_error error = {0};
    if (fr_library_open(folder, NULL, &f->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(f->library);
    if (fr_scene_read(text, strlen(text), &reading, &f->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world_def def = fr_scene_world_def(f->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &f->world, NULL), FR_OK);
    assert_int_equal(fr_scene_player_create(NULL, &f->player, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(f->library);
    building.player = f->player;
    if (fr_scene_build_world(f->scene, &building, f->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(f->scene, f->world, NULL, &f->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = f->cast;
    directing.library = f->library;
    assert_int_equal(fr_director_create_for_scene(&directing, f->scene, &f->director, NULL), FR_OK);
    fr_additions_def adding = fr_default_additions_def();
    adding.cast = f->cast;
    adding.director = f->director;
    adding.library = f->library;
    adding.player = f->player;
    assert_int_equal(fr_additions_create(&adding, &f->additions, NULL), FR_OK);
}

static inline void close_furnished(furnished *f) {
    fr_cast_destroy(f->cast);
    fr_world_destroy(f->world);
    fr_scene_player_destroy(f->player);
    fr_additions_destroy(f->additions);
    fr_scene_destroy(f->scene);
    fr_library_destroy(f->library);
}

#endif
