// The parts of models as meshes with names, for the command clash.
#include "assembly.h"

#include "fureai/base_order.h"
#include "model_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 600 };

const fr_color assembly_grey = {170, 175, 180, 255};

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

typedef char **name_place;

static bool name_is_before(const name_place *a, const name_place *b) { return strcmp(**a, **b) < 0; }

FR_SORT_TYPE(sort_names, name_place, name_is_before);

// Appends the part's number to every name that several parts have.
static bool number_equal_names(assembly *a) {
    char **names = a->names.data;
    size_t count = a->names.count;
    char ***sorted = calloc(count + 1, sizeof(char **));
    bool *is_repeated = calloc(count + 1, sizeof *is_repeated);
    bool is_done = sorted != NULL && is_repeated != NULL;
    for (size_t i = 0; is_done && i < count; i++) {
        sorted[i] = &names[i];
    }
    if (is_done) { sort_names(sorted, count); }
    for (size_t i = 1; is_done && i < count; i++) {
        if (strcmp(*sorted[i - 1], *sorted[i]) == 0) {
            is_repeated[sorted[i - 1] - names] = is_repeated[sorted[i] - names] = true;
        }
    }
    for (size_t i = 0; is_done && i < count; i++) {
        if (!is_repeated[i]) { continue; }
        char text[NAME_BYTES + 24];
        snprintf(text, sizeof text, "%s#%zu", names[i], i);
        char *name = strdup(text);
        is_done = name != NULL;
        if (is_done) {
            free(names[i]);
            names[i] = name;
        }
    }
    free(sorted);
    free(is_repeated);
    return is_done;
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
                          const fr_model_mesh_input *making, fr_error *error) {
    char **place = name != NULL ? fr_array_push(&a->names, 1) : NULL;
    if (place == NULL) {
        free(name);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts");
    }
    *place = name;
    fr_clash_part *part = fr_array_push(&a->parts, 1);
    if (part == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    *part = (fr_clash_part){.pose = fr_pose_identity()};
    return fr_model_part_mesh(model, node, making, &part->mesh, error);
}

// Takes the colours of the part that came last; a part without any has NULL.
static fr_status add_colors(assembly *a, const fr_model *model, uint32_t node, fr_error *error) {
    const fr_clash_part *part = (const fr_clash_part *)a->parts.data + a->parts.count - 1;
    fr_color **place = fr_array_push(&a->colors, 1);
    fr_color *colors = malloc(fr_mesh_get(part->mesh)->triangle_count * sizeof *colors);
    if (place == NULL || colors == NULL) {
        free(colors);
        if (place != NULL) { *place = NULL; }
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the colours of parts");
    }
    bool has_any = fr_model_part_colors(model, node, assembly_grey, colors);
    *place = has_any ? colors : NULL;
    if (!has_any) { free(colors); }
    return FR_OK;
}

static fr_status add_parts(tool *t, const fr_tasks *tasks, const fr_model *model, const char *file, bool has_colors,
                           assembly *a, fr_error *error) {
    const fr_model_view *view = fr_model_get(model);
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.is_double = true;
    making.tasks = tasks;
    making.control = &t->control;
    bool only = count_parts(view) == 1;
    for (uint32_t i = 0; i < view->node_count; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || view->meshes[mesh].face_count == 0) { continue; }
        char *name = part_name(file, view->nodes[i].name, i, only);
        fr_status status = add_part(a, model, i, name, &making, error);
        if (status == FR_OK && has_colors) { status = add_colors(a, model, i, error); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static exit_status read_model(tool *t, const fr_tasks *tasks, const char *path, bool alone, assembly_frame frame,
                              assembly *a) {
    fr_model *model;
    exit_status result = model_file_read_as(t, path, frame.unit, frame.up, &model);
    if (result != EXIT_STATUS_DONE) { return result; }
    model_file_note_warnings(t, path, model);
    fr_error error = {0};
    size_t before = a->parts.count;
    fr_status status = add_parts(t, tasks, model, alone ? "" : path, frame.has_colors, a, &error);
    fr_model_destroy(model);
    if (status == FR_OK && a->parts.count == before) {
        status = fr_error_set(&error, FR_ERROR_SYNTAX, "the model has no face");
    }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    fr_error_locate(&error, path, error.line, error.column);
    return tool_bad_input(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The assembly

exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly_frame frame, assembly *out) {
    *out = (assembly){fr_array_make(sizeof(fr_clash_part), NULL), fr_array_make(sizeof(char *), NULL),
                      fr_array_make(sizeof(fr_color *), NULL), NULL};
    fr_error error = {0};
    fr_tasks tasks;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    exit_status result = EXIT_STATUS_DONE;
    for (int i = 0; result == EXIT_STATUS_DONE && i < path_count; i++) {
        result = read_model(t, &tasks, paths[i], path_count == 1, frame, out);
    }
    if (result == EXIT_STATUS_DONE && !number_equal_names(out)) {
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory for names");
        result = tool_failed(t, &error);
    }
    if (result != EXIT_STATUS_DONE) { assembly_release(out); }
    return result;
}

void assembly_release(assembly *a) {
    fr_clash_notes_destroy(a->notes);
    const fr_clash_part *parts = a->parts.data;
    char **names = a->names.data;
    for (size_t i = 0; i < a->parts.count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    for (size_t i = 0; i < a->names.count; i++) {
        free(names[i]);
    }
    fr_array_destroy(&a->parts);
    fr_color **colors = a->colors.data;
    for (size_t i = 0; i < a->colors.count; i++) {
        free(colors[i]);
    }
    fr_array_destroy(&a->names);
    fr_array_destroy(&a->colors);
}

const fr_color *assembly_colors(const assembly *a, uint32_t part) {
    return part < a->colors.count ? ((fr_color *const *)a->colors.data)[part] : NULL;
}

const char *assembly_name(const assembly *a, uint32_t part) { return ((char *const *)a->names.data)[part]; }

exit_status assembly_read_notes(tool *t, const char *path, assembly *a) {
    fr_input_file file;
    fr_error error = {0};
    if (tool_read(t, path, 0, &file, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_status status = fr_clash_notes_read(file.data, file.size, path, NULL, &a->notes, &error);
    fr_input_file_destroy(&file);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

fr_clash_note assembly_note(const assembly *a, const fr_clash *clash) {
    const char *names[2] = {assembly_name(a, clash->a), assembly_name(a, clash->b)};
    const fr_clash_note *note = a->notes != NULL ? fr_clash_notes_find(a->notes, names[0], names[1]) : NULL;
    return note != NULL ? *note : (fr_clash_note){names[0], names[1], FR_CLASH_OPEN, ""};
}
