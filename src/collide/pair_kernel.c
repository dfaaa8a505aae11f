#include "collide/pair_kernel.h"

#include "shape/tree_walk.h"

// ---------------------------------------------------------------------------------------------------------------
// Leaves: four boxes against four, in both frames

// Both directions of a relation in one: lanes 0 .. 3 take boxes of a into b's frame, 4 .. 7 boxes of b into a's.
typedef struct both_ways {
    fr__f8 turn[3][3], size[3][3], move[3], growth;
    fr__f8 scale_squared, bound, floor; // of planes
} both_ways;

static inline fr__f8 two_halves(float low, float high) { return fr__f8_lows(fr__f8_splat(low), fr__f8_splat(high)); }

static inline void make_both_ways(const fr__relation *relation, both_ways *out) {
    const fr__tree_frame *low = &relation->tree.a_to_b, *high = &relation->tree.b_to_a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->turn[i][j] = two_halves(low->turn[i][j], high->turn[i][j]);
            out->size[i][j] = two_halves(low->size[i][j], high->size[i][j]);
        }
        out->move[i] = two_halves(low->move[i], high->move[i]);
    }
    out->growth = two_halves(low->growth, high->growth);
    const fr__plane_frame *plane_low = &relation->a_to_b, *plane_high = &relation->b_to_a;
    out->scale_squared = two_halves(plane_low->scale_squared, plane_high->scale_squared);
    out->bound = two_halves(plane_low->bound, plane_high->bound);
    out->floor = two_halves(plane_low->floor, plane_high->floor);
}

// Four boxes of a, then four of b.
static inline fr__tree_boxes leaf_boxes(const fr__tree_leaf *a, const fr__tree_leaf *b) {
    fr__tree_boxes boxes = {{fr__f8_load_halves(a->min_x, b->min_x), fr__f8_load_halves(a->min_y, b->min_y),
                             fr__f8_load_halves(a->min_z, b->min_z)},
                            {fr__f8_load_halves(a->max_x, b->max_x), fr__f8_load_halves(a->max_y, b->max_y),
                             fr__f8_load_halves(a->max_z, b->max_z)}};
    return boxes;
}

// The arithmetic of fr__tree_turn_boxes, whose bound holds lane by lane.
static inline fr__tree_boxes turn_leaf_boxes(const fr__tree_boxes *boxes, const both_ways *ways) {
    fr__f8 center[3], half[3];
    fr__f8 one_half = fr__f8_splat(0.5f);
    for (int j = 0; j < 3; j++) {
        fr__f8 low = fr__f8_mul(one_half, boxes->min[j]), high = fr__f8_mul(one_half, boxes->max[j]);
        center[j] = fr__f8_add(low, high);
        half[j] = fr__f8_sub(high, low);
    }
    fr__tree_boxes out;
    for (int i = 0; i < 3; i++) {
        fr__f8 c = fr__f8_mul(ways->turn[i][0], center[0]);
        fr__f8 h = fr__f8_mul(ways->size[i][0], half[0]);
        for (int j = 1; j < 3; j++) {
            c = fr__f8_add(c, fr__f8_mul(ways->turn[i][j], center[j]));
            h = fr__f8_add(h, fr__f8_mul(ways->size[i][j], half[j]));
        }
        c = fr__f8_add(c, ways->move[i]);
        h = fr__f8_add(h, ways->growth);
        out.min[i] = fr__f8_sub(c, h);
        out.max[i] = fr__f8_add(c, h);
    }
    return out;
}

// Bits 4 .. 7 and 0 .. 3 of the boxes of b that are apart from box K of a, in a's frame and in b's.
#define APART_FROM(K)                                                                                                  \
    static inline uint32_t apart_from_##K(const fr__tree_boxes *a, const fr__tree_boxes *b) {                          \
        fr__m8 apart = fr__f8_gt(fr__f8_spread(a->min[0], K), b->max[0]);                                              \
        apart = fr__m8_or(apart, fr__f8_gt(b->min[0], fr__f8_spread(a->max[0], K)));                                   \
        apart = fr__m8_or(apart, fr__f8_gt(fr__f8_spread(a->min[1], K), b->max[1]));                                   \
        apart = fr__m8_or(apart, fr__f8_gt(b->min[1], fr__f8_spread(a->max[1], K)));                                   \
        apart = fr__m8_or(apart, fr__f8_gt(fr__f8_spread(a->min[2], K), b->max[2]));                                   \
        apart = fr__m8_or(apart, fr__f8_gt(b->min[2], fr__f8_spread(a->max[2], K)));                                   \
        return (uint32_t)fr__m8_bits(apart);                                                                           \
    }
