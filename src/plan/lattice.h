// What searches of the lattice share: its states as places, the motions onto it, and the checks of an input.
#ifndef FUREAI_PLAN_LATTICE_H
#define FUREAI_PLAN_LATTICE_H

#include "plan/connect.h"
#include "plan/lattice_search.h"
#include "plan/wavefront.h"

// A place with what is not looked at set to 0, and with -90 .. 90 degrees about y.
fr_plan_place fr__plan_tidy_place(int dimension, fr_plan_place place);

fr_plan_place fr__plan_step_place(const fr__plan_bits *bits, const fr_plan_robot *robot, fr__plan_step step);

// The state of the lattice that a free place can be proven to lead to, near it, and the places after it on the
// path, none where it is that state.
fr__plan_proof fr__plan_enter(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_plan_place *start,
                              fr__plan_step *out, fr__plan_place_array *places);

// How far each cell is from the goal's for the core of the robot; FOUND or NO_MEMORY.
fr__plan_outcome fr__plan_distances(fr__plan_poses *poses, const int32_t goal[3], uint32_t *out);

// Whether an input makes sense: options, dimensions, start and goal, in the words fr_plan_cells promises.
fr_status fr__plan_check_query(const fr_plan_cells_input *input, fr_error *error);

// The part of it that every planner checks: that a place is in the world and not in collision. `what` is "start" or
// "goal".
fr_status fr__plan_check_end(const fr_plan_world *world, const fr_plan_robot *robot, const fr_plan_place *place,
                             const char *what, fr_error *error);

// That a goal of any turn is in the world, and free at some orientation.
fr_status fr__plan_check_goal_cell(const fr_plan_world *world, const fr_plan_robot *robot, const fr_plan_place *goal,
                                   fr_error *error);

#endif
