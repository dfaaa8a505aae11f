// Two hands that clasp: how near their palms come, and how far their fingers close round one another.
#ifndef FUREAI_HUMAN_CLASP_H
#define FUREAI_HUMAN_CLASP_H

#include "human/reach_plan.h"

#include "fureai/human_figure.h"

#define FR__CLASP_PITCH_DEG 30.0 // fingers point so far below the line to the partner

typedef struct fr__clasp {
    double gap;                      // metres from the palm's axis to the plane where the palms meet
    fr_quat fingers[FR__HAND_LINKS]; // turns of the hand's links
} fr__clasp;

// The point of a palm that comes to the middle of a meeting, on the palm's axis, in its frame.
fr_vec3 fr__clasp_point(const fr_skeleton *skeleton, fr_side side);

// How far the hand of a figure, with its fingers stretched, reaches out of the palm, metres from the palm's axis. A
// figure of NULL: that of the average hand.
double fr__clasp_thickness(const fr_skeleton *skeleton, const fr_figure *figure, fr_side side);

// Finds the clasp of a hand and one of the same form, `ratio` times as large, turned by half a turn about the vertical.
// Hulls of palm and phalanges are in one another by 0.3 mm at most. Without a figure the fingers stay stretched.
void fr__clasp_find(const fr_skeleton *skeleton, const fr_figure *figure, fr_side side, double ratio, fr__clasp *out);

// The palm's pose for a meeting frame (z along the fingers, y out of the palm) whose middle is `gap` metres before the
// palm's axis.
fr_pose fr__clasp_palm(const fr_skeleton *skeleton, fr_side side, const fr_pose *frame, double gap);

#endif
