// Moving by pulling every target voxel back to the reference. Whole blocks are decided by one look at the clearance
// about where their middle comes from; what is left, in blocks of 4 x 4 x 4 voxels called bricks, voxel by voxel.
#ifndef FUREAI_OCTREE_MOVE_H
#define FUREAI_OCTREE_MOVE_H

#include "math/simd.h"
#include "octree/reference.h"

// Depth 9 has more bits than an int32: block maps are then read with less fraction.
#define FR__COARSE_SHIFT 12

typedef struct fr__move_job {
    const fr_octree_reference *reference;
    const fr_octree_map *map;
    fr_octree *out;
    const fr__block_map *clear; // by blocks of 4, 16, 64
    // What is added to the image of a block's first voxel centre, by axis and Morton order: for its 64 voxels, low word
    // and, at depth 9, high word; for the middles of its 64 parts of 4, 16 and 64 voxels (fraction of the clearances).
    _Alignas(32) int32_t voxel[3][64], voxel_high[3][64];
    _Alignas(32) int32_t middle[FR__CLEARANCES][3][64];
    // Up to depth 8 the voxels once more, in the order in which narrowing eight groups of them leaves them sorted, and
    // what is least of them.
    _Alignas(32) int32_t window[3][64];
    int64_t window_low[3];
    int clear_shift; // fraction bits of an index into the block maps
    double unit;     // 2^-F
} fr__move_job;

typedef struct fr__move_kernel_table {
    // Colours of `count` (a multiple of 8, up to 64) blocks of 4^(k + 1) voxels from `first` on, which is a multiple of
    // the count: gray where both may be in it.
    void (*classify)(const fr__move_job *job, uint32_t k, size_t first, uint32_t count);
    // Fills the block of 4^(k + 1) voxels that is gray, and colours it. Returns the bricks that were looked at.
    uint64_t (*fill)(const fr__move_job *job, uint32_t k, size_t block);
} fr__move_kernel_table;

FR__KERNEL_TABLE(fr__move_kernel_table, fr__move_kernel)

// The image of the centre of a voxel on an axis.
static inline int64_t fr__map_image(const fr_octree_map *m, int axis, int64_t x, int64_t y, int64_t z) {
    return m->b[axis] + m->a[axis][0] * x + m->a[axis][1] * y + m->a[axis][2] * z;
}

// Whether a rule asks where a voxel's centre comes from, not what of it overlaps.
static inline bool fr__rule_is_center(fr_octree_rule rule) {
    return rule == FR_OCTREE_CENTER || rule == FR_OCTREE_CENTER_CLOSED;
}

// Whether a centre may come from the very border of voxels on an axis: images are b plus multiples of the least power
// of two in a.
static inline bool fr__map_has_ties(const fr_octree_map *m, int axis) {
    const int64_t *a = m->a[axis];
    int64_t all = a[0] | a[1] | a[2] | (int64_t)1 << m->shift, least = all & -all;
    return m->rule == FR_OCTREE_CENTER_CLOSED && (m->b[axis] & (least - 1)) == 0;
}

// What two voxels may be nearer than touching (OVERLAP) or farther away (TOUCH), so that rounding does not decide.
static inline double fr__map_tolerance(fr_octree_rule rule) { return rule == FR_OCTREE_TOUCH ? 1e-9 : -1e-9; }

// A map in two steps: where voxels come from, and for the rules of overlap and touch, unless it is away, its axes.
fr_status fr__map_make_affine(uint32_t depth, const fr_octree_motion *motion, fr_octree_rule rule, fr_octree_map *m,
                              fr_error *error);
void fr__map_make_axes(fr_octree_map *m);

// Deeper references are not shifted.
enum { FR__SHIFT_DEPTH = 7 };

// Without turning, by a map that needs no axes: rows are shifted. Levels above the bricks are closed by the caller.
void fr__move_shift(const fr__move_job *job);

#endif
