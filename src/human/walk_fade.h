// What a walk's figure lacks from where the body was when the walk changed: it fades, beginning at the body's posture
// and velocity (inertialization).
#ifndef FUREAI_HUMAN_WALK_FADE_H
#define FUREAI_HUMAN_WALK_FADE_H

#include "human/walk_figure.h"

// A number that fades: its value and its change a frame when it began.
typedef struct fr__walk_lack {
    double value, speed;
} fr__walk_lack;

// What of it is left after `u` of `frames`: it ends with no speed and no acceleration.
double fr__walk_lack_left(const fr__walk_lack *lack, double u, double frames);

typedef struct fr__walk_leg_fade {
    fr__walk_lack pitch, knee, lift; // lift: how high the sole is over where it stands
} fr__walk_leg_fade;

typedef struct fr__walk_fade {
    double begin;                                                   // frame of the plan
    double frames;                                                  // that it takes; 0: there is none
    double leg_frames;                                              // that the feet take
    double arm_frames;                                              // that the arms take
    fr_vec3 turns[FR__FIGURE_TURNS], turn_speeds[FR__FIGURE_TURNS]; // rotation vectors
    fr_vec3 middle, middle_speed;
    fr__walk_leg_fade legs[2];
} fr__walk_fade;

// Two figures of a motion, the second one at the frame where the fade begins, and which feet stand then.
typedef struct fr__walk_pair {
    fr__walk_figure first, second;
    double step; // frames of the plan between them
    uint8_t contacts[2];
} fr__walk_pair;

// Sets how a body that moves as `is` goes over into a plan that moves as `plan`, at the frame `begin` of the plan.
void fr__walk_fade_set(fr__walk_fade *fade, const fr__walk_body *body, const fr__walk_pair *is,
                       const fr__walk_pair *plan, double begin);

// How far the farthest link of the arms is from the plan's, radians.
double fr__walk_fade_arms(const fr__walk_fade *fade);

// Adds what is left at a frame of the plan. Feet that stand keep their prints.
void fr__walk_fade_apply(const fr__walk_fade *fade, const fr__walk_body *body, double time, fr__walk_figure *figure,
                         uint8_t contacts[2]);

#endif