APART_FROM(0)
APART_FROM(1)
APART_FROM(2)
APART_FROM(3)
#undef APART_FROM

// Bit 4 i + j: item i of leaf a and item j of leaf b are not proven apart. Bits of empty lanes may be set.
static inline uint32_t leaf_overlap(const fr__tree_leaf *leaf_a, const fr__tree_leaf *leaf_b, const both_ways *ways) {
    fr__tree_boxes own = leaf_boxes(leaf_a, leaf_b), seen = turn_leaf_boxes(&own, ways), a, b;
    for (int i = 0; i < 3; i++) {
        a.min[i] = fr__f8_lows(seen.min[i], own.min[i]); // a in b's frame, then in its own
        a.max[i] = fr__f8_lows(seen.max[i], own.max[i]);
        b.min[i] = fr__f8_highs(own.min[i], seen.min[i]); // b in its own frame, then in a's
        b.max[i] = fr__f8_highs(own.max[i], seen.max[i]);
    }
    uint32_t apart_0 = apart_from_0(&a, &b), apart_1 = apart_from_1(&a, &b);
    uint32_t apart_2 = apart_from_2(&a, &b), apart_3 = apart_from_3(&a, &b);
    uint32_t apart = ((apart_0 | apart_0 >> 4) & 15u) | ((apart_1 | apart_1 >> 4) & 15u) << 4 |
                     ((apart_2 | apart_2 >> 4) & 15u) << 8 | ((apart_3 | apart_3 >> 4) & 15u) << 12;
    return ~apart & 0xffffu;
}

// ---------------------------------------------------------------------------------------------------------------
// Leaves: four planes against four faces, in both frames. The bound is derived in side.c

// Planes n . x = d with the sizes beyond which a value is sure.
typedef struct leaf_planes {
    fr__f8 normal[3], offset, bound, below;
} leaf_planes;

static inline fr__f8 dot_floats(const fr__f8 a[3], const fr__f8 b[3]) {
    return fr__f8_add(fr__f8_add(fr__f8_mul(a[0], b[0]), fr__f8_mul(a[1], b[1])), fr__f8_mul(a[2], b[2]));
}

// The planes of faces [a | b], each taken into the other's frame, and the halves swapped: [b in a | a in b].
static inline leaf_planes turn_planes(const fr__f8 at[3][3], const both_ways *ways) {
    fr__f8 u[3], v[3], n[3], turned[3];
    for (int i = 0; i < 3; i++) {
        u[i] = fr__f8_sub(at[1][i], at[0][i]);
        v[i] = fr__f8_sub(at[2][i], at[0][i]);
    }
    fr__f8 size = fr__f8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        fr__f8 jk = fr__f8_mul(u[j], v[k]), kj = fr__f8_mul(u[k], v[j]);
        n[i] = fr__f8_sub(jk, kj);
        size = fr__f8_add(size, fr__f8_add(fr__f8_abs(jk), fr__f8_abs(kj)));
    }
    for (int i = 0; i < 3; i++)
        turned[i] = dot_floats(ways->turn[i], n);
    fr__f8 offset = fr__f8_add(fr__f8_mul(ways->scale_squared, dot_floats(n, at[0])), dot_floats(turned, ways->move));
    fr__f8 bound = fr__f8_add(fr__f8_mul(size, fr__f8_add(ways->bound, ways->floor)), ways->floor);
    leaf_planes planes;
    for (int i = 0; i < 3; i++)
        planes.normal[i] = fr__f8_swap(turned[i]);
    planes.offset = fr__f8_swap(offset);
    planes.bound = fr__f8_swap(bound);
    planes.below = fr__f8_neg(planes.bound);
    return planes;
}

