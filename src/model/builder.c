// The builder: what readers fill, part by part, and what it gives them when it fails.
#include "builder.h"

#include <stdio.h>
#include <string.h>

static const fr_color unpainted = {204, 204, 204, 255};

fr__builder fr__builder_make(const fr_model_limits *limits, const fr_allocator *allocator) {
    fr__builder builder = {.limits = *limits, .plain = true, .unit = 1.0};
    builder.positions = fr_array_make(3 * sizeof(float), allocator);
    builder.corners = fr_uint32_array_make(allocator);
    builder.starts = fr_uint32_array_make(allocator);
    builder.ids = fr_uint32_array_make(allocator);
    builder.colors = fr__color_array_make(allocator);
    builder.materials = fr_uint32_array_make(allocator);
    builder.corner_normals = fr__float3_array_make(allocator);
    builder.corner_uvs = fr__float2_array_make(allocator);
    builder.corner_colors = fr__color_array_make(allocator);
    builder.parts = fr__builder_part_array_make(allocator);
    builder.nodes = fr__model_node_array_make(allocator);
    builder.material_list = fr__model_material_array_make(allocator);
    builder.placements = fr__model_placement_array_make(allocator);
    builder.skins = fr__model_skin_array_make(allocator);
    builder.textures = fr__model_texture_array_make(allocator);
    builder.clocks = fr__model_clock_array_make(allocator);
    builder.tracks = fr__model_track_array_make(allocator);
    builder.sounds = fr__model_sound_array_make(allocator);
    builder.notes = fr__model_note_array_make(allocator);
    builder.warnings = fr__model_warning_array_make(allocator);
    builder.allocator = builder.positions.allocator;
    return builder;
}

