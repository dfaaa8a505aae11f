// All pairs of proxies of two sets, or within one set, whose boxes meet.
#ifndef FUREAI_SPACE_PROXY_PAIRS_H
#define FUREAI_SPACE_PROXY_PAIRS_H

#include "math/simd.h"
#include "shape/tree.h"
#include "shape/tree_relation.h"

// Visits a pair of items; false ends the search.
typedef bool fr__proxy_pair_fn(uint32_t item_a, uint32_t item_b, void *context);

typedef struct fr__proxy_pairs_table {
    // Visits every pair of items whose boxes meet, b's boxes grown by the relation. A tree with itself gives each pair
    // once, and no item with itself.
    void (*find)(const fr_tree *a, const fr_tree *b, const fr__tree_relation *relation, fr__proxy_pair_fn *pair,
                 void *context);
} fr__proxy_pairs_table;

FR__KERNEL_TABLE(fr__proxy_pairs_table, fr__proxy_pairs_kernel)

#endif
