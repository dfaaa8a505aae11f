// A polygon of a model cut into triangles.
#ifndef FUREAI_MODEL_POLYGON_H
#define FUREAI_MODEL_POLYGON_H

#include "model.h"

// Memory that is kept from one polygon to the next.
typedef struct fr__cutter {
    fr__point_array points;
    fr_arena *scratch;
    uint64_t work_left; // squares of the corners that large polygons may still have
} fr__cutter;

// Polygons of more corners than FR__CUT_LARGE cost up to their square; with FR__CUT_WORK all of a model end in seconds.
#define FR__CUT_LARGE 1000
#define FR__CUT_WORK UINT64_C(4000000000)

fr_status fr__cutter_create(const fr_allocator *allocator, fr__cutter *cutter);
void fr__cutter_destroy(fr__cutter *cutter);

// Writes the vertices of the triangles of a polygon, 3 each, corners - 2 triangles. A large polygon that comes when the
// work is used up becomes a fan, whatever its shape.
fr_status fr__cut_polygon(fr__cutter *cutter, const fr_model_mesh *mesh, uint32_t face, uint32_t *triangles);

#endif
