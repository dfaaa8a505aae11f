// Environments of a given number of black nodes: the source names theirs by that number alone.
#ifndef FUREAI_PLAN_FAITHFUL_CLUTTER_H
#define FUREAI_PLAN_FAITHFUL_CLUTTER_H

#include "fureai/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_clutter {
    uint64_t seed;
    uint32_t nodes;       // black nodes wanted
    uint32_t largest;     // edge of a box, cells, at least 1
    fr_plan_box empty[2]; // where nothing is put, such as about start and goal
} fr_clutter;

// Adds to a tree, whose black nodes count and stay: boxes of random edges while they fit the number, then single cells.
// FR_ERROR_LIMIT where the number is not reached, FR_ERROR_MEMORY. The same for the same seed and tree.
fr_status fr_clutter_fill(const fr_clutter *clutter, fr_octree *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
