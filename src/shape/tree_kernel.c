// The kernels of a built tree: refit and the search with a box.
#include "shape/tree_kernel.h"

#include "shape/tree_walk.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// Boxes

// The box around eight: pairs are joined three times.
static inline float lowest(const float x[8]) {
    float a[4], b[2];
    for (int k = 0; k < 4; k++) {
        a[k] = x[k] < x[k + 4] ? x[k] : x[k + 4];
    }
    for (int k = 0; k < 2; k++) {
        b[k] = a[k] < a[k + 2] ? a[k] : a[k + 2];
    }
    return b[0] < b[1] ? b[0] : b[1];
}

static inline float highest(const float x[8]) {
    float a[4], b[2];
    for (int k = 0; k < 4; k++) {
        a[k] = x[k] > x[k + 4] ? x[k] : x[k + 4];
    }
    for (int k = 0; k < 2; k++) {
        b[k] = a[k] > a[k + 2] ? a[k] : a[k + 2];
    }
    return b[0] > b[1] ? b[0] : b[1];
}

static inline fr_box box_of_node(const fr__tree_node *node) {
    fr_box box = {{lowest(node->min_x), lowest(node->min_y), lowest(node->min_z)},
                  {highest(node->max_x), highest(node->max_y), highest(node->max_z)}};
    return box;
}

static inline fr_box join(fr_box a, const fr_box *b) {
    a.min.x = b->min.x < a.min.x ? b->min.x : a.min.x;
    a.min.y = b->min.y < a.min.y ? b->min.y : a.min.y;
    a.min.z = b->min.z < a.min.z ? b->min.z : a.min.z;
    a.max.x = b->max.x > a.max.x ? b->max.x : a.max.x;
    a.max.y = b->max.y > a.max.y ? b->max.y : a.max.y;
    a.max.z = b->max.z > a.max.z ? b->max.z : a.max.z;
    return a;
}

static inline fr_box empty_box(void) {
    fr_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return box;
}

static inline void put_leaf_box(fr__tree_leaf *leaf, uint32_t k, const fr_box *box) {
    leaf->x[k] = box->min.x;
    leaf->y[k] = box->min.y;
    leaf->z[k] = box->min.z;
    leaf->x[4 + k] = box->max.x;
    leaf->y[4 + k] = box->max.y;
    leaf->z[4 + k] = box->max.z;
}

static inline fr_box refit_leaf(fr__tree_leaf *leaf, const fr_box *boxes) {
    fr_box all = empty_box();
    for (uint32_t k = 0; k < FR__TREE_LEAF_ITEMS; k++) {
        fr_box box = k < leaf->count ? boxes[leaf->item[k]] : empty_box();
        put_leaf_box(leaf, k, &box);
        all = join(all, &box);
    }
    return all;
}

static inline void put_node_box(fr__tree_node *node, uint32_t k, const fr_box *box) {
    node->min_x[k] = box->min.x;
    node->min_y[k] = box->min.y;
    node->min_z[k] = box->min.z;
    node->max_x[k] = box->max.x;
    node->max_y[k] = box->max.y;
    node->max_z[k] = box->max.z;
}

enum { NODES_AHEAD = 8 };

FR__WIDE void ask_for_node(const fr__tree_node *node) {
    __builtin_prefetch(node->min_x);
    __builtin_prefetch(node->min_z);
    __builtin_prefetch(node->max_y);
    __builtin_prefetch(node->child);
}

// Sets the boxes of nodes [begin, end), last first. The boxes of leaves are `joined`, or made from those of items.
FR__WIDE void refit_nodes(fr_tree *tree, const fr_box *boxes, const fr__corner_box *joined, uint32_t begin,
                          uint32_t end) {
    for (uint32_t n = end; n-- > begin;) {
        fr__tree_node *node = &tree->nodes[n];
        if (n >= begin + NODES_AHEAD) { ask_for_node(node - NODES_AHEAD); }
        for (uint32_t k = 0; k < FR__TREE_WIDTH; k++) {
            fr_box box = empty_box();
            uint32_t child = node->child[k];
            if ((node->lanes >> k & 1u) != 0) {
                if (!fr__tree_is_leaf(child)) {
                    box = box_of_node(&tree->nodes[child]);
                } else if (joined != NULL) {
                    const float *side = joined[fr__tree_leaf_index(child)].side;
                    box = (fr_box){{side[0], side[1], side[2]}, {-side[4], -side[5], -side[6]}};
                } else {
                    box = refit_leaf(&tree->leaves[fr__tree_leaf_index(child)], boxes);
                }
            }
            put_node_box(node, k, &box);
        }
    }
}

