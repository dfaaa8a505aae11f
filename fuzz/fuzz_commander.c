// Any bytes as lines for a commander and as answers of a dialog, in a world of two boxes: every line gets one reply of
// one line, and nothing ends but by "end".
#include "fureai/act.h"

#include <stdlib.h>
#include <string.h>

static void require(bool is_right) {
    if (!is_right) { abort(); }
}

static bool count_lines(const void *bytes, size_t size, void *user) {
    const char *text = bytes;
    for (size_t i = 0; i < size; i++) {
        *(uint64_t *)user += text[i] == '\n';
    }
    return true;
}

static bool pass_over(const char *text, size_t size, void *user) {
    (void)user;
    return text != NULL || size == 0;
}

static fr_cast *make_cast(fr_world **world) {
    fr_world_def def = fr_default_world_def();
    fr_cast_def casting = fr_default_cast_def();
    fr_mesh *mesh;
    require(fr_world_create(&def, world, NULL) == FR_OK && fr_mesh_create_named("box", NULL, &mesh, NULL) == FR_OK);
    for (int i = 0; i < 2; i++) {
        fr_part_def part = {.mesh = mesh, .pose = fr_pose_identity()};
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose.position.x = 3.0 * i;
        fr_object_id id;
        fr_label label = {i == 0 ? "cup" : "chair", fr_default_label().color};
        require(fr_object_add(fr_world_space(*world), &object, &id, NULL) == FR_OK);
        require(fr_world_set_label(*world, id, &label, NULL) == FR_OK);
    }
    fr_mesh_release(mesh);
    casting.world = *world;
    fr_cast *cast;
    require(fr_cast_create(&casting, &cast, NULL) == FR_OK);
    return cast;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_world *world;
    fr_cast *cast = make_cast(&world);
    uint64_t replies = 0;
    fr_commander_def commanding = fr_default_commander_def();
    commanding.cast = cast;
    commanding.max_ticks = 3;
    commanding.write = count_lines;
    commanding.user = &replies;
    fr_dialog_def asking = fr_default_dialog_def();
    asking.cast = cast;
    asking.max_ticks = 3;
    asking.write = pass_over;
    fr_commander *commander;
    fr_dialog *dialog;
    require(fr_commander_create(&commanding, &commander, NULL) == FR_OK);
    require(fr_dialog_create(&asking, &dialog, NULL) == FR_OK);
    const char *at = (const char *)data, *end = at + size;
    for (uint64_t number = 1; at < end && number <= 16; number++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end != NULL ? line_end : end) - at);
        require(fr_commander_line(commander, at, length, number, NULL) == FR_OK && replies == number);
        fr_status status = fr_dialog_enter(dialog, at, length, NULL);
        require((status == FR_OK || status == FR_ERROR_STOPPED) && fr_dialog_prompt(dialog)[0] != '\0');
        at += length + (line_end != NULL);
    }
    fr_dialog_destroy(dialog);
    fr_commander_destroy(commander);
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    return 0;
}
