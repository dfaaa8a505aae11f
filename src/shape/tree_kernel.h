// The kernels of a built tree: boxes of nodes from boxes of items, and the search with a box.
#ifndef FUREAI_SHAPE_TREE_KERNEL_H
#define FUREAI_SHAPE_TREE_KERNEL_H

#include "math/simd.h"
#include "shape/tree.h"
#include "shape/tree_relation.h"

typedef struct fr__tree_kernel_table {
    // Sets the boxes of nodes [begin, end), last first, and of their leaves. Inner children must be done or in the
    // range.
    void (*refit)(fr_tree *tree, const fr_box *boxes, uint32_t begin, uint32_t end);
    // Sets the boxes in leaves [begin, end) from the vertices of triangles, and `joined`, one a leaf.
    void (*join_leaves)(fr_tree *tree, const uint32_t *triangles, const fr__corner_box *vertices,
                        fr__corner_box *joined, uint32_t begin, uint32_t end);
    // Sets the boxes of nodes [begin, end) as `refit` does, from boxes of leaves.
    void (*refit_joined)(fr_tree *tree, const fr__corner_box *joined, uint32_t begin, uint32_t end);
    // fr_tree_overlap_box.
    bool (*overlap_box)(const fr_tree *tree, const fr_box *box, fr_tree_item_fn *found, void *context);
    // fr__tree_walk_pairs for callers that need no inlining.
    bool (*pairs)(const fr_tree *a, const fr_tree *b, const fr__tree_relation *relation, fr__tree_leaf_pair_fn *pair,
                  void *context);
} fr__tree_kernel_table;

FR__KERNEL_TABLE(fr__tree_kernel_table, fr__tree_kernel)

#endif
