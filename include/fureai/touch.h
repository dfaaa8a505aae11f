// Fureai touch: what happens where bodies meet and hands let go.
//
// Rebound and fall: the velocities of bodies after contacts of any sense (collide's, radar's), and the way of a body
// that was set loose, down to the next face below it. Not a physics engine: no stacks, no joints.
#ifndef FUREAI_TOUCH_H
#define FUREAI_TOUCH_H

#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Rebound

// A body as a collision sees it: SI units, world axes.
typedef struct fr_rebound_body {
    fr_object_id object;     // whose it is
    fr_vec3 center;          // of mass
    fr_vec3 velocity;        // of the centre, metres a second
    fr_vec3 spin;            // radians a second
    double inverse_mass;     // 1 / kg; 0: it does not give way, and its velocity stays
    fr_mat3 inverse_inertia; // about the centre; all zeros: it does not turn by impulses
    double restitution;      // 0 .. 1; of two bodies the smaller counts
    double friction;         // Coulomb's, >= 0; of two bodies the geometric mean
} fr_rebound_body;

// The body of an object of a density (kg a cubic metre, > 0) where it stands now, at rest, without restitution and
// friction: its parts are solids together. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for a density that is none,
// FR_ERROR_UNSUPPORTED for parts that enclose no volume.
FR_API fr_status fr_rebound_body_of(const fr_space *space, fr_object_id id, double density, fr_rebound_body *out,
                                    fr_error *error);

#define FR_REBOUND_ROUNDS 8

typedef struct fr_rebound_input {
    fr_rebound_body *bodies; // sorted by object.index1; velocity and spin are changed
    uint32_t body_count;
    const fr_contact *contacts; // point, normal, time and objects are read; who is no body does not give way
    uint32_t contact_count;
    double slow;     // metres a second: what comes nearer more slowly does not spring back; default 1e-3
    uint32_t cookie; // set by fr_default_rebound_input
} fr_rebound_input;

FR_API fr_rebound_input fr_default_rebound_input(void);

typedef struct fr_rebound_output {
    uint32_t rounds;    // 0 .. FR_REBOUND_ROUNDS
    bool is_done;       // no contact comes nearer any more, but for rounding
    double impulse;     // of all contacts along their normals, newton seconds
    double energy_lost; // joules
} fr_rebound_output;

// The velocities after the contacts: the earliest first, those within a thousandth of a step together; a round goes
// over all of them, until none comes nearer or FR_REBOUND_ROUNDS are done. Contacts without a normal are passed over.
// What one body gains in momentum the other loses; at restitution 1 without friction a single contact keeps the energy.
// Allocates nothing; any thread. FR_ERROR_NOT_FINITE, and then nothing is changed. O(contacts log bodies) a round.
FR_API fr_status fr_touch_rebound(const fr_rebound_input *input, fr_rebound_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Fall

typedef struct fr_fall_input {
    const fr_space *space;         // current; the others stand
    const fr_part_def *parts;      // of the body
    uint32_t part_count;           //
    fr_pose pose;                  // where it is
    fr_rebound_body body;          // its centre belongs to the pose
    fr_vec3 gravity;               // default 0, -9.81, 0
    double step;                   // seconds, > 0; default 0.01
    double skin;                   // metres it stays away from everything, > 0; default 1e-4
    double friction;               // of what stands; default 0.5
    double restitution;            // of what stands; default 0
    const fr_query_filter *filter; // who stands in the way; ignore the body itself there
    uint32_t cookie;               // set by fr_default_fall_input
} fr_fall_input;

FR_API fr_fall_input fr_default_fall_input(void);

typedef struct fr_fall_output {
    fr_pose pose;         // at the end of the step
    fr_rebound_body body; // with its velocity and spin there
    uint32_t contacts;    // met in the step
    bool is_resting;      // something carries it, and it does not move any more
} fr_fall_output;

// One step of a body that was set loose among bodies that stand: gravity, contacts, rebound, at most FR_REBOUND_ROUNDS
// times. It never goes into anything: every piece of its way was asked over its whole course. What is met in the last
// round ends its step there. Const on the space, any thread, allocates nothing. Errors as of fr_collide_move.
FR_API fr_status fr_touch_fall(const fr_fall_input *input, fr_fall_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
