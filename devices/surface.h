// The surface that a pen feels: the faces of a space near its tip, a wall, or a wall that holds like a magnet.
#ifndef FUREAI_DEVICES_SURFACE_H
#define FUREAI_DEVICES_SURFACE_H

#include "loop.h"

#include "fureai/touch.h"

typedef struct surface {
    const fr_space *space; // whose faces are felt; NULL: the wall is
    fr_haptic_plane wall;
    double distance; // metres before a face at which its force begins
    double magnet;   // metres at which the wall releases what it holds; 0: it does not hold
    bool is_held;
    uint32_t snaps, releases;    // of the magnet
    double release_distance_max; // metres
} surface;

// What a tip at this place touches, for the haptic loop. Errors of fr_touch_pairs.
fr_status surface_contact(surface *s, fr_vec3 tip, haptic_contact *out, fr_error *error);

#endif
