// The swept hull of a face: the convex hull of all places it passes over a step.
#ifndef FUREAI_COLLIDE_SWEPT_HULL_H
#define FUREAI_COLLIDE_SWEPT_HULL_H

#include "fureai/collide.h"

// Decides a pair under FR_NARROW_HULL: whether the convex hulls of two paths, corners at the end as they are given
// included, come within `margin`. True for hulls that do; false for hulls that are farther apart than the margin, the
// tolerance of fr__swept_hull_tolerance and rounding.
bool fr__swept_hulls_meet(const fr_triangle_path *a, const fr_triangle_path *b, double margin, double tolerance);

// The tolerance for hulls that are together `size` large: fr_gjk is right within 1e-7 of the size, of which this is
// more than twice.
static inline double fr__swept_hull_tolerance(double tolerance, double size) {
    return tolerance > 0x1p-22 * size ? tolerance : 0x1p-22 * size;
}

#endif
