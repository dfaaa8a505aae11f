// The source's planner for worlds that change: hill climbing over white leaves, looking again before every move
// (Kitamura 4.3.6, figure 4.1).
#ifndef FUREAI_PLAN_FAITHFUL_LEAF_CLIMB_H
#define FUREAI_PLAN_FAITHFUL_LEAF_CLIMB_H

#include "plan/faithful/leaf_space.h"

#ifdef __cplusplus
extern "C" {
#endif

// The source does not say what hill climbing does in a hollow.
typedef enum fr_climb_reading {
    FR_CLIMB_VISITED, // goes to the best neighbour not visited since the last change, even uphill; else turns; else
                      // back
    FR_CLIMB_STRICT   // goes only downhill; else turns; else waits
} fr_climb_reading;

typedef enum fr_climb_result {
    FR_CLIMB_MOVED,
    FR_CLIMB_TURNED,
    FR_CLIMB_BACK,   // one step back on its own path
    FR_CLIMB_WAITED, // nothing to do until the world changes
    FR_CLIMB_AT_GOAL,
    FR_CLIMB_OVERRUN // an obstacle is where the robot is
} fr_climb_result;

typedef struct fr_leaf_climber fr_leaf_climber;

// Stands at the start. The world must live as long as the climber.
fr_status fr_leaf_climber_create(const fr_leaf_input *input, fr_climb_reading reading, fr_leaf_climber **out,
                                 fr_error *error);
void fr_leaf_climber_destroy(fr_leaf_climber *climber);

// One cycle: observes the world, and moves by one leaf or one turn.
fr_status fr_leaf_climber_step(fr_leaf_climber *climber, fr_climb_result *result, fr_error *error);

// Where the robot is.
fr_plan_place fr_leaf_climber_place(const fr_leaf_climber *climber);

#ifdef __cplusplus
}
#endif

#endif
