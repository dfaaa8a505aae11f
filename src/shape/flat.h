// Points that lie in one plane, decided exactly by dropping one coordinate: which one, point-in-set tests, and the
// intersection of two flat sets of up to three corners. Triangles that are segments or points are such sets with fewer
// corners.
#ifndef FUREAI_SHAPE_FLAT_H
#define FUREAI_SHAPE_FLAT_H

#include "fureai/shape.h"

// The extreme points of a triangle: 3 where it has an area, 2 where it is a segment, 1 where it is a point.
typedef struct fr__corners {
    fr_vec3 point[3];
    int count;
} fr__corners;

fr__corners fr__corners_of_triangle(const fr_vec3 t[3]);
fr__corners fr__corners_of_segment(const fr_vec3 s[2]);

// The point without coordinate `axis`, turned so that looking down that axis keeps the sense of rotation.
static inline fr_vec2 fr__drop(fr_vec3 p, int axis) {
    fr_vec2 flat = {axis == 0 ? p.y : axis == 1 ? p.z : p.x, axis == 0 ? p.z : axis == 1 ? p.x : p.y};
    return flat;
}

// The coordinate to drop so that a triangle keeps an area, the one that keeps most of it by rounded arithmetic; -1 when
// its corners lie on a line. Exact.
int fr__triangle_drop_axis(const fr_vec3 t[3]);

// Whether all corners of both sets lie in one plane. Exact.
bool fr__corners_are_coplanar(const fr__corners *a, const fr__corners *b);

// The intersection of two coplanar sets: its extreme points, up to 6, in order around where there are 3 or more; their
// number is exact. Points that are corners are given unchanged; crossings of edges are rounded. `points` may be NULL.
int fr__flat_section(const fr__corners *a, const fr__corners *b, fr_vec3 points[6]);

// Whether two coplanar triangles that both keep an area without coordinate `axis` share a point. Exact.
bool fr__flat_triangles_overlap(const fr_vec3 a[3], const fr_vec3 b[3], int axis);

#endif
