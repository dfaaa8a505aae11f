// Two parts over the step: when their balls may meet, and how their trees stand to one another over a slice of time.
#ifndef FUREAI_COLLIDE_SWEPT_PAIR_H
#define FUREAI_COLLIDE_SWEPT_PAIR_H

#include "collide/judge.h"
#include "collide/swept_kernel.h"

typedef struct fr__swept_pair {
    const fr__case *of;
    double distance;   // pairs that come within it are to be found: margin, tolerance and the judge's rounding
    double bend_a;     // second derivative of the path of a point of b in a's frame, at most; in the world's lengths
    double bend_b;     // of a point of a in b's frame
    double bend_balls; // of the way from one ball's centre to the other's
    bool has_end;      // the end poses are looked at apart: they are not where the paths end
} fr__swept_pair;

// `apart` is the margin and the tolerance of the question.
void fr__swept_pair_make(double apart, const fr__case *of, fr__swept_pair *out);

// Of the times from t0 to t1, the ones at which the balls may be within the distance: narrows them and returns true, or
// false for none. `t0` <= `t1`.
bool fr__swept_pair_clip(const fr__swept_pair *pair, double *t0, double *t1);

// How far from the chord of a slice of length dt a path leads, in the better of the two frames; and how long a slice
// may be for that to stay below `most`.
double fr__swept_pair_slice(const fr__swept_pair *pair, double most);

// How long a time may be clipped at once.
double fr__swept_pair_clip_length(const fr__swept_pair *pair);

// The relation over t0 .. t1, such that no pair of triangles is lost whose paths come within the distance during it.
fr__swept_relation fr__swept_pair_relate(const fr__swept_pair *pair, double t0, double t1);

// The relation at the beginning, where every point of a may be elsewhere, in b's frame by no more than `reach` on each
// axis, which includes the distance. For walks down to leaves.
fr__swept_relation fr__swept_pair_relate_about(const fr__swept_pair *pair, fr_vec3 reach);

// The relation at the end poses.
fr__swept_relation fr__swept_pair_relate_end(const fr__swept_pair *pair);

#endif
