// Rows become bricks: 32 voxels along x by 4 by 4, eight bricks at a time.
#ifndef FUREAI_OCTREE_ROWS_H
#define FUREAI_OCTREE_ROWS_H

#include "math/simd.h"
#include "octree/octree.h"

typedef struct fr__rows_kernel_table {
    // Words and colours of the bricks of a slab, 4 voxels thick, whose rows are one word of x: number `word` of each
    // row, so that bricks 8 word .. 8 word + 7 on x are written, and all on y. Word y of layer z, 0 .. 3, is
    // layers[n z + y] with n the root's width. 3-D, depth 5 and more.
    void (*bricks)(fr_octree *t, uint32_t brick_z, uint32_t word, const uint32_t *layers);
    // Ors `count` words, each moved down by `bit` (0 .. 31) voxels, into `to`: the bits of low[i], and above them those
    // of high[i]. `count` is a multiple of 8.
    void (*shift)(const uint32_t *low, const uint32_t *high, int bit, uint32_t count, uint32_t *to);
    // Ors words into others; `count` is a multiple of 8.
    void (*join)(const uint32_t *from, uint32_t count, uint32_t *to);
} fr__rows_kernel_table;

FR__KERNEL_TABLE(fr__rows_kernel_table, fr__rows_kernel)

#endif
