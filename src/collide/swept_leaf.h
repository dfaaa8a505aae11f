// Two leaves of two trees whose frames move: four faces against four, by their boxes and by their planes, seen from
// both frames; and what the boxes of nodes share with it. Inlined into the kernel that walks. The bounds are derived in
// swept_pair.c.
#ifndef FUREAI_COLLIDE_SWEPT_LEAF_H
#define FUREAI_COLLIDE_SWEPT_LEAF_H

#include "collide/leaf_boxes.h"
#include "collide/swept_kernel.h"

// ---------------------------------------------------------------------------------------------------------------
// Spans of time

static inline fr__f8 dot_floats(const fr__f8 a[3], const fr__f8 b[3]) {
    return fr__f8_add(fr__f8_add(fr__f8_mul(a[0], b[0]), fr__f8_mul(a[1], b[1])), fr__f8_mul(a[2], b[2]));
}

// From when to when pairs of boxes may meet.
typedef struct time_span {
    fr__f8 enter, exit;
} time_span;

// A travel that is too short to divide by counts as the shortest one.
static inline fr__f8 slowness_of(fr__f8 travel, fr__f8 shortest) {
    fr__f8 long_enough = fr__f8_select(fr__f8_lt(fr__f8_abs(travel), shortest), shortest, travel);
    return fr__f8_div(fr__f8_splat(1.0f), long_enough);
}

static inline time_span whole_slice(void) {
    time_span s = {fr__f8_splat(0.0f), fr__f8_splat(1.0f)};
    return s;
}

// Cuts the time_span by one axis: a still box low .. high and a moving one. A NaN leaves it as it is or makes it NaN,
// and what is NaN is not apart.
static inline void cut_span(time_span *s, fr__f8 low, fr__f8 high, fr__f8 min, fr__f8 max, fr__f8 slowness) {
    fr__f8 at_low = fr__f8_mul(fr__f8_sub(low, max), slowness), at_high = fr__f8_mul(fr__f8_sub(high, min), slowness);
    s->enter = fr__f8_max(fr__f8_min(at_low, at_high), s->enter);
    s->exit = fr__f8_min(fr__f8_max(at_low, at_high), s->exit);
}

// Lanes that are not proven apart before `limit`.
static inline uint32_t lanes_of(const time_span *s, fr__f8 limit) {
    fr__m8 apart = fr__m8_or(fr__f8_gt(s->enter, s->exit), fr__f8_gt(s->enter, limit));
    return ~(uint32_t)fr__m8_bits(apart) & 0xffu;
}

// ---------------------------------------------------------------------------------------------------------------
// Leaves: four boxes against four, in both frames

// Both directions of a relation in one, at both ends: lanes 0 .. 3 take boxes of a into b's frame, 4 .. 7 of b into
// a's.
typedef struct end_frame {
    fr__f8 turn[3][3], move[3];
    fr__f8 scale_squared, bound, floor; // of planes
} end_frame;

typedef struct both_frames {
    bool is_still; // both ends are one time
    end_frame end[2];
    fr__f8 size[3][3], growth, min_path;
} both_frames;

static inline void widen_frames(const fr__swept_relation *relation, both_frames *out) {
    const fr__swept_frame *low = &relation->a_to_b, *high = &relation->b_to_a;
    for (int e = 0; e < 2; e++) {
        end_frame *frame = &out->end[e];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                frame->turn[i][j] = two_halves(low->turn[e][i][j], high->turn[e][i][j]);
                out->size[i][j] = two_halves(low->size[i][j], high->size[i][j]);
            }
            frame->move[i] = two_halves(low->move[e][i], high->move[e][i]);
        }
        const fr__plane_frame *plane_low = &relation->planes_a_to_b, *plane_high = &relation->planes_b_to_a;
        frame->scale_squared = two_halves(plane_low->scale_squared, plane_high->scale_squared);
        frame->bound = two_halves(plane_low->bound, plane_high->bound);
        frame->floor = two_halves(plane_low->floor, plane_high->floor);
    }
    out->growth = two_halves(low->growth, high->growth);
    out->min_path = two_halves(low->min_path, high->min_path);
    out->is_still = relation->is_still;
}

// What one leaf against another needs on an axis. In the low half, b's frame, boxes of b stand still and those of a
// move; in the high half, a's frame, it is the reverse. `rows` are of a, one to be spread over its half;
// `lanes` of b.
typedef struct leaf_axis {
    fr__f8 rows_low, rows_high, rows_slowness;
    fr__f8 lanes_low, lanes_high, lanes_slowness;
} leaf_axis;

