// A path query among faces: the body and its motion check, trees of states, the guide of the sampling, the search.
#ifndef FUREAI_PLAN_PATH_H
#define FUREAI_PLAN_PATH_H

#include "collide/move.h"
#include "fureai/plan.h"

#define FR__PATH_CONTACTS 16
#define FR__PATH_NEAR 256
#define FR__PATH_MAX_GOALS 16

FR_ARRAY_TYPE(fr__pose_array, fr_pose);

// What the check of one motion works in.
typedef struct fr__path_scratch {
    fr__move_memory memory;
    fr_contact contacts[FR__PATH_CONTACTS];
    fr_contact near[FR__PATH_NEAR]; // of fr__path_check_pose
    fr_part_def *inset;             // the parts, each a little inside of the input's; NULL until they are needed
    fr_status status;               // why a check could not be made
} fr__path_scratch;

// The body, and how its motions are checked.
typedef struct fr__path_body {
    const fr_path_input *input;
    fr__path_scratch *scratch; // of the input's allocator
    double reach;              // from the pivot to the farthest point, metres, at the start's scale
    double size;               // of the world: the diagonal of the bounds, and the body
    double arm;                // metres a radian: how much a turn counts beside a travel
    double margin;             // while searching: a little more than the input's
    double tolerance;          // of the judge
    bool is_inset;             // what is checked lies inside of the body by as much as it may go into obstacles
    uint32_t depth;            // of the guide's cells
    uint64_t seed;             // of the next search
    uint64_t moves;            // motion checks so far
} fr__path_body;

// Measures the body; FR_ERROR_NOT_FINITE and so on as fr_plan_path. Close it where that was FR_OK.
fr_status fr__path_body_make(const fr_path_input *input, fr__path_body *out, fr_error *error);

// Returns `status`, or where that is FR_OK why a check could not be made: FR_ERROR_MEMORY.
fr_status fr__path_body_close(fr__path_body *body, fr_status status, fr_error *error);

// From now on the body's faces lie as deep inside of it as it may go into obstacles: for one that rests on something.
// Without memory every check meets something, and closing the body says so.
void fr__path_set_inset(fr__path_body *body);

// From now on the margin is just the input's, as fr_plan_check_path needs.
void fr__path_judge_strictly(fr__path_body *body);

// The motion check. `contacts`, with room for FR__PATH_CONTACTS, may be NULL. The space was found current before.
fr_move_output fr__path_check_motion(fr__path_body *body, const fr_motion *motion, fr_contact *contacts);

// The same against a space that may not be the input's, whose objects may move meanwhile.
typedef struct fr__path_others {
    const fr_space *space;
    const fr_query_filter *filter;
    bool may_move;
} fr__path_others;

fr_move_output fr__path_check_against(fr__path_body *body, const fr__path_others *others, const fr_motion *motion,
                                      fr_contact *contacts);

// The same for the body at rest; what it meets is in body->scratch->near.
fr_move_output fr__path_check_pose(fr__path_body *body, const fr_pose *pose);

// Faces that stop a body.
typedef struct fr__path_faces {
    const fr_contact *contacts;
    uint32_t count;
    double lift;     // metres by which the body leaves each of them
    double distance; // a face that is nearer is left by what is missing, too
    int rounds;      // over all faces, at most
} fr__path_faces;

// Takes out of a motion what presses on faces, and lifts it off them a little: a point x of the body goes with
// v + w x (x - pivot), and a radian weighs as much as the arm.
void fr__path_slide_along(const fr__path_body *body, const fr__path_faces *faces, fr_vec3 pivot, fr_motion *motion);

// The motion of a path from one state to the next.
fr_motion fr__path_motion(const fr__path_body *body, const fr_pose *from, const fr_pose *to);

// How much a motion moves: the travel, and the turn by the arm.
double fr__path_size(const fr__path_body *body, const fr_motion *motion);

