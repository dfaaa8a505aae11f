// Classes as scenes take them, and the check of all that a class names.
#include "library/library.h"
#include "library/state_check.h"

#include "fureai/human_files.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// For scenes

static fr_status find_class(const char *folder, const char *name, fr_scene_class *out, void *context, fr_error *error) {
    (void)folder;
    fr_library *library = context;
    fr_class *c;
    fr_status status = fr_library_find(library, name, &c, error);
    if (status != FR_OK) { return status; }
    fr_class_release(library->placed);
    library->placed = c;
    const fr_class_view *view = fr_class_get(c);
    for (uint32_t i = 0; i < view->shapes.count; i++) {
        snprintf(library->placed_paths[i], sizeof library->placed_paths[i], "%s/%s", view->name, view->shapes.list[i]);
        library->paths[i] = library->placed_paths[i];
    }
    *out = (fr_scene_class){.models = (const char *const *)library->paths,
                            .model_count = view->shapes.count,
                            .is_static = view->is_static,
                            .has_color = view->has_color,
                            .color = view->color,
                            .joint = view->joint,
                            .frames = view->frames,
                            .frame_count = view->frame_count,
                            .is_person = view->kind == FR_CLASS_PERSON,
                            .body = view->body,
                            .speed = view->speed,
                            .curves = view->curves,
                            .seed = view->seed};
    return FR_OK;
}

static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    fr_library *library = context;
    return library->files.load(path, FR__LIBRARY_MODEL_MAX_BYTES, bytes, size, library->files.user, error);
}

static void unload_file(const void *bytes, size_t size, void *context) {
    fr_library *library = context;
    library->files.unload(bytes, size, library->files.user);
}

fr_scene_classes fr_library_classes(fr_library *library) {
    return (fr_scene_classes){find_class, load_file, unload_file, library};
}

// ---------------------------------------------------------------------------------------------------------------
// Check

typedef struct checking {
    fr_library *library;
    const fr_class_view *view;
    const char *model; // at hand, by its path in the folder
    const fr_control *control;
    fr_error *error;
} checking;

static bool path_of(const checking *c, const char *file, char out[FR__LIBRARY_PATH_BYTES]) {
    int written = snprintf(out, FR__LIBRARY_PATH_BYTES, "%s/%s", c->view->name, file);
    return written > 0 && written < FR__LIBRARY_PATH_BYTES;
}

// A file that a model refers to lies beside it.
static fr_status load_beside(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    const checking *c = context;
    const char *slash = strrchr(c->model, '/');
    char joined[FR__LIBRARY_PATH_BYTES];
    int folder = slash != NULL ? (int)(slash - c->model) + 1 : 0;
    int written = snprintf(joined, sizeof joined, "%s/%.*s%s", c->view->name, folder, c->model, path);
    if (written < 0 || (size_t)written >= sizeof joined) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the path of a file that a model refers to is too long");
    }
    return load_file(joined, bytes, size, c->library, error);
}

static void unload_beside(const void *bytes, size_t size, void *context) {
    const checking *c = context;
    unload_file(bytes, size, c->library);
}

static fr_status check_model(checking *c, const void *bytes, size_t size) {
    fr_model_read_input reading = fr_default_model_read_input();
    reading.name = c->model;
    reading.control = c->control;
    reading.allocator = c->library->allocator;
    reading.files = (fr_model_files){load_beside, unload_beside, c};
    fr_model *model;
    fr_status status = fr_model_read(bytes, size, &reading, &model, c->error);
    if (status == FR_OK) { fr_model_destroy(model); }
    return status;
}

static fr_status check_clip(checking *c, const char *file, const void *bytes, size_t size) {
    size_t length = strlen(file);
    if (length < 5 || strcmp(file + length - 5, ".ahmc") != 0) { return FR_OK; }
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = bytes;
    input.size = size;
    input.allocator = c->library->allocator;
    fr_clip *clip;
    fr_status status = fr_ahmc_read(&input, &clip, c->error);
    if (status == FR_OK) { fr_clip_release(clip); }
    return status;
}

// A file of the class is there and, where its kind is known, can be read.
static fr_status check_file(checking *c, const char *file, bool is_model) {
    char path[FR__LIBRARY_PATH_BYTES];
    const void *bytes;
    size_t size;
    if (!path_of(c, file, path)) { return fr_error_set(c->error, FR_ERROR_LIMIT, "a path is too long"); }
    fr_status status = load_file(path, &bytes, &size, c->library, c->error);
    if (status != FR_OK) { return status; }
    c->model = file;
    status = is_model ? check_model(c, bytes, size) : check_clip(c, file, bytes, size);
    unload_file(bytes, size, c->library);
    if (status != FR_OK && c->error != NULL) { fr_error_locate(c->error, path, c->error->line, c->error->column); }
    return status;
}

static fr_status check_texts(checking *c, const fr_class_texts *files, bool is_model) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < files->count && status == FR_OK; i++) {
        status = check_file(c, files->list[i], is_model);
    }
    return status;
}

static fr_status check_motion(checking *c, const fr_class_motion *motion) {
    fr_status status = check_texts(c, &motion->data, false);
    for (uint32_t i = 0; i < motion->skill_count && status == FR_OK; i++) {
        if (motion->skills[i].data != NULL) { status = check_file(c, motion->skills[i].data, false); }
    }
    if (status == FR_OK && motion->object != NULL && motion->object->data != NULL) {
        status = check_file(c, motion->object->data, false);
    }
    return status;
}

static fr_status check_motions(checking *c) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < c->view->state_count; i++) {
        for (uint32_t k = 0; k < c->view->states[i].motion_count && status == FR_OK; k++) {
            status = check_motion(c, &c->view->states[i].motions[k]);
        }
    }
    return status;
}

// Measures of a person make a body.
static fr_status check_body(const checking *c) {
    if (c->view->kind != FR_CLASS_PERSON) { return FR_OK; }
    fr_body_def def = c->view->body;
    def.allocator = c->library->allocator;
    fr_skeleton *skeleton;
    fr_status status = fr_skeleton_create_body(&def, &skeleton, c->error);
    if (status == FR_OK) { fr_skeleton_release(skeleton); }
    return status;
}

fr_status fr_library_check(fr_library *library, const char *name, const fr_control *control, fr_error *error) {
    FR_ASSERT(library != NULL && name != NULL);
    fr_class *found;
    fr_status status = fr_library_find(library, name, &found, error);
    if (status != FR_OK) { return status; }
    checking c = {.library = library, .view = fr_class_get(found), .control = control, .error = error};
    status = check_texts(&c, &c.view->shapes, true);
    if (status == FR_OK) { status = check_texts(&c, &c.view->textures, false); }
    if (status == FR_OK) { status = check_motions(&c); }
    if (status == FR_OK) { status = check_body(&c); }
    if (status == FR_OK) { status = fr__library_check_states(library, c.view, error); }
    fr_class_release(found);
    return status;
}
