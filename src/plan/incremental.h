// An incremental search of the lattice (D* Lite): it goes from the goal towards the robot, stores what it found, and
// when cells change or the robot moves repairs only what that can have changed. What it finds is always a shortest
// path.
#ifndef FUREAI_PLAN_INCREMENTAL_H
#define FUREAI_PLAN_INCREMENTAL_H

#include "plan/lattice_search.h"

typedef struct fr__plan_mended {
    uint64_t key;   // the state
    double cost;    // to the goal, as last settled (g of the source)
    double ahead;   // by the best neighbour, one step ahead (rhs)
    double rank[2]; // in the heap
    uint32_t place; // in the heap; FR__STATE_NONE: not in it
    bool is_free;   // the pose, as the world is now
    bool is_goal;
} fr__plan_mended;

FR_ARRAY_TYPE(fr__plan_mended_array, fr__plan_mended);

typedef struct fr__plan_incremental {
    fr__plan_poses *poses;
    double turn_cost;
    uint32_t goal_cell;
    uint32_t goal_orientation; // FR__PLAN_NONE: any
    const fr_control *control;
    fr__plan_step robot, robot_before; // where it is, and was when the ranks were last brought forward
    double bias;                       // km of the source
    bool is_stale;                     // something happened since a path was last found
    fr__state_table table;
    fr__plan_mended_array states;
    fr_uint32_array heap;
    uint64_t expanded;
} fr__plan_incremental;

fr__plan_incremental fr__plan_incremental_make(const fr_allocator *allocator);
void fr__plan_incremental_free(fr__plan_incremental *search);

// Begins from scratch with the goal that is set. False without memory.
bool fr__plan_incremental_begin(fr__plan_incremental *search, fr__plan_step robot);

// The robot is at another state.
void fr__plan_incremental_move(fr__plan_incremental *search, fr__plan_step robot);

// Cells low .. high - 1 may have changed; the poses must have been reset before. False without memory.
bool fr__plan_incremental_change(fr__plan_incremental *search, const int32_t low[3], const int32_t high[3]);

// Finds the path: FOUND with the next state, and the cost of all of it; NO_PATH; STOPPED, to be called again;
// NO_MEMORY.
fr__plan_outcome fr__plan_incremental_next(fr__plan_incremental *search, fr__plan_step *next, double *cost);

#endif
