// A goal that a person pursues: what its command said, what the search for a chain of motions sees of the world, and
// how far the chain is.
#ifndef FUREAI_ACT_PURSUIT_H
#define FUREAI_ACT_PURSUIT_H

#include "act/director.h"

#include "fureai/act_goal.h"

#define FR__PURSUIT_MAX_DENIALS 64u
#define FR__PURSUIT_MAX_NODES 2000u // of one search, as a tick of a served world waits for it

// A condition of a goal, by the objects of the world.
typedef struct fr__goal_want {
    fr_object_id object, on; // all zeros: not set
    const char *state;       // NULL: not set
    bool is_held;
} fr__goal_want;

FR_ARRAY_TYPE(fr__goal_want_array, fr__goal_want);

// Reads the words of a goal: conditions with "and" or commas between. Texts lie in the arena. FR_ERROR_ARGUMENT with
// a sentence on what is not known, FR_ERROR_LIMIT, FR_ERROR_MEMORY.
fr_status fr__goal_read(const fr_director *d, const char *text, fr_arena *arena, const fr__goal_want **out,
                        uint32_t *count, fr_error *error);

// What the search sees; in its arena.
typedef struct fr__goal_world {
    fr_object_id *ids; // of the objects
    fr_goal_object *objects;
    uint32_t object_count;
    fr_goal_person *people;
    uint32_t person_count;
    uint32_t own; // of the people: who pursues the goal
    fr_goal_condition *conditions;
    uint32_t condition_count;
} fr__goal_world;

// Looks at the world as it is between ticks; its space is current. The others do nothing.
fr_status fr__goal_world_see(fr_director *d, fr__director_person *person, const fr__goal_want *wants, uint32_t count,
                             fr_arena *arena, fr__goal_world *out, fr_error *error);

// Where a person may stand.
typedef struct fr__goal_stand {
    fr_object_id about; // all zeros: the first
    fr_vec3 place;
    double heading;
    double walk;        // metres from where the person is
    int8_t is_reached;  // 1: a path is known, 0: there is none, -1: it was not looked for
    const char *closed; // why there is none
} fr__goal_stand;

FR_ARRAY_TYPE(fr__goal_stand_array, fr__goal_stand);

// What was found out about a motion from a place.
typedef struct fr__goal_check {
    fr_object_id object, tool;
    const fr_class_motion *motion;
    fr_side side;
    uint32_t stand;
    bool is_right;
    const char *why;
} fr__goal_check;

FR_ARRAY_TYPE(fr__goal_check_array, fr__goal_check);

// Where a person does a motion that it comes to from a place, if anywhere.
typedef struct fr__goal_result {
    fr_object_id object, tool;
    const fr_class_motion *motion;
    fr_side side;
    uint32_t from; // stand
    bool is_found;
    fr_goal_reach reach;
} fr__goal_result;

FR_ARRAY_TYPE(fr__goal_result_array, fr__goal_result);

// The palm of a hand in the frame of an object that it took, as it was planned.
typedef struct fr__goal_grip {
    fr_object_id object;
    fr_side side;
    fr_pose palm;
    double heading; // of the body then
} fr__goal_grip;

FR_ARRAY_TYPE(fr__goal_grip_array, fr__goal_grip);

// What failed as it was done.
typedef struct fr__goal_refusal {
    fr_object_id object;
    uint64_t motion; // hash of its name
    fr_vec3 place;   // where the person stood
    double heading;
    char why[FR_COMMAND_END_MAX_BYTES + 1];
} fr__goal_refusal;

typedef struct fr__goal_refusals {
    fr__goal_refusal list[FR__PURSUIT_MAX_DENIALS];
    uint32_t count;
} fr__goal_refusals;

// Whether a person comes near enough for a motion, for one search.
typedef struct fr__goal_reacher {
    fr_director *d;
    fr__director_person *person;
    const fr__goal_world *world;
    const fr__goal_refusals *refusals;
    fr_arena *arena;
    fr__goal_stand_array stands; // the first is where the person is
    fr__goal_check_array checks;
    fr__goal_grip_array grips;
    fr__goal_result_array results;
    fr_performer *scout; // that tries what is no reach; NULL: none was needed yet
    fr_status status;    // FR_ERROR_MEMORY: the search is worth nothing
} fr__goal_reacher;

bool fr__goal_reacher_begin(fr__goal_reacher *r);
void fr__goal_reacher_end(fr__goal_reacher *r);
fr_goal_reach_fn fr__goal_reach; // the context is a reacher

// Whether a skill of a motion takes a hand.
bool fr__goal_takes_side(const fr_class_motion *motion);

// A step of a chain that is done.
typedef struct fr__pursuit_step {
    const char *motion; // NULL: time passes
    fr_object_id object;
    fr_side side;
    bool has_side, has_value;
    double value;
    bool has_walk;
    fr_vec3 place;
    double heading;
    double seconds;
    const uint32_t *states; // of the objects afterwards
} fr__pursuit_step;

// The whole of it; it belongs to a list.
typedef struct fr__pursuit {
    const fr__goal_want *wants;
    uint32_t want_count;
    fr_arena *memory; // of the chain
    fr_object_id *ids;
    uint32_t id_count;
    fr__pursuit_step *steps;
    uint32_t step_count, next;
    bool has_walked;   // of the next step
    bool is_doing;     // a list of a step is among those of the person
    uint64_t until;    // tick until which what follows from the step is waited for; 0: nothing is
    uint32_t searches; // that were made
    fr__goal_refusals refusals;
    fr_status status; // of the list that was done last
    char reason[FR_COMMAND_END_MAX_BYTES + 1];
} fr__pursuit;

#endif
