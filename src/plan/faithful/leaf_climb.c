// Kitamura's planner in a world that changes: hill climbing over white leaves, with a look before every step.
#include "plan/faithful/leaf_climb.h"

#include <string.h>

// A state on the robot's path, and where exactly it was there.
typedef struct footprint {
    uint32_t state;
    fr_plan_place place;
} footprint;

FR_ARRAY_TYPE(footprint_array, footprint);

struct fr_leaf_climber {
    fr_leaf_space space;
    fr_climb_reading reading;
    uint64_t version;
    fr_plan_place place;
    uint32_t orientation;
    footprint_array trail; // since the last change, this one last
    bool is_at_goal;
};

static fr_status out_of_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for hill climbing");
}

fr_status fr_leaf_climber_create(const fr_leaf_input *input, fr_climb_reading reading, fr_leaf_climber **out,
                                 fr_error *error) {
    *out = NULL;
    fr_allocator allocator = fr_allocator_or_default(&input->allocator);
    fr_leaf_climber *c = fr_allocate(&allocator, 1, sizeof *c, _Alignof(fr_leaf_climber));
    if (c == NULL) { return out_of_memory(error); }
    memset(c, 0, sizeof *c);
    fr_status status = fr_leaf_space_make(input, &c->space, error);
    if (status != FR_OK) {
        fr_deallocate(&allocator, c, 1, sizeof *c);
        return status;
    }
    c->reading = reading;
    c->version = fr_plan_world_version(input->world);
    c->place = input->start;
    c->trail = footprint_array_make(&allocator);
    *out = c;
    return FR_OK;
}

void fr_leaf_climber_destroy(fr_leaf_climber *c) {
    if (c == NULL) { return; }
    fr_allocator allocator = c->space.input.allocator;
    footprint_array_destroy(&c->trail);
    fr_leaf_space_free(&c->space);
    fr_deallocate(&allocator, c, 1, sizeof *c);
}

fr_plan_place fr_leaf_climber_place(const fr_leaf_climber *c) { return c->place; }

// The robot is at a state from now on: visited, and the end of its trail.
static fr_status stand(fr_leaf_climber *c, uint32_t state, fr_error *error) {
    fr_leaf_state *at = fr_leaf_state_at(&c->space, state);
    at->flags |= FR_LEAF_VISITED;
    footprint *last = footprint_array_push(&c->trail, 1);
    if (last == NULL) { return out_of_memory(error); }
    *last = (footprint){state, c->place};
    return FR_OK;
}

static void go_to(fr_leaf_climber *c, uint32_t state) {
    const fr_leaf_state *at = fr_leaf_state_at(&c->space, state);
    c->place = fr_leaf_space_place(&c->space, at->leaf, at->orientation);
    c->orientation = at->orientation;
}

// Looks at the world. The state the robot is in becomes *state, FR_WHITE_NONE where an obstacle is.
static fr_status observe(fr_leaf_climber *c, uint32_t *state, fr_error *error) {
    uint64_t version = fr_plan_world_version(c->space.input.world);
    if (version != c->version) {
        fr_status status = fr_leaf_space_update(&c->space, error);
        if (status != FR_OK) { return status; }
        c->version = version;
        c->trail.count = 0;
    }
    if (c->trail.count > 0) {
        *state = c->trail.data[c->trail.count - 1].state;
        return FR_OK;
    }
    *state = FR_WHITE_NONE;
    bool is_free;
    fr_status status = fr_leaf_robot_try(&c->space.robot, c->space.input.world, &c->place, &is_free, error);
    uint32_t leaf = fr_white_leaf_at(&c->space.graph, c->place.position);
    if (status != FR_OK || !is_free || leaf == FR_WHITE_NONE) { return status; }
    *state = fr_leaf_space_find(&c->space, leaf, c->orientation);
    if (*state == FR_WHITE_NONE) { return out_of_memory(error); }
    fr_leaf_state *at = fr_leaf_state_at(&c->space, *state);
    fr_leaf_robot_evaluate(&c->space.robot, c->space.field, &at->evaluation, &at->mean);
    return stand(c, *state, error);
}

