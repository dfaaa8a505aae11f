// What the geometry nodes share while they make a part.
#ifndef FUREAI_MODEL_GEOMETRY_PART_H
#define FUREAI_MODEL_GEOMETRY_PART_H

#include "geometry.h"
#include "model.h"

// What the builder's failure is.
static inline fr_status fr__geometry_failed(const fr__geometry *geometry) {
    const fr__builder *builder = geometry->builder;
    if (builder->meter.is_stopped) { return FR_ERROR_STOPPED; }
    return builder->over_what != NULL ? FR_ERROR_LIMIT : FR_ERROR_MEMORY;
}

fr_status fr__geometry_warn(const fr__geometry *geometry, const char *at, const char *format, ...) FR_PRINTF(3, 4);
fr_status fr__geometry_note(const fr__geometry *geometry, const char *at, const char *format, ...) FR_PRINTF(3, 4);

// Begins a part; forgets the scratch memory of the one before.
bool fr__geometry_begin(fr__geometry *geometry, bool solid);

// Appends a vertex, rounded to the builder's kind of numbers.
bool fr__geometry_vertex(fr__builder *builder, fr_vec3 point);

// Appends `count` vertices of the builder's kind.
bool fr__geometry_vertices(fr__builder *builder, const void *points, size_t count);

// The last part as a mesh. It stands until something is added.
fr_model_mesh fr__geometry_mesh(const fr__builder *builder);

// Room for what stands at each corner of the last part, zeros at first; NULL when there is no memory or no corner.
float *fr__geometry_normals(fr__builder *builder);
float *fr__geometry_uvs(fr__builder *builder);

// A colour of 3 or 4 numbers 0 .. 1; what is outside is moved to the nearest.
fr_color fr__geometry_color(const float *values, uint32_t width);

static inline fr_vec3 fr__float_vector(const float *v) {
    return fr_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

// Gives every corner of the last part a normal: of its polygon and of those at the same vertex whose normals are less
// than `crease_angle` away from it, weighted by area and by the angle at the vertex.
fr_status fr__crease_normals(fr__geometry *geometry, double crease_angle);

#endif
