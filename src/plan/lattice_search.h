// A* over the lattice of cells and orientations.
#ifndef FUREAI_PLAN_LATTICE_SEARCH_H
#define FUREAI_PLAN_LATTICE_SEARCH_H

#include "plan/open_heap.h"
#include "plan/slice.h"
#include "plan/state_table.h"
#include "plan/wave.h"

// Below this weight a search needs all of the wave.
#define FR__PLAN_WHOLE_WEIGHT 1.5

// A state of the lattice: cell number (z size + y) size + x, and orientation.
typedef struct fr__plan_step {
    uint32_t cell, orientation;
} fr__plan_step;

FR_ARRAY_TYPE(fr__plan_step_array, fr__plan_step);

typedef enum fr__plan_outcome {
    FR__PLAN_FOUND,
    FR__PLAN_NO_PATH, // nothing is left to search
    FR__PLAN_STOPPED, // by the budget or the caller
    FR__PLAN_NO_MEMORY
} fr__plan_outcome;

typedef struct fr__plan_node {
    uint64_t key; // by fr__plan_key
    double cost;  // from the start
    uint32_t parent;
    uint8_t mark;
} fr__plan_node;

FR_ARRAY_TYPE(fr__plan_node_array, fr__plan_node);

// A goal's orientations; NULL: all are.
typedef bool fr__plan_goal_fn(uint32_t orientation, void *context);

typedef struct fr__plan_search {
    // What to search; set by the caller
    fr__plan_poses *poses;
    const fr__plan_wave *wave; // from the goal's cell to the start
    const float *field;        // cost of being in each cell; NULL: none
    double weight, turn_cost;
    uint64_t budget; // states taken at most; 0: any number
    const fr_control *control;
    fr__plan_goal_fn *is_goal;
    void *goal_context;

    // What came out
    fr__plan_step_array steps; // from the start to the goal, or to the state nearest to it that was reached
    double cost;
    uint64_t expanded;

    fr__state_table table;
    fr__plan_node_array nodes;
    fr__plan_heap_array heap;
} fr__plan_search;

// Makes empty storage; the caller sets what to search before each run.
fr__plan_search fr__plan_search_make(const fr_allocator *allocator);
void fr__plan_search_free(fr__plan_search *search);

// Searches from a state that is free. Complete: NO_PATH only where no path exists on the lattice. The cost is at most
// `weight` times the minimum. The same input gives the same steps.
fr__plan_outcome fr__plan_search_run(fr__plan_search *search, fr__plan_step start);

// Leaves out steps of one orientation where going straight past them is free: the robot at a place between cells lies
// in the union of its masks at the cells about that place.
void fr__plan_search_shorten(fr__plan_search *search);

// Bytes that are held.
uint64_t fr__plan_search_bytes(const fr__plan_search *search);

static inline void fr__plan_cell_at(const fr__plan_bits *b, uint32_t cell, int32_t at[3]) {
    at[0] = (int32_t)(cell & (b->size - 1));
    uint32_t row = cell >> __builtin_ctz(b->size);
    at[1] = (int32_t)(row & (b->size - 1));
    at[2] = (int32_t)(row >> __builtin_ctz(b->size));
}

static inline uint32_t fr__plan_cell_number(const fr__plan_bits *b, const int32_t at[3]) {
    return ((uint32_t)at[2] * b->size + (uint32_t)at[1]) * b->size + (uint32_t)at[0];
}

// One number for a state, and the state of it.
static inline uint32_t fr__plan_key_shift(const fr__plan_bits *b) {
    return (uint32_t)__builtin_ctz(b->size) * 2 + (uint32_t)__builtin_ctz(b->layers);
}
static inline uint64_t fr__plan_key(const fr__plan_bits *b, fr__plan_step state) {
    return (uint64_t)state.orientation << fr__plan_key_shift(b) | state.cell;
}
static inline fr__plan_step fr__plan_key_state(const fr__plan_bits *b, uint64_t key) {
    uint32_t shift = fr__plan_key_shift(b);
    return (fr__plan_step){(uint32_t)(key & (((uint64_t)1 << shift) - 1)), (uint32_t)(key >> shift)};
}

// Neighbours of a cell: number k of 6 (in the plane 4) is one step down (even k) or up (odd) along axis k / 2; false
// where it is outside.
static inline bool fr__plan_neighbor(const fr__plan_bits *b, const int32_t from[3], int k, int32_t to[3]) {
    int axis = k >> 1;
    int32_t moved = from[axis] + ((k & 1) == 0 ? -1 : 1);
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[axis] = moved;
    return moved >= 0 && moved < (int32_t)(axis == 2 ? b->layers : b->size);
}

// The slot of turn number k of 6 (0 .. 2 up about x, y, z, then down) from one orientation to the next.
static inline uint32_t fr__plan_turning_slot(const fr_plan_robot *r, uint32_t from, uint32_t to, int k) {
    return k < 3 ? fr__plan_turn_slot(r, from, k) : fr__plan_turn_slot(r, to, k - 3);
}

#endif
