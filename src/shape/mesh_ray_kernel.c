// The walk of a ray through a mesh's tree.
#include "shape/mesh_ray.h"

#include "shape/tree_walk.h"

#include <math.h>

typedef struct cast_context {
    fr__ray_query *query;
    fr__f8 start_near[3], start_far[3], inverse[3];
    int near[3], far[3]; // which of a node's sides is the near and the far one of an axis
    fr__d4 from_x, from_y, from_z, shear_x, shear_y, shear_z; // for images of corners
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

// The images of four corners, by the same operations as one of them alone.
typedef struct images {
    fr__d4 x, y, z;
} images;

FR__WIDE images images_of(const cast_context *c, const float corner[3][4]) {
    const fr__ray_query *q = c->query;
    fr__d4 z = fr__d4_sub(fr__d4_load_floats(corner[q->kz]), c->from_z);
    fr__d4 x = fr__d4_sub(fr__d4_load_floats(corner[q->kx]), c->from_x);
    fr__d4 y = fr__d4_sub(fr__d4_load_floats(corner[q->ky]), c->from_y);
    images at = {fr__d4_sub(x, fr__d4_mul(c->shear_x, z)), fr__d4_sub(y, fr__d4_mul(c->shear_y, z)),
                 fr__d4_mul(c->shear_z, z)};
    return at;
}

// Lanes whose weight is surely above 0, and surely below.
FR__WIDE void see_side(images a, images b, fr__m4 *above, fr__m4 *below) {
    fr__d4 left = fr__d4_mul(a.x, b.y), right = fr__d4_mul(a.y, b.x), value = fr__d4_sub(left, right);
    fr__d4 error = fr__d4_mul(fr__d4_splat(0x1p-51), fr__d4_add(fr__d4_abs(left), fr__d4_abs(right)));
    *above = fr__m4_or(*above, fr__d4_gt(value, error));
    *below = fr__m4_or(*below, fr__d4_gt(fr__d4_neg(value), error));
}

// Lanes of a leaf that fr__ray_corners would not take: the ray passes beside them, or they lie behind it or too far.
FR__WIDE uint32_t missed_items(const cast_context *c, const fr__leaf_corners *corners) {
    images at[3] = {images_of(c, corners->at[0]), images_of(c, corners->at[1]), images_of(c, corners->at[2])};
    fr__d4 zero = fr__d4_splat(0.0), limit = fr__d4_splat(c->query->hit.distance);
    fr__m4 above = fr__d4_lt(zero, zero), below = above;
    see_side(at[2], at[1], &above, &below);
    see_side(at[0], at[2], &above, &below);
    see_side(at[1], at[0], &above, &below);
    fr__m4 far =
        fr__m4_and(fr__m4_and(fr__d4_gt(at[0].z, limit), fr__d4_gt(at[1].z, limit)), fr__d4_gt(at[2].z, limit));
    fr__m4 back = fr__m4_and(fr__m4_and(fr__d4_lt(at[0].z, zero), fr__d4_lt(at[1].z, zero)), fr__d4_lt(at[2].z, zero));
    return (uint32_t)fr__m4_bits(fr__m4_or(fr__m4_and(above, below), fr__m4_or(far, back)));
}

static inline void ray_packed(const cast_context *c, const fr__tree_leaf *leaf) {
    fr__ray_query *query = c->query;
    const fr__leaf_corners *at = &query->corners[leaf - query->view->tree->leaves];
    __builtin_prefetch(&leaf->count);
    uint32_t left = ~missed_items(c, at) & 0xfu;
    if (left == 0) { return; }
    for (left &= (1u << leaf->count) - 1u; left != 0; left &= left - 1) {
        uint32_t k = fr__lowest_lane(left);
        fr_vec3 corners[3];
        for (int i = 0; i < 3; i++) {
            corners[i] = fr_vec3_make((double)at->at[i][0][k], (double)at->at[i][1][k], (double)at->at[i][2][k]);
        }
        fr__ray_corners(query, corners, leaf->item[k]);
    }
}

static inline float ray_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    const cast_context *c = context;
    fr__ray_query *query = c->query;
    double before = query->hit.distance;
    if (query->corners != NULL) {
        ray_packed(c, leaf);
    } else {
        for (uint32_t left = met_items(leaf, bound, query); left != 0; left &= left - 1) {
            fr__ray_triangle(query, leaf->item[fr__lowest_lane(left)]);
        }
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
    c.from_x = fr__d4_splat(query->origin[query->kx]);
    c.from_y = fr__d4_splat(query->origin[query->ky]);
    c.from_z = fr__d4_splat(query->origin[query->kz]);
    c.shear_x = fr__d4_splat(query->shear_x);
    c.shear_y = fr__d4_splat(query->shear_y);
    c.shear_z = fr__d4_splat(query->shear_z);
    fr__tree_walk_corners(query->view->tree, query->corners, fr_float_up(query->hit.distance), ray_distances, ray_leaf,
                          &c);
}

const fr__ray_kernel_table FR_KERNEL_NAME(fr__ray_kernel) = {.cast = cast};
