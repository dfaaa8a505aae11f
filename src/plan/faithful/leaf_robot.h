// A robot of the source: an octree that is moved as any obstacle is, met with the environment's, and weighed by the
// potential under it (Kitamura 4.3.4).
#ifndef FUREAI_PLAN_FAITHFUL_LEAF_ROBOT_H
#define FUREAI_PLAN_FAITHFUL_LEAF_ROBOT_H

#include "fureai/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_leaf_robot {
    fr_plan_shape shape;
    fr_plan_world *cells; // a world of its own with nothing in it but the robot
    uint64_t tests;       // poses tried
} fr_leaf_robot;

// A robot for worlds like this one. The shape must live as long. FR_ERROR_MEMORY.
fr_status fr_leaf_robot_make(const fr_plan_world *world, const fr_plan_shape *shape, const fr_allocator *allocator,
                             fr_leaf_robot *out, fr_error *error);
void fr_leaf_robot_free(fr_leaf_robot *robot);

// Moves the robot's octree, and says whether it is inside the world and meets no obstacle.
fr_status fr_leaf_robot_try(fr_leaf_robot *robot, const fr_plan_world *world, const fr_plan_place *place, bool *is_free,
                            fr_error *error);

// E of the pose that was tried last: the sum of P over the robot's cells, and their mean; the field's sums must be
// ready.
void fr_leaf_robot_evaluate(const fr_leaf_robot *robot, const fr_plan_field *field, double *sum, double *mean);

// Whether the motion from one place to the other meets nothing, straight and turning by 180 degrees or less: by the
// checker of paths, a sample each quarter of a cell.
fr_status fr_leaf_robot_sweep(const fr_leaf_robot *robot, const fr_plan_world *world, const fr_plan_place *from,
                              const fr_plan_place *to, bool *is_free, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
