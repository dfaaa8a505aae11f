// Fureai act: goals ("cup on table", "valve open", "lid off") and the chain of motions that reaches one (task planning:
// best-first search forward over the states of objects, what is in hands, and where people stand). Library
// libfureai-world.
//
// The search knows no world: it takes objects with their classes and state machines (library_machine.h), people with
// what is in their hands, and a function of the caller that says whether a person comes near enough. Whoever has
// objects of classes may run it.
#ifndef FUREAI_ACT_GOAL_H
#define FUREAI_ACT_GOAL_H

#include "human_reach.h"
#include "library_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_GOAL_MAX_CONDITIONS 64u
#define FR_GOAL_MAX_PEOPLE 64u
#define FR_GOAL_MAX_OBJECTS 65535u
#define FR_GOAL_MAX_NODES 100000u        // of one search, unless the input says otherwise
#define FR_GOAL_WHY_MAX_BYTES 191        // of a reason
#define FR_GOAL_DROPPED (UINT32_MAX - 1) // an object lies where it fell from a hand

// What is to be so of one object; what is not set does not matter.
typedef struct fr_goal_condition {
    uint32_t object;   // index
    const char *state; // the object is in the state of that name; NULL: not set
    uint32_t on;       // it lies on the object of that index and no hand holds it; FR_NONE: not set
    bool is_held;      // a hand holds it; false: not set
} fr_goal_condition;

typedef struct fr_goal_object {
    fr_machine_object machine; // its class, state, joint and place; references count as indices of these objects
    const char *name;          // for messages
    uint32_t on;               // index of what it lies on; FR_NONE: that does not matter
} fr_goal_object;

typedef struct fr_goal_person {
    const char *name; // for messages
    uint32_t held[2]; // index of the object in each hand (FR_RIGHT, FR_LEFT); FR_NONE: none
    uint32_t place;   // where it stands, a number of the caller's
    bool is_out;      // it takes no part: what it holds stays with it
} fr_goal_person;

// A motion that a person may do, as the caller of the search gets it.
typedef struct fr_goal_reach_input {
    uint32_t person, object; // indices
    const fr_class_motion *motion;
    fr_side side;
    uint32_t place; // where the person stands then
    uint32_t on;    // on what the object lies then, or FR_GOAL_DROPPED; FR_NONE: where it was at first
    uint32_t tool;  // index of what the motion brings there in the hand; FR_NONE: nothing
} fr_goal_reach_input;

typedef struct fr_goal_reach {
    uint32_t place;                      // where the person does it: the number of another place where it walks before
    double seconds;                      // of the walk and the motion
    char why[FR_GOAL_WHY_MAX_BYTES + 1]; // a sentence, where the person does not come there; "": the motion is none
                                         // that brings anybody there, which is not worth a word
} fr_goal_reach;

// Whether a person comes to where it can do a motion; the result must depend on the input alone.
typedef bool fr_goal_reach_fn(const fr_goal_reach_input *input, fr_goal_reach *out, void *user);

typedef struct fr_goal_search_input {
    const fr_goal_object *objects; // at most FR_GOAL_MAX_OBJECTS; those that cannot matter cost nothing
    uint32_t object_count;
    const fr_goal_person *people; // at most FR_GOAL_MAX_PEOPLE
    uint32_t person_count;
    const fr_goal_condition *conditions; // all of them hold at the end; at most FR_GOAL_MAX_CONDITIONS
    uint32_t condition_count;
    fr_goal_reach_fn *reach; // NULL, the default: all is within reach, and each motion takes one second
    void *user;              // given to `reach`
    uint32_t max_nodes;      // default FR_GOAL_MAX_NODES
    fr_arena *arena;         // of the output; the caller resets it
    fr_allocator allocator;  // of what the search needs; default: the process default
    uint32_t cookie;         // set by fr_default_goal_search_input
} fr_goal_search_input;

FR_API fr_goal_search_input fr_default_goal_search_input(void);

// A step of a chain: a person does a motion of an object; or, without a motion, time passes until the state of the
// object has lasted long enough for a transition.
typedef struct fr_goal_step {
    const fr_class_motion *motion; // NULL: time passes
    uint32_t person, object;       // indices; of time that passes the person is FR_NONE
    fr_side side;                  // of the hand
    bool has_value;                // the motion has one to be given: the joint goes to `value`
    double value;
    uint32_t place; // of the person then
    double seconds; // that it takes
    uint32_t state; // of the object before; FR_NONE: none
} fr_goal_step;

typedef enum fr_goal_result {
    FR_GOAL_FOUND,      // by `steps`; none where the goal is reached already
    FR_GOAL_IMPOSSIBLE, // all that can be reached was searched: there is no chain
    FR_GOAL_GIVEN_UP    // so many nodes as the input allows were not enough
} fr_goal_result;

typedef struct fr_goal_search_output {
    fr_goal_result result;
    const fr_goal_step *steps; // a chain of the fewest steps there is
    uint32_t step_count;
    const uint32_t *states; // of all objects after each step, object_count for each; FR_NONE: it is in none, or
                            // cannot matter
    uint32_t node_count;    // that were looked at
    const char *why;        // what prevents it, one sentence; "": nothing
} fr_goal_search_output;

// Finds a shortest chain. What a motion brings about follows from its skills: `follow_hand` puts the object into the
// hand and happens as "attached", `release` lets it go, `press` presses, a reach with `tool` brings the tool's frame to
// the frame of the object and turns what it drives, and with `release` leaves the tool there, `slide` sets the joint. A
// motion whose skills are programs, or mean something to one object alone, names its events in the parameter `causes`,
// with commas between. Then transitions are taken as fr_machines_evaluate does, until nothing changes, at most
// FR_MACHINES_PASSES times. What is in a hand is near nothing. FR_ERROR_ARGUMENT for a forgotten default, no arena, an
// index that is none or a state that the object's class does not have, FR_ERROR_LIMIT for too many people, objects or
// conditions, FR_ERROR_MEMORY. Any thread.
FR_API fr_status fr_goal_search(const fr_goal_search_input *input, fr_goal_search_output *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