// Lanes of the faces that lie wholly on one side of plane K of their half.
#define BESIDE_PLANE(K)                                                                                                \
    static inline uint32_t beside_plane_##K(const fr__f8 at[3][3], const leaf_planes *planes) {                        \
        fr__f8 n[3] = {fr__f8_spread(planes->normal[0], K), fr__f8_spread(planes->normal[1], K),                       \
                       fr__f8_spread(planes->normal[2], K)};                                                           \
        fr__f8 offset = fr__f8_spread(planes->offset, K);                                                              \
        fr__f8 v0 = fr__f8_sub(dot_floats(n, at[0]), offset), v1 = fr__f8_sub(dot_floats(n, at[1]), offset);           \
        fr__f8 v2 = fr__f8_sub(dot_floats(n, at[2]), offset);                                                          \
        fr__f8 lowest = fr__f8_min(fr__f8_min(v0, v1), v2), highest = fr__f8_max(fr__f8_max(v0, v1), v2);              \
        fr__m8 over = fr__f8_gt(lowest, fr__f8_spread(planes->bound, K));                                              \
        fr__m8 under = fr__f8_lt(highest, fr__f8_spread(planes->below, K));                                            \
        return (uint32_t)fr__m8_bits(fr__m8_or(over, under));                                                          \
    }
BESIDE_PLANE(0)
BESIDE_PLANE(1)
BESIDE_PLANE(2)
BESIDE_PLANE(3)
#undef BESIDE_PLANE

// Bits 0 .. 3 of faces of a beside plane k of b become bits 4 i + k.
static inline uint32_t spread_column(uint32_t beside, uint32_t k) {
    static const uint16_t column[16] = {0x0000, 0x0001, 0x0010, 0x0011, 0x0100, 0x0101, 0x0110, 0x0111,
                                        0x1000, 0x1001, 0x1010, 0x1011, 0x1100, 0x1101, 0x1110, 0x1111};
    return (uint32_t)column[beside & 15u] << k;
}

// Bit 4 i + j: face i of leaf a and face j of leaf b are proven apart by the plane of one of them.
static inline uint32_t apart_by_planes(const fr__leaf_corners *a, const fr__leaf_corners *b, const both_ways *ways) {
    fr__f8 at[3][3];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            at[c][i] = fr__f8_load_halves(a->at[c][i], b->at[c][i]);
    }
    leaf_planes planes = turn_planes((const fr__f8(*)[3])at, ways);
    const fr__f8(*faces)[3] = (const fr__f8(*)[3])at;
    uint32_t beside_0 = beside_plane_0(faces, &planes), beside_1 = beside_plane_1(faces, &planes);
    uint32_t beside_2 = beside_plane_2(faces, &planes), beside_3 = beside_plane_3(faces, &planes);
    uint32_t by_b = spread_column(beside_0, 0) | spread_column(beside_1, 1) | spread_column(beside_2, 2) |
                    spread_column(beside_3, 3);
    uint32_t by_a = beside_0 >> 4 | (beside_1 >> 4) << 4 | (beside_2 >> 4) << 8 | (beside_3 >> 4) << 12;
    return by_a | by_b;
}

// ---------------------------------------------------------------------------------------------------------------
// The walk

typedef struct walker {
    fr__pair_walk *walk;
    const fr_tree *tree_a, *tree_b;
    const fr__leaf_corners *corners_a, *corners_b;
    bool has_planes;
    both_ways ways;
    uint32_t count; // of candidates that wait
    fr__candidate waiting[FR__BATCH];
} walker;

static inline bool hand_on(walker *w) {
    uint32_t count = w->count;
    w->count = 0;
    w->walk->candidates += count;
    return count == 0 || w->walk->found(w->waiting, count, w->walk->context);
}

static inline bool share_a_vertex(const uint32_t *triangles, uint32_t a, uint32_t b) {
    const uint32_t *s = triangles + 3 * (size_t)a, *t = triangles + 3 * (size_t)b;
    return s[0] == t[0] || s[0] == t[1] || s[0] == t[2] || s[1] == t[0] || s[1] == t[1] || s[1] == t[2] ||
           s[2] == t[0] || s[2] == t[1] || s[2] == t[2];
}

