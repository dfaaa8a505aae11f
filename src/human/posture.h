// What calls on postures share.
#ifndef FUREAI_HUMAN_POSTURE_H
#define FUREAI_HUMAN_POSTURE_H

#include "fureai/human.h"

static inline double fr__quat_dot(fr_quat a, fr_quat b) { return (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z); }

// Makes a quaternion unit that is not near zero.
static inline fr_quat fr__quat_unit(fr_quat q) {
    double inverse = 1.0 / sqrt(fr__quat_dot(q, q));
    fr_quat unit = {inverse * q.w, inverse * q.x, inverse * q.y, inverse * q.z};
    return unit;
}

// From a to b by the shorter turn, at constant speed: a at t = 0, b or -b at t = 1, both exactly (slerp).
fr_quat fr__quat_slerp(fr_quat a, fr_quat b, double t);

// FR_ERROR_ARGUMENT with a sentence when a posture has no turns or another number of links.
fr_status fr__posture_check_count(const fr_posture *posture, uint32_t link_count, fr_error *error);

#endif
