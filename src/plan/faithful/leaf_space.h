// The states of the source's planner: the robot's reference point on the middle of a white leaf, turned by multiples of
// an angle about each axis.
#ifndef FUREAI_PLAN_FAITHFUL_LEAF_SPACE_H
#define FUREAI_PLAN_FAITHFUL_LEAF_SPACE_H

#include "plan/faithful/leaf_robot.h"
#include "plan/faithful/white_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// What orders the search: 4.3.3 says the one, 4.3.4 introduces the other.
typedef enum fr_leaf_key {
    FR_LEAF_AVERAGE,   // the mean of P over the leaf's cells
    FR_LEAF_EVALUATION // the mean of P over the robot's cells at the state
} fr_leaf_key;

typedef struct fr_leaf_input {
    const fr_plan_world *world;
    fr_plan_shape robot;
    fr_plan_place start, goal; // the goal may be met at any turn
    double alpha_deg;          // 360 / alpha_deg is whole, 1 .. 360; default 30
    double threshold;          // a turn counts only where E is at most this; default infinity
    double pmax, attraction;   // of the field; default 100 and 1
    fr_leaf_key key;           // default FR_LEAF_AVERAGE
    bool is_swept;             // what lies between two states is looked at, too; default false, as printed
    uint64_t budget;           // states to take from the list at most; 0, the default: any number
    fr_allocator allocator;    // default: the process default
} fr_leaf_input;

fr_leaf_input fr_default_leaf_input(void);

typedef enum fr_leaf_flag {
    FR_LEAF_FREE = 1,   // tried, and free
    FR_LEAF_HIT = 2,    // tried, and not
    FR_LEAF_VISITED = 4 // for the searches
} fr_leaf_flag;

// A state that was looked at.
typedef struct fr_leaf_state {
    uint32_t leaf, orientation;
    uint32_t flags;
    uint32_t next;           // in the table
    double evaluation, mean; // E and the mean of P over the robot, of a free state
} fr_leaf_state;

FR_ARRAY_TYPE(fr_leaf_state_array, fr_leaf_state);

typedef struct fr_leaf_space {
    fr_leaf_input input;
    uint32_t steps; // orientations an axis
    fr_plan_field *field;
    fr_white_graph graph;
    fr_leaf_robot robot;
    fr_leaf_state_array states;
    fr_uint32_array buckets; // first state, or FR_WHITE_NONE
    uint64_t sweeps;         // motions looked at
} fr_leaf_space;

// FR_ERROR_ARGUMENT for an alpha_deg that does not divide 360, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY.
fr_status fr_leaf_space_make(const fr_leaf_input *input, fr_leaf_space *out, fr_error *error);
void fr_leaf_space_free(fr_leaf_space *space);

// After the world changed: field and graph are made from scratch, and all states forgotten.
fr_status fr_leaf_space_update(fr_leaf_space *space, fr_error *error);

// The number of a state, new ones without flags; FR_WHITE_NONE without memory. Numbers stay until the next update.
uint32_t fr_leaf_space_find(fr_leaf_space *space, uint32_t leaf, uint32_t orientation);
static inline fr_leaf_state *fr_leaf_state_at(const fr_leaf_space *s, uint32_t state) { return s->states.data + state; }

fr_plan_place fr_leaf_space_place(const fr_leaf_space *space, uint32_t leaf, uint32_t orientation);
fr_vec3 fr_leaf_space_turn(const fr_leaf_space *space, uint32_t orientation);

// The orientation that is `steps` farther about an axis.
uint32_t fr_leaf_space_turned(const fr_leaf_space *space, uint32_t orientation, int axis, uint32_t steps);

// Whether a state is free; tried once.
fr_status fr_leaf_space_try(fr_leaf_space *space, uint32_t state, bool *is_free, fr_error *error);

// What orders a state that is free.
double fr_leaf_space_key(const fr_leaf_space *space, uint32_t state);

// Whether the motion along the path line is free, or is not to be looked at: straight from a place through a shared
// face to a leaf's middle; straight and turning between two places.
fr_status fr_leaf_space_cross(fr_leaf_space *space, const fr_plan_place *from, uint32_t leaf, uint32_t to_leaf,
                              bool *is_free, fr_error *error);
fr_status fr_leaf_space_go(fr_leaf_space *space, const fr_plan_place *from, const fr_plan_place *to, bool *is_free,
                           fr_error *error);

// The best other orientation of a state's leaf: free, not visited, E at most the threshold, least E, about one axis; a
// motion there from `from`, turned as the state, must be free, too. FR_WHITE_NONE where there is none.
fr_status fr_leaf_space_best_turn(fr_leaf_space *space, uint32_t state, const fr_plan_place *from, uint32_t *best,
                                  fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
