// When two poses count as equal.
#ifndef FUREAI_WORLD_POSE_COMPARE_H
#define FUREAI_WORLD_POSE_COMPARE_H

#include "fureai/math.h"

// Equal bit for bit, except for the signs of zeros.
bool fr__pose_equal(const fr_pose *a, const fr_pose *b);

// Equal up to rounding: no coordinate of the rotations differs by more than 2^-36 or so, and none of the positions by
// more than that part of the distances they were computed from, theirs and `reach`.
bool fr__pose_near(const fr_pose *a, const fr_pose *b, double reach);

#endif
