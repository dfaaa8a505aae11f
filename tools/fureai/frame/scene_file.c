// Scene files of commands, and the worlds made from them.
#include "scene_file.h"

#include "folder.h"

#include "fureai/library.h"

#include <stdlib.h>
#include <string.h>

#define SCENE_LIMIT ((size_t)1 << 28)

// ---------------------------------------------------------------------------------------------------------------
// The scene

// The scene of the path "": models are added to it.
static const char empty[] = "{\"fureai\":1,\"title\":\"Models\",\"step\":0.016666666666666666,\"objects\":[]}";

static fr_status make_finder(tool *t, const char *path, fr_library_finder **out, fr_error *error) {
    char objects[FOLDER_PATH_BYTES];
    fr_library_finder_def def = fr_default_library_finder_def();
    def.scene = path;
    def.folder = t->objects;
    def.fallback = folder_beside_program("objects", objects) ? objects : NULL;
    return fr_library_finder_create(&def, out, error);
}

// Reads a scene with the finder of its classes, which the caller destroys whatever the status.
static fr_status parse(tool *t, const char *path, bool is_plain, const fr_body_def *body, fr_library_finder **finder,
                       fr_scene **out, fr_error *error) {
    fr_input_file file;
    fr_status status = make_finder(t, path, finder, error);
    if (status == FR_OK && path[0] == '\0') { return fr_scene_read(empty, sizeof empty - 1, NULL, out, error); }
    if (status == FR_OK) { status = tool_read_as(t, path, is_plain, SCENE_LIMIT, &file, error); }
    if (status != FR_OK) { return status; }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.name = path;
    reading.classes = fr_library_finder_classes(*finder);
    reading.body = body;
    status = fr_scene_read(file.data, file.size, &reading, out, error);
    fr_input_file_destroy(&file);
    return status;
}

fr_status scene_file_parse(tool *t, const char *path, bool is_plain, fr_scene **out, fr_error *error) {
    fr_library_finder *finder;
    fr_status status = parse(t, path, is_plain, NULL, &finder, out, error);
    fr_library_finder_destroy(finder);
    return status;
}

// What a scene is built with, and a player for what moves by itself. The folder must be destroyed afterwards, whatever
// the status.
static fr_status begin_building(tool *t, const char *path, fr_library_finder *finder, fr_file_folder **beside,
                                fr_tasks *tasks, fr_scene_player **player, fr_scene_build_input *out, fr_error *error) {
    *out = fr_default_scene_build_input();
    out->classes = fr_library_finder_classes(finder);
    fr_status status = folder_open(t, path, "model", "scene", beside, error);
    if (status == FR_OK && fr_scene_player_create(NULL, player, NULL) != FR_OK) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for what moves by itself");
    }
    if (status != FR_OK) { return status; }
    out->load = fr_file_folder_load;
    out->unload = fr_file_folder_unload;
    out->context = *beside;
    out->player = *player;
    out->control = &t->control;
    out->memory = t->memory;
    out->tasks = tasks;
    out->is_double = true;
    return tool_tasks(t, tasks, error);
}

