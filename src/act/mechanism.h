// The inside of a mechanism.
#ifndef FUREAI_ACT_MECHANISM_PRIVATE_H
#define FUREAI_ACT_MECHANISM_PRIVATE_H

#include "fureai/act_mechanism.h"

// An object that is in states, or that the class of one refers to.
typedef struct fr__mechanism_object {
    fr_object_id object;
    fr_class *c;      // retained; NULL: it is only referred to
    uint32_t state;   // FR_NONE: it is in none, or was not looked at yet
    uint32_t initial; // the state that it began in; FR_NONE: not known yet
    uint64_t since;   // tick in which the state began
    const fr_class_constraint *constraint;
    fr_machine_targets *references; // in the arena of the names
    fr_joint first;                 // that it hung on in the beginning
    bool has_first;
    bool is_held;         // a live person has it
    bool is_let_go;       // and let it go in the tick that is looked at
    bool is_lost;         // whoever had it is gone with another run: it is released in the tick that is looked at
    uint32_t falling;     // ticks until it is let go; 0: it is not about to fall
    uint32_t first_flags; // of the space, in the beginning
    fr_color first_color;
} fr__mechanism_object;

FR_ARRAY_TYPE(fr__mechanism_object_array, fr__mechanism_object);
FR_ARRAY_TYPE(fr__machine_object_array, fr_machine_object);
FR_ARRAY_TYPE(fr__machine_event_array, fr_machine_event);
FR_ARRAY_TYPE(fr__machine_step_array, fr_machine_step);
FR_ARRAY_TYPE(fr__mechanism_emit_array, fr_event);

struct fr_mechanism {
    fr_mechanism_def def;
    fr_world *world;
    fr_allocator allocator;
    fr__mechanism_object_array objects; // by growing index1
    fr_uint32_array slots;              // place in `objects` and 1 by the index of an object; 0: none
    fr__machine_object_array seen;      // the same objects as the job has them
    fr__machine_event_array events;     // of the tick before
    fr__machine_step_array steps;       // that are not carried out yet, from `step_next` on
    size_t step_next;
    uint32_t cut;                   // object that would go on; FR_NONE: none
    fr__mechanism_emit_array emits; // named events of the next tick
    fr_arena *names;                // of the references
    fr_arena *scratch;              // of one evaluation
    uint64_t sequence;              // of the snapshot that was taken last
    uint64_t looked;                // of the one that is looked at
    uint64_t tick;                  // ticks taken
    bool is_changed;                // objects came or went: references are found again
};

// The place of an object among those that it knows; FR_NONE: none.
uint32_t fr__mechanism_find(const fr_mechanism *m, fr_object_id object);

// Brings the references up to date, where objects came or went.
fr_status fr__mechanism_link(fr_mechanism *m, fr_error *error);

// Where everything is now.
fr_status fr__mechanism_see(fr_mechanism *m, fr_error *error);

// Where everything is now, and what the tick before reported.
fr_status fr__mechanism_look(fr_mechanism *m, fr_error *error);

// The input of the job, without an arena.
fr_machines_input fr__mechanism_input(const fr_mechanism *m);

// An object goes into a state, without a transition: its constraint, its looks, its state in the world.
fr_status fr__mechanism_enter(fr_mechanism *m, fr__mechanism_object *o, uint32_t state, fr_error *error);

// An object that hangs as a state wants it goes on so: fr__mechanism_enter leaves its joint then.
fr_status fr__mechanism_adopt(fr_mechanism *m, fr__mechanism_object *o, uint32_t state, fr_error *error);

// A transition is carried out. It may be carried out again after a failure.
fr_status fr__mechanism_take(fr_mechanism *m, fr__mechanism_object *o, const fr_class_transition *t, fr_error *error);

// An object is as it was in the beginning; its state is not known.
fr_status fr__mechanism_restore(fr_mechanism *m, fr__mechanism_object *o, fr_error *error);

// The joint that an object hangs on; NULL: none.
const fr_joint *fr__mechanism_joint(const fr_mechanism *m, fr_object_id child, fr_joint_id *id);

// Those that follow the turn of another in this tick.
fr_status fr__mechanism_drive(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);
bool fr__mechanism_is_idle(void *user); // nothing is driven by another object

// The nearest of those that a reference stands for, by a frame of theirs; FR_NONE: none.
uint32_t fr__mechanism_nearest(const fr_mechanism *m, const fr__mechanism_object *o,
                               const fr_class_reference *reference, const char *frame);

// The scene begins again.
fr_status fr__mechanism_begin(void *user, fr_error *error);

// The world was put back as another run had it.
fr_status fr__mechanism_resume(void *user, fr_error *error);

// Before a tick.
fr_status fr__mechanism_prepare(void *user, fr_error *error);

// Named events of transitions.
fr_status fr__mechanism_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);

#endif
