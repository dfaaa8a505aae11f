// A polygon of a model cut into triangles.
#ifndef FUREAI_MODEL_POLYGON_H
#define FUREAI_MODEL_POLYGON_H

#include "model.h"

// Memory that is kept from one polygon to the next.
typedef struct fr__cutter {
    fr_array points; // fr_vec3
    fr_arena *scratch;
} fr__cutter;

fr_status fr__cutter_create(const fr_allocator *allocator, fr__cutter *cutter);
void fr__cutter_destroy(fr__cutter *cutter);

// Writes the vertices of the triangles of a polygon, 3 each, corners - 2 triangles.
fr_status fr__cut_polygon(fr__cutter *cutter, const fr_model_mesh *mesh, uint32_t face, uint32_t *triangles);

#endif
