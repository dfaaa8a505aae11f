// Two parts over the step: when their balls may meet, and how their trees stand to one another over a slice of time.
#ifndef FUREAI_COLLIDE_SWEPT_PAIR_H
#define FUREAI_COLLIDE_SWEPT_PAIR_H

#include "collide/pair_geometry.h"
#include "collide/swept_kernel.h"

typedef struct fr__swept_pair {
    const fr__pair_geometry *geometry;
    double distance;   // margin, tolerance and the judge's rounding: pairs that come within it are to be found
    double bend_a;     // limit of the second derivative of paths of b's points in a's frame; metres a step squared
    double bend_b;     // the same of a's points in b's frame
    double bend_balls; // the same of the vector from one ball's centre to the other's
    bool has_end;      // the end poses are a slice of their own: they are not where the paths end
} fr__swept_pair;

// `apart` is the margin plus the tolerance of the query.
void fr__swept_pair_make(double apart, const fr__pair_geometry *geometry, fr__swept_pair *out);

// Narrows t0 .. t1 to the times at which the balls of the two parts may be within the distance, and returns true.
// Returns false when there is no such time. `t0` <= `t1`.
bool fr__swept_pair_clip(const fr__swept_pair *pair, double *t0, double *t1);

// The length of the longest slice over which no path leaves its chord by more than `bulge`, in the frame of the part in
// which paths bend less.
double fr__swept_pair_slice(const fr__swept_pair *pair, double bulge);

// The length of the longest time that fr__swept_pair_clip narrows well: the balls move nearly straight during it.
double fr__swept_pair_clip_length(const fr__swept_pair *pair);

// The relation of the two trees over t0 .. t1. A walk by it loses no pair of triangles that comes within the distance
// during that time.
fr__swept_relation fr__swept_pair_relate(const fr__swept_pair *pair, double t0, double t1);

// The relation of the two trees at the beginning of the step. Every point of a may be displaced by up to `reach` on
// each axis of b's frame; `reach` includes the distance. For walks down to leaves.
fr__swept_relation fr__swept_pair_relate_about(const fr__swept_pair *pair, fr_vec3 reach);

// The relation of the two trees at the end poses.
fr__swept_relation fr__swept_pair_relate_end(const fr__swept_pair *pair);

#endif
