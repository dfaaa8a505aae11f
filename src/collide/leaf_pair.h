// Two leaves of two trees: four faces against four, by their boxes and by their planes, seen from both frames. Inlined
// into the kernel that walks.
#ifndef FUREAI_COLLIDE_LEAF_PAIR_H
#define FUREAI_COLLIDE_LEAF_PAIR_H

#include "collide/side.h"
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
    fr__tree_halve_boxes(boxes, center, half);
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
    for (int i = 0; i < 3; i++) {
        turned[i] = dot_floats(ways->turn[i], n);
    }
    fr__f8 offset = fr__f8_add(fr__f8_mul(ways->scale_squared, dot_floats(n, at[0])), dot_floats(turned, ways->move));
    fr__f8 bound = fr__f8_add(fr__f8_mul(size, fr__f8_add(ways->bound, ways->floor)), ways->floor);
    leaf_planes planes;
    for (int i = 0; i < 3; i++) {
        planes.normal[i] = fr__f8_swap(turned[i]);
    }
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
        for (int i = 0; i < 3; i++) {
            at[c][i] = fr__f8_load_halves(a->at[c][i], b->at[c][i]);
        }
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

#endif
