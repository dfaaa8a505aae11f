// The swept hull of a face: all places it passes over a step, and more.
#ifndef FUREAI_COLLIDE_SWEPT_HULL_H
#define FUREAI_COLLIDE_SWEPT_HULL_H

#include "fureai/collide.h"

// Whether the hulls of two faces' corners at both ends of the step, grown by what their paths bulge out of them, come
// within `distance`. True for every pair that comes within it during the step.
bool fr__swept_hulls_meet(const fr_triangle_path *a, const fr_triangle_path *b, double distance);

#endif
