// How fast a walk goes through its plan: frames of the plan a step of the walk.
#ifndef FUREAI_HUMAN_WALK_PACE_H
#define FUREAI_HUMAN_WALK_PACE_H

#include "fureai/base.h"

typedef struct fr__walk_pace {
    double rate;   // frames of the plan a step
    double steady; // how many times as fast it is where the walk is steady
    double lack;   // what the first step has more than that; it fades
    double fade;   // steps within which it does
} fr__walk_pace;

// A pace that goes through `length` frames of the plan in `count` steps, 1 or more, the first of them `first` frames;
// 0: no other than the rest. A walk of few steps has equal ones.
fr__walk_pace fr__walk_pace_even(double length, uint32_t count, double first, double fade);

// Frames of the plan in a step, where the walk is steady by a part 0 .. 1.
double fr__walk_pace_step(const fr__walk_pace *pace, uint32_t step, double steadiness);

#endif
