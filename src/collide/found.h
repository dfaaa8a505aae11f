// What a worker finds: candidates for the judge of a step, hits, and intervals of contact.
#ifndef FUREAI_COLLIDE_FOUND_H
#define FUREAI_COLLIDE_FOUND_H

#include "fureai/base.h"

// Two triangles that the judge accepted, counted in their objects.
typedef struct fr__face_hit {
    uint32_t triangle_a, triangle_b;
    uint32_t object_pair; // number of the pair of objects
    union {
        uint32_t flags;  // at an instant: of fr_contact_flags
        uint32_t result; // over a step: number of the judge's result in the list of results
    };
} fr__face_hit;

// Two triangles that may meet during the step, counted in their objects, and when they may meet first.
typedef struct fr__timed_candidate {
    uint32_t triangle_a, triangle_b;
    uint32_t part_pair; // index in the plan; FR_NONE: it was judged
    float enter;        // time of the step, 0 .. 1
} fr__timed_candidate;

// An interval in which the faces of a pair of the output are in contact.
typedef struct fr__pair_interval {
    uint32_t pair;   // index in the output
    uint32_t number; // of the interval among those of the pair, in order of time
    uint32_t result; // number in the list of results
} fr__pair_interval;

// One of these three. All that workers hold at one time are of one kind. Each kind begins with the two numbers that it
// is sorted by.
typedef union fr__found {
    fr__face_hit hit;
    fr__timed_candidate candidate;
    fr__pair_interval interval;
} fr__found;

FR_ARRAY_TYPE(fr__found_array, fr__found);
FR_ARRAY_TYPE(fr__timed_candidate_array, fr__timed_candidate);
FR_ARRAY_TYPE(fr__pair_interval_array, fr__pair_interval);

// Two numbers as a key that sorts by the first, then by the second.
static inline uint64_t fr__pair_key(uint32_t first, uint32_t second) { return (uint64_t)first << 32 | second; }

#endif
