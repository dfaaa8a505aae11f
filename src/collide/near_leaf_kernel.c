// The heights of eight leaves at once; the bounds are derived in near_list.c.
#include "collide/near_leaf_kernel.h"

#include "math/wide.h"

typedef struct wide_travel {
    fr__f8 turn[2][3][3], move[2][3], axis[3], bulge, distance;
} wide_travel;

static inline void widen(const fr__near_travel *travel, wide_travel *out) {
    for (int i = 0; i < 3; i++) {
        for (int e = 0; e < 2; e++) {
            for (int j = 0; j < 3; j++) {
                out->turn[e][i][j] = fr__f8_splat(travel->turn[e][i][j]);
            }
            out->move[e][i] = fr__f8_splat(travel->move[e][i]);
        }
        out->axis[i] = fr__f8_splat(travel->axis[i]);
    }
    out->bulge = fr__f8_splat(travel->bulge);
    out->distance = fr__f8_splat(travel->distance);
}

static inline fr__f8 dot(const fr__f8 a[3], const fr__f8 b[3]) {
    return fr__f8_add(fr__f8_add(fr__f8_mul(a[0], b[0]), fr__f8_mul(a[1], b[1])), fr__f8_mul(a[2], b[2]));
}

// By how much leaves of a go up, at least.
static inline fr__f8 rise(const wide_travel *travel, int end, const fr__f8 normal[3], const fr__f8 center[3],
                          fr__f8 radius) {
    fr__f8 back[3];
    for (int k = 0; k < 3; k++) {
        fr__f8 column[3] = {travel->turn[end][0][k], travel->turn[end][1][k], travel->turn[end][2][k]};
        back[k] = dot(column, normal);
    }
    fr__f8 at = fr__f8_add(dot(back, center), dot(travel->move[end], normal));
    return fr__f8_sub(at, fr__f8_mul(fr__f8_sqrt(dot(back, back)), radius));
}

// Lanes of pairs that may meet. The sine is never too small: rounding takes less than 2^-20 from its square.
static inline uint32_t near_lanes(const fr__near_rows *rows, const wide_travel *travel) {
    fr__f8 normal[3], center[3], radius = fr__f8_load_aligned(rows->radius);
    for (int i = 0; i < 3; i++) {
        normal[i] = fr__f8_load_aligned(rows->normal[i]);
        center[i] = fr__f8_load_aligned(rows->center[i]);
    }
    fr__f8 along = dot(travel->axis, normal), across = fr__f8_sub(fr__f8_splat(1.0f), fr__f8_mul(along, along));
    fr__f8 sine = fr__f8_sqrt(fr__f8_add(fr__f8_max(across, fr__f8_splat(0.0f)), fr__f8_splat(0x1p-20f)));
    fr__f8 first = rise(travel, 0, normal, center, radius), last = rise(travel, 1, normal, center, radius);
    fr__f8 gap = fr__f8_add(fr__f8_load_aligned(rows->gap), fr__f8_min(first, last));
    fr__f8 need = fr__f8_add(fr__f8_mul(travel->bulge, sine), travel->distance);
    // What is NaN is not apart; of two numbers the least is taken only where both are there
    fr__m8 apart = fr__m8_and(fr__f8_gt(gap, need), fr__f8_eq(first, first));
    return ~(uint32_t)fr__m8_bits(apart) & 0xffu;
}

static uint32_t pick(const fr__near_rows *rows, const fr__two_leaves *pairs, uint32_t count,
                     const fr__near_travel *travel, fr__two_leaves *out) {
    wide_travel w;
    widen(travel, &w);
    uint32_t picked = 0;
    for (uint32_t begin = 0; begin < count; begin += 8) {
        uint32_t rest = count - begin, used = rest < 8 ? (1u << rest) - 1u : 0xffu;
        for (uint32_t lanes = near_lanes(&rows[begin / 8], &w) & used; lanes != 0; lanes &= lanes - 1) {
            out[picked++] = pairs[begin + (uint32_t)__builtin_ctz(lanes)];
        }
    }
    return picked;
}

const fr__near_leaf_kernel_table FR_KERNEL_NAME(fr__near_leaf_kernel) = {.pick = pick};
