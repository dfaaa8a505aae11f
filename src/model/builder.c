#include "builder.h"

#include "model.h"

#include <stdio.h>
#include <string.h>

static const fr_color unpainted = {204, 204, 204, 255};

fr__builder fr__builder_make(const fr_model_limits *limits, const fr_allocator *allocator) {
    fr__builder builder = {.limits = *limits, .plain = true};
    builder.positions = fr_array_make(3 * sizeof(float), allocator);
    builder.corners = fr_array_make(sizeof(uint32_t), allocator);
    builder.starts = fr_array_make(sizeof(uint32_t), allocator);
    builder.ids = fr_array_make(sizeof(uint32_t), allocator);
    builder.colors = fr_array_make(sizeof(fr_color), allocator);
    builder.materials = fr_array_make(sizeof(uint32_t), allocator);
    builder.parts = fr_array_make(sizeof(fr__part), allocator);
    builder.names = fr_array_make(1, allocator);
    builder.material_names = fr_array_make(sizeof(size_t), allocator);
    builder.warnings = fr_array_make(sizeof(fr_model_warning), allocator);
    builder.allocator = builder.positions.allocator;
    return builder;
}

void fr__builder_free(fr__builder *builder) {
    fr_array_free(&builder->positions);
    fr_array_free(&builder->corners);
    fr_array_free(&builder->starts);
    fr_array_free(&builder->ids);
    fr_array_free(&builder->colors);
    fr_array_free(&builder->materials);
    fr_array_free(&builder->parts);
    fr_array_free(&builder->names);
    fr_array_free(&builder->material_names);
    fr_array_free(&builder->warnings);
}

void fr__builder_set_double(fr__builder *builder, bool is_double) {
    FR_ASSERT(builder->positions.capacity == 0);
    builder->is_double = is_double;
    builder->positions = fr_array_make(3 * (is_double ? sizeof(double) : sizeof(float)), &builder->allocator);
}

void *fr__builder_over(fr__builder *builder, const char *what, uint64_t limit) {
    builder->over_what = what;
    builder->over_limit = limit;
    return NULL;
}

static bool add_name(fr__builder *builder, fr__span name, size_t *offset) {
    *offset = builder->names.count;
    char *text = fr__push(&builder->names, name.length + 1);
    if (text == NULL) { return false; }
    if (name.length > 0) { memcpy(text, name.begin, name.length); }
    text[name.length] = '\0';
    // A NUL inside would end the name early for the user, and only there.
    for (size_t i = 0; i < name.length; i++) {
        if (text[i] == '\0') { text[i] = '?'; }
    }
    return true;
}

bool fr__builder_begin_part(fr__builder *builder, fr__span name) {
    if (builder->parts.count >= builder->limits.nodes) {
        return fr__builder_over(builder, "parts", builder->limits.nodes) != NULL;
    }
    fr__part part = {.first_vertex = builder->positions.count,
                     .first_face = builder->face_count,
                     .first_corner = builder->corners.count,
                     .first_id = builder->next_id};
    if (!add_name(builder, name, &part.name)) { return false; }
    if (builder->starts.count > 0 && !fr__push_index(&builder->starts, 0)) { return false; }
    fr__part *place = fr__push(&builder->parts, 1);
    if (place == NULL) { return false; }
    *place = part;
    return true;
}

bool fr__builder_rename_part(fr__builder *builder, fr__span name) {
    FR_ASSERT(builder->parts.count > 0);
    return add_name(builder, name, &((fr__part *)builder->parts.data)[builder->parts.count - 1].name);
}

bool fr__builder_add_material(fr__builder *builder, fr__span name) {
    size_t *place = fr__push(&builder->material_names, 1);
    return place != NULL && add_name(builder, name, place);
}

static const fr__part *last_part(const fr__builder *builder) {
    FR_ASSERT(builder->parts.count > 0);
    return (const fr__part *)builder->parts.data + builder->parts.count - 1;
}

// Writes the starts of all polygons so far, which are triangles.
static bool fill_starts(fr__builder *builder) {
    size_t part_count = builder->parts.count;
    const fr__part *parts = builder->parts.data;
    uint32_t *start = fr__push(&builder->starts, part_count + builder->face_count);
    if (start == NULL) { return false; }
    for (size_t i = 0; i < part_count; i++) {
        size_t end = i + 1 < part_count ? parts[i + 1].first_face : builder->face_count;
        for (uint32_t k = 0; k <= (uint32_t)(end - parts[i].first_face); k++) {
            *start++ = 3 * k;
        }
    }
    return true;
}

