// What walks at an instant and over a step share at two leaves of two trees. Inlined into the kernels that walk.
#ifndef FUREAI_COLLIDE_LEAF_BOXES_H
#define FUREAI_COLLIDE_LEAF_BOXES_H

#include "shape/tree_walk.h"

static inline fr__f8 two_halves(float low, float high) { return fr__f8_lows(fr__f8_splat(low), fr__f8_splat(high)); }

// Four boxes of a, then four of b.
static inline fr__tree_boxes leaf_boxes(const fr__tree_leaf *a, const fr__tree_leaf *b) {
    fr__tree_boxes boxes = {{fr__f8_load_halves(a->min_x, b->min_x), fr__f8_load_halves(a->min_y, b->min_y),
                             fr__f8_load_halves(a->min_z, b->min_z)},
                            {fr__f8_load_halves(a->max_x, b->max_x), fr__f8_load_halves(a->max_y, b->max_y),
                             fr__f8_load_halves(a->max_z, b->max_z)}};
    return boxes;
}

#endif