typedef struct leaf_meeting {
    leaf_axis axis[3];
} leaf_meeting;

static inline leaf_meeting meet_boxes(const fr__tree_leaf *leaf_a, const fr__tree_leaf *leaf_b,
                                      const both_frames *frames) {
    fr__tree_boxes own = leaf_boxes(leaf_a, leaf_b);
    fr__f8 center[3], half[3], one = fr__f8_splat(1.0f);
    fr__tree_halve_boxes(&own, center, half);
    leaf_meeting out;
    for (int i = 0; i < 3; i++) {
        fr__f8 first = fr__f8_add(dot_floats(frames->end[0].turn[i], center), frames->end[0].move[i]);
        fr__f8 last = fr__f8_add(dot_floats(frames->end[1].turn[i], center), frames->end[1].move[i]);
        fr__f8 reach = fr__f8_add(dot_floats(frames->size[i], half), frames->growth);
        fr__f8 min = fr__f8_sub(first, reach), max = fr__f8_add(first, reach);
        fr__f8 slowness = slowness_of(fr__f8_sub(last, first), frames->min_path);
        leaf_axis *axis = &out.axis[i];
        axis->rows_low = fr__f8_lows(max, own.min[i]); // a moving in b's frame, then a still in its own
        axis->rows_high = fr__f8_lows(min, own.max[i]);
        axis->rows_slowness = fr__f8_lows(slowness, one);
        axis->lanes_low = fr__f8_highs(own.min[i], max); // b still in its own frame, then b moving in a's
        axis->lanes_high = fr__f8_highs(own.max[i], min);
        axis->lanes_slowness = fr__f8_highs(one, fr__f8_neg(slowness));
    }
    return out;
}

// Item K of a with the items of b: bits of those that are not proven apart, and when they enter. In the low half the
// differences are those of cut_span, in the high half they have the other sign, and so has the slowness.
#define MEET_ROW(K)                                                                                                    \
    static inline uint32_t meet_row_##K(const leaf_meeting *m, fr__f8 limit, float *enter, float *exit) {              \
        time_span s = whole_slice();                                                                                   \
        for (int i = 0; i < 3; i++) {                                                                                  \
            const leaf_axis *x = &m->axis[i];                                                                          \
            fr__f8 slowness = fr__f8_mul(fr__f8_spread(x->rows_slowness, K), x->lanes_slowness);                       \
            fr__f8 at_low = fr__f8_mul(fr__f8_sub(x->lanes_low, fr__f8_spread(x->rows_low, K)), slowness);             \
            fr__f8 at_high = fr__f8_mul(fr__f8_sub(x->lanes_high, fr__f8_spread(x->rows_high, K)), slowness);          \
            s.enter = fr__f8_max(fr__f8_min(at_low, at_high), s.enter);                                                \
            s.exit = fr__f8_min(fr__f8_max(at_low, at_high), s.exit);                                                  \
        }                                                                                                              \
        s.enter = fr__f8_max(s.enter, fr__f8_swap(s.enter));                                                           \
        s.exit = fr__f8_min(s.exit, fr__f8_swap(s.exit));                                                              \
        fr__f8_store_aligned(enter, s.enter);                                                                          \
        fr__f8_store_aligned(exit, s.exit);                                                                            \
        return lanes_of(&s, limit) & 15u;                                                                              \
    }
MEET_ROW(0)
MEET_ROW(1)
MEET_ROW(2)
MEET_ROW(3)
#undef MEET_ROW

// ---------------------------------------------------------------------------------------------------------------
// Leaves: four planes against four faces, in both frames, at both ends

// Planes n . x = d with the sizes beyond which a value is sure.
typedef struct leaf_planes {
    fr__f8 normal[3], offset, bound, below;
} leaf_planes;

// The planes of faces [a | b], each taken into the other's frame, and the halves swapped: [b in a | a in b].
static inline leaf_planes turn_planes(const fr__f8 at[3][3], const end_frame *frame) {
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
        turned[i] = dot_floats(frame->turn[i], n);
    }
    fr__f8 offset = fr__f8_add(fr__f8_mul(frame->scale_squared, dot_floats(n, at[0])), dot_floats(turned, frame->move));
    fr__f8 bound = fr__f8_add(fr__f8_mul(size, fr__f8_add(frame->bound, frame->floor)), frame->floor);
    leaf_planes planes;
    for (int i = 0; i < 3; i++) {
        planes.normal[i] = fr__f8_swap(turned[i]);
    }
    planes.offset = fr__f8_swap(offset);
    planes.bound = fr__f8_swap(bound);
    planes.below = fr__f8_neg(planes.bound);
    return planes;
}

