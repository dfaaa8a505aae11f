// Vertices of a list of triangles that are at one place, made one.
#ifndef FUREAI_MODEL_WELD_H
#define FUREAI_MODEL_WELD_H

#include "fureai/shape.h"
#include "work_meter.h"

// Leaves the first of all vertices with the same bits, in their order, and renumbers the corners. Elements of
// `positions` are three floats or three doubles. FR_ERROR_MEMORY and FR_ERROR_STOPPED leave both as they were.
// O(vertices + corners).
fr_status fr__weld(fr_array *positions, fr_uint32_array *corners, const fr_allocator *allocator, fr__work_meter *meter);

#endif
