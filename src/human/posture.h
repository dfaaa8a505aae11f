// What calls on postures share.
#ifndef FUREAI_HUMAN_POSTURE_H
#define FUREAI_HUMAN_POSTURE_H

#include "fureai/human.h"

// fr_quat_multiply, to be inlined.
static inline fr_quat fr__quat_multiply(fr_quat a, fr_quat b) {
    fr_quat q = {(a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z), (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                 (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z), (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x)};
    return q;
}

// First b, then a, made unit.
static inline fr_quat fr__quat_product(fr_quat a, fr_quat b) {
    fr_quat q = fr__quat_multiply(a, b);
    double inverse = 1.0 / sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
    fr_quat unit = {inverse * q.w, inverse * q.x, inverse * q.y, inverse * q.z};
    return unit;
}

// The turn by an angle about x, y or z: axis 0, 1 or 2.
static inline fr_quat fr__quat_about(int axis, double angle) {
    double s, c;
    fr_sincos(0.5 * angle, &s, &c);
    fr_quat turn = {c, axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
    return turn;
}

static inline fr_vec3 fr__quat_turn(fr_quat q, fr_vec3 v) { return fr_mat3_apply(fr_quat_to_mat3(q), v); }

// The pose of one link in the world, by the chain from it up to the root.
fr_pose fr__link_pose(const fr_skeleton_view *view, const fr_posture *posture, uint32_t link);

// FR_ERROR_ARGUMENT with a sentence when a posture has no turns or another number of links.
fr_status fr__posture_check_count(const fr_posture *posture, uint32_t link_count, fr_error *error);

#endif
