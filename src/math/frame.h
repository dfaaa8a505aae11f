// A pose made ready for many points: the matrix is computed once. fr__frame_apply gives the bits of fr_pose_apply,
// which is written with it, so the two cannot come apart.
#ifndef FUREAI_MATH_FRAME_H
#define FUREAI_MATH_FRAME_H

#include "fureai/math.h"

typedef struct fr__frame {
    fr_mat3 rotation; // fr_quat_to_mat3 of the pose's rotation
    fr_vec3 position;
    double scale;
} fr__frame;

// The matrix I + 2 w [v] + 2 [v]^2 of a unit quaternion (w, v), [v] being the matrix of v x. THE order of operations.
static inline fr_mat3 fr__rotation_matrix(fr_quat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    fr_mat3 m = {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                  {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                  {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
    return m;
}

static inline fr__frame fr__frame_make(const fr_pose *pose) {
    fr__frame frame = {fr__rotation_matrix(pose->rotation), pose->position, pose->scale};
    return frame;
}

static inline fr_vec3 fr__frame_apply(const fr__frame *frame, fr_vec3 point_local) {
    fr_vec3 scaled = fr_vec3_scale(frame->scale, point_local);
    return fr_vec3_add(fr_mat3_apply(frame->rotation, scaled), frame->position);
}

#endif
