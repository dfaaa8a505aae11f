// A pen on four strings that does not exist, and the hand that holds it: pulleys that count in steps, motors with
// limits, a mass on the spring of a grip that wishes to be somewhere. It lets go by itself when no command comes, and
// may slip, fall silent or be let go on request.
#ifndef FUREAI_DEVICES_SIMULATED_H
#define FUREAI_DEVICES_SIMULATED_H

#include "fureai/haptic.h"

// Where the hand wishes to be at a time (seconds since the device was made), in the device's frame.
typedef fr_vec3 simulated_wish_fn(double time, void *user);

typedef struct simulated_def {
    fr_strings strings;      // default fr_default_strings
    double quantum;          // metres a count, > 0; default 1e-4
    double mass;             // kilograms of pen and hand, > 0; default 0.2
    double grip;             // N/m of the spring between the hand and its wish, >= 0; default 150
    double damping;          // N s/m of the hand, >= 0; default 3
    double wish_seconds;     // how slowly a wish is followed, > 0; default 0.05
    double motor_seconds;    // how slowly tensions follow commands, > 0; default 3e-4
    double watchdog;         // seconds without a command, > 0, after which the motors let go; default 0.02
    fr_vec3 start;           // of the tip, which is its dock; default 0, home of the default strings
    simulated_wish_fn *wish; // default NULL: stays at the start
    void *wish_user;         // given to `wish`
    double slip_time;        // when string 0 slips, seconds; default: never
    double slip;             // metres by which it does
    double loss_time;        // when the device falls silent; default: never
    double loss_seconds;     // for how long
    bool is_real_time;       // goes on by the clock when it is read; else by simulated_advance
} simulated_def;

simulated_def simulated_default_def(void);

// Aims about a place, a new one every so often, the same for the same seed. For simulated_def.wish.
typedef struct simulated_wander {
    fr_vec3 centre;
    fr_vec3 reach;  // to both sides along each axis, metres
    double seconds; // that each aim stands, > 0
    uint64_t seed;
} simulated_wander;

simulated_wish_fn simulated_wander_wish; // `user`: a simulated_wander

typedef struct simulated {
    simulated_def def;
    double time;           // seconds since it was made
    uint64_t clock_ns;     // of the last advance by the clock
    fr_vec3 tip, velocity; // truly, in the device's frame
    fr_vec3 wish;          // as the hand follows it
    double wanted[FR_STRING_COUNT], tensions[FR_STRING_COUNT];
    double commanded;               // when the last command came
    double docked[FR_STRING_COUNT]; // lengths where the counters are 0
    double work;                    // joules that the strings gave to the hand in all
    double force_most;              // newtons
    bool is_held;                   // the dead-man's button; set it at will
    uint64_t refused;               // commands with a tension beyond the limits or no number
} simulated;

// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE for a definition that makes no device.
fr_status simulated_make(const simulated_def *def, simulated *out, fr_error *error);

// Goes on by `seconds`.
void simulated_advance(simulated *s, double seconds);

// The device as a loop sees it; `s` must stay where it is.
fr_haptic_device simulated_device(simulated *s);

// What the strings pull by together now.
fr_vec3 simulated_force(const simulated *s);

#endif