void fr__builder_free(fr__builder *builder) {
    fr_array_destroy(&builder->positions);
    fr_uint32_array_destroy(&builder->corners);
    fr_uint32_array_destroy(&builder->starts);
    fr_uint32_array_destroy(&builder->ids);
    fr__color_array_destroy(&builder->colors);
    fr_uint32_array_destroy(&builder->materials);
    fr__float3_array_destroy(&builder->corner_normals);
    fr__float2_array_destroy(&builder->corner_uvs);
    fr__color_array_destroy(&builder->corner_colors);
    fr__builder_part_array_destroy(&builder->parts);
    fr__model_node_array_destroy(&builder->nodes);
    fr__model_material_array_destroy(&builder->material_list);
    fr__model_placement_array_destroy(&builder->placements);
    fr__model_skin_array_destroy(&builder->skins);
    fr__model_texture_array_destroy(&builder->textures);
    fr__model_clock_array_destroy(&builder->clocks);
    fr__model_track_array_destroy(&builder->tracks);
    fr__model_sound_array_destroy(&builder->sounds);
    fr__model_note_array_destroy(&builder->notes);
    fr__model_warning_array_destroy(&builder->warnings);
    if (builder->arena != NULL) { fr_arena_destroy(builder->arena); }
    builder->arena = NULL;
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

void *fr__builder_alloc(fr__builder *builder, size_t count, size_t size, size_t align) {
    if (builder->arena == NULL && fr_arena_create(0, &builder->allocator, &builder->arena, NULL) != FR_OK) {
        builder->arena = NULL;
        return NULL;
    }
    return fr_arena_alloc(builder->arena, count, size, align);
}

fr_model_deform *fr__builder_deform(fr__builder *builder) {
    fr__builder_part *part = fr__builder_last_part(builder);
    if (part->deform == NULL) {
        part->deform = fr__builder_alloc(builder, 1, sizeof *part->deform, _Alignof(fr_model_deform));
        if (part->deform != NULL) { *part->deform = (fr_model_deform){.target_count = 0}; }
    }
    return part->deform;
}

const char *fr__builder_text(fr__builder *builder, fr__span text) {
    if (text.length == 0) { return ""; }
    char *copy = fr__builder_alloc(builder, text.length + 1, 1, 1);
    if (copy == NULL) { return NULL; }
    memcpy(copy, text.begin, text.length);
    copy[text.length] = '\0';
    // A NUL inside would end the text early for the user, and only there.
    for (size_t i = 0; i < text.length; i++) {
        if (copy[i] == '\0') { copy[i] = '?'; }
    }
    return copy;
}

bool fr__builder_begin_part(fr__builder *builder, fr__span name) {
    if (builder->parts.count >= builder->limits.nodes) {
        return fr__builder_over(builder, "parts", builder->limits.nodes) != NULL;
    }
    fr__builder_part part = {.first_vertex = builder->positions.count,
                             .first_face = builder->face_count,
                             .first_corner = builder->corners.count,
                             .first_id = builder->next_id};
    part.name = fr__builder_text(builder, name);
    if (part.name == NULL) { return false; }
    if (builder->starts.count > 0 && !fr__push_index(&builder->starts, 0)) { return false; }
    fr__builder_part *place = fr__builder_part_array_push(&builder->parts, 1);
    if (place == NULL) { return false; }
    *place = part;
    return true;
}

bool fr__builder_rename_part(fr__builder *builder, fr__span name) {
    const char *text = fr__builder_text(builder, name);
    if (text == NULL) { return false; }
    fr__builder_last_part(builder)->name = text;
    return true;
}

bool fr__builder_add_material(fr__builder *builder, fr__span name) {
    fr_model_material material = fr_default_model_material();
    material.name = fr__builder_text(builder, name);
    return material.name != NULL && fr__model_material_array_add(&builder->material_list, &material) != FR_NONE;
}

uint32_t fr__builder_add_node(fr__builder *builder, const fr_model_node *node) {
    FR_ASSERT(node->parent == FR_NONE || node->parent < builder->nodes.count);
    if (builder->nodes.count >= builder->limits.nodes) {
        fr__builder_over(builder, "nodes", builder->limits.nodes);
        return FR_NONE;
    }
    return fr__model_node_array_add(&builder->nodes, node);
}

void *fr__builder_vertices(fr__builder *builder, size_t count) {
    if (count > builder->limits.vertices || builder->positions.count > builder->limits.vertices - count) {
        return fr__builder_over(builder, "vertices", builder->limits.vertices);
    }
    return fr__push(&builder->positions, count);
}

bool fr__builder_triangles(fr__builder *builder, const uint32_t *vertices, size_t count) {
    for (size_t i = 0; i < 3 * count && !builder->plain; i++) {
        if (!fr__builder_corner(builder, vertices[i]) || (i % 3 == 2 && !fr__builder_end_polygon(builder, 3))) {
            return false;
        }
    }
    if (!builder->plain) { return true; }
    const fr_model_limits *limits = &builder->limits;
    if (3 * count > limits->corners || builder->corners.count > limits->corners - 3 * count) {
        return fr__builder_over(builder, "corners", limits->corners) != NULL;
    }
    if (count > limits->faces || builder->face_count > limits->faces - count) {
        return fr__builder_over(builder, "polygons", limits->faces) != NULL;
    }
    uint32_t *corners = fr_uint32_array_push(&builder->corners, 3 * count);
    if (corners == NULL) { return false; }
    if (count > 0) { memcpy(corners, vertices, 3 * count * sizeof *corners); }
    builder->face_count += count;
    builder->next_id += (uint32_t)count;
    return true;
}

// The last corner gets the element; corners before it that have none get zeros.

bool fr__builder_normal_corner(fr__builder *builder, const float normal[3]) {
    fr__builder_last_part(builder)->has_normals = true;
    fr__float3_array *normals = &builder->corner_normals;
    if (fr__float3_array_extend(normals, builder->corners.count, builder->corners.count) == NULL) { return false; }
    memcpy(normals->data[normals->count - 1], normal, sizeof(fr__float3));
    return true;
}

bool fr__builder_uv_corner(fr__builder *builder, const float uv[2]) {
    fr__builder_last_part(builder)->has_uvs = true;
    fr__float2_array *uvs = &builder->corner_uvs;
    if (fr__float2_array_extend(uvs, builder->corners.count, builder->corners.count) == NULL) { return false; }
    memcpy(uvs->data[uvs->count - 1], uv, sizeof(fr__float2));
    return true;
}

bool fr__builder_color_corner(fr__builder *builder, fr_color color) {
    fr__builder_last_part(builder)->has_colors = true;
    fr__color_array *colors = &builder->corner_colors;
    if (fr__color_array_extend(colors, builder->corners.count, builder->corners.count) == NULL) { return false; }
    colors->data[colors->count - 1] = color;
    return true;
}

// Writes the starts of all polygons so far, which are triangles.
static bool fill_starts(fr__builder *builder) {
    size_t part_count = builder->parts.count;
    const fr__builder_part *parts = builder->parts.data;
    uint32_t *start = fr_uint32_array_push(&builder->starts, part_count + builder->face_count);
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
        uint32_t end = (uint32_t)(builder->corners.count - fr__builder_last_part(builder)->first_corner);
        if (!fr__push_index(&builder->starts, end)) { return false; }
    }
    if (builder->ids.count > 0 && !fr__push_index(&builder->ids, builder->next_id)) { return false; }
    if (builder->materials.count > 0 && !fr__push_index(&builder->materials, FR_NONE)) { return false; }
    if (builder->colors.count > 0) {
        fr_color *color = fr__color_array_push(&builder->colors, 1);
        if (color == NULL) { return false; }
        *color = unpainted;
    }
    builder->face_count++;
    builder->next_id++;
    return true;
}

