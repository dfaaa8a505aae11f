// Any bytes as the script of a hand that puts parts together: refused with a place before anything is done, or played
// until it ends or is stopped, and the space stays whole.
#include "fureai/actor.h"
#include "fureai/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 14, MAX_FRAMES = 40, OBJECT_COUNT = 3 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static const char scene_text[] =
    "{ \"fureai\": 1, \"step\": 0.02, \"objects\": ["
    "{ \"name\": \"table\", \"shape\": \"box\", \"position\": [0, -1, 0], \"static\": true },"
    "{ \"name\": \"a\", \"shape\": \"box\", \"scale\": 0.25, \"position\": [0, 1, 0] },"
    "{ \"name\": \"b 1\", \"shape\": \"box\", \"scale\": 0.25, \"position\": [1, 1, 0] } ],"
    "\"assembly\": { \"parts\": ["
    "{ \"object\": \"a\", \"place\": { \"position\": [0, 0, 0] }, \"insertion\": [0, 1, 0] },"
    "{ \"object\": \"b 1\", \"place\": { \"position\": [0, 0.5, 0], \"relative_to\": \"a\" }, \"after\": [\"a\"],"
    "  \"insertion\": [0, 1, 0] } ] } }";

static const fr_scene *the_scene(void) {
    static fr_scene *scene;
    if (scene == NULL) { require(fr_scene_read(scene_text, sizeof scene_text - 1, NULL, &scene, NULL) == FR_OK); }
    return scene;
}

static bool is_enough(void *user) {
    uint32_t *frames = user;
    return ++*frames > MAX_FRAMES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MAX_BYTES) { return 0; }
    const fr_scene *scene = the_scene();
    fr_object_id ids[OBJECT_COUNT];
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    require(fr_space_create(&space_def, &space, NULL) == FR_OK);
    require(fr_scene_build(scene, NULL, space, ids, NULL) == FR_OK);

    uint32_t frames = 0;
    fr_control control = {.stop = is_enough, .user = &frames};
    fr_assembler_def def = fr_default_assembler_def();
    def.space = space;
    def.control = &control;
    def.has_aid = size % 2 == 1;
    require(fr_scene_build_assembly(scene, space, ids, NULL, &def.assembly, NULL) == FR_OK);
    fr_assembler *assembler;
    require(fr_assembler_create(&def, &assembler, NULL) == FR_OK);

    fr_error error = {0};
    fr_status status = fr_assembler_play(assembler, (const char *)data, size, "script", &error);
    require(status == FR_OK || (error.status == status && error.message[0] != '\0'));
    if (status == FR_ERROR_SYNTAX) { require(error.line >= 1 && error.column >= 1 && frames <= 1); }
    require(fr_space_validate(space, NULL));
    fr_assembler_destroy(assembler);
    fr_space_destroy(space);
    return 0;
}
