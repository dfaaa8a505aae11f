// The winding number's elementary step, for rooms that place triangles themselves.
#ifndef FUREAI_SHAPE_MESH_WINDING_H
#define FUREAI_SHAPE_MESH_WINDING_H

#include "fureai/shape.h"

// What a triangle adds to the signed number of times that a ray from the point straight down (-z) crosses a surface.
// Exact, ties broken alike for all triangles: the sum over a closed surface is how often it winds around a point off
// it.
int fr__winding_crossing(const fr_vec3 corners[3], fr_vec3 point);

#endif
