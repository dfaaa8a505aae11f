// The demonstration of Ichiguchi's thesis (section 5.4) as two films: as the source makes it, and by our performer.
//
// A person opens a door, walks to a TV set, presses its switch, takes a cup in passing, turns a tap, drinks while
// walking and sits down. The layout is our own: the drawing of the source is lost.
#ifndef FUREAI_EXPERIMENTS_DEMONSTRATION_H
#define FUREAI_EXPERIMENTS_DEMONSTRATION_H

#include "fureai/human_skill.h"

#define DEMONSTRATION_ROWS 21 // motions and transitions, as table 5.9 lists them
#define DEMONSTRATION_RATE 60.0

extern const char *const demonstration_names[DEMONSTRATION_ROWS];

// What the source prints: the mean of five people, 1 unnatural .. 4 natural.
extern const double demonstration_ratings[DEMONSTRATION_ROWS];

// Postures of a body of 43 links in order.
typedef struct demonstration_film {
    uint32_t count, capacity;
    fr_vec3 *places;
    fr_quat *turns; // FR_LINK_COUNT a frame
    uint8_t *contacts;
    uint8_t
        *rows; // two a frame: the motion and the transition of the table that it belongs to; DEMONSTRATION_ROWS: none
} demonstration_film;

// Makes a film; `is_literal`: as the source does, by slerp with t = k / N, each motion from an upright posture, frames
// fused by the plain mean. It is to be freed also where it failed.
fr_status demonstration_play(bool is_literal, demonstration_film *film, fr_error *error);
void demonstration_free(demonstration_film *film);

// Proxies of how natural the frames of a row look.
typedef struct demonstration_figures {
    double speed_jump; // largest change of a joint's velocity from frame to frame, radians a second
    double foot_slide; // largest distance that a sole point moves on the ground while it stands, millimetres
    double pause;      // seconds in which the body stands still and upright
    double curvature;  // turning of the path of the faster wrist, radians a metre of it
} demonstration_figures;

fr_status demonstration_measure(const demonstration_film *film, demonstration_figures figures[DEMONSTRATION_ROWS],
                                fr_error *error);

#endif
