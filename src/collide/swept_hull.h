// The swept hull of a face: the convex hull of all places it passes over a step.
#ifndef FUREAI_COLLIDE_SWEPT_HULL_H
#define FUREAI_COLLIDE_SWEPT_HULL_H

#include "fureai/collide.h"

// Decides a pair under FR_NARROW_HULL: whether the convex hulls of two paths, corners at the end as they are given
// included, come within `margin` and the tolerance of the exact test (fr_triangle_time), so that every pair which that
// test accepts is accepted. False for hulls that are farther apart than the margin, fr__swept_hull_tolerance and
// rounding.
bool fr__swept_hulls_meet(const fr_triangle_path *a, const fr_triangle_path *b, double margin, double tolerance);

// How far beyond the margin hulls may be apart that are together `size` large: the tolerance of the exact test, and
// more than fr_gjk is off, which is right within 1e-7 of the greatest distance of two places, at most twice the size.
static inline double fr__swept_hull_tolerance(double tolerance, double size) { return tolerance + 0x1p-22 * size; }

#endif