bool fr__builder_end_polygon(fr__builder *builder, size_t corner_count) {
    if (builder->face_count >= builder->limits.faces) {
        return fr__builder_over(builder, "polygons", builder->limits.faces) != NULL;
    }
    if (corner_count > builder->limits.polygon_corners) {
        return fr__builder_over(builder, "corners in one polygon", builder->limits.polygon_corners) != NULL;
    }
    if (builder->starts.count == 0 && corner_count != 3 && !fill_starts(builder)) { return false; }
    if (builder->starts.count > 0) {
        builder->plain = false;
        uint32_t end = (uint32_t)(builder->corners.count - last_part(builder)->first_corner);
        if (!fr__push_index(&builder->starts, end)) { return false; }
    }
    if (builder->ids.count > 0 && !fr__push_index(&builder->ids, builder->next_id)) { return false; }
    if (builder->materials.count > 0 && !fr__push_index(&builder->materials, FR_NONE)) { return false; }
    if (builder->colors.count > 0) {
        fr_color *color = fr__push(&builder->colors, 1);
        if (color == NULL) { return false; }
        *color = unpainted;
    }
    builder->face_count++;
    builder->next_id++;
    return true;
}

bool fr__builder_color_face(fr__builder *builder, fr_color color) {
    if (builder->colors.count == 0) {
        fr_color *colors = fr__push(&builder->colors, builder->face_count);
        if (colors == NULL) { return false; }
        for (size_t i = 0; i < builder->face_count; i++) {
            colors[i] = unpainted;
        }
        builder->plain = false;
    }
    ((fr_color *)builder->colors.data)[builder->face_count - 1] = color;
    return true;
}

bool fr__builder_material_face(fr__builder *builder, uint32_t material) {
    if (builder->materials.count == 0) {
        if (material == FR_NONE) { return true; }
        uint32_t *materials = fr__push(&builder->materials, builder->face_count);
        if (materials == NULL) { return false; }
        for (size_t i = 0; i < builder->face_count; i++) {
            materials[i] = FR_NONE;
        }
        builder->plain = false;
    }
    ((uint32_t *)builder->materials.data)[builder->face_count - 1] = material;
    return true;
}

