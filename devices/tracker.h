// A magnetic sensor that does not exist: it delivers poses now and then, late, with noise that grows towards the
// screens of the room, and at times not at all. The same seed gives the same samples.
#ifndef FUREAI_DEVICES_TRACKER_H
#define FUREAI_DEVICES_TRACKER_H

#include "fureai/haptic.h"

typedef struct tracker_def {
    fr_vec3 centre;           // of the room, where the field is best; default 0
    double half;              // metres from there to a screen, > 0; default 1.5
    double noise_centre;      // metres: standard deviation along each axis at the centre; default 5e-4
    double noise_screen;      // the same at a screen; default 5e-3
    double turn_centre;       // radians: of the turn about each axis at the centre; default 0.02 degrees
    double turn_screen;       // the same at a screen; default 0.2 degrees
    double rate;              // hertz, > 0; default 120
    double delay;             // seconds from a sample's time to when it comes, 0 .. 0.1; default 0.004
    double dropouts;          // a second, on average; default 0
    double dropout_seconds;   // of each; default 0.05
    double wild_share;        // of samples that are half a metre off, 0 .. 1; default 0
    const fr_track_map *warp; // what the field is wrong by: taken off each position; NULL, the default: nothing
    uint64_t seed;
} tracker_def;

tracker_def tracker_default_def(void);

// The noise at a place: it grows with the square of the distance from the centre to the nearest screen, and no further.
double tracker_noise(const tracker_def *def, fr_vec3 position);

// Normal, of deviation 1, within 6 of 0: the sum of twelve numbers, so that it is the same everywhere.
double tracker_normal(fr_random *random);

#define TRACKER_WAITING 16

typedef struct tracker {
    tracker_def def;
    fr_random random;
    double last;      // tick
    double next;      // when the next sample is taken
    double silent;    // no samples before this time
    bool has_begun;   //
    uint32_t waiting; // samples in transit, the oldest first
    double times[TRACKER_WAITING];
    fr_pose poses[TRACKER_WAITING];
    uint64_t delivered, dropped; // samples that came and that did not
} tracker;

tracker tracker_make(const tracker_def *def);

// Goes on to `now`, when the sensor truly is at `truth`; fills `now` and the sample of a tick of fr_track. Where
// several samples have come the newest is delivered.
void tracker_tick(tracker *t, double now, const fr_pose *truth, fr_track_input *out);

// Nothing more is heard before `until`.
void tracker_silence(tracker *t, double until);

#endif