// One candidate of a tree with itself: each pair once, lower triangle first, unless they share a vertex. In a leaf
// with itself both orders come.
static inline void put_own_pair(walker *w, uint32_t a, uint32_t b, bool is_twin) {
    if (is_twin && a >= b) return;
    if (share_a_vertex(w->walk->a->triangles, a, b)) return;
    w->waiting[w->count++] = a < b ? (fr__candidate){a, b} : (fr__candidate){b, a};
}

static inline bool meet_leaves(walker *w, uint32_t leaf_a, uint32_t leaf_b) {
    const fr__tree_leaf *a = &w->tree_a->leaves[leaf_a], *b = &w->tree_b->leaves[leaf_b];
    static const uint16_t rows_of[5] = {0, 0x000f, 0x00ff, 0x0fff, 0xffff};
    static const uint16_t lanes_of[5] = {0, 0x1111, 0x3333, 0x7777, 0xffff};
    uint32_t bits = leaf_overlap(a, b, &w->ways) & rows_of[a->count] & lanes_of[b->count];
    w->walk->nodes++;
    if (bits != 0 && w->has_planes) {
        bits &= ~apart_by_planes(&w->corners_a[leaf_a], &w->corners_b[leaf_b], &w->ways);
    }
    bool self = w->walk->relation->tree.self, is_twin = self && leaf_a == leaf_b;
    for (; bits != 0; bits &= bits - 1) {
        uint32_t k = fr__lowest_lane(bits);
        uint32_t item_a = a->item[k / 4], item_b = b->item[k % 4];
        if (self) {
            put_own_pair(w, item_a, item_b, is_twin);
        } else {
            w->waiting[w->count++] = (fr__candidate){item_a, item_b};
        }
    }
    return w->count + 16 <= FR__BATCH || hand_on(w);
}

// The children of a pair that are not proven apart, to `out`. At most 64.
static inline uint32_t open_pair(const fr__pair_walk *walk, const fr__node_pair *pair, fr__node_pair *out) {
    const fr_tree *tree_a = walk->a->tree, *tree_b = walk->b->tree;
    fr__tree_side a, b;
    fr__tree_meeting meeting;
    uint32_t child_a = pair->a, child_b = pair->b;
    fr__tree_open_side(tree_a, &child_a, pair->slot_a, &a);
    fr__tree_open_side(tree_b, &child_b, pair->slot_b, &b);
    fr__tree_meet(&a.boxes, &b.boxes, &walk->relation->tree, &meeting);
    bool is_twin = walk->relation->tree.self && pair->a == pair->b;

    uint32_t count = 0;
    for (uint32_t rows = a.lanes; rows != 0; rows &= rows - 1) {
        uint32_t i = fr__lowest_lane(rows);
        uint32_t lanes = fr__tree_meeting_row(&meeting, i) & b.lanes;
        if (is_twin) lanes &= 0xffu << i;
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = fr__lowest_lane(lanes);
            fr__tree_prefetch(tree_a, a.child[i]);
            fr__tree_prefetch(tree_b, b.child[j]);
            out[count++] = (fr__node_pair){a.child[i], b.child[j], a.first_slot + i, b.first_slot + j};
        }
    }
    return count;
}

static uint32_t open_one(fr__pair_walk *walk, fr__node_pair pair, fr__node_pair out[FR__NODE_PAIRS]) {
    walk->nodes++;
    return open_pair(walk, &pair, out);
}

