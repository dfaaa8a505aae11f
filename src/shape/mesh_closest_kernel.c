// The search for the closest point through a mesh's tree.
#include "shape/mesh_closest.h"

#include "shape/tree_walk.h"

typedef struct find_context {
    fr__closest_query *query;
    fr__f8 low[3], high[3], scale;
} find_context;

// Squares of scaled distances. One is off by a difference, a scaling that is exact, a square and two sums, each 2^-24
// of it: times 1 - 16 2^-24 it is a lower bound.
static inline uint32_t box_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    const find_context *c = context;
    fr__f8 sum = fr__f8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(fr__f8_load_aligned(node->side[i]), c->high[i]);
        fr__f8 after = fr__f8_sub(c->low[i], fr__f8_load_aligned(node->side[3 + i]));
        fr__f8 away = fr__f8_mul(fr__f8_max(fr__f8_max(before, after), fr__f8_splat(0.0f)), c->scale);
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
    }
    sum = fr__f8_mul(sum, fr__f8_splat(1.0f - 0x1p-20f));
    fr__f8_store(distance, sum);
    return ~(uint32_t)fr__m8_bits(fr__f8_gt(sum, fr__f8_splat(bound)));
}

// The same for the items of a leaf: a box costs a tenth of a triangle.
static inline uint32_t near_items(const fr__tree_leaf *leaf, float bound, const fr__closest_query *query) {
    const float *sides[3] = {leaf->x, leaf->y, leaf->z};
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            float before = sides[i][k] - query->high[i], after = query->low[i] - sides[i][4 + k];
            float away = before > after ? before : after;
            away = (away > 0.0f ? away : 0.0f) * query->scale;
            sum[k] += away * away;
        }
    }
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < leaf->count; k++) {
        lanes |= (uint32_t) !(sum[k] * (1.0f - 0x1p-20f) > bound) << k;
    }
    return lanes;
}

static inline float closest_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    fr__closest_query *query = ((const find_context *)context)->query;
    double before = query->best.distance;
    for (uint32_t left = near_items(leaf, bound, query); left != 0; left &= left - 1) {
        fr__closest_triangle(query, leaf->item[fr__lowest_lane(left)]);
    }
    return query->best.distance < before ? fr__closest_bound(query, query->best.distance) : bound;
}

static void find(fr__closest_query *query) {
    find_context c;
    c.query = query;
    c.scale = fr__f8_splat(query->scale);
    for (int i = 0; i < 3; i++) {
        c.low[i] = fr__f8_splat(query->low[i]);
        c.high[i] = fr__f8_splat(query->high[i]);
    }
    fr__tree_walk_near(query->view->tree, fr__closest_bound(query, query->limit), box_distances, closest_leaf, &c);
}

const fr__closest_kernel_table FR_KERNEL_NAME(fr__closest_kernel) = {.find = find};