static void refit(fr_tree *tree, const fr_box *boxes, uint32_t begin, uint32_t end) {
    refit_nodes(tree, boxes, NULL, begin, end);
}

static void refit_joined(fr_tree *tree, const fr__corner_box *joined, uint32_t begin, uint32_t end) {
    refit_nodes(tree, NULL, joined, begin, end);
}

// ---------------------------------------------------------------------------------------------------------------
// Leaves from the vertices of triangles

FR__WIDE fr__f8 triangle_sides(const uint32_t *t, const fr__corner_box *vertices) {
    fr__f8 a = fr__f8_load_aligned(vertices[t[0]].side), b = fr__f8_load_aligned(vertices[t[1]].side);
    return fr__f8_min(fr__f8_min(a, b), fr__f8_load_aligned(vertices[t[2]].side));
}

// One of four vectors for each lane of both halves.
FR__WIDE fr__f8 choose_lanes(const fr__f8 of[4]) {
    static const _Alignas(32) float lane[8] = {0.0f, 1.0f, 2.0f, 3.0f, 0.0f, 1.0f, 2.0f, 3.0f};
    fr__f8 number = fr__f8_load_aligned(lane);
    fr__f8 low = fr__f8_select(fr__f8_lt(number, fr__f8_splat(1.0f)), of[0], of[1]);
    fr__f8 high = fr__f8_select(fr__f8_lt(number, fr__f8_splat(3.0f)), of[2], of[3]);
    return fr__f8_select(fr__f8_lt(number, fr__f8_splat(2.0f)), low, high);
}

// Four boxes as a leaf has them: the low sides of one axis, then the high sides.
FR__WIDE void put_leaf_sides(fr__tree_leaf *leaf, const fr__f8 item[4]) {
    static const _Alignas(32) float signs[8] = {1.0f, 1.0f, 1.0f, 1.0f, -1.0f, -1.0f, -1.0f, -1.0f};
    fr__f8 sign = fr__f8_load_aligned(signs);
    const fr__f8 x[4] = {fr__f8_spread(item[0], 0), fr__f8_spread(item[1], 0), fr__f8_spread(item[2], 0),
                         fr__f8_spread(item[3], 0)};
    const fr__f8 y[4] = {fr__f8_spread(item[0], 1), fr__f8_spread(item[1], 1), fr__f8_spread(item[2], 1),
                         fr__f8_spread(item[3], 1)};
    const fr__f8 z[4] = {fr__f8_spread(item[0], 2), fr__f8_spread(item[1], 2), fr__f8_spread(item[2], 2),
                         fr__f8_spread(item[3], 2)};
    fr__f8_store_aligned(leaf->x, fr__f8_mul(sign, choose_lanes(x)));
    fr__f8_store_aligned(leaf->y, fr__f8_mul(sign, choose_lanes(y)));
    fr__f8_store_aligned(leaf->z, fr__f8_mul(sign, choose_lanes(z)));
}

// Empty lanes take part as item 0 does and are emptied at the end.
FR__WIDE void join_leaf(fr__tree_leaf *leaf, const uint32_t *triangles, const fr__corner_box *vertices,
                        fr__corner_box *joined) {
    fr__f8 item[4];
    for (uint32_t k = 0; k < FR__TREE_LEAF_ITEMS; k++) {
        item[k] = triangle_sides(triangles + 3 * (size_t)leaf->item[k < leaf->count ? k : 0], vertices);
    }
    fr__f8 all = fr__f8_min(fr__f8_min(item[0], item[1]), fr__f8_min(item[2], item[3]));
    fr__f8_store_aligned(joined->side, all);
    put_leaf_sides(leaf, item);
    fr_box empty = empty_box();
    for (uint32_t k = leaf->count; k < FR__TREE_LEAF_ITEMS; k++) {
        put_leaf_box(leaf, k, &empty);
    }
}

// Leaves are read in order, but their triangles and vertices are anywhere in memory. The data of later leaves is
// prefetched some leaves ahead, one step at a time. Those of a small tree are near by anyway.
enum { LEAVES_AHEAD = 32, TRIANGLES_AHEAD = 16, VERTICES_AHEAD = 8, SMALL_TREE = 2048 };