static fr_status build_space(tool *t, const char *path, uint32_t k, fr_library_finder *finder, scene_file *file,
                             fr_error *error) {
    file->ids = calloc((size_t)fr_scene_get(file->scene)->object_count + 1, sizeof *file->ids);
    if (file->ids == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    fr_file_folder *beside;
    fr_scene_build_input building;
    fr_tasks tasks;
    fr_space_def def = fr_default_space_def();
    fr_status status = begin_building(t, path, finder, &beside, &tasks, &file->player, &building, error);
    if (status == FR_OK) { status = fr_space_create(&def, &file->space, error); }
    if (status == FR_OK) {
        building.k = k;
        status = fr_scene_build(file->scene, &building, file->space, file->ids, error);
    }
    if (status == FR_OK) { status = fr_space_update(file->space, &tasks, error); }
    fr_file_folder_destroy(beside);
    return status;
}

exit_status scene_file_read(tool *t, const char *path, uint32_t k, scene_file *out) {
    *out = (scene_file){0};
    fr_error error = {0};
    fr_library_finder *finder;
    fr_status status = parse(t, path, false, NULL, &finder, &out->scene, &error);
    uint32_t steps = status == FR_OK ? fr_scene_get(out->scene)->steps : k;
    exit_status result = EXIT_STATUS_DONE;
    if (k > steps) {
        result = tool_wrong_usage(t, "--step: %u is outside 0 .. %u, the steps of the scene", k, steps);
    } else if (status != FR_OK || build_space(t, path, k, finder, out, &error) != FR_OK) {
        result = tool_bad_input(t, &error);
    }
    fr_library_finder_destroy(finder);
    if (result != EXIT_STATUS_DONE) { scene_file_release(out); }
    return result;
}

void scene_file_release(scene_file *file) {
    fr_space_destroy(file->space);
    fr_scene_player_destroy(file->player);
    free(file->ids);
    fr_scene_destroy(file->scene);
    *file = (scene_file){0};
}

// ---------------------------------------------------------------------------------------------------------------
// A world

static fr_status build_world(tool *t, const char *path, fr_sense sense, fr_want want, scene_world *out,
                             fr_error *error) {
    fr_file_folder *beside;
    fr_scene_build_input building;
    fr_tasks tasks;
    fr_world_def def = fr_scene_world_def(out->scene);
    def.sense = sense;
    def.want = want;
    fr_status status = begin_building(t, path, out->finder, &beside, &tasks, &out->player, &building, error);
    if (status == FR_OK) { status = fr_world_create(&def, &out->world, error); }
    if (status == FR_OK) { status = fr_scene_build_world(out->scene, &building, out->world, NULL, error); }
    fr_file_folder_destroy(beside);
    return status;
}

fr_status scene_world_open(tool *t, const char *path, fr_sense sense, fr_want want, scene_world *out, fr_error *error) {
    return scene_world_open_as(t, path, NULL, sense, want, out, error);
}

fr_status scene_world_open_as(tool *t, const char *path, const fr_body_def *body, fr_sense sense, fr_want want,
                              scene_world *out, fr_error *error) {
    *out = (scene_world){0};
    fr_status status = parse(t, path, false, body, &out->finder, &out->scene, error);
    if (status == FR_OK) { status = build_world(t, path, sense, want, out, error); }
    if (status != FR_OK) { scene_world_close(out); }
    return status;
}

void scene_world_close(scene_world *shown) {
    fr_world_destroy(shown->world);
    fr_scene_player_destroy(shown->player);
    fr_scene_destroy(shown->scene);
    fr_library_finder_destroy(shown->finder);
    *shown = (scene_world){0};
}

// ---------------------------------------------------------------------------------------------------------------
// A script

fr_status script_file_read(tool *t, const char *path, fr_script **out, fr_error *error) {
    fr_input_file file;
    fr_status status = tool_read(t, path, SCENE_LIMIT, &file, error);
    if (status != FR_OK) { return status; }
    fr_script_read_input input = fr_default_script_read_input();
    input.name = path;
    status = fr_script_read(file.data, file.size, &input, out, error);
    fr_input_file_destroy(&file);
    return status;
}

fr_status plug_ins_open(const tool *t, fr_plug_ins **out, fr_error *error) {
    fr_plug_ins_def def = fr_default_plug_ins_def();
    def.folder = options_string(&t->options, "algorithms");
    def.max_processes = 256;
    *out = NULL;
    return def.folder != NULL ? fr_plug_ins_create(&def, out, error) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Names

const char *scene_file_name(const scene_file *file, uint32_t index) {
    const fr_scene_object *object = fr_object_get(file->space, fr_space_object_at(file->space, index))->user;
    return object->name;
}
