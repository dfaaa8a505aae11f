// A segment that leaves a triangle's plane, against that triangle: shared by the tests of segments and of triangles
// that are segments.
#ifndef FUREAI_SHAPE_SEGMENT_TRIANGLE_H
#define FUREAI_SHAPE_SEGMENT_TRIANGLE_H

#include "shape/flat.h"

// Where a segment meets a triangle with an area.
typedef struct fr__pierce {
    bool hit;      // they share a point; exact
    bool inner;    // strictly between the ends and strictly inside the triangle; exact
    fr_vec3 point; // the point, rounded, always on the segment
} fr__pierce;

// `side_0`, `side_1`: the sides of the ends against the triangle's plane, not both 0.
fr__pierce fr__segment_pierce(fr_vec3 end_0, fr_vec3 end_1, int side_0, int side_1, const fr_vec3 t[3]);

#endif
