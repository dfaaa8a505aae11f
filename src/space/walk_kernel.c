// The walks through trees with eight boxes at a time.
#include "space/walk.h"

#include "shape/tree_walk.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// Along a line

typedef struct line_walk {
    fr__f8 start_near[3], start_far[3], inverse[3];
    int near[3], far[3]; // which of a node's sides is the near and the far one of an axis
    const fr__line *line;
    fr__space_walk_fn *item;
    void *context;
} line_walk;

// The floats below are off by 3 roundings each, 2^-24. So a hit at t is in a box with near <= t (1 + 4 2^-24) and far
// >= t (1 - 4 2^-24), and the near side times 1 - 16 2^-24 is a lower bound for both. NaN, from infinite boxes, drops
// that side or lets the box through.
static inline uint32_t line_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    const line_walk *w = context;
    fr__f8 near = fr__f8_splat(0.0f), far = fr__f8_splat(bound), zero = fr__f8_splat(0.0f);
    fr__m8 beside = fr__f8_lt(zero, zero);
    for (int i = 0; i < 3; i++) {
        fr__f8 to_near = fr__f8_sub(fr__f8_load_aligned(node->side[w->near[i]]), w->start_near[i]);
        fr__f8 to_far = fr__f8_sub(fr__f8_load_aligned(node->side[w->far[i]]), w->start_far[i]);
        if (w->line->is_flat[i]) {
            beside = fr__m8_or(beside, fr__m8_or(fr__f8_gt(to_near, zero), fr__f8_lt(to_far, zero)));
            continue;
        }
        near = fr__f8_max(fr__f8_mul(to_near, w->inverse[i]), near);
        far = fr__f8_min(fr__f8_mul(to_far, w->inverse[i]), far);
    }
    near = fr__f8_mul(near, fr__f8_splat(1.0f - 0x1p-20f));
    fr__f8_store(distance, near);
    return ~(uint32_t)fr__m8_bits(fr__m8_or(beside, fr__f8_gt(near, far)));
}

// The same for one box of a leaf. max(x, y) here is x > y ? x : y as in the lanes.
static inline bool line_meets(const line_walk *w, const fr__tree_leaf *leaf, uint32_t k, float bound) {
    const float *const axes[3] = {leaf->x, leaf->y, leaf->z};
    float near = 0.0f, far = bound;
    for (int i = 0; i < 3; i++) {
        float near_side = axes[i][w->line->is_down[i] ? 4 + k : k], far_side = axes[i][w->line->is_down[i] ? k : 4 + k];
        float to_near = near_side - w->line->start_near[i], to_far = far_side - w->line->start_far[i];
        if (w->line->is_flat[i]) {
            if (to_near > 0.0f || to_far < 0.0f) { return false; }
            continue;
        }
        to_near *= w->line->inverse[i];
        to_far *= w->line->inverse[i];
        near = to_near > near ? to_near : near;
        far = to_far < far ? to_far : far;
    }
    return !(near * (1.0f - 0x1p-20f) > far);
}

static inline float line_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    const line_walk *w = context;
    for (uint32_t k = 0; k < leaf->count && bound >= 0.0f; k++) {
        if (line_meets(w, leaf, k, bound)) { bound = w->item(leaf->item[k], bound, w->context); }
    }
    return bound;
}

static void along(const fr_tree *tree, const fr__line *line, float bound, fr__space_walk_fn *item, void *context) {
    line_walk w;
    w.line = line;
    w.item = item;
    w.context = context;
    for (int i = 0; i < 3; i++) {
        w.start_near[i] = fr__f8_splat(line->start_near[i]);
        w.start_far[i] = fr__f8_splat(line->start_far[i]);
        w.inverse[i] = fr__f8_splat(line->inverse[i]);
        w.near[i] = line->is_down[i] ? 3 + i : i;
        w.far[i] = line->is_down[i] ? i : 3 + i;
    }
    fr__tree_walk_near(tree, bound, line_distances, line_leaf, &w);
}

// ---------------------------------------------------------------------------------------------------------------
// By the distance to a point

typedef struct spot_walk {
    fr__tree_spot wide;
    const fr__spot *spot;
    fr__space_walk_fn *item;
    void *context;
} spot_walk;

static inline uint32_t spot_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    return fr__tree_spot_distances(&((const spot_walk *)context)->wide, node, bound, distance);
}

// The same for one box of a leaf.
static inline bool spot_is_near(const spot_walk *w, const fr__tree_leaf *leaf, uint32_t k, float bound) {
    const float *const axes[3] = {leaf->x, leaf->y, leaf->z};
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        float before = axes[i][k] - w->spot->high[i], after = w->spot->low[i] - axes[i][4 + k];
        float away = before > after ? before : after;
        away = (away > 0.0f ? away : 0.0f) * w->spot->scale;
        sum += away * away;
    }
    return !(sum * (1.0f - 0x1p-20f) > bound);
}

static inline float spot_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    const spot_walk *w = context;
    for (uint32_t k = 0; k < leaf->count && bound >= 0.0f; k++) {
        if (spot_is_near(w, leaf, k, bound)) { bound = w->item(leaf->item[k], bound, w->context); }
    }
    return bound;
}

static void near(const fr_tree *tree, const fr__spot *spot, float bound, fr__space_walk_fn *item, void *context) {
    spot_walk w = {fr__tree_spot_make(spot->low, spot->high, spot->scale), spot, item, context};
    fr__tree_walk_near(tree, bound, spot_distances, spot_leaf, &w);
}

const fr__space_walk_table FR_KERNEL_NAME(fr__space_walk_kernel) = {.along = along, .near = near};
