// The search for the first moment at which two moving sets are within a distance of each other, by steps that are
// proven to be free.
#ifndef FUREAI_SHAPE_ADVANCE_H
#define FUREAI_SHAPE_ADVANCE_H

#include "math/simd.h"
#include "shape/gap.h"
#include "shape/swept.h"

// The pair and the distances that count, all from the input and the rounding of the pair.
typedef struct fr__chase {
    fr__swept a, b;
    fr_vec3 origin;    // what all places are relative to
    double separation; // m
    double tolerance;  // e, no less than 32 errors
    double error;      // of a distance along a direction: of both sets together
    bool is_together;  // both follow the same motion: their distance never changes
} fr__chase;

// Where a search ended.
typedef struct fr__arrival {
    bool hit, capped;
    double t;
    fr__moving a, b; // at t
    fr__gap gap;     // closest points at t, relative to the origin
    double distance; // between them
    uint32_t steps;
} fr__arrival;

// The pair as the input asks for it. `count` corners are read of each path.
void fr__chase_make(fr__chase *chase, const fr__guide *guide_a, const fr_triangle_path *a, int count_a,
                    const fr__guide *guide_b, const fr_triangle_path *b, int count_b, const fr_time_input *input);

// The first moment, from `begin` on, at which the sets are within m + e: from begin up to there they are proven to be
// farther apart than m. No hit when that holds until `end`. Two triangles must not overlap at `begin`.
void fr__chase_run(const fr__chase *chase, double begin, double end, uint32_t cap, fr__arrival *out);

typedef struct fr__advance_kernel_table {
    void (*run)(const fr__chase *chase, double begin, double end, uint32_t cap, fr__arrival *out); // fr__chase_run
} fr__advance_kernel_table;

FR__KERNEL_TABLE(fr__advance_kernel_table, fr__advance_kernel)

#endif