bool fr__builder_color_face(fr__builder *builder, fr_color color) {
    if (builder->colors.count == 0) {
        fr_color *colors = fr__color_array_push(&builder->colors, builder->face_count);
        if (colors == NULL) { return false; }
        for (size_t i = 0; i < builder->face_count; i++) {
            colors[i] = unpainted;
        }
        builder->plain = false;
    }
    builder->colors.data[builder->face_count - 1] = color;
    fr__builder_last_part(builder)->has_face_colors = true;
    return true;
}

bool fr__builder_material_face(fr__builder *builder, uint32_t material) {
    if (builder->materials.count == 0) {
        if (material == FR_NONE) { return true; }
        uint32_t *materials = fr_uint32_array_push(&builder->materials, builder->face_count);
        if (materials == NULL) { return false; }
        for (size_t i = 0; i < builder->face_count; i++) {
            materials[i] = FR_NONE;
        }
        builder->plain = false;
    }
    builder->materials.data[builder->face_count - 1] = material;
    return true;
}

bool fr__builder_set_id(fr__builder *builder, uint32_t id) {
    if (id == builder->next_id) { return true; }
    fr__builder_part *part = builder->parts.data + builder->parts.count - 1;
    if (builder->ids.count == 0 && part->first_face == builder->face_count) {
        part->first_id = id;
    } else if (builder->ids.count == 0) {
        uint32_t *ids = fr_uint32_array_push(&builder->ids, builder->face_count);
        if (ids == NULL) { return false; }
        const fr__builder_part *parts = builder->parts.data;
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
// Messages

void fr__reader_warn(fr__reader *reader, const char *at, const char *format, ...) {
    fr__builder *builder = &reader->builder;
    builder->warning_count++;
    if (builder->warnings.count >= FR_MODEL_MAX_WARNINGS) { return; }
    // A warning that finds no memory is still counted.
    fr_model_warning *warning = fr__model_warning_array_push(&builder->warnings, 1);
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
    if (builder->meter.is_stopped) {
        return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_STOPPED, FR__STOPPED_TEXT);
    }
    if (builder->over_what == NULL) {
        char text[FR_ERROR_MESSAGE_BYTES];
        return fr__cursor_fail(&reader->cursor, reader->budget->has_refused ? at : NULL,
                               fr__reader_memory_status(reader), "%s", fr__reader_memory_text(reader, text));
    }
    return fr__cursor_fail(&reader->cursor, at, FR_ERROR_LIMIT, "more than %llu %s, the limit",
                           (unsigned long long)builder->over_limit, builder->over_what);
}

fr_status fr__reader_memory_status(const fr__reader *reader) {
    return reader->budget->has_refused ? FR_ERROR_LIMIT : FR_ERROR_MEMORY;
}

const char *fr__reader_memory_text(const fr__reader *reader, char text[FR_ERROR_MESSAGE_BYTES]) {
    if (!reader->budget->has_refused) { return fr_status_text(FR_ERROR_MEMORY); }
    snprintf(text, FR_ERROR_MESSAGE_BYTES,
             "reading takes more than %llu MB of memory, the limit for files of this size; a file that is trusted is "
             "read with a higher one (limits.memory; --memory of the tool)",
             (unsigned long long)(reader->budget->bound_bytes / 1000000));
    return text;
}

fr_status fr__reader_check_promise(fr__reader *reader, const char *at, uint64_t count, size_t min_bytes,
                                   const char *what) {
    size_t left = fr__cursor_left(&reader->cursor);
    // The last number of a text file needs no space after it.
    if (min_bytes == 0 || count <= ((uint64_t)left + 1) / min_bytes) { return FR_OK; }
    return fr__cursor_fail(&reader->cursor, at, FR_ERROR_CORRUPT,
                           "the header promises %llu %s, more than the %llu bytes that follow can hold",
                           (unsigned long long)count, what, (unsigned long long)left);
}
