// Two leaves of two trees, with their boxes alone at hand: four against four, seen from both frames. Inlined into
// the kernel that walks.
#ifndef FUREAI_COLLIDE_LEAF_PAIR_H
#define FUREAI_COLLIDE_LEAF_PAIR_H

#include "collide/leaf_boxes.h"
#include "collide/side.h"

// Both directions of a relation in one: lanes 0 .. 3 take boxes of a into b's frame, 4 .. 7 boxes of b into a's.
typedef struct both_directions {
    fr__f8 turn[3][3], size[3][3], move[3], growth;
} both_directions;

static inline void make_both_directions(const fr__relation *relation, both_directions *out) {
    const fr__tree_frame *low = &relation->tree.a_to_b, *high = &relation->tree.b_to_a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->turn[i][j] = two_halves(low->turn[i][j], high->turn[i][j]);
            out->size[i][j] = two_halves(low->size[i][j], high->size[i][j]);
        }
        out->move[i] = two_halves(low->move[i], high->move[i]);
    }
    out->growth = two_halves(low->growth, high->growth);
}

// The arithmetic of fr__tree_turn_boxes, whose bound holds lane by lane.
static inline fr__tree_boxes turn_leaf_boxes(const fr__tree_boxes *boxes, const both_directions *directions) {
    fr__f8 center[3], half[3];
    fr__tree_halve_boxes(boxes, center, half);
    fr__tree_boxes out;
    for (int i = 0; i < 3; i++) {
        fr__f8 c = fr__f8_mul(directions->turn[i][0], center[0]);
        fr__f8 h = fr__f8_mul(directions->size[i][0], half[0]);
        for (int j = 1; j < 3; j++) {
            c = fr__f8_add(c, fr__f8_mul(directions->turn[i][j], center[j]));
            h = fr__f8_add(h, fr__f8_mul(directions->size[i][j], half[j]));
        }
        c = fr__f8_add(c, directions->move[i]);
        h = fr__f8_add(h, directions->growth);
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
static inline uint32_t leaf_overlap(const fr__tree_leaf *leaf_a, const fr__tree_leaf *leaf_b,
                                    const both_directions *directions) {
    fr__tree_boxes own = leaf_boxes(leaf_a, leaf_b), seen = turn_leaf_boxes(&own, directions), a, b;
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

#endif