// The best neighbour at the same orientation that the reading allows, FR_WHITE_NONE where there is none.
static fr_status best_neighbor(fr_leaf_climber *c, uint32_t state, uint32_t *best, fr_error *error) {
    fr_leaf_space *s = &c->space;
    fr_leaf_state at = *fr_leaf_state_at(s, state);
    const uint32_t *begins = s->graph.begins.data, *edges = s->graph.edges.data;
    double min = c->reading == FR_CLIMB_STRICT ? fr_leaf_space_key(s, state) : (double)INFINITY;
    *best = FR_WHITE_NONE;
    for (uint32_t e = begins[at.leaf]; e < begins[at.leaf + 1]; e++) {
        uint32_t next = fr_leaf_space_find(s, edges[e], at.orientation);
        if (next == FR_WHITE_NONE) { return out_of_memory(error); }
        bool is_visited = (fr_leaf_state_at(s, next)->flags & FR_LEAF_VISITED) != 0, is_free;
        if (is_visited && c->reading == FR_CLIMB_VISITED) { continue; }
        fr_status status = fr_leaf_space_try(s, next, &is_free, error);
        if (status != FR_OK) { return status; }
        if (!is_free || fr_leaf_space_key(s, next) >= min) { continue; }
        status = fr_leaf_space_cross(s, &c->place, at.leaf, edges[e], &is_free, error);
        if (status != FR_OK) { return status; }
        if (is_free) {
            *best = next;
            min = fr_leaf_space_key(s, next);
        }
    }
    return FR_OK;
}

// Whether the robot is in the goal's leaf and may go to the goal itself; then it does.
static fr_status reach_goal(fr_leaf_climber *c, uint32_t state, bool *is_there, fr_error *error) {
    fr_plan_place to = {c->space.input.goal.position, c->place.turn_deg};
    *is_there = fr_white_leaf_at(&c->space.graph, to.position) == fr_leaf_state_at(&c->space, state)->leaf;
    if (!*is_there) { return FR_OK; }
    fr_status status = fr_leaf_space_go(&c->space, &c->place, &to, is_there, error);
    if (status == FR_OK && *is_there) {
        c->place = to;
        c->is_at_goal = true;
    }
    return status;
}

// No neighbour is left: turns, goes back or waits.
static fr_status turn_or_return(fr_leaf_climber *c, uint32_t state, fr_climb_result *result, fr_error *error) {
    uint32_t best;
    fr_status status = fr_leaf_space_best_turn(&c->space, state, &c->place, &best, error);
    if (status != FR_OK) { return status; }
    if (best != FR_WHITE_NONE) {
        *result = FR_CLIMB_TURNED;
        go_to(c, best);
        return stand(c, best, error);
    }
    *result = FR_CLIMB_WAITED;
    if (c->reading == FR_CLIMB_VISITED && c->trail.count > 1) {
        *result = FR_CLIMB_BACK;
        c->trail.count--;
        const footprint *before = c->trail.data + c->trail.count - 1;
        c->place = before->place;
        c->orientation = fr_leaf_state_at(&c->space, before->state)->orientation;
    }
    return FR_OK;
}

fr_status fr_leaf_climber_step(fr_leaf_climber *c, fr_climb_result *result, fr_error *error) {
    uint32_t state, best;
    bool is_there = false;
    *result = FR_CLIMB_AT_GOAL;
    if (c->is_at_goal) { return FR_OK; }
    fr_status status = observe(c, &state, error);
    if (status == FR_OK && state == FR_WHITE_NONE) {
        *result = FR_CLIMB_OVERRUN;
        return FR_OK;
    }
    if (status == FR_OK) { status = reach_goal(c, state, &is_there, error); }
    if (status != FR_OK || is_there) { return status; }
    status = best_neighbor(c, state, &best, error);
    if (status != FR_OK) { return status; }
    if (best == FR_WHITE_NONE) { return turn_or_return(c, state, result, error); }
    *result = FR_CLIMB_MOVED;
    go_to(c, best);
    return stand(c, best, error);
}
