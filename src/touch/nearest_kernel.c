// The search for the nearest triangle through a part's tree.
#include "touch/nearest.h"

#include "shape/tree_walk.h"

typedef struct find_context {
    fr__nearest *search;
    fr__f8 low[3], high[3], scale;
    fr__f8 direction[3], top; // `top` with all that floats may lose
    uint32_t index;           // of the nearest that the direction is for
} find_context;

// The direction in floats. A product is off by 2^-24 of it twice, and a sum of three by as much of each: for unit
// vectors and the coordinates of the box less than 16 2^-24 of the largest.
static inline void aim(find_context *c) {
    const fr__nearest *s = c->search;
    const double direction[3] = {s->direction.x, s->direction.y, s->direction.z};
    for (int i = 0; i < 3; i++) {
        c->direction[i] = fr__f8_splat((float)direction[i]);
    }
    c->top = fr__f8_splat(fr_float_up(s->top + 0x1p-19 * s->largest));
    c->index = s->index;
}

// Squares of scaled distances of eight boxes: those between boxes, or along the direction where that is more. Off by a
// few 2^-24 of them: times 1 - 2^-20 they are lower bounds.
FR__WIDE fr__f8 squares(const find_context *c, const fr__f8 min[3], const fr__f8 max[3]) {
    const fr__f8 none = fr__f8_splat(0.0f);
    fr__f8 sum = none, least = none;
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(min[i], c->high[i]), after = fr__f8_sub(c->low[i], max[i]);
        fr__f8 away = fr__f8_mul(fr__f8_max(fr__f8_max(before, after), none), c->scale);
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
        least = fr__f8_add(least, fr__f8_min(fr__f8_mul(c->direction[i], min[i]), fr__f8_mul(c->direction[i], max[i])));
    }
    fr__f8 along = fr__f8_mul(fr__f8_max(fr__f8_sub(least, c->top), none), c->scale);
    return fr__f8_mul(fr__f8_max(fr__f8_mul(along, along), sum), fr__f8_splat(1.0f - 0x1p-20f));
}

static inline uint32_t box_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    fr__f8 min[3], max[3];
    for (int i = 0; i < 3; i++) {
        min[i] = fr__f8_load_aligned(node->side[i]);
        max[i] = fr__f8_load_aligned(node->side[3 + i]);
    }
    fr__f8 sum = squares(context, min, max);
    fr__f8_store(distance, sum);
    return ~(uint32_t)fr__m8_bits(fr__f8_gt(sum, fr__f8_splat(bound)));
}

static inline float nearest_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    find_context *c = context;
    const float *sides[3] = {leaf->x, leaf->y, leaf->z};
    fr__f8 min[3], max[3];
    for (int i = 0; i < 3; i++) {
        min[i] = fr__f8_load_twice(sides[i]);
        max[i] = fr__f8_load_twice(sides[i] + 4);
    }
    uint32_t near = ~(uint32_t)fr__m8_bits(fr__f8_gt(squares(c, min, max), fr__f8_splat(bound)));
    for (uint32_t left = near & ((1u << leaf->count) - 1u); left != 0; left &= left - 1) {
        fr__nearest_take(c->search, leaf->item[fr__lowest_lane(left)]);
    }
    if (c->search->index == c->index) { return bound; }
    aim(c);
    return fr__nearest_bound(c->search);
}

static void find(fr__nearest *search) {
    find_context c;
    c.search = search;
    c.scale = fr__f8_splat(search->scale);
    for (int i = 0; i < 3; i++) {
        c.low[i] = fr__f8_splat(search->low[i]);
        c.high[i] = fr__f8_splat(search->high[i]);
    }
    aim(&c);
    fr__tree_walk_near(search->mesh->view.tree, fr__nearest_bound(search), box_distances, nearest_leaf, &c);
}

const fr__nearest_kernel_table FR_KERNEL_NAME(fr__nearest_kernel) = {.find = find};
