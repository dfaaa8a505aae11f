// Fureai library: what a state of a class holds beside its motions (a state machine, as of statecharts): the constraint
// that the object is under, how it looks, and the transitions to other states: an event, a guard, actions.
#ifndef FUREAI_LIBRARY_STATE_H
#define FUREAI_LIBRARY_STATE_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_CLASS_MAX_TRANSITIONS 64 // of a state
#define FR_CLASS_MAX_GUARDS 64      // in one list
#define FR_CLASS_MAX_ACTIONS 16     // of a transition
#define FR_CLASS_MAX_REFERENCES 256 // names of other objects in a class

// Other objects, by a name in which each `*` stands for any text: "nut*".
typedef struct fr_class_reference {
    const char *pattern; // NULL: the object itself
    uint32_t index;      // of fr_class_view.references; FR_NONE: the object itself
} fr_class_reference;

// A place of an object: its origin, or a frame of its class.
typedef struct fr_class_place {
    fr_class_reference object;
    const char *frame; // NULL: the origin
} fr_class_place;

typedef enum fr_class_constraint_kind {
    FR_CONSTRAINT_NONE,     // the state leaves what the object hangs on as it is
    FR_CONSTRAINT_FREE,     // it hangs on nothing
    FR_CONSTRAINT_FALLING,  // likewise, and it falls as the state begins
    FR_CONSTRAINT_FIXED,    // it stays where it is in the parent, or in the world
    FR_CONSTRAINT_ATTACHED, // it is carried by the parent, from where it is
    FR_CONSTRAINT_JOINT     // a hinge, slider or screw: `joint`
} fr_class_constraint_kind;

typedef struct fr_class_constraint {
    fr_class_constraint_kind kind;
    fr_class_reference parent; // the nearest of those; pattern NULL: the world
    fr_scene_joint joint;      // of JOINT, in the object's own axes; its value is the one where the object is as the
                               // state begins, unless it hung on an equal joint before, whose value goes on
    bool is_driven;            // a hinge or screw: its value goes with the turn of `driver` about its axis
    fr_class_place driver;     // the nearest of those
} fr_class_constraint;

// How the object looks in a state.
typedef struct fr_class_looks {
    bool has_color;
    fr_color color;
    bool is_hidden; // it is touched and not shown
} fr_class_looks;

typedef enum fr_class_trigger_kind {
    FR_TRIGGER_ALWAYS,        // the guard alone
    FR_TRIGGER_EVENT,         // a named event of the object, or of `object`: of skills and of programs; "grasp" and
                              // "release" also by the hand of a live person
    FR_TRIGGER_CONTACT_BEGIN, // it begins to touch `object`, or one of the class `name`
    FR_TRIGGER_CONTACT_END,   //
    FR_TRIGGER_LIMIT_MIN,     // its joint stands at a limit
    FR_TRIGGER_LIMIT_MAX,     //
    FR_TRIGGER_SECONDS,       // the state has lasted so long
    FR_TRIGGER_STATE          // one of `object` has come into the state `name`
} fr_class_trigger_kind;

typedef struct fr_class_trigger {
    fr_class_trigger_kind kind;
    const char *name;          // of an event, a state or, with contacts, a class; NULL: none is given
    fr_class_reference object; // of an event, a contact or a state; of a contact itself: any
    double seconds;
} fr_class_trigger;

typedef enum fr_class_guard_kind {
    FR_GUARD_ALL,   // of `list`; of none: true
    FR_GUARD_ANY,   // of `list`; of none: false
    FR_GUARD_NOT,   // list[0]
    FR_GUARD_DIST,  // metres between two places
    FR_GUARD_ANGLE, // degrees between the z axes of two places
    FR_GUARD_VALUE, // of the joint of `a.object`
    FR_GUARD_STATE  // objects of `a.object` are in the state `name`
} fr_class_guard_kind;

typedef enum fr_class_comparison { FR_IS_BELOW, FR_IS_AT_MOST, FR_IS_ABOVE, FR_IS_AT_LEAST } fr_class_comparison;

// Where a name stands for several objects, DIST, ANGLE and VALUE hold if one of them does so; where it stands for none,
// or the joint is missing, they do not. STATE holds if all are in the state (also where `*` stands for none), or at
// least `at_least` of them.
typedef struct fr_class_guard {
    fr_class_guard_kind kind;
    fr_class_comparison comparison;    // of DIST, ANGLE and VALUE
    const struct fr_class_guard *list; // of ALL, ANY and NOT
    uint32_t count;
    uint32_t at_least;   // of STATE; 0: all
    fr_class_place a, b; //
    double than;         // metres, degrees of ANGLE, and of VALUE as the next line says
    bool is_deg;         // of VALUE: degrees; else radians of a hinge or screw, metres of a slider
    bool has_within;     // of DIST: the z axes of the same two places are within `within_deg`, too
    double within_deg;
    const char *name; // of a state
    int line, column; // where the file has it
} fr_class_guard;

typedef enum fr_class_action_kind {
    FR_ACTION_SET,    // the joint goes to a value within its limits
    FR_ACTION_EMIT,   // a named event of the object, in the next tick
    FR_ACTION_ATTACH, // it is carried by the nearest of `object` from now on
    FR_ACTION_DETACH  // it hangs on nothing
} fr_class_action_kind;

typedef struct fr_class_action {
    fr_class_action_kind kind;
    fr_class_reference object; // of ATTACH
    const char *name;          // of EMIT
    double value;              // of SET, and of the event
    bool is_deg;               // of SET: degrees; else radians or metres
} fr_class_action;

typedef struct fr_class_transition {
    fr_class_trigger trigger;
    const fr_class_guard *guard; // NULL: none
    uint32_t to;                 // index of a state
    const fr_class_action *actions;
    uint32_t action_count;
    int line, column; // where the file has it
} fr_class_transition;

// Whether a name is one of those that a pattern stands for.
FR_API bool fr_class_pattern_matches(const char *pattern, const char *name);

#ifdef __cplusplus
}
#endif

#endif