// Lanes of the faces that lie on the same side of plane K of their half, at one end or at both.
#define BESIDE(K)                                                                                                      \
    static inline void sides_##K(const fr__f8 at[3][3], const leaf_planes *p, fr__m8 *over, fr__m8 *under) {           \
        fr__f8 n[3] = {fr__f8_spread(p->normal[0], K), fr__f8_spread(p->normal[1], K),                                 \
                       fr__f8_spread(p->normal[2], K)};                                                                \
        fr__f8 offset = fr__f8_spread(p->offset, K);                                                                   \
        fr__f8 v0 = fr__f8_sub(dot_floats(n, at[0]), offset), v1 = fr__f8_sub(dot_floats(n, at[1]), offset);           \
        fr__f8 v2 = fr__f8_sub(dot_floats(n, at[2]), offset);                                                          \
        fr__f8 lowest = fr__f8_min(fr__f8_min(v0, v1), v2), highest = fr__f8_max(fr__f8_max(v0, v1), v2);              \
        *over = fr__f8_gt(lowest, fr__f8_spread(p->bound, K));                                                         \
        *under = fr__f8_lt(highest, fr__f8_spread(p->below, K));                                                       \
    }                                                                                                                  \
    static inline uint32_t beside_one_##K(const fr__f8 at[3][3], const leaf_planes *plane) {                           \
        fr__m8 over, under;                                                                                            \
        sides_##K(at, plane, &over, &under);                                                                           \
        return (uint32_t)fr__m8_bits(fr__m8_or(over, under));                                                          \
    }                                                                                                                  \
    static inline uint32_t beside_both_##K(const fr__f8 at[3][3], const leaf_planes planes[2]) {                       \
        fr__m8 over[2], under[2];                                                                                      \
        sides_##K(at, &planes[0], &over[0], &under[0]);                                                                \
        sides_##K(at, &planes[1], &over[1], &under[1]);                                                                \
        fr__m8 beside = fr__m8_or(fr__m8_and(over[0], over[1]), fr__m8_and(under[0], under[1]));                       \
        return (uint32_t)fr__m8_bits(beside);                                                                          \
    }
BESIDE(0)
BESIDE(1)
BESIDE(2)
BESIDE(3)
#undef BESIDE

// Bits 0 .. 3 of faces of a beside plane k of b become bits 4 i + k.
static inline uint32_t spread_column(uint32_t beside, uint32_t k) {
    static const uint16_t column[16] = {0x0000, 0x0001, 0x0010, 0x0011, 0x0100, 0x0101, 0x0110, 0x0111,
                                        0x1000, 0x1001, 0x1010, 0x1011, 0x1100, 0x1101, 0x1110, 0x1111};
    return (uint32_t)column[beside & 15u] << k;
}

// Bit 4 i + j: face i of leaf a and face j of leaf b are proven apart by the plane of one of them.
static inline uint32_t apart_all_the_time(const fr__leaf_corners *a, const fr__leaf_corners *b,
                                          const both_frames *frames) {
    fr__f8 at[3][3];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            at[c][i] = fr__f8_load_halves(a->at[c][i], b->at[c][i]);
        }
    }
    const fr__f8(*faces)[3] = (const fr__f8(*)[3])at;
    leaf_planes planes[2];
    planes[0] = turn_planes(faces, &frames->end[0]);
    uint32_t beside[4];
    if (frames->is_still) {
        beside[0] = beside_one_0(faces, planes);
        beside[1] = beside_one_1(faces, planes);
        beside[2] = beside_one_2(faces, planes);
        beside[3] = beside_one_3(faces, planes);
    } else {
        planes[1] = turn_planes(faces, &frames->end[1]);
        beside[0] = beside_both_0(faces, planes);
        beside[1] = beside_both_1(faces, planes);
        beside[2] = beside_both_2(faces, planes);
        beside[3] = beside_both_3(faces, planes);
    }
    uint32_t by_b = spread_column(beside[0], 0) | spread_column(beside[1], 1) | spread_column(beside[2], 2) |
                    spread_column(beside[3], 3);
    uint32_t by_a = beside[0] >> 4 | (beside[1] >> 4) << 4 | (beside[2] >> 4) << 8 | (beside[3] >> 4) << 12;
    return by_a | by_b;
}

#endif
