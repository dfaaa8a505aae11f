#define _XOPEN_SOURCE 700 // realpath

#include "scene_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_LIMIT ((size_t)1 << 28)

// ---------------------------------------------------------------------------------------------------------------
// Models of a scene

// What the loader needs: the scene's folder, and the model that is loaded.
typedef struct model_loader {
    tool *tool;
    char *folder; // without links, and without a slash at its end
    input_file file;
} model_loader;

// A text of three pieces, or NULL.
static char *join(const char *a, size_t a_length, const char *b, const char *c) {
    size_t b_length = strlen(b), c_length = strlen(c);
    char *text = malloc(a_length + b_length + c_length + 1);
    if (text == NULL) { return NULL; }
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, b_length);
    memcpy(text + a_length + b_length, c, c_length + 1);
    return text;
}

// The folder that a file is in, without links; NULL with errno set when there is none.
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) { return realpath(".", NULL); }
    char *folder = join(path, (size_t)(slash - path), "/", "");
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

static bool is_inside(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0) { return true; }
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static fr_status load_model(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    model_loader *loader = context;
    char *beside = join(loader->folder, strlen(loader->folder), "/", path[0] == '/' ? "." : path);
    char *real = beside != NULL ? realpath(beside, NULL) : NULL;
    int reason = errno;
    free(beside);
    if (path[0] == '/' || (real != NULL && !is_inside(real, loader->folder))) {
        free(real);
        return fr_error_set(error, FR_ERROR_FILE, "the model '%s' lies outside of the scene's folder", path);
    }
    if (real == NULL) { return fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(reason)); }

    // Told with the name that the scene has for it, where it stands in the scene.
    fr_error why = {0};
    fr_status status = tool_read(loader->tool, real, INPUT_QUOTED, INPUT_FILE_LIMIT, &loader->file, &why);
    free(real);
    if (status != FR_OK) { return fr_error_set(error, status, "%s: %s", path, why.message); }
    *bytes = loader->file.data;
    *size = loader->file.size;
    return FR_OK;
}

static void unload_model(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    model_loader *loader = context;
    input_file_release(&loader->file);
}

// ---------------------------------------------------------------------------------------------------------------
// The scene

fr_status scene_file_parse(tool *t, const char *path, input_source source, fr_scene **out, fr_error *error) {
    input_file file;
    fr_status status = tool_read(t, path, source, SCENE_LIMIT, &file, error);
    if (status != FR_OK) { return status; }
    fr_scene_read_options reading = fr_default_scene_read_options();
    reading.name = path;
    status = fr_scene_read(file.data, file.size, &reading, out, error);
    input_file_release(&file);
    return status;
}

// What a scene is built with; the loader's folder must be freed afterwards.
static fr_status begin_building(tool *t, const char *path, model_loader *loader, fr_tasks *tasks,
                                fr_scene_build_options *out, fr_error *error) {
    *loader = (model_loader){.tool = t, .folder = folder_of(path)};
    if (loader->folder == NULL) { return fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(errno)); }
    *out = fr_default_scene_build_options();
    out->load = load_model;
    out->unload = unload_model;
    out->context = loader;
    out->control = &t->control;
    out->tasks = tasks;
    return tool_tasks(t, tasks, error);
}

// Room for the ids of the scene's objects.
static fr_object_id *allocate_ids(const fr_scene *scene, fr_error *error) {
    fr_object_id *ids = calloc((size_t)fr_scene_get(scene)->object_count + 1, sizeof *ids);
    if (ids == NULL) { fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of the scene"); }
    return ids;
}

static fr_status build_space(tool *t, const char *path, uint32_t k, scene_file *file, fr_error *error) {
    file->ids = allocate_ids(file->scene, error);
    if (file->ids == NULL) { return FR_ERROR_MEMORY; }
    model_loader loader;
    fr_scene_build_options building;
    fr_tasks tasks;
    fr_space_def def = fr_default_space_def();
    fr_status status = begin_building(t, path, &loader, &tasks, &building, error);
    if (status == FR_OK) { status = fr_space_create(&def, &file->space, error); }
    if (status == FR_OK) {
        building.k = k;
        building.keep_double = true;
        status = fr_scene_build(file->scene, &building, file->space, file->ids, error);
    }
    if (status == FR_OK) { status = fr_space_update(file->space, &tasks, error); }
    free(loader.folder);
    return status;
}

exit_status scene_file_read(tool *t, const char *path, uint32_t k, scene_file *out) {
    *out = (scene_file){0};
    fr_error error = {0};
    if (scene_file_parse(t, path, INPUT_TYPED, &out->scene, &error) != FR_OK) { return tool_bad_input(t, &error); }
    uint32_t steps = fr_scene_get(out->scene)->steps;
    exit_status result = EXIT_STATUS_DONE;
    if (k > steps) {
        result = tool_wrong_usage(t, "--step: %u is outside 0 .. %u, the steps of the scene", k, steps);
    } else if (build_space(t, path, k, out, &error) != FR_OK) {
        result = tool_bad_input(t, &error);
    }
    if (result != EXIT_STATUS_DONE) { scene_file_release(out); }
    return result;
}

void scene_file_release(scene_file *file) {
    fr_space_destroy(file->space);
    free(file->ids);
    fr_scene_destroy(file->scene);
    *file = (scene_file){0};
}

// ---------------------------------------------------------------------------------------------------------------
// A world

fr_status scene_world_open(tool *t, const char *path, fr_sense sense, fr_want want, scene_world *out, fr_error *error) {
    *out = (scene_world){0};
    fr_status status = scene_file_parse(t, path, INPUT_TYPED, &out->scene, error);
    if (status != FR_OK) { return status; }
    model_loader loader;
    fr_scene_build_options building;
    fr_tasks tasks;
    fr_world_def def = fr_default_world_def();
    def.step = fr_scene_get(out->scene)->step;
    def.sense = sense;
    def.want = want;
    fr_object_id *ids = allocate_ids(out->scene, error);
    status = ids != NULL ? begin_building(t, path, &loader, &tasks, &building, error) : FR_ERROR_MEMORY;
    if (status == FR_OK) { status = fr_world_create(&def, &out->world, error); }
    if (status == FR_OK) {
        building.keep_double = true;
        status = fr_scene_build_world(out->scene, &building, out->world, ids, error);
    }
    if (ids != NULL) { free(loader.folder); }
    free(ids);
    if (status != FR_OK) { scene_world_close(out); }
    return status;
}

void scene_world_close(scene_world *shown) {
    fr_world_destroy(shown->world);
    fr_scene_destroy(shown->scene);
    *shown = (scene_world){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Names

const char *scene_file_name(const scene_file *file, uint32_t index) {
    const fr_scene_object *object = fr_object_get(file->space, fr_space_object_at(file->space, index))->user;
    return object->name;
}
