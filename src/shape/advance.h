// The search for the first moment at which two moving sets are within a distance of each other, by steps that are
// proven collision-free (conservative advancement).
#ifndef FUREAI_SHAPE_ADVANCE_H
#define FUREAI_SHAPE_ADVANCE_H

#include "math/simd.h"
#include "shape/gap.h"
#include "shape/swept.h"

// A pair of moving sets and its tolerances, derived from the input and from the rounding of the pair.
typedef struct fr__moving_pair {
    fr__swept a, b;
    fr_vec3 origin;    // all positions are relative to it
    double separation; // m
    double tolerance;  // e, no less than 32 errors
    double error;      // of a distance along a direction, for both sets together
    bool is_together;  // both follow the same motion: their distance never changes
} fr__moving_pair;

// Where a search ended.
typedef struct fr__arrival {
    bool hit, capped;
    double t;
    fr__moving a, b; // at t
    fr__gap gap;     // closest points at t, relative to the origin
    double distance; // between them
    uint32_t steps;
} fr__arrival;

// Makes the pair by the input. It reads `count` corners of each path.
void fr__moving_pair_make(fr__moving_pair *pair, const fr__guide *guide_a, const fr_triangle_path *a, int count_a,
                          const fr__guide *guide_b, const fr_triangle_path *b, int count_b, const fr_time_input *input);

// Finds the first time from `begin` on at which the sets are within m + e. From `begin` to that time they are proven to
// be farther apart than m. There is no hit when that holds until `end`. Two triangles must not overlap at `begin`.
void fr__advance_run(const fr__moving_pair *pair, double begin, double end, uint32_t cap, fr__arrival *out);

typedef struct fr__advance_kernel_table {
    void (*run)(const fr__moving_pair *pair, double begin, double end, uint32_t cap,
                fr__arrival *out); // fr__advance_run
} fr__advance_kernel_table;

FR__KERNEL_TABLE(fr__advance_kernel_table, fr__advance_kernel)

#endif
