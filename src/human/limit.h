// Limits of joints: their check when a skeleton is made, and paths within them.
#ifndef FUREAI_HUMAN_LIMIT_H
#define FUREAI_HUMAN_LIMIT_H

#include "fureai/human.h"

// Checks a limit and makes its axes unit. FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT.
fr_status fr__limit_check(fr_limit *limit, fr_error *error);

// Sines and cosines of a limit, by which most turns are seen to be within it without an angle.
typedef struct fr__limit_bounds {
    double min[3][2], max[3][2]; // sine and cosine of each end of each range, of a hinge of half of it
    double low;                  // of a swing: cosine of its smallest elevation
    double twist;                // of a swing: tangent of half the smaller end of its twist
    bool is_known;               // false: its ranges are too wide for that
} fr__limit_bounds;

fr__limit_bounds fr__limit_bounds_of(const fr_limit *limit);

// Whether the shorter arc between two turns leads beyond the limit of a link, farther than its ends are.
bool fr__limit_leaves(const fr_skeleton *skeleton, uint32_t link, fr_quat from, fr_quat to);

// The turn at a part of a path between two turns that stays within the limit where they are: straight in the angles of
// the limit. It is as long as the arc or longer.
fr_quat fr__limit_between(const fr_skeleton *skeleton, uint32_t link, fr_quat from, fr_quat to, double part);

#endif
