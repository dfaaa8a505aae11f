// The cells of a world as rows of bits, for the searches of this room.
#ifndef FUREAI_PLAN_WORLD_H
#define FUREAI_PLAN_WORLD_H

#include "plan/raster.h"

// The world's cells: bit x % 64 of words[(z * size + y) * row_words + x / 64] is set where cell (x, y, z) is black.
// size = 2^depth; layers = size, in the plane 1; row_words = (size + 63) / 64; bits beyond `size` are 0.
typedef struct fr__plan_bits {
    const uint64_t *words;
    uint32_t size, layers, row_words;
} fr__plan_bits;

fr__plan_bits fr__plan_world_bits(const fr_plan_world *world);

// What the last change of the version changed: cells low .. high - 1 hold every cell that took another colour, and no
// cell outside did.
typedef struct fr__plan_change {
    int32_t low[3], high[3];
    bool has_white; // some cell became white
} fr__plan_change;

fr__plan_change fr__plan_world_last_change(const fr_plan_world *world);

#endif
