// The search for the closest point through a mesh's tree.
#include "shape/mesh_closest.h"

#include "shape/tree_walk.h"

#include <math.h>

typedef struct closest_context {
    fr__closest_query *query;
    fr__tree_spot spot;
} closest_context;

static inline uint32_t box_distances(const fr__tree_node *node, float bound, float distance[8], void *context) {
    return fr__tree_spot_distances(&((const closest_context *)context)->spot, node, bound, distance);
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

typedef struct closest_lanes {
    fr__d4 x, y, z;
} closest_lanes;

FR__WIDE closest_lanes sub3(closest_lanes a, closest_lanes b) {
    return (closest_lanes){fr__d4_sub(a.x, b.x), fr__d4_sub(a.y, b.y), fr__d4_sub(a.z, b.z)};
}

FR__WIDE fr__d4 dot3(closest_lanes a, closest_lanes b) {
    return fr__d4_add(fr__d4_add(fr__d4_mul(a.x, b.x), fr__d4_mul(a.y, b.y)), fr__d4_mul(a.z, b.z));
}

FR__WIDE closest_lanes cross3(closest_lanes a, closest_lanes b) {
    return (closest_lanes){fr__d4_sub(fr__d4_mul(a.y, b.z), fr__d4_mul(a.z, b.y)),
                           fr__d4_sub(fr__d4_mul(a.z, b.x), fr__d4_mul(a.x, b.z)),
                           fr__d4_sub(fr__d4_mul(a.x, b.y), fr__d4_mul(a.y, b.x))};
}

// The square of the distance from the origin to an edge from `at`.
FR__WIDE fr__d4 edge_distance(closest_lanes at, closest_lanes edge, fr__d4 length_squared) {
    fr__d4 t = fr__d4_neg(fr__d4_div(dot3(at, edge), length_squared));
    t = fr__d4_max(fr__d4_min(t, fr__d4_splat(1.0)), fr__d4_splat(0.0));
    closest_lanes near = {fr__d4_add(at.x, fr__d4_mul(t, edge.x)), fr__d4_add(at.y, fr__d4_mul(t, edge.y)),
                          fr__d4_add(at.z, fr__d4_mul(t, edge.z))};
    return dot3(near, near);
}

// Lanes of a leaf that are farther than the best so far. With corners seen from the point, edges e and n = e0 x e1, the
// plane is |n . a| / |n| away, and its foot lies (n x e) . a / (|n| |e|) outside of the edge e from a: outside of one,
// the closest point is on an edge.
//
// With l the longest edge, n is off by 2^-50 l^2, so both distances by less than 2^-46 R l^2 / |n|: eight times that
// and 2^-38 R for all other rounding, that of the distance of one triangle too, are the slack. Products of triangles
// that are not tiny neither overflow nor vanish; NaN, from one without area, keeps it.
FR__WIDE uint32_t farther_items(const closest_context *c, const fr__leaf_corners *corners) {
    const fr__closest_query *q = c->query;
    closest_lanes at[3], edges[3],
        point = {fr__d4_splat(q->point.x), fr__d4_splat(q->point.y), fr__d4_splat(q->point.z)};
    for (int k = 0; k < 3; k++) {
        at[k] = (closest_lanes){fr__d4_load_floats(corners->at[k][0]), fr__d4_load_floats(corners->at[k][1]),
                                fr__d4_load_floats(corners->at[k][2])};
    }
    for (int k = 0; k < 3; k++) {
        edges[k] = sub3(at[(k + 1) % 3], at[k]);
    }
    const fr__d4 lengths[3] = {dot3(edges[0], edges[0]), dot3(edges[1], edges[1]), dot3(edges[2], edges[2])};
    fr__d4 longest = fr__d4_max(fr__d4_max(lengths[0], lengths[1]), lengths[2]);
    closest_lanes n = cross3(edges[0], edges[1]);
    fr__d4 squared = dot3(n, n), zero = fr__d4_splat(0.0);

    fr__d4 slack = fr__d4_mul(fr__d4_splat(0x1p-43 * q->reach), fr__d4_div(longest, fr__d4_sqrt(squared)));
    slack = fr__d4_add(fr__d4_splat(0x1p-38 * q->reach), slack);
    fr__d4 limit = fr__d4_add(fr__d4_splat(q->best.distance), slack), nearest = fr__d4_splat(INFINITY);
    fr__d4 within = fr__d4_mul(fr__d4_mul(slack, slack), squared);
    limit = fr__d4_mul(limit, limit);
    fr__m4 is_outside = fr__d4_gt(zero, zero);
    for (int k = 0; k < 3; k++) {
        closest_lanes from = sub3(at[k], point);
        fr__d4 aside = fr__d4_max(dot3(cross3(n, edges[k]), from), zero);
        is_outside = fr__m4_or(is_outside, fr__d4_gt(fr__d4_mul(aside, aside), fr__d4_mul(within, lengths[k])));
        nearest = fr__d4_min(edge_distance(from, edges[k], lengths[k]), nearest);
    }
    fr__d4 up = dot3(n, sub3(at[0], point));
    fr__m4 is_far = fr__d4_gt(fr__d4_mul(up, up), fr__d4_mul(limit, squared));
    is_far = fr__m4_or(is_far, fr__m4_and(is_outside, fr__d4_gt(nearest, limit)));
    return (uint32_t)fr__m4_bits(fr__m4_and(is_far, fr__d4_gt(squared, fr__d4_splat(0x1p-200))));
}

static inline uint32_t near_triangles(const closest_context *c, const fr__tree_leaf *leaf) {
    const fr__closest_query *q = c->query;
    __builtin_prefetch(&leaf->count);
    uint32_t lanes = ~farther_items(c, &q->corners[leaf - q->view->tree->leaves]) & 0xfu;
    return lanes == 0 ? 0 : lanes & ((1u << leaf->count) - 1u);
}

static inline float closest_leaf(const fr__tree_leaf *leaf, float bound, void *context) {
    const closest_context *c = context;
    fr__closest_query *query = c->query;
    double before = query->best.distance;
    uint32_t left = query->corners != NULL ? near_triangles(c, leaf) : near_items(leaf, bound, query);
    for (; left != 0; left &= left - 1) {
        fr__closest_triangle(query, leaf->item[fr__lowest_lane(left)]);
    }
    return query->best.distance < before ? fr__closest_bound(query, query->best.distance) : bound;
}

static void find(fr__closest_query *query) {
    closest_context c = {query, fr__tree_spot_make(query->low, query->high, query->scale)};
    fr__tree_walk_corners(query->view->tree, query->corners, fr__closest_bound(query, query->limit), box_distances,
                          closest_leaf, &c);
}

const fr__closest_kernel_table FR_KERNEL_NAME(fr__closest_kernel) = {.find = find};
