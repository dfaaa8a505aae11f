// How a body moves among others: go, stop, back off, deflect, step off. The loop is shared; what a body checks, and how
// it is deflected, are functions of the room that moves it.
#ifndef FUREAI_COLLIDE_MOVER_H
#define FUREAI_COLLIDE_MOVER_H

#include "fureai/collide.h"

// How a body stops before what it meets.
typedef struct fr__stop_rule {
    double length;    // metres: how far the motion carries the body, as the room measures it
    double back_off;  // metres that are left before the contact
    double min_share; // of the free part: at least so much is gone, 0 .. 1
} fr__stop_rule;

// The part of a checked motion that a body goes, 0 .. 1: all of it where nothing is hit.
double fr__stop_part(const fr_move_output *move, const fr__stop_rule *rule);

// One motion of a body, from where the one before ended.
typedef struct fr__leg {
    fr_motion motion;    // set by deflect
    fr_pose end;         // set by deflect: the pose after the whole motion
    fr_move_output move; // set by check: what the motion meets
    fr__stop_rule rule;  // set by check
    double part;         // of the motion that was gone, 0 .. 1
    fr_pose pose;        // where the body stands after it
    uint32_t number;     // legs before this one
    bool is_last;        // set by any function: no further leg
} fr__leg;

typedef fr_status fr__leg_fn(fr__leg *leg, void *context, fr_error *error);

typedef struct fr__mover_def {
    fr__leg_fn *deflect; // makes the next motion; with `is_last` there is none
    fr__leg_fn *check;   // finds what the motion meets
    fr__leg_fn *arrive;  // takes over where the body stands now
    void *context;       // of the three
    uint32_t max_legs;
} fr__mover_def;

// Moves a body leg by leg until a function ends it or `max_legs` were gone.
fr_status fr__mover_run(const fr__mover_def *mover, fr_error *error);

// What a body touches where it stands: up to three normals that differ, from the body to what it touches, and how deep
// it is in each. Returns their number.
typedef uint32_t fr__touched_fn(fr_vec3 normals[3], double depths[3], void *context);

// Whether a body is free at a pose; where it is not, what it touches there is written for fr__touched_fn.
typedef fr_status fr__is_free_fn(const fr_pose *pose, bool *is_free, void *context, fr_error *error);

// What a body touches on a motion, without a margin; the contacts live until the next call.
typedef fr_status fr__meet_fn(const fr_motion *motion, fr_move_output *move, const fr_contact **contacts, void *context,
                              fr_error *error);

typedef struct fr__step_off {
    fr__touched_fn *touched;
    fr__is_free_fn *is_free;
    fr__meet_fn *meet;
    void *context;    // of the three
    double gap;       // metres from what was touched
    double margin;    // of what counts as touched: depths beyond it are those of what the body is in
    double tolerance; // of what is met
    uint32_t rounds;
} fr__step_off;

// Moves a pose straight away from what the body touches there. On this step nothing is touched but what is touched at
// its beginning, as far as the body is in it. Where no such step helps the pose stays and `is_free` is
// false.
fr_status fr__mover_step_off(const fr__step_off *step, fr_pose *pose, bool *is_free, fr_error *error);

#endif
