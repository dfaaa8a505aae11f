// How a search over white leaves looks, as the source's pictures have it.
#ifndef FUREAI_PLAN_FAITHFUL_LEAF_DRAW_H
#define FUREAI_PLAN_FAITHFUL_LEAF_DRAW_H

#include "plan/faithful/leaf_search.h"

#ifdef __cplusplus
extern "C" {
#endif

// The black leaves of a world, filled and with their edges. In cells.
void fr_leaf_draw_world(const fr_plan_world *world, const fr_draw *draw);

// Obstacles as above, the leaves that were explored outlined with a dot in each, the path line through middles of
// leaves and of shared faces, and the robot's boxes where it starts, turns and ends. In cells.
void fr_leaf_draw(const fr_plan_world *world, const fr_plan_shape *robot, const fr_leaf_result *result,
                  const fr_draw *draw);

#ifdef __cplusplus
}
#endif

#endif
