// Fureai library: the state machines of objects as one pure job: what happened in a tick and where things are goes in,
// transitions come out. Whoever has objects of classes may run it; room act runs it for the objects of a world.
#ifndef FUREAI_LIBRARY_MACHINE_H
#define FUREAI_LIBRARY_MACHINE_H

#include "library.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_MACHINES_PASSES 8u       // of one evaluation
#define FR_MACHINES_NEAR_LIMIT 1e-6 // radians or metres within which a joint stands at its limit

// The objects that a name of a class stands for, as indices of fr_machines_input.objects, growing.
typedef struct fr_machine_targets {
    const uint32_t *list;
    uint32_t count;
} fr_machine_targets;

// An object that is in states, or that others refer to.
typedef struct fr_machine_object {
    const fr_class_view *c; // NULL: none
    uint32_t state;         // index in the class; FR_NONE: it is in no states
    double seconds;         // that the state has lasted
    fr_pose pose;
    double value;                          // of the joint that it hangs on; FR_UNKNOWN: none
    double low, high;                      // limits of that
    const fr_class_constraint *constraint; // that it is under; NULL: none of its class
    const fr_machine_targets *references;  // one for each of the class's; NULL where the class has none
} fr_machine_object;

typedef enum fr_machine_event_kind {
    FR_MACHINE_NAMED,         // `name` happened to a, and to b where that is one
    FR_MACHINE_CONTACT_BEGIN, // a and b
    FR_MACHINE_CONTACT_END
} fr_machine_event_kind;

typedef struct fr_machine_event {
    fr_machine_event_kind kind;
    const char *name; // of NAMED
    uint32_t a, b;    // indices; FR_NONE: an object that is not among them, or none
} fr_machine_event;

typedef struct fr_machines_input {
    const fr_machine_object *objects;
    uint32_t object_count;
    const fr_machine_event *events;
    uint32_t event_count;
    fr_arena *arena; // of the output and of what the job needs; the caller resets it
    uint32_t cookie; // set by fr_default_machines_input
} fr_machines_input;

FR_API fr_machines_input fr_default_machines_input(void);

// A transition that was taken.
typedef struct fr_machine_step {
    uint32_t object; // index
    uint32_t from;   // index of the state
    uint32_t pass;   // from 0
    const fr_class_transition *transition;
} fr_machine_step;

typedef struct fr_machines_output {
    const fr_machine_step *steps; // in their order
    uint32_t step_count;
    uint32_t cut; // an object that would go on after the last pass: a cycle; FR_NONE: none
} fr_machines_output;

// Takes the transitions of a tick. Passes follow one another until one takes no transition, at most FR_MACHINES_PASSES;
// in each, objects in their order take at most one, the first of their state whose trigger and guard hold. Guards see
// what was taken before. Events count in the first pass alone, states that were come into in the pass after; limits,
// seconds and guards without a trigger in every pass. What no transition of the present state is about changes nothing.
// FR_ERROR_ARGUMENT for a forgotten default, without an arena or for an index that is none, FR_ERROR_MEMORY. O(objects
// and their transitions) where nothing happens. Any thread.
FR_API fr_status fr_machines_evaluate(const fr_machines_input *input, fr_machines_output *out, fr_error *error);

// Whether a guard holds for an object as the input has it; NULL: true.
FR_API bool fr_machines_guard_holds(const fr_machines_input *input, uint32_t object, const fr_class_guard *guard);

// Writes what a guard that does not hold lacks, such as "3 of 4 nut* are not off", terminated and cut to `size` bytes.
// Nothing ("") where it holds.
FR_API void fr_machines_explain(const fr_machines_input *input, uint32_t object, const fr_class_guard *guard,
                                char *text, size_t size);

// Whether a joint goes on where an object comes from one constraint under another: both are joints of one kind about
// one axis, of one parent. Either may be NULL.
FR_API bool fr_class_constraint_goes_on(const fr_class_constraint *from, const fr_class_constraint *to);

// The value of the joint that an object has under a constraint that begins, by the value that it had; FR_UNKNOWN: none.
FR_API double fr_class_constraint_value(const fr_class_constraint *from, const fr_class_constraint *to, double value);

// Where a place of an object is in the world. A frame that its class does not have is its origin.
FR_API fr_pose fr_machine_place(const fr_machine_object *object, const char *frame);

#ifdef __cplusplus
}
#endif

#endif
