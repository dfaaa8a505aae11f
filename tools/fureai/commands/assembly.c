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

static fr_status add_part(assembly *a, const fr_model_part *given, char *name, fr_error *error) {
    char **place = name != NULL ? fr_array_push(&a->names, 1) : NULL;
    if (place != NULL) { *place = name; }
    fr_clash_part *part = place != NULL ? fr_array_push(&a->parts, 1) : NULL;
    if (part == NULL) {
        fr_mesh_release(given->mesh);
        if (place == NULL) { free(name); }
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts");
    }
    *part = (fr_clash_part){given->mesh, given->pose};
    return FR_OK;
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

typedef struct part_taker {
    assembly *a;
    const fr_model *model;
    const char *file;
    bool is_only, has_colors;
} part_taker;

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    const part_taker *taker = context;
    char *name = part_name(taker->file, fr_model_get(taker->model)->nodes[part->node].name, part->node, taker->is_only);
    fr_status status = add_part(taker->a, part, name, error);
    if (status != FR_OK || !taker->has_colors) { return status; }
    return add_colors(taker->a, taker->model, part->node, error);
}

static fr_status add_parts(tool *t, const fr_tasks *tasks, const fr_model *model, const char *file, bool has_colors,
                           assembly *a, fr_error *error) {
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.is_double = true;
    making.tasks = tasks;
    making.control = &t->control;
    part_taker taker = {a, model, file, count_parts(fr_model_get(model)) == 1, has_colors};
    return fr_model_parts(model, &making, take_part, &taker, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts whose meshes are made when they are needed

static fr_status no_room(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }

static fr_status add_shapes(assembly *a, const fr_model_part_list_view *view, fr_error *error) {
    if (a->shapes.count + view->shape_count >= FR_NONE || a->instances.count + view->part_count >= FR_NONE) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the models have too many parts");
    }
    for (uint32_t i = 0; i < view->shape_count; i++) {
        fr_clash_shape *shape = fr_array_push(&a->shapes, 1);
        if (shape == NULL) { return no_room(error); }
        *shape = (fr_clash_shape){view->shapes[i].bounds, view->shapes[i].triangle_count};
    }
    return FR_OK;
}

// Lists the parts of a model, which is the assembly's from then on, whatever the result.
static fr_status list_parts(tool *t, fr_model *model, const char *path, const char *file, assembly *a,
                            fr_error *error) {
    assembly_source *source = fr_array_push(&a->sources, 1);
    if (source == NULL) {
        fr_model_destroy(model);
        return no_room(error);
    }
    *source = (assembly_source){model, NULL, (uint32_t)a->shapes.count, path};
    uint32_t first_shape = source->first_shape;
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.is_double = true;
    making.control = &t->control;
    fr_status status = fr_model_part_list_create(model, &making, &source->list, error);
    if (status != FR_OK) { return status; }
    const fr_model_part_list_view *view = fr_model_part_list_get(source->list);
    status = add_shapes(a, view, error);
    bool is_only = count_parts(fr_model_get(model)) == 1;
    for (uint32_t i = 0; i < view->part_count && status == FR_OK; i++) {
        const fr_model_listed_part *part = &view->parts[i];
        char *name = part_name(file, fr_model_get(model)->nodes[part->node].name, part->node, is_only);
        char **place = name != NULL ? fr_array_push(&a->names, 1) : NULL;
        if (place == NULL) {
            free(name);
            return no_room(error);
        }
        *place = name;
        fr_clash_instance *instance = fr_array_push(&a->instances, 1);
        if (instance == NULL) { return no_room(error); }
        *instance = (fr_clash_instance){first_shape + part->shape, part->pose};
    }
    return status;
}

fr_status assembly_make(uint32_t shape, const fr_control *control, fr_mesh **out, void *user, fr_error *error) {
    const assembly *a = user;
    const assembly_source *sources = a->sources.data;
    size_t i = a->sources.count - 1;
    while (sources[i].first_shape > shape) {
        i--;
    }
    fr_status status = fr_model_part_list_make(sources[i].list, shape - sources[i].first_shape, control, out, error);
    if (status != FR_OK) { fr_error_locate(error, sources[i].path, 0, 0); }
    return status;
}

// Takes what is listed away again, from model number `first` and part number `part` on.
static void drop_sources(assembly *a, size_t first, size_t part) {
    const assembly_source *sources = a->sources.data;
    for (size_t i = first; i < a->sources.count; i++) {
        fr_model_part_list_destroy(sources[i].list);
        fr_model_destroy(sources[i].model);
    }
    if (first < a->sources.count) { a->shapes.count = sources[first].first_shape; }
    a->sources.count = a->sources.count < first ? a->sources.count : first;
    a->instances.count = a->instances.count < part ? a->instances.count : part;
}

// Takes parts away again, from number `first` on.
static void drop_parts(assembly *a, size_t first) {
    const fr_clash_part *parts = a->parts.data;
    char **names = a->names.data;
    fr_color **colors = a->colors.data;
    for (size_t i = first; i < a->parts.count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    for (size_t i = first; i < a->names.count; i++) {
        free(names[i]);
    }
    for (size_t i = first; i < a->colors.count; i++) {
        free(colors[i]);
    }
    a->parts.count = a->parts.count < first ? a->parts.count : first;
    a->names.count = a->names.count < first ? a->names.count : first;
    a->colors.count = a->colors.count < first ? a->colors.count : first;
}

static exit_status read_model(tool *t, const fr_tasks *tasks, const char *path, bool alone, assembly_frame frame,
                              assembly *a) {
    fr_model *model;
    exit_status result = model_file_read_as(t, path, frame.unit, frame.up, &model);
    if (result != EXIT_STATUS_DONE) { return result; }
    model_file_note_warnings(t, path, model);
    fr_error error = {0};
    size_t before = a->names.count, sources_before = a->sources.count;
    const char *file = alone ? "" : path;
    fr_status status = FR_OK;
    if (frame.is_streamed) {
        status = list_parts(t, model, path, file, a, &error);
    } else {
        status = add_parts(t, tasks, model, file, frame.has_colors, a, &error);
        fr_model_destroy(model);
    }
    if (status == FR_OK && a->names.count == before) {
        status = fr_error_set(&error, FR_ERROR_SYNTAX, "the model has no face");
    }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    drop_parts(a, before);
    drop_sources(a, sources_before, before);
    fr_error_locate(&error, path, error.line, error.column);
    return tool_bad_input(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The assembly

static exit_status note_failed(tool *t, assembly *a, const char *path) {
    char *copy = strdup(path);
    char **place = copy != NULL ? fr_array_push(&a->failed, 1) : NULL;
    if (place == NULL) {
        free(copy);
        fr_error error = {.status = FR_ERROR_MEMORY};
        return tool_failed(t, &error);
    }
    *place = copy;
    return EXIT_STATUS_DONE;
}

exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly_frame frame, assembly *out) {
    *out = (assembly){.parts = fr_array_make(sizeof(fr_clash_part), NULL),
                      .names = fr_array_make(sizeof(char *), NULL),
                      .colors = fr_array_make(sizeof(fr_color *), NULL),
                      .failed = fr_array_make(sizeof(char *), NULL),
                      .instances = fr_array_make(sizeof(fr_clash_instance), NULL),
                      .shapes = fr_array_make(sizeof(fr_clash_shape), NULL),
                      .sources = fr_array_make(sizeof(assembly_source), NULL)};
    fr_error error = {0};
    fr_tasks tasks;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    exit_status result = EXIT_STATUS_DONE, last = EXIT_STATUS_DONE;
    for (int i = 0; result == EXIT_STATUS_DONE && i < path_count; i++) {
        exit_status status = read_model(t, &tasks, paths[i], path_count == 1, frame, out);
        bool is_left_out = status == EXIT_STATUS_BAD_INPUT && frame.goes_on && path_count > 1 &&
                           !fr_control_is_stopped(&t->control) && tool_check_read(paths[i], t, &error) == FR_OK;
        last = status != EXIT_STATUS_DONE ? status : last;
        if (is_left_out) { status = note_failed(t, out, paths[i]); }
        result = status;
    }
    if (result == EXIT_STATUS_DONE && out->names.count == 0) { result = last; }
    if (result == EXIT_STATUS_DONE && !number_equal_names(out)) {
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory for names");
        result = tool_failed(t, &error);
    }
    if (result != EXIT_STATUS_DONE) { assembly_release(out); }
    return result;
}

void assembly_release(assembly *a) {
    fr_clash_notes_destroy(a->notes);
    drop_parts(a, 0);
    drop_sources(a, 0, 0);
    char **failed = a->failed.data;
    for (size_t i = 0; i < a->failed.count; i++) {
        free(failed[i]);
    }
    fr_array_destroy(&a->parts);
    fr_array_destroy(&a->names);
    fr_array_destroy(&a->colors);
    fr_array_destroy(&a->failed);
    fr_array_destroy(&a->instances);
    fr_array_destroy(&a->shapes);
    fr_array_destroy(&a->sources);
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