static bool walk_pairs(fr__pair_walk *walk, fr__node_pair start) {
    walker w;
    w.walk = walk;
    w.tree_a = walk->a->tree;
    w.tree_b = walk->b->tree;
    w.corners_a = walk->a->leaf_corners;
    w.corners_b = walk->b->leaf_corners;
    w.has_planes = walk->relation->has_planes;
    w.count = 0;
    make_both_ways(walk->relation, &w.ways);

    // On any way down at most FR__TREE_MAX_DEPTH pairs are opened, and each puts on at most 64.
    fr__node_pair stack[63 * FR__TREE_MAX_DEPTH + 64];
    uint32_t count = 0;
    if (w.tree_a->header->node_count > 0 && w.tree_b->header->node_count > 0) stack[count++] = start;
    while (count > 0) {
        fr__node_pair pair = stack[--count];
        if (fr__tree_is_leaf(pair.a) && fr__tree_is_leaf(pair.b)) {
            if (!meet_leaves(&w, fr__tree_leaf_index(pair.a), fr__tree_leaf_index(pair.b))) return false;
            continue;
        }
        walk->nodes++;
        count += open_pair(walk, &pair, stack + count);
    }
    return hand_on(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// The judge, four pairs at once

// Four triangles: corner, axis.
typedef struct four_triangles {
    fr__d4 at[3][3];
} four_triangles;

static inline void move_points(const fr__frame *frame, fr__d4 p[3]) {
    fr__d4 scale = fr__d4_splat(frame->scale);
    fr__d4 x = fr__d4_mul(scale, p[0]), y = fr__d4_mul(scale, p[1]), z = fr__d4_mul(scale, p[2]);
    const fr_vec3 *row = frame->rotation.row;
    const double position[3] = {frame->position.x, frame->position.y, frame->position.z};
    for (int i = 0; i < 3; i++) {
        fr__d4 xy = fr__d4_add(fr__d4_mul(fr__d4_splat(row[i].x), x), fr__d4_mul(fr__d4_splat(row[i].y), y));
        fr__d4 xyz = fr__d4_add(xy, fr__d4_mul(fr__d4_splat(row[i].z), z));
        p[i] = fr__d4_add(xyz, fr__d4_splat(position[i]));
    }
}

// The world corners of four triangles, bit for bit those of fr__side_corners.
static inline void load_triangles(const fr__side *side, const uint32_t triangle[4], four_triangles *out) {
    const uint32_t *t[4];
    for (int k = 0; k < 4; k++)
        t[k] = side->triangles + 3 * (size_t)triangle[k];
    for (int c = 0; c < 3; c++) {
        fr__d4 *p = out->at[c];
        size_t i0 = 3 * (size_t)t[0][c], i1 = 3 * (size_t)t[1][c], i2 = 3 * (size_t)t[2][c], i3 = 3 * (size_t)t[3][c];
        if (side->positions_double != NULL) {
            const double *q = side->positions_double;
            fr__d4_gather(q + i0, q + i1, q + i2, q + i3, &p[0], &p[1], &p[2]);
        } else {
            const float *q = side->positions_float;
            fr__d4_gather_floats(q + i0, q + i1, q + i2, q + i3, &p[0], &p[1], &p[2]);
        }
        if (!side->part_is_identity) move_points(&side->part_frame, p);
        move_points(&side->object_frame, p);
    }
}

// The signs of the corners of p against the planes of t, as fr__triangle_sides has them.
typedef struct four_sides {
    fr__d4 code;     // 13 + s0 + 3 s1 + 9 s2
    uint32_t one;    // lanes with all corners strictly on one side
    uint32_t unsure; // lanes with a sign that rounding leaves open
} four_sides;

static inline fr__d4 largest_of_three(fr__d4 a, fr__d4 b, fr__d4 c) { return fr__d4_max(fr__d4_max(a, b), c); }

static inline fr__d4 dot(const fr__d4 a[3], const fr__d4 b[3]) {
    return fr__d4_add(fr__d4_add(fr__d4_mul(a[0], b[0]), fr__d4_mul(a[1], b[1])), fr__d4_mul(a[2], b[2]));
}

// The products that a normal is made of, and the sum of their sizes, as fr__plane_products_of has them.
static inline void plane_products(const four_triangles *t, fr__d4 normal[3], fr__d4 size[3]) {
    fr__d4 u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = fr__d4_sub(t->at[1][i], t->at[0][i]);
        v[i] = fr__d4_sub(t->at[2][i], t->at[0][i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        fr__d4 jk = fr__d4_mul(u[j], v[k]), kj = fr__d4_mul(u[k], v[j]);
        normal[i] = fr__d4_sub(jk, kj);
        size[i] = fr__d4_add(fr__d4_abs(jk), fr__d4_abs(kj));
    }
}

// The bound is that of fr__triangle_sides: one for three corners, by the largest |w| on each axis.
static inline four_sides sides_of(const four_triangles *t, const four_triangles *p) {
    fr__d4 normal[3], size[3], w[3][3], reach[3];
    plane_products(t, normal, size);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++)
            w[c][i] = fr__d4_sub(p->at[c][i], t->at[0][i]);
        reach[i] = largest_of_three(fr__d4_abs(w[0][i]), fr__d4_abs(w[1][i]), fr__d4_abs(w[2][i]));
    }
    fr__d4 bound = fr__d4_mul(fr__d4_splat(FR__ORIENT3D_BOUND), dot(size, reach)), below = fr__d4_neg(bound);

    const fr__d4 zero = fr__d4_splat(0.0);
    four_sides sides;
    uint32_t all_over = 15, all_under = 15;
    sides.code = fr__d4_splat(13.0);
    sides.unsure = 0;
    static const double weight[3] = {1.0, 3.0, 9.0};
    for (int c = 0; c < 3; c++) {
        fr__d4 d = dot(normal, w[c]), unit = fr__d4_splat(weight[c]);
        fr__m4 over = fr__d4_gt(d, bound), under = fr__d4_lt(d, below);
        uint32_t is_over = (uint32_t)fr__m4_bits(over), is_under = (uint32_t)fr__m4_bits(under);
        sides.code = fr__d4_add(sides.code, fr__d4_select(over, unit, fr__d4_select(under, fr__d4_neg(unit), zero)));
        all_over &= is_over;
        all_under &= is_under;
        sides.unsure |= ~(is_over | is_under) & 15u;
    }
    sides.one = all_over | all_under;
    return sides;
}

static inline void take_lane(const double at[3][3][4], uint32_t lane, fr_vec3 corners[3]) {
    for (int c = 0; c < 3; c++)
        corners[c] = fr_vec3_make(at[c][0][lane], at[c][1][lane], at[c][2][lane]);
}

static inline void store_triangles(const four_triangles *t, double at[3][3][4]) {
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            fr__d4_store_aligned(at[c][i], t->at[c][i]);
    }
}

