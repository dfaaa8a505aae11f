// Pairs of leaves that are kept with a direction along which they are apart: the hot part of a near list.
#ifndef FUREAI_COLLIDE_NEAR_LEAF_KERNEL_H
#define FUREAI_COLLIDE_NEAR_LEAF_KERNEL_H

#include "collide/swept_kernel.h"

// Eight pairs: a direction from b to a in b's frame, how far apart they are along it, and a ball about the leaf of a.
typedef struct fr__near_rows {
    _Alignas(32) float normal[3][8];
    float gap[8];
    float center[3][8], radius[8];
} fr__near_rows;

// What a piece of a motion changes in b's frame: at its beginning and at its end.
typedef struct fr__near_travel {
    float turn[2][3][3], move[2][3];
    float axis[3];  // of a's turn, unit
    float bulge;    // of paths across it, at most
    float distance; // what comes this near may meet, all rounding included
} fr__near_travel;

typedef struct fr__near_leaf_kernel_table {
    // Copies the pairs that are not proven to stay apart along their directions; returns how many.
    uint32_t (*pick)(const fr__near_rows *rows, const fr__two_leaves *pairs, uint32_t count,
                     const fr__near_travel *travel, fr__two_leaves *out);
} fr__near_leaf_kernel_table;

FR__KERNEL_TABLE(fr__near_leaf_kernel_table, fr__near_leaf_kernel)

#endif
