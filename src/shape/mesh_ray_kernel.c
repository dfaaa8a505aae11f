// The way of a ray through a mesh's tree.
#include "shape/mesh_ray.h"

#include "shape/tree_walk.h"

#include <math.h>

typedef struct cast_context {
    fr__ray_query *query;
    fr__f8 start_near[3], start_far[3], inverse[3];
    int near[3], far[3]; // which of a node's sides is the near and the far one of an axis
} cast_context;

// The floats below are off by 3 roundings each, 2^-24: so a hit at t is in a box with near <= t (1 + 4 2^-24) and
// far >= t (1 - 4 2^-24), and the near side times 1 - 16 2^-24 is a lower bound for both. NaN, from a ray that runs in
// the plane of a side, drops that side or lets the box through.
static inline uint32_t ray_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    const cast_context *c = context;
    fr__f8 near = fr__f8_splat(0.0f), far = fr__f8_splat(bound);
    for (int i = 0; i < 3; i++) {
        fr__f8 to_near = fr__f8_sub(fr__f8_load_aligned(node->side[c->near[i]]), c->start_near[i]);
        fr__f8 to_far = fr__f8_sub(fr__f8_load_aligned(node->side[c->far[i]]), c->start_far[i]);
        near = fr__f8_max(fr__f8_mul(to_near, c->inverse[i]), near);
        far = fr__f8_min(fr__f8_mul(to_far, c->inverse[i]), far);
    }
    near = fr__f8_mul(near, fr__f8_splat(1.0f - 0x1p-20f));
    fr__f8_store(distance, near);
    return ~(uint32_t)fr__m8_bits(fr__f8_gt(near, far));
}

// The same for the items of a leaf: a box costs a tenth of a triangle.
static inline uint32_t met_items(const fr__tree_leaf *leaf, float bound, const fr__ray_query *query) {
    const float *sides[3] = {leaf->x, leaf->y, leaf->z};
    float near[4] = {0.0f, 0.0f, 0.0f, 0.0f}, far[4] = {bound, bound, bound, bound};
    for (int i = 0; i < 3; i++) {
        const float *near_side = sides[i] + (query->is_down[i] ? 4 : 0),
                    *far_side = sides[i] + (query->is_down[i] ? 0 : 4);
        for (int k = 0; k < 4; k++) {
            float to_near = (near_side[k] - query->start_near[i]) * query->inverse[i];
            float to_far = (far_side[k] - query->start_far[i]) * query->inverse[i];
            near[k] = to_near > near[k] ? to_near : near[k];
            far[k] = to_far < far[k] ? to_far : far[k];
        }
    }
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < leaf->count; k++) {
        lanes |= (uint32_t) !(near[k] * (1.0f - 0x1p-20f) > far[k]) << k;
    }
    return lanes;
}

static inline float ray_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    fr__ray_query *query = ((const cast_context *)context)->query;
    double before = query->hit.distance;
    for (uint32_t left = met_items(leaf, bound, query); left != 0; left &= left - 1) {
        fr__ray_triangle(query, leaf->item[fr__lowest_lane(left)]);
    }
    if (query->any && query->hit.triangle != FR_NONE) { return -1.0f; }
    return query->hit.distance < before ? fr_float_up(query->hit.distance) : bound;
}

static void cast(fr__ray_query *query) {
    cast_context c;
    c.query = query;
    for (int i = 0; i < 3; i++) {
        c.start_near[i] = fr__f8_splat(query->start_near[i]);
        c.start_far[i] = fr__f8_splat(query->start_far[i]);
        c.inverse[i] = fr__f8_splat(query->inverse[i]);
        c.near[i] = query->is_down[i] ? 3 + i : i;
        c.far[i] = query->is_down[i] ? i : 3 + i;
    }
    fr__tree_walk_near(query->view->tree, fr_float_up(query->hit.distance), ray_distances, ray_leaf, &c);
}

const fr__ray_kernel_table FR_KERNEL_NAME(fr__ray_kernel) = {.cast = cast};
