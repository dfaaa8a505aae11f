#include "assembly.h"

#include "model_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 600 };

// ---------------------------------------------------------------------------------------------------------------
// Names

// How a part is called: what stands in `file` is "" for a model that is alone.
static char *part_name(const char *file, const char *name, uint32_t node, bool only) {
    char text[NAME_BYTES];
    bool has_file = file[0] != '\0', has_name = name[0] != '\0';
    if (has_file && only) {
        snprintf(text, sizeof text, "%s", file);
    } else if (has_name) {
        snprintf(text, sizeof text, "%s%s%s", file, has_file ? ":" : "", name);
    } else {
        snprintf(text, sizeof text, "%s%s#%u", file, has_file ? ":" : "", node);
    }
    return strdup(text);
}

static int compare_names(const void *a, const void *b) {
    const assembly_part *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

// Appends the part's number to every name that several parts have.
static bool number_equal_names(assembly *a) {
    assembly_part *parts = a->parts.data;
    size_t count = a->parts.count;
    assembly_part **sorted = calloc(count + 1, sizeof(assembly_part *));
    bool *again = calloc(count + 1, sizeof *again);
    bool done = sorted != NULL && again != NULL;
    for (size_t i = 0; done && i < count; i++) {
        sorted[i] = &parts[i];
    }
    if (done) { qsort(sorted, count, sizeof(assembly_part *), compare_names); }
    for (size_t i = 1; done && i < count; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
            again[sorted[i - 1] - parts] = again[sorted[i] - parts] = true;
        }
    }
    for (size_t i = 0; done && i < count; i++) {
        if (!again[i]) { continue; }
        char text[NAME_BYTES + 24];
        snprintf(text, sizeof text, "%s#%zu", parts[i].name, i);
        char *name = strdup(text);
        done = name != NULL;
        if (done) {
            free(parts[i].name);
            parts[i].name = name;
        }
    }
    free(sorted);
    free(again);
    return done;
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

static uint32_t count_parts(const fr_model_view *view) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        count += mesh != FR_NONE && view->meshes[mesh].face_count > 0;
    }
    return count;
}

static fr_status add_part(assembly *a, const fr_model *model, uint32_t node, char *name,
                          const fr_model_mesh_options *making, fr_error *error) {
    assembly_part *part = name != NULL ? fr_array_push(&a->parts, 1) : NULL;
    if (part == NULL) {
        free(name);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts");
    }
    *part = (assembly_part){.name = name};
    return fr_model_part_mesh(model, node, making, &part->mesh, error);
}

static fr_status add_parts(tool *t, const fr_tasks *tasks, const fr_model *model, const char *file, assembly *a,
                           fr_error *error) {
    const fr_model_view *view = fr_model_get(model);
    fr_model_mesh_options making = fr_default_model_mesh_options();
    making.keep_double = true;
    making.tasks = tasks;
    making.control = &t->control;
    bool only = count_parts(view) == 1;
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || view->meshes[mesh].face_count == 0) { continue; }
        char *name = part_name(file, view->nodes[i].name, i, only);
        fr_status status = add_part(a, model, i, name, &making, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static exit_status read_model(tool *t, const fr_tasks *tasks, const char *path, bool alone, assembly *a) {
    fr_model *model;
    exit_status result = model_file_read(t, path, &model);
    if (result != EXIT_STATUS_DONE) { return result; }
    model_file_note_warnings(t, path, model);
    fr_error error = {0};
    size_t before = a->parts.count;
    fr_status status = add_parts(t, tasks, model, alone ? "" : path, a, &error);
    fr_model_destroy(model);
    if (status == FR_OK && a->parts.count == before) {
        status = fr_error_set(&error, FR_ERROR_SYNTAX, "the model has no face");
    }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    fr_error_locate(&error, path, error.line, error.column);
    return tool_bad_input(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The space

static fr_status add_objects(assembly *a, const fr_tasks *tasks, fr_error *error) {
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, &a->space, error);
    assembly_part *parts = a->parts.data;
    for (size_t i = 0; status == FR_OK && i < a->parts.count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = parts[i].mesh;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.user = &parts[i];
        status = fr_object_add(a->space, &object, &parts[i].object, error);
    }
    return status == FR_OK ? fr_space_update(a->space, tasks, error) : status;
}

exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly *out) {
    *out = (assembly){.parts = fr_array_make(sizeof(assembly_part), NULL)};
    fr_error error = {0};
    fr_tasks tasks;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    exit_status result = EXIT_STATUS_DONE;
    for (int i = 0; result == EXIT_STATUS_DONE && i < path_count; i++) {
        result = read_model(t, &tasks, paths[i], path_count == 1, out);
    }
    if (result == EXIT_STATUS_DONE) {
        fr_status status =
            number_equal_names(out) ? FR_OK : fr_error_set(&error, FR_ERROR_MEMORY, "no memory for names");
        if (status == FR_OK) { status = add_objects(out, &tasks, &error); }
        if (status != FR_OK) { result = tool_failed(t, &error); }
    }
    if (result != EXIT_STATUS_DONE) { assembly_release(out); }
    return result;
}

fr_status assembly_of_meshes(fr_mesh *const *meshes, size_t count, assembly *out, fr_error *error) {
    *out = (assembly){.parts = fr_array_make(sizeof(assembly_part), NULL)};
    assembly_part *parts = fr_array_push(&out->parts, count);
    if (parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    for (size_t i = 0; i < count; i++) {
        parts[i] = (assembly_part){.mesh = fr_mesh_retain(meshes[i])};
    }
    return add_objects(out, NULL, error);
}

void assembly_release(assembly *a) {
    assembly_part *parts = a->parts.data;
    for (size_t i = 0; i < a->parts.count; i++) {
        free(parts[i].name);
        fr_mesh_release(parts[i].mesh);
    }
    fr_array_free(&a->parts);
    fr_space_destroy(a->space);
    a->space = NULL;
}

const assembly_part *assembly_part_at(const assembly *a, uint32_t index) {
    return fr_object_get(a->space, fr_space_object_at(a->space, index))->user;
}
