// The walk through two trees, each in its own frame: pairs of boxes by their distance, nearest first.
#ifndef FUREAI_SPACE_PAIR_WALK_H
#define FUREAI_SPACE_PAIR_WALK_H

#include "math/simd.h"
#include "shape/tree_relation.h"

typedef struct fr__pair_walk {
    const fr_tree *tree_a, *tree_b;
    fr__tree_relation relation; // its margin counts as distance 0
    double metres;              // a length of tree a's frame, rounded down
} fr__pair_walk;

// Visits a pair of items and returns the new bound in metres, which is at most the one before.
typedef double fr__pair_walk_fn(uint32_t item_a, uint32_t item_b, void *context);

typedef struct fr__pair_walk_table {
    // Visits every pair of items that may be within the bound.
    void (*nearest)(const fr__pair_walk *walk, double bound, fr__pair_walk_fn *pair, void *context);
} fr__pair_walk_table;

FR__KERNEL_TABLE(fr__pair_walk_table, fr__pair_walk_kernel)

#endif