bool fr__builder_set_id(fr__builder *builder, uint32_t id) {
    if (id == builder->next_id) { return true; }
    fr__part *part = (fr__part *)builder->parts.data + builder->parts.count - 1;
    if (builder->ids.count == 0 && part->first_face == builder->face_count) {
        part->first_id = id;
    } else if (builder->ids.count == 0) {
        uint32_t *ids = fr__push(&builder->ids, builder->face_count);
        if (ids == NULL) { return false; }
        const fr__part *parts = builder->parts.data;
        for (size_t i = 0; i < builder->parts.count; i++) {
            size_t end = i + 1 < builder->parts.count ? parts[i + 1].first_face : builder->face_count;
            for (size_t k = parts[i].first_face; k < end; k++) {
                ids[k] = parts[i].first_id + (uint32_t)(k - parts[i].first_face);
            }
        }
        builder->plain = false;
    }
    builder->next_id = id;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// To the model

// Element `index` of an array; NULL where the array has none.
static const void *element(const fr_array *array, size_t index) {
    return array->count > 0 ? (const char *)array->data + index * array->element_bytes : NULL;
}

// The slices of the shared arrays that belong to each part.
static void slice_meshes(fr_model *model) {
    const fr__builder *store = &model->store;
    const fr__part *parts = store->parts.data;
    size_t start = 0;
    fr_model_mesh *meshes = model->meshes.data;
    for (size_t i = 0; i < store->parts.count; i++) {
        bool last = i + 1 == store->parts.count;
        size_t vertex_end = last ? store->positions.count : parts[i + 1].first_vertex;
        size_t face_end = last ? store->face_count : parts[i + 1].first_face;
        fr_model_mesh mesh = {.vertex_count = (uint32_t)(vertex_end - parts[i].first_vertex),
                              .face_count = (uint32_t)(face_end - parts[i].first_face),
                              .first_face = parts[i].first_id};
        if (store->is_double) {
            mesh.positions_double = element(&store->positions, parts[i].first_vertex);
        } else {
            mesh.positions_float = element(&store->positions, parts[i].first_vertex);
        }
        mesh.corners = element(&store->corners, parts[i].first_corner);
        mesh.face_starts = element(&store->starts, start);
        mesh.face_ids = element(&store->ids, parts[i].first_face);
        mesh.face_colors = element(&store->colors, parts[i].first_face);
        mesh.face_materials = element(&store->materials, parts[i].first_face);
        start += mesh.face_count + 1;
        meshes[i] = mesh;
    }
}

static void list_nodes(fr_model *model) {
    const fr__builder *store = &model->store;
    const fr__part *parts = store->parts.data;
    const char *names = store->names.data;
    fr_model_node *nodes = model->nodes.data;
    for (size_t i = 0; i < store->parts.count; i++) {
        nodes[i] = (fr_model_node){names + parts[i].name, FR_NONE, (uint32_t)i};
    }
    fr_model_material *materials = model->materials.data;
    const size_t *material_names = store->material_names.data;
    for (size_t i = 0; i < store->material_names.count; i++) {
        materials[i].name = names + material_names[i];
    }
}

static fr_bounds bounds_of(const fr__builder *store) {
    fr_bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    size_t count = store->positions.count;
    const float *narrow = store->positions.data;
    const double *wide = store->positions.data;
    for (size_t i = 0; i < count; i++) {
        fr_vec3 p = store->is_double
                        ? fr_vec3_make(wide[3 * i], wide[3 * i + 1], wide[3 * i + 2])
                        : fr_vec3_make((double)narrow[3 * i], (double)narrow[3 * i + 1], (double)narrow[3 * i + 2]);
        bounds.min = fr_vec3_min(bounds.min, p);
        bounds.max = fr_vec3_max(bounds.max, p);
    }
    return bounds;
}

static void fill_view(fr_model *model, fr_model_format format) {
    const fr__builder *store = &model->store;
    model->view = (fr_model_view){.format = format,
                                  .nodes = model->nodes.data,
                                  .node_count = (uint32_t)model->nodes.count,
                                  .meshes = model->meshes.data,
                                  .mesh_count = (uint32_t)model->meshes.count,
                                  .materials = model->materials.data,
                                  .material_count = (uint32_t)model->materials.count,
                                  .warnings = store->warnings.data,
                                  .warnings_kept = (uint32_t)store->warnings.count,
                                  .warning_count = store->warning_count,
                                  .vertex_count = store->positions.count,
                                  .face_count = store->face_count,
                                  .corner_count = store->corners.count,
                                  .triangle_count = store->corners.count - 2 * store->face_count,
                                  .bounds = bounds_of(store)};
}

fr_status fr__builder_finish(fr__builder *builder, fr_model_format format, fr_model **out) {
    FR_ASSERT(builder->parts.count > 0);
    fr_model *model = fr_allocate(&builder->allocator, 1, sizeof *model, _Alignof(fr_model));
    if (model == NULL) {
        fr__builder_free(builder);
        return FR_ERROR_MEMORY;
    }
    model->store = *builder;
    *builder = fr__builder_make(&model->store.limits, &model->store.allocator);
    model->nodes = fr_array_make(sizeof(fr_model_node), &model->store.allocator);
    model->meshes = fr_array_make(sizeof(fr_model_mesh), &model->store.allocator);
    model->materials = fr_array_make(sizeof(fr_model_material), &model->store.allocator);
    size_t part_count = model->store.parts.count, material_count = model->store.material_names.count;
    if (!fr_array_reserve(&model->nodes, part_count) || !fr_array_reserve(&model->meshes, part_count) ||
        !fr_array_reserve(&model->materials, material_count)) {
        fr_model_destroy(model);
        return FR_ERROR_MEMORY;
    }
    model->nodes.count = part_count;
    model->meshes.count = part_count;
    model->materials.count = material_count;
    slice_meshes(model);
    list_nodes(model);
    fill_view(model, format);
    *out = model;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Messages

void fr__reader_warn(fr__reader *reader, const char *at, const char *format, ...) {
    fr__builder *builder = &reader->builder;
    builder->warning_count++;
    if (builder->warnings.count >= FR_MODEL_MAX_WARNINGS) { return; }
    // A warning that finds no memory is still counted.
    fr_model_warning *warning = fr__push(&builder->warnings, 1);
    if (warning == NULL) { return; }
    fr__place place = at != NULL ? fr__cursor_place(&reader->cursor, at) : (fr__place){0, 0};
    warning->line = place.line;
    warning->column = place.column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning->message, sizeof warning->message, format, arguments);
    va_end(arguments);
}

fr_status fr__reader_fail_building(fr__reader *reader, const char *at) {
    const fr__builder *builder = &reader->builder;
    if (builder->over_what == NULL) {
        return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    return fr__cursor_fail(&reader->cursor, at, FR_ERROR_LIMIT, "more than %llu %s, the limit",
                           (unsigned long long)builder->over_limit, builder->over_what);
}

fr_status fr__reader_check_promise(fr__reader *reader, const char *at, uint64_t count, size_t least_bytes,
                                   const char *what) {
    size_t left = fr__cursor_left(&reader->cursor);
    // The last number of a text file needs no space after it.
    if (least_bytes == 0 || count <= ((uint64_t)left + 1) / least_bytes) { return FR_OK; }
    return fr__cursor_fail(&reader->cursor, at, FR_ERROR_CORRUPT,
                           "the header promises %llu %s, more than the %llu bytes that follow can hold",
                           (unsigned long long)count, what, (unsigned long long)left);
}
