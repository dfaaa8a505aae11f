// Meshes from arrays, by name or of the parts of a model file's bytes.
#include "module.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Meshes

EXPORT(fureai_mesh_create)
fr_mesh *fureai_mesh_create(const void *positions, int is_double, uint32_t vertex_count, const uint32_t *triangles,
                            uint32_t triangle_count, const uint32_t *faces) {
    fr_mesh_def def = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    def.positions_float = is_double != 0 ? NULL : positions;
    def.positions_double = is_double != 0 ? positions : NULL;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    def.faces = faces;
    def.is_double = is_double != 0;
    return fr_mesh_create(&def, &mesh, &module_error) == FR_OK ? mesh : NULL;
}

EXPORT(fureai_mesh_named) fr_mesh *fureai_mesh_named(const char *name) {
    fr_mesh *mesh = NULL;
    return fr_mesh_create_named(name, NULL, &mesh, &module_error) == FR_OK ? mesh : NULL;
}

EXPORT(fureai_mesh_release) void fureai_mesh_release(const fr_mesh *mesh) { fr_mesh_release(mesh); }
EXPORT(fureai_mesh_is_double) int fureai_mesh_is_double(const fr_mesh *mesh) {
    return fr_mesh_get(mesh)->positions_double != NULL;
}
EXPORT(fureai_mesh_positions) const void *fureai_mesh_positions(const fr_mesh *mesh) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    return view->positions_double != NULL ? (const void *)view->positions_double : view->positions_float;
}
EXPORT(fureai_mesh_vertex_count) uint32_t fureai_mesh_vertex_count(const fr_mesh *mesh) {
    return fr_mesh_get(mesh)->vertex_count;
}
EXPORT(fureai_mesh_triangles) const uint32_t *fureai_mesh_triangles(const fr_mesh *mesh) {
    return fr_mesh_get(mesh)->triangles;
}
EXPORT(fureai_mesh_triangle_count) uint32_t fureai_mesh_triangle_count(const fr_mesh *mesh) {
    return fr_mesh_get(mesh)->triangle_count;
}
EXPORT(fureai_mesh_face) uint32_t fureai_mesh_face(const fr_mesh *mesh, uint32_t triangle) {
    return triangle < fr_mesh_get(mesh)->triangle_count ? fr_mesh_face(mesh, triangle) : FR_NONE;
}
EXPORT(fureai_mesh_bounds) void fureai_mesh_bounds(const fr_mesh *mesh, double out[6]) {
    const fr_bounds *bounds = &fr_mesh_get(mesh)->bounds;
    memcpy(out, &bounds->min, 3 * sizeof *out);
    memcpy(out + 3, &bounds->max, 3 * sizeof *out);
}
EXPORT(fureai_mesh_volume) double fureai_mesh_volume(const fr_mesh *mesh) { return fr_mesh_mass(mesh).volume; }

// ---------------------------------------------------------------------------------------------------------------
// Files

enum { MAX_FILES = 1024 };

// A file that a model may refer to; its bytes belong to the caller.
typedef struct near_file {
    const char *name;
    const void *bytes;
    size_t size;
} near_file;

typedef struct model_parts {
    fr_model *model;
    fr_model_part *list;
    uint32_t count, capacity;
} model_parts;

static near_file files[MAX_FILES];
static uint32_t file_count;

EXPORT(fureai_files_clear) void fureai_files_clear(void) { file_count = 0; }

EXPORT(fureai_files_add) int fureai_files_add(const char *name, const void *bytes, size_t size) {
    if (file_count == MAX_FILES) {
        fr_error_set(&module_error, FR_ERROR_LIMIT, "more than %d files beside a model", MAX_FILES);
        return 0;
    }
    files[file_count++] = (near_file){name, bytes, size};
    return 1;
}

static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context;
    for (uint32_t i = 0; i < file_count; i++) {
        if (strcmp(files[i].name, path) != 0) { continue; }
        *bytes = files[i].bytes;
        *size = files[i].size;
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_FILE, "the file '%.200s' was not given", path);
}

static void unload_file(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
}

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    model_parts *parts = context;
    if (parts->count == parts->capacity) {
        uint32_t wanted = parts->capacity + parts->capacity / 2 + 8;
        fr_model_part *list = realloc(parts->list, wanted * sizeof *list);
        if (list == NULL) {
            fr_mesh_release(part->mesh);
            fr_skin_release(part->skin);
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part");
        }
        parts->list = list;
        parts->capacity = wanted;
    }
    parts->list[parts->count++] = *part;
    return FR_OK;
}

EXPORT(fureai_model_destroy) void fureai_model_destroy(model_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        fr_mesh_release(parts->list[i].mesh);
        fr_skin_release(parts->list[i].skin);
    }
    fr_model_destroy(parts->model);
    free(parts->list);
    free(parts);
}

EXPORT(fureai_model_read)
model_parts *fureai_model_read(const void *bytes, size_t size, const char *name, int may_guess, double unit) {
    fr_model_read_input input = fr_default_model_read_input();
    fr_model_mesh_input making = fr_default_model_mesh_input();
    model_parts *parts = calloc(1, sizeof *parts);
    if (parts == NULL) {
        fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for a model");
        return NULL;
    }
    input.name = name;
    input.may_guess = may_guess != 0;
    input.unit = unit;
    input.files = (fr_model_files){load_file, unload_file, NULL};
    fr_status status = fr_model_read(bytes, size, &input, &parts->model, &module_error);
    if (status == FR_OK) { status = fr_model_parts(parts->model, &making, take_part, parts, &module_error); }
    if (status == FR_OK) { return parts; }
    fureai_model_destroy(parts);
    return NULL;
}

EXPORT(fureai_model_format) const char *fureai_model_format(const model_parts *parts) {
    return fr_model_format_name(fr_model_get(parts->model)->format);
}
EXPORT(fureai_model_count) uint32_t fureai_model_count(const model_parts *parts) { return parts->count; }

// The mesh of a part, with a reference for the caller; its pose goes to `pose`.
EXPORT(fureai_model_part) fr_mesh *fureai_model_part(const model_parts *parts, uint32_t i, double pose[8]) {
    const fr_model_part *part = &parts->list[i];
    memcpy(pose, &part->pose.position, 3 * sizeof *pose);
    memcpy(pose + 3, &part->pose.rotation, 4 * sizeof *pose);
    pose[7] = part->pose.scale;
    return fr_mesh_retain(part->mesh);
}

EXPORT(fureai_model_part_name) const char *fureai_model_part_name(const model_parts *parts, uint32_t i) {
    const char *name = fr_model_get(parts->model)->nodes[parts->list[i].node].name;
    return name != NULL ? name : "";
}
EXPORT(fureai_model_warning_count) uint32_t fureai_model_warning_count(const model_parts *parts) {
    return fr_model_get(parts->model)->listed_warning_count;
}
EXPORT(fureai_model_warning) const char *fureai_model_warning(const model_parts *parts, uint32_t i) {
    return fr_model_get(parts->model)->warnings[i].message;
}
EXPORT(fureai_model_warning_line) int fureai_model_warning_line(const model_parts *parts, uint32_t i) {
    return (int)fr_model_get(parts->model)->warnings[i].line;
}