// The part of a vector along the normal of the plane that a body of two dimensions stays in.
static inline double *fr__path_height(const fr_path_input *input, fr_vec3 *v) {
    return input->plane == FR_PATH_PLANE_XZ ? &v->y : &v->z;
}

// Where the pivot is.
fr_vec3 fr__path_pivot(const fr__path_body *body, const fr_pose *pose);

bool fr__path_is_inside(const fr__path_body *body, const fr_pose *pose);

// Reports to the input's function, where it has one, that the search goes on from a state.
void fr__path_report(const fr__path_body *body, const fr_pose *from, const fr_pose *to, bool is_goal);

// Any turn, all equally likely; in the plane about its normal.
fr_quat fr__path_random_turn(const fr__path_body *body, fr_random *random);

// The pose whose pivot is at a point.
fr_pose fr__path_pose_at(const fr__path_body *body, fr_vec3 pivot, fr_quat rotation);

// ---------------------------------------------------------------------------------------------------------------
// Trees of poses

typedef struct fr__path_node {
    fr_pose pose;
    uint32_t parent; // FR_NONE: a root
    float reach;     // farther goals are not worth a try from here; infinite at first
} fr__path_node;

FR_ARRAY_TYPE(fr__path_node_array, fr__path_node);

// The distance key of a node, in floats about the bounds, which is enough to choose one.
typedef struct fr__path_place {
    float x, y, z;        // of the pivot
    float qw, qx, qy, qz; // rotation
    float unused;
} fr__path_place;

FR_ARRAY_TYPE(fr__path_place_array, fr__path_place);

typedef struct fr__path_tree {
    fr__path_node_array nodes;
    fr__path_place_array places; // of the same numbers: what a search for the nearest reads
    bool is_goal;
    double arm;
    fr_vec3 origin; // of the places: far from the world's own a float would not distinguish them
} fr__path_tree;

void fr__path_tree_make(fr__path_tree *tree, bool is_goal, double arm, fr_vec3 origin, const fr_allocator *allocator);
void fr__path_tree_free(fr__path_tree *tree);
uint32_t fr__path_tree_count(const fr__path_tree *tree);
fr__path_node *fr__path_tree_at(const fr__path_tree *tree, uint32_t i);

// FR_NONE without memory.
uint32_t fr__path_tree_add(fr__path_tree *tree, const fr_pose *pose, fr_vec3 pivot, uint32_t parent);

// The nearest node; `distance` may be NULL. The tree is not empty.
uint32_t fr__path_tree_nearest(const fr__path_tree *tree, fr_vec3 pivot, fr_quat rotation, double *distance);

// The nearest `capacity` nodes, those of distance 0 left out, the nearest first; returns how many.
uint32_t fr__path_tree_near(const fr__path_tree *tree, fr_vec3 pivot, fr_quat rotation, uint32_t capacity,
                            uint32_t *out);

// The node whose pivot is nearest.
uint32_t fr__path_tree_near_point(const fr__path_tree *tree, fr_vec3 pivot);

// ---------------------------------------------------------------------------------------------------------------
// The guide: a field of cells over the bounds

// A cell of the guide; all but the cost is of the search for a lead.
typedef struct fr__path_cell {
    float cost;      // of going through it
    float distance;  // from the goal's cell
    uint32_t parent; // the next cell on the line to the goal's; FR_NONE: it is that one
    uint32_t place;  // in the heap
} fr__path_cell;

typedef struct fr__path_open_cell {
    float distance; // of the cell, beside its number: a heap compares it often
    uint32_t cell;
} fr__path_open_cell;

typedef struct fr__path_guide {
    uint32_t size, count[3]; // cells an axis of the field, and of the bounds
    double edge;             // of a cell
    fr_vec3 min;
    uint32_t cell_count;
    fr__path_cell *cells;
    fr__path_open_cell *heap;
    uint8_t *visited; // bit 0 by the start's tree, bit 1 by the goal's
    uint32_t *lead;   // cells from the start's to the goal's
    uint32_t lead_count;
    uint32_t leads; // found so far
    fr_allocator allocator;
} fr__path_guide;

