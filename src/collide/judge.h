// The judge of an instant: decides which candidates of two parts are hits.
#ifndef FUREAI_COLLIDE_JUDGE_H
#define FUREAI_COLLIDE_JUDGE_H

#include "collide/run.h"

// What two triangles that share a point have as flags: COPLANAR, TOUCHING; and START.
uint32_t fr__shared_flags(const fr_vec3 a[3], const fr_vec3 b[3]);

// Decides candidates, puts those that collide to what the worker found, and counts. False when the work is to end:
// no memory, stopped, or over the budget. The first decides a batch by the kernel, the second one pair by itself; the
// results are the same.
bool fr__judge_batch(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                     uint32_t count);
bool fr__judge_one(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate);

// The same for pairs of which the walk proved that they cross.
bool fr__judge_crossing(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                        uint32_t count);

// The same for a pair whose world corners are at hand.
bool fr__judge_corners(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate,
                       const fr_vec3 a[3], const fr_vec3 b[3]);

#endif
