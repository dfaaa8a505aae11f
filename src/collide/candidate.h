// Candidates: pairs of triangles for the judge to decide.
#ifndef FUREAI_COLLIDE_CANDIDATE_H
#define FUREAI_COLLIDE_CANDIDATE_H

#include "collide/side.h"

// Two triangles of two parts, counted in the parts.
typedef struct fr__candidate {
    uint32_t a, b;
} fr__candidate;

// Candidates that are handed on at once.
enum { FR__BATCH = 256 };

// Takes over candidates of two sides, at most FR__BATCH; false ends the search.
typedef bool fr__candidates_fn(const fr__candidate *candidates, uint32_t count, void *context);

#endif