fr_status fr__path_guide_make(const fr__path_body *body, fr__path_guide *out, fr_error *error);
void fr__path_guide_free(fr__path_guide *guide);
uint32_t fr__path_guide_cell(const fr__path_guide *guide, fr_vec3 point);
void fr__path_guide_lead(fr__path_guide *guide, fr_vec3 start, fr_vec3 goal);

// A point along the lead that is worth growing a tree to; false, now and then, where any point will do.
bool fr__path_guide_point(fr__path_guide *guide, const fr__path_tree *tree, fr_random *random, fr_vec3 *out);

// ---------------------------------------------------------------------------------------------------------------
// Ends

// The input as it is used, checked.
fr_status fr__path_check_input(const fr_path_input *given, fr_path_input *out, fr_error *error);

// Whether start and goal are inside the bounds; FR_ERROR_ARGUMENT.
fr_status fr__path_check_ends(const fr__path_body *body, fr_error *error);

// Whether start and goal are free; one that rests on something is checked by its inset from then on.
// False: `out` says what is met.
bool fr__path_find_ends(fr__path_body *body, fr_pose goals[FR__PATH_MAX_GOALS], uint32_t *goal_count, fr_path *out);

// Takes the states as the result, and measures it. FR_ERROR_MEMORY.
fr_status fr__path_give_states(const fr__path_body *body, const fr__pose_array *poses, fr_path *out, fr_error *error);

void fr__path_measure(const fr__path_body *body, const fr_pose *states, size_t count, double *length, double *turning,
                      uint32_t *turns);

// Whether it is proven that there is no path from the start to the goal. False says nothing. FR_ERROR_MEMORY.
fr_status fr__path_prove_impossible(const fr__path_body *body, bool *is_proven, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Search

typedef struct fr__path_search_output {
    bool is_found, is_stopped;
    uint32_t nodes, leads;
    double field_ms;
} fr__path_search_output;

// Grows from a start and goals until they meet or the moves are spent; writes the poses between. FR_ERROR_MEMORY.
fr_status fr__path_search(fr__path_body *body, const fr_pose *start, const fr_pose *goals, uint32_t goal_count,
                          uint64_t max_moves, fr__pose_array *poses, fr__path_search_output *outcome, fr_error *error);

// Makes a path shorter, or turn less, in place, as long as moves are left; every motion stays proven. Returns whether
// the caller stopped it.
bool fr__path_optimize(fr__path_body *body, fr__pose_array *poses, fr_path_objective objective, uint64_t moves);

typedef struct fr__path_clear_outcome {
    double clearance; // that is kept, not less than the body's margin
    bool is_stopped;  // by the caller
} fr__path_clear_outcome;

// Replaces a path by one with a larger clearance, as long as moves are left: by pushing it off what is near, and by
// searching others, to any of the goals (up to FR__PATH_MAX_GOALS). FR_ERROR_MEMORY.
fr_status fr__path_clear(fr__path_body *body, const fr_pose *goals, uint32_t goal_count, fr__pose_array *poses,
                         uint64_t moves, fr__path_clear_outcome *out, fr_error *error);

// The largest clearance that is proven on a path, to about a thirtieth; 0 where none is. `max_clearance` bounds
// it.
double fr__path_clearance(fr__path_body *body, const fr_pose *poses, size_t count, double max_clearance);

// The same by a check of the caller: whether the path is free with the body's margin.
typedef bool fr__path_is_free_fn(void *context);
double fr__path_clearance_by(fr__path_body *body, double max_clearance, fr__path_is_free_fn *is_free, void *context);

// Whether every motion of a path is free for the body as it is now set; the first that is not, and what it meets.
bool fr__path_is_free(fr__path_body *body, const fr_pose *poses, size_t count, size_t *motion, fr_move_output *move);

#endif
