// The cells of a world as a tree.
#ifndef FUREAI_PLAN_WORLD_OCTREE_H
#define FUREAI_PLAN_WORLD_OCTREE_H

#include "plan/world.h"

// Brings up to date a tree that was made of the same bits, or is new and white, where cells low .. high - 1 may have
// changed; of the bits' depth and dimension. O(cells near the change), in space whole lines along x.
void fr__plan_update_octree(const fr__plan_bits *bits, const int32_t low[3], const int32_t high[3], fr_octree *out);

#endif
