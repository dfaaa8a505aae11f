// Paths in time: obstacles whose motion is known, the check of a motion against them, and the roadmap over which a
// path in time is searched.
#ifndef FUREAI_PLAN_TIMED_H
#define FUREAI_PLAN_TIMED_H

#include "plan/path.h"
#include "plan/state_table.h"

// An obstacle, alone in a space of its own, where a check puts it along its motion.
typedef struct fr__timed_obstacle {
    const fr_path_obstacle *given;
    fr_space *space;
    fr_object_id id;     // there
    fr_vec3 pivot_local; // goes straight from sample to sample
    double reach;        // from there to its farthest point, metres
    double scale;
} fr__timed_obstacle;

typedef struct fr__timed {
    fr__path_body *body;
    fr__timed_obstacle *obstacles;
    uint32_t obstacle_count;
    uint8_t *is_moving; // by place of the input's space
    uint32_t place_count;
    const fr_query_filter *given; // the caller's filter; may be NULL
    fr_query_filter filter;       // the same without obstacles that move: the body's input has it
    double end;                   // nothing that does not repeat moves after this
    double longest_period;        // 0: nothing repeats
    uint64_t checks;              // of motions against what moves, those that balls decided included
    fr_status status; // not FR_OK: a check could not be made, for want of memory; what it found is no result
    fr_allocator allocator;
} fr__timed;

// Copies the obstacles of an input that was checked, and lets it leave them out of what stands. The body is set by the
// caller. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_STALE_ID, FR_ERROR_MEMORY. Free it in any case.
fr_status fr__timed_make(fr_path_input *input, fr__timed *out, fr_error *error);
void fr__timed_free(fr__timed *timed);

// FR_ERROR_LIMIT where an obstacle repeats its motion so often in a time that a check would not end.
fr_status fr__timed_check_rounds(const fr__timed *timed, double begin, double end, fr_error *error);

// Where an obstacle is at a time; `view` is of its object.
void fr__timed_pose_at(const fr_path_obstacle *obstacle, const fr_object_view *view, double time, fr_pose *out);

// A motion of the body that takes from `begin` to `end`, begin <= end.
typedef struct fr__timed_motion {
    fr_motion motion;
    double begin, end;
} fr__timed_motion;

// What a motion meets first.
typedef struct fr__timed_hit {
    bool is_hit;
    double time; // nothing is met before; the motion's end where nothing is met
    fr_contact contact;
} fr__timed_hit;

// The check against the obstacles that move, and that against what stands too.
fr__timed_hit fr__timed_check_moving(fr__timed *timed, const fr__timed_motion *motion);
fr__timed_hit fr__timed_check(fr__timed *timed, const fr__timed_motion *motion);

// The check of fr_plan_check_timed_path: with the body as it is, and where that touches without a margin,
// from a little inside of it.
fr__timed_hit fr__timed_check_strictly(fr__timed *timed, const fr__timed_motion *motion);

// How long a motion takes at the speeds of an input, seconds; in whole steps of time where the input wants them.
double fr__timed_duration(const fr_path_input *input, const fr_motion *motion);

// The same or the next time at which a state may be.
double fr__timed_snap(const fr_path_input *input, double time);

// ---------------------------------------------------------------------------------------------------------------
// States and times

typedef struct fr__timed_state {
    fr_pose pose;
    double time;
} fr__timed_state;

FR_ARRAY_TYPE(fr__timed_state_array, fr__timed_state);

// Makes a path shorter in place, or arrive earlier, as long as moves are left; every motion stays proven, and the goal
// free for as long as it has to be. Returns whether the caller stopped it.
bool fr__timed_optimize(fr__timed *timed, fr__timed_state_array *states, uint64_t moves);

// ---------------------------------------------------------------------------------------------------------------
// The roadmap

// A time in which the body may stay at a node, and the earliest arrival there that was found.
typedef struct fr__timed_interval {
    double begin, end;
    uint32_t node;
    double arrival;   // infinite: none yet
    double departure; // from the parent
    uint32_t parent;  // interval; FR_NONE: the start
    bool is_closed;
} fr__timed_interval;

FR_ARRAY_TYPE(fr__timed_interval_array, fr__timed_interval);

// Where a node's intervals are, once they are known.
typedef struct fr__timed_node {
    uint32_t first, count;
    bool has_intervals;
} fr__timed_node;

FR_ARRAY_TYPE(fr__timed_node_array, fr__timed_node);

typedef struct fr__timed_roadmap {
    fr__timed *timed;
    fr__path_tree tree; // nodes; a parent is the node before on a path among what stands
    fr__timed_node_array nodes;
    fr__timed_interval_array intervals;
    fr__state_table edges; // by both nodes: whether the motion between them is free of what stands
    fr_uint32_array is_edge_free;
    uint32_t goal_count; // nodes 1 .. goal_count; node 0 is the start
    double begin, end;   // of the time that is searched
    double tick;         // seconds: how finely times of departure are tried
    uint64_t last_move;
    bool has_failed; // no memory
    bool is_stopped;
} fr__timed_roadmap;

fr__timed_roadmap fr__timed_roadmap_make(fr__timed *timed, double begin, double end);
void fr__timed_roadmap_free(fr__timed_roadmap *map);

// Adds a pose that is free of what stands; FR_NONE without memory.
uint32_t fr__timed_roadmap_add(fr__timed_roadmap *map, const fr_pose *pose, uint32_t before);

// The earliest arrival at a goal from node 0 over the roadmap as it is; true where there is one.
bool fr__timed_roadmap_search(fr__timed_roadmap *map, fr__timed_state_array *states);

// ---------------------------------------------------------------------------------------------------------------
// The lattice

typedef struct fr__timed_lattice_input {
    const fr_pose *goals; // free of what stands
    uint32_t goal_count;
    double end;     // of the time that is searched; not read where nothing moves
    uint64_t moves; // motion checks
} fr__timed_lattice_input;

typedef struct fr__timed_lattice_output {
    bool is_found;
    bool is_exhausted; // not found: the lattice has no path
    uint64_t states;   // expanded
    double edge;       // metres between two states of one turn
    double turn;       // radians between two turns of one place
} fr__timed_lattice_output;

// Searches the lattice from the start of the body's input. The body may have no obstacles that move: then the times of
// the states do not count. FR_ERROR_MEMORY.
fr_status fr__timed_lattice_search(fr__timed *timed, const fr__timed_lattice_input *input,
                                   fr__timed_state_array *states, fr__timed_lattice_output *out, fr_error *error);

// Says of a path that was not found which of the three results it is; `lattice` may be NULL.
fr_status fr__path_conclude(const fr__path_body *body, const fr__timed_lattice_output *lattice, fr_path *out,
                            fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The whole

// fr_plan_path in time; `checked` is the given input as fr__path_check_input has it, and is changed. FR_ERROR_MEMORY
// and those of fr__timed_make.
fr_status fr__timed_plan(const fr_path_input *given, fr_path_input *checked, fr_path *out, fr_error *error);

#endif