// The second stage of the cheap part, for the lanes that passed the first: FR__NO ones are dropped.
static inline uint32_t finish_lanes(const four_triangles *a, const four_triangles *b, const four_sides *sides_a,
                                    const four_sides *sides_b, uint32_t lanes, uint32_t first, fr__judged *out) {
    _Alignas(32) double at_a[3][3][4], at_b[3][3][4], code_a[4], code_b[4];
    store_triangles(a, at_a);
    store_triangles(b, at_b);
    fr__d4_store_aligned(code_a, sides_a->code);
    fr__d4_store_aligned(code_b, sides_b->code);
    uint32_t unsure = sides_a->unsure | sides_b->unsure, count = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = fr__lowest_lane(lanes);
        fr__answer answer = FR__UNSURE;
        if ((unsure >> lane & 1u) == 0) {
            fr_vec3 corners_a[3], corners_b[3];
            take_lane(at_a, lane, corners_a);
            take_lane(at_b, lane, corners_b);
            fr__facing facing = fr__triangle_face(corners_a, corners_b, (unsigned)code_a[lane], (unsigned)code_b[lane]);
            answer = fr__triangle_facing_overlap(&facing);
        }
        if (answer != FR__NO) out[count++] = (fr__judged){first + lane, answer == FR__YES};
    }
    return count;
}

static uint32_t judge(const fr__side *side_a, const fr__side *side_b, const fr__candidate *candidates, uint32_t count,
                      fr__judged *out) {
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += 4) {
        uint32_t in_a[4], in_b[4], rest = count - first < 4 ? count - first : 4;
        for (uint32_t k = 0; k < 4; k++) {
            const fr__candidate *c = &candidates[first + (k < rest ? k : 0)];
            in_a[k] = c->a;
            in_b[k] = c->b;
        }
        four_triangles a, b;
        load_triangles(side_a, in_a, &a);
        load_triangles(side_b, in_b, &b);

        uint32_t lanes = (1u << rest) - 1u;
        four_sides sides_a = sides_of(&b, &a);
        lanes &= ~sides_a.one;
        if (lanes == 0) continue;
        four_sides sides_b = sides_of(&a, &b);
        lanes &= ~sides_b.one;
        if (lanes != 0) found += finish_lanes(&a, &b, &sides_a, &sides_b, lanes, first, out + found);
    }
    return found;
}

const fr__pair_kernel_table FR_KERNEL_NAME(fr__pair_kernel) = {
    .walk = walk_pairs,
    .open = open_one,
    .judge = judge,
};
