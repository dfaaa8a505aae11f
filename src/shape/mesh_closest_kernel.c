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

static inline float closest_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    const find_context *c = context;
    double before = c->query->best.distance;
    for (uint32_t k = 0; k < leaf->count; k++)
        fr__closest_triangle(c->query, leaf->item[k]);
    return c->query->best.distance < before ? fr__closest_bound(c->query, c->query->best.distance) : bound;
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
