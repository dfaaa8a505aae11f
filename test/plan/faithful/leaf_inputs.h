// Queries about the named worlds, of the search among leaves.
#ifndef FUREAI_TEST_PLAN_FAITHFUL_LEAF_INPUTS_H
#define FUREAI_TEST_PLAN_FAITHFUL_LEAF_INPUTS_H

#include "plan/faithful/leaf_search.h"

#include "plan/worlds.h"

static inline fr_leaf_input leaf_input_of(const named_world *n, const fr_plan_world *world) {
    fr_leaf_input input = fr_default_leaf_input();
    input.world = world;
    input.robot = named_robot(n);
    input.start = n->start;
    input.goal = n->goal;
    return input;
}

#endif
