// How a leg of a walk bends after its foot has left the ground and stretches before it lands: by a smooth curve in
// time.
#ifndef FUREAI_HUMAN_WALK_BEND_H
#define FUREAI_HUMAN_WALK_BEND_H

#include "human/walk_figure.h"

// The parts of a swing in which the leg bends after the foot has left, and stretches before it lands.
#define FR__BEND_LEAVE 0.45
#define FR__BEND_STRETCH 0.28

// The bend of a leg along a smooth curve (cubic Hermite).
typedef struct fr__walk_bend {
    double begin, end; // times; equal: there is none
    double values[2];  // then and then
    double speeds[2];  // at which they change
} fr__walk_bend;

// How much the leg of that side is bent: it grows as the angle of the knee does, and goes on below 0 for an ankle that
// is out of reach.
double fr__walk_bend_of(const fr__walk_body *body, const fr__walk_figure *figure, int side);

// Brings the ankle of a foot in the air onto the curve, along the line from the hip joint. Nothing outside its time.
void fr__walk_bend_apply(const fr__walk_bend *bend, const fr__walk_body *body, int side, double time,
                         fr__walk_figure *figure);

#endif
