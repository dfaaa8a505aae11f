// How far each cell is from a goal, for a search that goes from neighbour to neighbour: two bits a cell, the distance
// modulo 4, from which the distance of a neighbour follows. No cell is written by itself, so a wave costs a tenth of a
// table of distances. It may end when it has come to the start: what is farther then counts as one step more than the
// start, which is never too much and changes by at most one from cell to cell.
#ifndef FUREAI_PLAN_WAVE_H
#define FUREAI_PLAN_WAVE_H

#include "plan/slice.h"
#include "plan/wavefront.h"

typedef struct fr__plan_wave {
    uint64_t *block; // all below; rows are a zero word longer than the world's and layers a zero row
    size_t block_words;
    uint64_t *white;    // cells that the core of the robot may be at
    uint64_t *waiting;  // those of them that were not reached
    uint64_t *plane[2]; // bits 0 and 1 of the distance of those that were
    size_t row_stride, layer_stride;
    uint32_t start_left; // of the start; FR__PLAN_UNREACHED where no path leads to it
} fr__plan_wave;

// Makes the wave from `goal`, over cells where the core of the robot is free, all of it or until it has reached
// `start`: what lies beyond seldom matters to a search that does not need a shortest path. False without memory; then
// there is nothing to free.
bool fr__plan_wave_make(fr__plan_poses *poses, const int32_t goal[3], const int32_t start[3], bool is_whole,
                        fr__plan_wave *out);
void fr__plan_wave_free(fr__plan_wave *wave, const fr_allocator *allocator);

// How far a cell is, beside one (or the same) that is `left` from the goal; FR__PLAN_UNREACHED where it cannot be on
// the path.
static inline uint32_t fr__plan_wave_left(const fr__plan_wave *w, const int32_t at[3], uint32_t left) {
    size_t word = (size_t)at[2] * w->layer_stride + (size_t)at[1] * w->row_stride + ((uint32_t)at[0] >> 6);
    uint32_t bit = (uint32_t)at[0] & 63;
    if ((w->white[word] >> bit & 1) == 0) { return FR__PLAN_UNREACHED; }
    if ((w->waiting[word] >> bit & 1) != 0) { return w->start_left + 1; }
    uint32_t now = (uint32_t)(w->plane[0][word] >> bit & 1) | (uint32_t)(w->plane[1][word] >> bit & 1) << 1;
    uint32_t change = (now - left) & 3;
    return change == 3 ? left - 1 : left + change;
}

#endif
