// Keeps the feet of a walk apart: how far a foot must go aside so that it does not meet the other one.
#ifndef FUREAI_HUMAN_WALK_CLEAR_H
#define FUREAI_HUMAN_WALK_CLEAR_H

#include "human/walk_figure.h"

// A foot that swings goes aside along a curve that begins and ends with 0.
typedef struct fr__walk_aside {
    fr_vec2 most; // x and z in the middle of the swing, metres
} fr__walk_aside;

// The direction, x and z, in which a foot goes aside from the other one, which has that heading: to its own side.
fr_vec2 fr__walk_aside_direction(int foot, double other_heading);

// How far a foot at `own` must be shifted along a direction, so that it is clear of the one at `other`; 0 where it is.
double fr__walk_clear_shift(const fr__walk_body *body, const fr__walk_print *own, const fr__walk_print *other,
                            fr_vec2 direction);

// How much nearer to one another two feet are than they should be; negative where they are clear.
double fr__walk_clear_lack(const fr__walk_body *body, const fr__walk_print *own, const fr__walk_print *other);

// How much of the greatest shift there is at a part 0 .. 1 of a swing.
double fr__walk_aside_part(double u);

#endif
