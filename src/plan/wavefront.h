// How many steps along the axes each white cell is from a goal: what a point would go, and so never more than a body
// goes whose reference point must stay on white cells.
#ifndef FUREAI_PLAN_WAVEFRONT_H
#define FUREAI_PLAN_WAVEFRONT_H

#include "plan/world.h"

#define FR__PLAN_UNREACHED UINT32_MAX

// Writes the steps from `goal` into out[(z * size + y) * size + x], FR__PLAN_UNREACHED for black cells and for those
// that no path leads to; all are that where the goal is black or outside. Scratch memory, half a byte a cell (two where
// a row is 16 cells), comes from the allocator; false, and nothing written, without it. O(cells).
bool fr__plan_wavefront(const fr_plan_world *world, const int32_t goal[3], const fr_allocator *allocator,
                        uint32_t *out);

// The same over any rows of bits.
bool fr__plan_wavefront_over(fr__plan_bits bits, const int32_t goal[3], const fr_allocator *allocator, uint32_t *out);

#endif
