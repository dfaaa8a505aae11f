// A planning problem that the command is given: a body, where it is to go, and what stands there.
#ifndef FUREAI_TOOL_PLAN_PROBLEM_H
#define FUREAI_TOOL_PLAN_PROBLEM_H

#include "scene_file.h"

typedef struct plan_problem {
    scene_file scene; // where the problem is a scene; else all zeros
    fr_path_problem *made;
    fr_path_input query; // a copy of the problem's input, for options to change
} plan_problem;

// The plans of a problem that is a scene; NULL for one that is not.
const fr_scene_plan *plan_problem_plans(const plan_problem *problem, uint32_t *count);

// Opens a scene with a plan (.json), or an OMPL problem, with the models beside it. Anything but DONE: return it, there
// is nothing to close.
exit_status plan_problem_open(tool *t, const char *path, plan_problem *out);
void plan_problem_close(plan_problem *problem);

// How many dimensions its path files have: in a plane other than that of x and y three.
int plan_problem_dimension(const plan_problem *problem);

// The states of a path file as poses of the body; free them with fr_ompl_path_destroy. Anything but DONE: return it.
exit_status plan_problem_read_path(tool *t, const plan_problem *problem, const char *path, fr_ompl_path *out);

#endif
