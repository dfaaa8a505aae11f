// How long two triangles in contact are proven to stay in contact.
#ifndef FUREAI_SHAPE_HOLD_H
#define FUREAI_SHAPE_HOLD_H

#include "shape/advance.h"

// Both triangles at a time of the step.
typedef struct fr__pair_moment {
    fr__moving a, b;
    double t;
} fr__pair_moment;

fr__pair_moment fr__moment_at(const fr__moving_pair *pair, double t);

// A time, up to `limit`, over which an edge of one triangle is proven to pass through the other from `now` on; 0
// without a proof. No set turns by more than a radian during `limit`.
double fr__crossing_hold(const fr__moving_pair *pair, const fr__pair_moment *now, double limit);

// A point of each triangle, by weights of corners 1 and 2, and the vector from the one to the other.
typedef struct fr__witness {
    double u_a, v_a, u_b, v_b;
    fr_vec3 apart;
} fr__witness;

// The witness for two points of the triangles.
fr__witness fr__witness_of(const fr__pair_moment *now, fr_vec3 on_a, fr_vec3 on_b);

// A witness at another moment that keeps the place of `before` on one of the triangles, the nearer of the two.
fr__witness fr__witness_again(const fr__pair_moment *now, const fr__witness *before);

// Whether the triangles are proven to stay within `accept` of each other from one time to a later one. `witness`
// belongs to the first time and becomes one of the later time on success.
bool fr__stays_near(const fr__moving_pair *pair, const fr__pair_moment *from, const fr__pair_moment *to, double accept,
                    fr__witness *witness);

// All of b is at least this far beyond a along a direction: 2^-40 of the coordinates is far more than a product, and a
// distance of two points of the triangles, are rounded by. Minus infinity for the direction zero.
double fr__parted_by(const fr__pair_moment *now, fr_vec3 direction);

#endif
