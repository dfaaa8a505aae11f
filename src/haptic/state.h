// The state of the force at a pen from tick to tick, which the tick and the held object share.
#ifndef FUREAI_HAPTIC_STATE_PRIVATE_H
#define FUREAI_HAPTIC_STATE_PRIVATE_H

#include "fureai/haptic.h"

// The planes or the hold that were sent, as a tick uses them.
typedef struct fr__haptic_set {
    fr_haptic_plane planes[FR_HAPTIC_PLANES];
    fr_haptic_hold hold;
    bool is_hold;   // instead of planes
    uint32_t count; // of planes, or of those that hold
    fr_vec3 load;   // newtons
    double age;     // seconds since they were sent
} fr__haptic_set;

struct fr_haptic {
    fr_haptic_def def;
    fr_allocator allocator;
    fr__haptic_set now, before; // `before` fades out as `now` takes over
    fr__haptic_set next;        // sent while these two blend
    bool has_next;
    double blended; // 0 .. 1
    bool has_tip;
    fr_vec3 tip;      // of the last tick
    fr_vec3 velocity; // filtered
    fr_vec3 force;    // of the last tick, without the load
    fr_vec3 load;     // of the last tick, as it is wanted
    fr_vec3 whole;    // of the last tick: the force with as much of the load as it may have risen to
    bool has_rotation;
    fr_quat rotation; // of the last tick
    fr_vec3 spin;     // filtered, radians a second
    fr_vec3 torque;   // of the last tick
    double pulse_left;
    fr_vec3 pulse_direction;
    double energy; // joules given to the hand, never below -energy_store; above 0: made from nothing
};

#endif
