// Planning among cells: the worlds of a scene's plan, and the searches that go over them.
#ifndef FUREAI_TOOL_PLAN_CELLS_H
#define FUREAI_TOOL_PLAN_CELLS_H

#include "scene_file.h"
#include "tool.h"

#include "fureai/plan.h"

// What is known of an answer beside its way.
typedef struct plan_cells_answer {
    bool is_exhausted; // not found: nothing was left to search at this resolution
    uint32_t ticks;    // of worlds that change
    uint32_t waits;    // of them
    double robot_ms;   // making the robot's masks, which depend on it alone
    uint64_t expanded, tested;
} plan_cells_answer;

// Plans as the scene's only plan says, in a world that changes where the scene's objects move. Anything but DONE:
// return it, there is nothing to free.
exit_status plan_cells_run(tool *t, const scene_file *file, fr_path *out, plan_cells_answer *answer);

// The same for several robots at once, a way for each of the scene's plans, tick by tick: the obstacles stand.
exit_status plan_cells_team(tool *t, const scene_file *file, fr_path *paths, plan_cells_answer *answer);

#endif
