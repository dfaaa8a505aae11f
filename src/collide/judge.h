// Two parts before the judge.
#ifndef FUREAI_COLLIDE_JUDGE_H
#define FUREAI_COLLIDE_JUDGE_H

#include "collide/course.h"
#include "collide/question.h"

typedef struct fr__case {
    fr__side a, b;
    fr__course course_a, course_b; // of questions over a step
    uint32_t parts;                // index in the question's list
    uint32_t object_pair;
    uint32_t flags; // of every contact of these parts
} fr__case;

void fr__case_make(const fr__question *q, uint32_t parts, fr__case *out);

// The side of a mesh that is no part of an object.
void fr__side_of_mesh(const fr_mesh *mesh, const fr_pose *part_pose, const fr_pose *object_pose, fr__side *out);

// What two triangles that share a point have as flags: COPLANAR, TOUCHING; and START.
uint32_t fr__shared_flags(const fr_vec3 a[3], const fr_vec3 b[3]);

// Decides pairs of triangles, puts those that collide to the worker's hits, and counts. False when the work is to end:
// no memory, stopped, or over the budget. The first decides a batch by the kernel, the second one pair by itself; the
// answers are the same.
bool fr__judge_batch(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates, uint32_t count);
bool fr__judge_one(fr__question *q, const fr__case *of, int worker, fr__candidate candidate);

// The same for pairs of which the walk proved that they cross.
bool fr__judge_crossing(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                        uint32_t count);

// The same for a pair whose world corners are at hand.
bool fr__judge_corners(fr__question *q, const fr__case *of, int worker, fr__candidate candidate, const fr_vec3 a[3],
                       const fr_vec3 b[3]);

#endif
