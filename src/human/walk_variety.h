// How people and strides differ: chest, head and arms vary about the means of the table by its measured deviations.
#ifndef FUREAI_HUMAN_WALK_VARIETY_H
#define FUREAI_HUMAN_WALK_VARIETY_H

#include "human/walk_part.h"

#define FR__VARIED_CURVES 12

// Differences of the coefficients of the curves that vary, degrees.
typedef struct fr__walk_deviates {
    double terms[FR__VARIED_CURVES][FR__GAIT_ORDERS][2];
} fr__walk_deviates;

typedef struct fr__walk_variety {
    double scale;             // 0: every stride is the mean
    double rate;              // of this person's time, near 1
    fr__walk_deviates person; // drawn once
    fr__walk_deviates last;   // of the step before
    fr__walk_deviates next;   // of this step
    fr_random random;
    uint64_t steps; // drawn so far
} fr__walk_variety;

void fr__walk_variety_init(fr__walk_variety *variety, uint64_t person, double scale);

// Draws the deviates of the next step.
void fr__walk_variety_step(fr__walk_variety *variety);

// Varies the figure of a part at a frame of its clip. Feet and hips stay where they are.
void fr__walk_variety_apply(const fr__walk_variety *variety, const fr__walk_part *part, double frame,
                            fr__walk_figure *figure);

#endif