static void join_leaves(fr_tree *tree, const uint32_t *triangles, const fr__corner_box *vertices,
                        fr__corner_box *joined, uint32_t begin, uint32_t end) {
    bool is_small = tree->header->leaf_count < SMALL_TREE;
    for (uint32_t i = begin; i < end; i++) {
        if (!is_small && i + LEAVES_AHEAD < end) {
            const fr__tree_leaf *leaf = &tree->leaves[i + LEAVES_AHEAD];
            __builtin_prefetch(leaf);
            __builtin_prefetch(leaf->item);
            leaf = &tree->leaves[i + TRIANGLES_AHEAD];
            for (uint32_t k = 0; k < leaf->count; k++) {
                __builtin_prefetch(triangles + 3 * (size_t)leaf->item[k]);
            }
            leaf = &tree->leaves[i + VERTICES_AHEAD];
            for (uint32_t k = 0; k < leaf->count; k++) {
                const uint32_t *t = triangles + 3 * (size_t)leaf->item[k];
                __builtin_prefetch(&vertices[t[0]]);
                __builtin_prefetch(&vertices[t[1]]);
                __builtin_prefetch(&vertices[t[2]]);
            }
        }
        join_leaf(&tree->leaves[i], triangles, vertices, &joined[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Search with a box

typedef struct box_search {
    fr__f8 min[3], max[3];
    fr__f8 sides[3]; // minimum four times and maximum four times, as leaves have them
    fr_tree_item_fn *found;
    void *context;
} box_search;

static inline uint32_t box_lanes(const fr__tree_node *node, void *context) {
    const box_search *search = context;
    fr__m8 apart = fr__f8_gt(fr__f8_load_aligned(node->min_x), search->max[0]);
    apart = fr__m8_or(apart, fr__f8_gt(search->min[0], fr__f8_load_aligned(node->max_x)));
    apart = fr__m8_or(apart, fr__f8_gt(fr__f8_load_aligned(node->min_y), search->max[1]));
    apart = fr__m8_or(apart, fr__f8_gt(search->min[1], fr__f8_load_aligned(node->max_y)));
    apart = fr__m8_or(apart, fr__f8_gt(fr__f8_load_aligned(node->min_z), search->max[2]));
    apart = fr__m8_or(apart, fr__f8_gt(search->min[2], fr__f8_load_aligned(node->max_z)));
    return ~(uint32_t)fr__m8_bits(apart);
}

// Lanes 0 .. 3: the item begins after the box ends; 4 .. 7: it ends before the box begins.
static inline uint32_t leaf_apart(const float sides[8], fr__f8 box_sides) {
    fr__f8 item = fr__f8_load_aligned(sides);
    uint32_t after = (uint32_t)fr__m8_bits(fr__f8_gt(item, box_sides));
    uint32_t before = (uint32_t)fr__m8_bits(fr__f8_lt(item, box_sides));
    return (after & 0x0fu) | before >> 4;
}

static inline bool box_leaf(const fr__tree_leaf *leaf, void *context) {
    const box_search *search = context;
    uint32_t apart = leaf_apart(leaf->x, search->sides[0]) | leaf_apart(leaf->y, search->sides[1]) |
                     leaf_apart(leaf->z, search->sides[2]);
    for (uint32_t left = ~apart & ((1u << leaf->count) - 1u); left != 0; left &= left - 1) {
        if (!search->found(leaf->item[fr__lowest_lane(left)], search->context)) { return false; }
    }
    return true;
}

static fr__f8 side_pair(float max, float min) {
    float sides[8] = {max, max, max, max, min, min, min, min};
    return fr__f8_load(sides);
}

static bool overlap_box(const fr_tree *tree, const fr_box *box, fr_tree_item_fn *found, void *context) {
    const fr_vec3f *low = &box->min, *high = &box->max;
    box_search search = {{fr__f8_splat(low->x), fr__f8_splat(low->y), fr__f8_splat(low->z)},
                         {fr__f8_splat(high->x), fr__f8_splat(high->y), fr__f8_splat(high->z)},
                         {side_pair(high->x, low->x), side_pair(high->y, low->y), side_pair(high->z, low->z)},
                         found,
                         context};
    return fr__tree_walk(tree, box_lanes, box_leaf, &search);
}

static bool pairs(const fr_tree *a, const fr_tree *b, const fr__tree_relation *relation, fr__tree_leaf_pair_fn *pair,
                  void *context) {
    return fr__tree_walk_pairs(a, b, relation, pair, context);
}

const fr__tree_kernel_table FR_KERNEL_NAME(fr__tree_kernel) = {
    .refit = refit,
    .refit_joined = refit_joined,
    .join_leaves = join_leaves,
    .overlap_box = overlap_box,
    .pairs = pairs,
};
