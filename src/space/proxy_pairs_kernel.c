// The walk through two trees of proxies, with the boxes in a leaf tested four at a time.
#include "space/proxy_pairs.h"

#include "shape/tree_walk.h"

typedef struct proxy_pair_walk {
    const fr_tree *a, *b;
    const fr__tree_relation *relation;
    fr__proxy_pair_fn *pair;
    void *context;
} proxy_pair_walk;

// A leaf's axis holds four minima and four maxima. Lanes 0 .. 3: the box of b begins after the box of a ends; 4 .. 7:
// it ends before that begins. Growing b's box by g is moving a's ends by g, with one rounding as in the walk.
FR__WIDE uint32_t apart_on_axis(const float *axis_b, float min_a, float max_a, float growth) {
    fr__f8 b = fr__f8_load_aligned(axis_b), g = fr__f8_splat(growth);
    uint32_t after = (uint32_t)fr__m8_bits(fr__f8_gt(fr__f8_sub(b, g), fr__f8_splat(max_a)));
    uint32_t before = (uint32_t)fr__m8_bits(fr__f8_lt(fr__f8_add(b, g), fr__f8_splat(min_a)));
    return (after & 0x0fu) | before >> 4;
}

static inline bool look_at_leaves(uint32_t leaf_a, uint32_t leaf_b, void *context) {
    const proxy_pair_walk *w = context;
    const fr__tree_leaf *a = &w->a->leaves[leaf_a], *b = &w->b->leaves[leaf_b];
    float growth = w->relation->b_to_a.growth;
    bool is_twin = w->relation->self && leaf_a == leaf_b;
    uint32_t there = (1u << b->count) - 1u;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t apart = apart_on_axis(b->x, a->x[i], a->x[4 + i], growth) |
                         apart_on_axis(b->y, a->y[i], a->y[4 + i], growth) |
                         apart_on_axis(b->z, a->z[i], a->z[4 + i], growth);
        uint32_t left = ~apart & there;
        if (is_twin) { left &= 0x0eu << i; }
        for (; left != 0; left &= left - 1) {
            if (!w->pair(a->item[i], b->item[fr__lowest_lane(left)], w->context)) { return false; }
        }
    }
    return true;
}

static void find(const fr_tree *a, const fr_tree *b, const fr__tree_relation *relation, fr__proxy_pair_fn *pair,
                 void *context) {
    proxy_pair_walk w = {a, b, relation, pair, context};
    (void)fr__tree_walk_pairs(a, b, relation, look_at_leaves, &w);
}

const fr__proxy_pairs_table FR_KERNEL_NAME(fr__proxy_pairs_kernel) = {.find = find};
