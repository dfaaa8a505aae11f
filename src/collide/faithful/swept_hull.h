// The space a face sweeps in a step, as the source takes it: the convex hull of its corners at both ends (Kitamura
// 2.3.4), and whether two of them meet.
//
// The test is necessary and not sufficient: two faces that use the same place at different times are reported too. The
// hull does not hold the path of a corner that turns: it leaves it by up to an eighth of its distance from the axis
// times the angle squared.
#ifndef FUREAI_COLLIDE_FAITHFUL_SWEPT_HULL_H
#define FUREAI_COLLIDE_FAITHFUL_SWEPT_HULL_H

#include "fureai/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// Six points in general place have at most 8 facets and 12 edges. A hull may be flat, a segment or a point.
typedef struct fr_swept_hull {
    fr_vec3 points[6];    // corners at the beginning, then at the end
    uint8_t facets[8][3]; // triangles; of a solid hull fr_orient3d(facet, point within) is 0 or 1
    uint8_t edges[12][2]; // of the solid or flat hull, none inside a planar side; a point has one that ends at itself
    uint8_t facet_count;  // 0: a segment or a point
    uint8_t edge_count;   // at least 1
    bool is_solid;        // not all points are in one plane
} fr_swept_hull;

// Makes the hull of a triangle that goes from `start` to `end`. Exact: signs alone decide. The triangle may be
// degenerate, and may stay where it is.
void fr_swept_hull_make(const fr_vec3 start[3], const fr_vec3 end[3], fr_swept_hull *out);

// Whether an edge of one hull meets a facet of the other: the test as it is printed. Of each edge and facet: 1. both
// ends are on one side of the facet's plane; 2. the edge crosses the plane outside the facet; 3. inside. The first case
// 3 ends it. Touching counts. Exact, and it misses a hull that lies wholly inside the other.
bool fr_swept_hull_cross(const fr_swept_hull *a, const fr_swept_hull *b);

// Whether the two hulls share a point: fr_swept_hull_cross, or one lies inside the other.
bool fr_swept_hull_meet(const fr_swept_hull *a, const fr_swept_hull *b);

#ifdef __cplusplus
}
#endif

#endif
