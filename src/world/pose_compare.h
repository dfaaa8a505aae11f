// When two poses are one.
#ifndef FUREAI_WORLD_POSE_COMPARE_H
#define FUREAI_WORLD_POSE_COMPARE_H

#include "fureai/math.h"

// Bit for bit but for the signs of zeros.
bool fr__pose_equal(const fr_pose *a, const fr_pose *b);

// One place but for rounding: no coordinate of the rotations differs by more than 2^-36 or so, and none of the
// positions by more than that part of the distances they were computed from, theirs and `reach`.
bool fr__pose_near(const fr_pose *a, const fr_pose *b, double reach);

#endif
