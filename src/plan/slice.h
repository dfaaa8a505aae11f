// Whether a robot may be at a pose: tested by the mask, or by a slice, the map of all cells where a mask is not
// free, made when a mask has been tested so often that the map costs less.
#ifndef FUREAI_PLAN_SLICE_H
#define FUREAI_PLAN_SLICE_H

#include "plan/robot.h"

#define FR__PLAN_WIDTHS 7 // runs of 1, 2, 4 .. 64 cells

typedef struct fr__plan_slot_use {
    const fr__plan_mask *mask; // NULL until needed
    uint64_t *slice;           // laid out as the world: bit set where the mask is not free or outside; NULL: none
    uint32_t tests;
} fr__plan_slot_use;

// The poses of one robot in one state of a world. One thread at a time.
typedef struct fr__plan_poses {
    fr__plan_bits bits;
    const fr_plan_robot *robot;
    fr__plan_slot_use *uses; // by slot of the robot
    size_t use_count;
    uint64_t *wide[FR__PLAN_WIDTHS]; // bit x set where one of the 2^k cells from x on is black; NULL until needed
    size_t word_count;               // of the world
    uint32_t tests_before_slice;
    uint64_t slice_bytes;
    uint64_t tested;
    bool has_failed; // no memory for a mask or a slice: results are not to be used
    fr_allocator allocator;
} fr__plan_poses;

// False without memory; then there is nothing to free. The bits must stay as long as the poses.
bool fr__plan_poses_make(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_allocator *allocator,
                         fr__plan_poses *out);
void fr__plan_poses_free(fr__plan_poses *poses);

// Forgets what was known of the world, whose bits may have changed. Keeps memory.
void fr__plan_poses_reset(fr__plan_poses *poses, const fr__plan_bits *bits);

// The slow part of the next.
bool fr__plan_poses_ask(fr__plan_poses *poses, uint32_t slot, const int32_t at[3]);

// Whether the mask of a slot is free at a cell of the world.
static inline bool fr__plan_poses_is_free(fr__plan_poses *p, uint32_t slot, const int32_t at[3]) {
    const uint64_t *slice = p->uses[slot].slice;
    p->tested++;
    if (slice == NULL) { return fr__plan_poses_ask(p, slot, at); }
    size_t row = (size_t)at[2] * p->bits.size + (size_t)at[1];
    return (slice[row * p->bits.row_words + ((uint32_t)at[0] >> 6)] >> ((uint32_t)at[0] & 63) & 1) == 0;
}

// The map of the cells where a mask is not free or outside the world, laid out as the world.
bool fr__plan_slice_make(fr__plan_poses *poses, const fr__plan_mask *mask, uint64_t *out);

#endif
