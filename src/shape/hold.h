// For how long two triangles that are together surely stay so.
#ifndef FUREAI_SHAPE_HOLD_H
#define FUREAI_SHAPE_HOLD_H

#include "shape/advance.h"

// Both triangles at a time of the step.
typedef struct fr__pair_moment {
    fr__moving a, b;
    double t;
} fr__pair_moment;

fr__pair_moment fr__moment_at(const fr__chase *chase, double t);

// A time, at most `most`, over which an edge of one triangle surely passes through the other from `now` on; 0 where
// none does for sure. No set turns by more than a radian during `most`.
double fr__crossing_hold(const fr__chase *chase, const fr__pair_moment *now, double most);

// A point of each triangle, by weights of corners 1 and 2, and the way from the one to the other.
typedef struct fr__witness {
    double u_a, v_a, u_b, v_b;
    fr_vec3 apart;
} fr__witness;

// The witness for two points of the triangles.
fr__witness fr__witness_of(const fr__pair_moment *now, fr_vec3 on_a, fr_vec3 on_b);

// A witness at another moment that keeps the place of `before` on one of the triangles, the nearer of the two.
fr__witness fr__witness_again(const fr__pair_moment *now, const fr__witness *before);

// Whether the triangles surely stay within `accept` of each other from one moment, of which `witness` is a witness, to
// a later one. `witness` becomes one of the later moment then.
bool fr__stays_near(const fr__chase *chase, const fr__pair_moment *from, const fr__pair_moment *to, double accept,
                    fr__witness *witness);

#endif
