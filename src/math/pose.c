// Where a thing is.
#include "math/outward.h"
#include "math/points.h"

fr_pose fr_pose_identity(void) {
    fr_pose pose = {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0};
    return pose;
}

fr_pose fr_pose_make(fr_vec3 position, fr_quat rotation) {
    fr_pose pose = {rotation, position, 1.0};
    return pose;
}

fr_vec3 fr_pose_apply(const fr_pose *pose, fr_vec3 point_local) {
    fr__frame frame = fr__frame_make(pose);
    return fr__frame_apply(&frame, point_local);
}

void fr_pose_apply_many(const fr_pose *pose, const fr_vec3 *points_local, size_t count, fr_vec3 *out) {
    fr__frame frame = fr__frame_make(pose);
    fr__points_transform(&frame, points_local, count, out);
}

fr_vec3 fr_pose_turn(const fr_pose *pose, fr_vec3 direction_local) {
    return fr_mat3_apply(fr__rotation_matrix(pose->rotation), direction_local);
}

fr_pose fr_pose_compose(const fr_pose *a, const fr_pose *b) {
    fr_pose pose = {fr_quat_multiply(a->rotation, b->rotation), fr_pose_apply(a, b->position), a->scale * b->scale};
    (void)fr_quat_normalize(&pose.rotation, NULL);
    return pose;
}

fr_pose fr_pose_inverse(const fr_pose *a) {
    fr_pose pose = {fr_quat_conjugate(a->rotation), {0.0, 0.0, 0.0}, 1.0 / a->scale};
    fr_vec3 back = fr_mat3_apply(fr__rotation_matrix(pose.rotation), a->position);
    pose.position = fr_vec3_scale(-pose.scale, back);
    return pose;
}

// The bound, with u = 2^-53, S = scale * largest (so |scale v| <= sqrt(3) S) and terms of order u^2 left to the slack
// between 28.2 and 32. M is the matrix of the formula in real arithmetic, |q| near 1.
//   matrix    An element off the diagonal, 2(xy - wz): both products and the difference round, and |xy| + |wz| <= 1/2,
//             so the error is <= 2u. One on it, 1 - 2s with s = yy + zz <= 1: 4us + u|1 - 2s| <= 5u. The matrix of
//             these bounds has norm 5 + 2 + 2 = 9:                                                9 sqrt(3) u S = 15.6
//   products  (m0 x + m1 y) + m2 z: 3u of the sum of the absolute values; | |M| | <= sqrt(3):    3 sqrt(3) sqrt(3) = 9
//   scale     one rounding:                                                                             sqrt(3) = 1.74
//   position  one rounding of a sum:                                                            u |p| + sqrt(3) u S
//   = 1.74
// The rotation of q/|q| differs from M by 2 |1 - |q|^-2| |w[v] + [v]^2| <= 2 ||q|^2 - 1|, so adding that, times
// sqrt(3) S, makes the bound hold for the rigid motion too; the computed |q|^2 is within 4u of the real one.
// Results below 2^-1022 add at most 2^-1075 an operation.
double fr_pose_rounding(const fr_pose *pose, double largest) {
    FR_ASSERT(largest >= 0.0);
    fr_quat q = pose->rotation;
    double length_squared = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
    double not_unit = fabs(length_squared - 1.0) + 4.0 * FR__UNIT_ROUNDOFF;

    double reach = pose->scale * largest;
    double position = fabs(pose->position.x) + fabs(pose->position.y) + fabs(pose->position.z);
    return reach * (32.0 * FR__UNIT_ROUNDOFF + 3.5 * not_unit) + (1.0625 * FR__UNIT_ROUNDOFF) * position + 0x1p-1070;
}

// Whether fr_pose_check would find nothing and change nothing: the quaternion is what fr_quat_normalize keeps. NaN and
// infinity fail every comparison.
static bool is_checked(const fr_pose *pose) {
    fr_quat q = pose->rotation;
    fr_vec3 p = pose->position;
    double length_squared = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
    return fabs(length_squared - 1.0) <= 20.0 * FR__UNIT_ROUNDOFF && fabs(p.x) <= FR_LENGTH_MAX &&
           fabs(p.y) <= FR_LENGTH_MAX && fabs(p.z) <= FR_LENGTH_MAX && pose->scale >= FR_SCALE_MIN &&
           pose->scale <= FR_SCALE_MAX;
}

fr_status fr_pose_check(fr_pose *pose, fr_error *error) {
    if (is_checked(pose)) { return FR_OK; }
    if (!fr_vec3_is_finite(pose->position)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a position has a number that is not finite");
    }
    if (fr_vec3_largest(pose->position) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a position is farther away than 2^300");
    }
    if (!isfinite(pose->scale)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "a scale is not finite"); }
    if (!(pose->scale >= FR_SCALE_MIN && pose->scale <= FR_SCALE_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a scale is %g instead of 2^-100 .. 2^100", pose->scale);
    }
    return fr_quat_normalize(&pose->rotation, error);
}
