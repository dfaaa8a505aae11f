// What the plans of several robots share: where each robot is, and which cells are taken at which tick.
#ifndef FUREAI_PLAN_TEAM_H
#define FUREAI_PLAN_TEAM_H

#include "plan/lattice.h"

typedef struct fr__team_member {
    const fr_plan_robot *robot;
    fr__plan_poses poses;
    uint32_t *distance; // of every cell to the goal's
    fr__plan_step start;
    int32_t goal_at[3];
    uint32_t goal_cell, goal_orientation; // FR__PLAN_NONE: any
    fr__plan_step_array steps;            // by tick
} fr__team_member;

typedef struct fr__team_node {
    uint64_t key;
    double cost;
    uint32_t parent;
    bool is_closed;
} fr__team_node;

FR_ARRAY_TYPE(fr__team_node_array, fr__team_node);

typedef struct fr__team {
    const fr_plan_team_input *input;
    fr_allocator allocator;
    fr__plan_bits bits; // of the world
    size_t word_count, cell_count;
    fr__team_member *members;
    uint32_t member_count;
    fr_uint64_array taken; // a bitmap of the world for every tick of `ticks`, and one for all after
    uint32_t ticks;
    fr__state_table table; // of the search that runs
    fr__team_node_array nodes;
    fr__plan_heap_array heap;
    uint64_t expanded;
} fr__team;

// One step of a robot: to itself (k < 0, waiting) or to neighbour number k of 12. False where there is none or the
// world blocks it.
bool fr__team_step(fr__team_member *member, fr__plan_step from, int k, fr__plan_step *to);

// The mask that covers all of a step: two where it moves, else one. Returns how many.
int fr__team_sweep(fr__team_member *member, fr__plan_step from, fr__plan_step to, const fr__plan_mask *masks[2],
                   int32_t at[2][3]);

// Sets the cells of a step in a bitmap of the world, or clears them.
void fr__team_stamp(const fr__team *team, fr__team_member *member, fr__plan_step from, fr__plan_step to, bool is_set,
                    uint64_t *words);

// Whether none of a step's cells is set in a bitmap.
bool fr__team_is_clear(const fr__team *team, fr__team_member *member, fr__plan_step from, fr__plan_step to,
                       const uint64_t *words);

bool fr__team_is_goal(const fr__team_member *member, fr__plan_step step);
double fr__team_step_cost(const fr__team *team, fr__plan_step from, fr__plan_step to);

// Both of two robots at once. Writes their steps.
fr__plan_outcome fr__team_search_both(fr__team *team);

#endif
