// Candidates of parts whose corners go straight, culled by directions along which they stay apart over the whole step.
#ifndef FUREAI_COLLIDE_STRAIGHT_CULL_H
#define FUREAI_COLLIDE_STRAIGHT_CULL_H

#include "collide/pair_geometry.h"
#include "collide/swept_kernel.h"

typedef struct fr__straight_cull_kernel_table {
    // Takes out pairs that the judge of a step refuses, with a margin and a tolerance of `distance` in sum. Returns how
    // many are left, in order. For parts without a motion, of which one has vertices that go straight.
    uint32_t (*cull)(const fr__pair_geometry *geometry, double distance, fr__swept_candidate *candidates,
                     uint32_t count);
} fr__straight_cull_kernel_table;

FR__KERNEL_TABLE(fr__straight_cull_kernel_table, fr__straight_cull_kernel)

// Whether that is so.
static inline bool fr__pair_goes_straight(const fr__pair_geometry *geometry) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    return a->motion == NULL && b->motion == NULL && (a->end_vertices != NULL || b->end_vertices != NULL);
}

#endif
