// What all geometry nodes need: memory, warnings, parts.
#include "geometry.h"

#include "geometry_part.h"

#include <stdio.h>
#include <string.h>

fr_status fr__geometry_create(fr__builder *builder, fr__geometry_warn_fn *warn, void *warn_context, fr__geometry *out) {
    *out = (fr__geometry){.builder = builder,
                          .warn = warn,
                          .warn_context = warn_context,
                          .unit = 1.0,
                          .made = fr__names_make(&builder->allocator),
                          .made_parts = fr_uint32_array_make(&builder->allocator)};
    return fr_arena_create(0, &builder->allocator, &out->scratch, NULL);
}

fr_status fr__geometry_warn(const fr__geometry *geometry, const char *at, const char *format, ...) {
    char message[FR_MODEL_WARNING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return geometry->warn(geometry->warn_context, at, message);
}

fr_status fr__geometry_note(const fr__geometry *geometry, const char *at, const char *format, ...) {
    char message[FR_MODEL_WARNING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fr__geometry_warn_fn *take = geometry->note != NULL ? geometry->note : geometry->warn;
    return take(geometry->warn_context, at, message);
}

bool fr__geometry_begin(fr__geometry *geometry, bool solid) {
    fr_arena_reset(geometry->scratch);
    if (!fr__builder_begin_part(geometry->builder, (fr__span){"", 0})) { return false; }
    fr__builder_last_part(geometry->builder)->two_sided = !solid;
    return true;
}

bool fr__geometry_vertex(fr__builder *builder, fr_vec3 point) {
    void *place = fr__builder_vertex(builder);
    if (place == NULL) { return false; }
    const double exact[3] = {point.x, point.y, point.z};
    const float rounded[3] = {(float)point.x, (float)point.y, (float)point.z};
    memcpy(place, builder->is_double ? (const void *)exact : rounded, builder->positions.element_bytes);
    return true;
}

bool fr__geometry_vertices(fr__builder *builder, const void *points, size_t count) {
    if (count == 0) { return true; }
    if (count > builder->limits.vertices - builder->positions.count) {
        return fr__builder_over(builder, "vertices", builder->limits.vertices) != NULL;
    }
    void *place = fr__push(&builder->positions, count);
    if (place == NULL) { return false; }
    memcpy(place, points, count * builder->positions.element_bytes);
    return true;
}

fr_model_mesh fr__geometry_mesh(const fr__builder *builder) {
    const fr__builder_part *part = builder->parts.data + builder->parts.count - 1;
    fr_model_mesh mesh = {.vertex_count = (uint32_t)(builder->positions.count - part->first_vertex),
                          .face_count = (uint32_t)(builder->face_count - part->first_face)};
    const fr_array *positions = &builder->positions;
    if (mesh.vertex_count > 0 && builder->is_double) {
        mesh.positions_double = fr__array_at(positions, part->first_vertex);
    } else if (mesh.vertex_count > 0) {
        mesh.positions_float = fr__array_at(positions, part->first_vertex);
    }
    if (mesh.face_count > 0) { mesh.corners = builder->corners.data + part->first_corner; }
    if (builder->starts.count > 0) {
        mesh.face_starts = builder->starts.data + builder->starts.count - mesh.face_count - 1;
    }
    return mesh;
}

float *fr__geometry_normals(fr__builder *builder) {
    const float none[3] = {0.0f, 0.0f, 0.0f};
    if (!fr__builder_normal_corner(builder, none)) { return NULL; }
    return builder->corner_normals.data[fr__builder_last_part(builder)->first_corner];
}

float *fr__geometry_uvs(fr__builder *builder) {
    const float none[2] = {0.0f, 0.0f};
    if (!fr__builder_uv_corner(builder, none)) { return NULL; }
    return builder->corner_uvs.data[fr__builder_last_part(builder)->first_corner];
}

static uint8_t color_byte(float value) {
    if (!(value > 0.0f)) { return 0; }
    return value < 1.0f ? (uint8_t)(value * 255.0f + 0.5f) : 255;
}

fr_color fr__geometry_color(const float *values, uint32_t width) {
    return (fr_color){color_byte(values[0]), color_byte(values[1]), color_byte(values[2]),
                      width == 4 ? color_byte(values[3]) : 255};
}
