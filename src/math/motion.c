// The one rigid motion inside a step.
#include "math/arm.h"
#include "math/outward.h"

fr_motion fr_motion_still(const fr_pose *pose) {
    fr_motion motion = {*pose, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return motion;
}

// How close pose(1) comes to b, with u = 2^-53, scales alike, and L = |a.position| + |b.position| + scale |pivot|:
// - rotation: the product b a*, its vector, the vector's quaternion, the product with a and the unit length are wrong
//   by at most 6u, 14u, 10u, 6u, 4u: together under 40u as a distance of quaternions, so 80u < 2^-46 radians;
// - position: c and the end of the pivot are each wrong by fr_pose_rounding (under 100u L), the travel and the arm by
// the
//   sums' roundings, the arm's turn by 80u of its length: together under 512u L = 2^-44 L.
fr_motion fr_motion_between(const fr_pose *a, const fr_pose *b, fr_vec3 pivot_local) {
    fr_pose end = {b->rotation, b->position, a->scale};
    fr_vec3 from = fr_pose_apply(a, pivot_local), to = fr_pose_apply(&end, pivot_local);

    // Of the products of b and of -b with a*, one is minus the other bit for bit, and fr_quat_to_vector takes either
    // to the same vector.
    fr_quat turn = fr_quat_multiply(b->rotation, fr_quat_conjugate(a->rotation));
    fr_motion motion = {*a, pivot_local, fr_vec3_sub(to, from), fr_quat_to_vector(turn)};
    return motion;
}

// Below this angle the axis is as far away as 2^25 times the travel, and a point's arc leaves its chord by less than
// travel * angle / 8 = 2^-28 of the travel: no more than the rounding of coordinates about so far an axis.
#define SCREW_ANGLE_MIN 0x1p-25

// With D = b - a, D_across its part perpendicular to the axis k, and angle v: the point
//     c = a + (D_across + cot(v/2) k x D_across) / 2
// is on the axis, since the turn about it takes a to a + D_across:
//
//          c              |c - a| = |D_across| / (2 sin(v/2)); the foot of c on the chord halves it,
//         / \             and its height over the chord is |D_across| / (2 tan(v/2)).
//        / v \            .
//       a-----b
fr_motion fr_motion_screw_between(const fr_pose *a, const fr_pose *b) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_motion motion = fr_motion_between(a, b, zero);
    fr__axis axis = fr__axis_of_turn(motion.turn);
    if (axis.angle < SCREW_ANGLE_MIN) { return motion; }

    double sine, cosine;
    fr_sincos(0.5 * axis.angle, &sine, &cosine);
    fr_vec3 travel = motion.travel;
    fr_vec3 across = fr_vec3_add_scaled(travel, -fr_vec3_dot(axis.unit, travel), axis.unit);
    fr_vec3 to_axis = fr_vec3_add_scaled(across, cosine / sine, fr_vec3_cross(axis.unit, across));
    to_axis = fr_vec3_scale(0.5, to_axis);

    // Into local axes. What rounding moves the axis by, the motion moves the end by times the angle only; `travel` is
    // taken from where the axis really is after rounding, so that the end is met as in fr_motion_between.
    fr_mat3 to_local = fr_mat3_transpose(fr_quat_to_mat3(a->rotation));
    fr_vec3 pivot_local = fr_vec3_scale(1.0 / a->scale, fr_mat3_apply(to_local, to_axis));
    fr__arm arm = fr__arm_make(&axis, a->position, fr_pose_apply(a, pivot_local));
    fr_vec3 turned = fr__arm_displacement(&arm, fr__swing_at(axis.angle, 1.0));
    fr_motion screw = {*a, pivot_local, fr_vec3_sub(travel, turned), motion.turn};
    return screw;
}

fr_motion fr_motion_from_velocity(const fr_pose *start, fr_vec3 pivot_local, fr_vec3 velocity, fr_vec3 angular_velocity,
                                  double duration) {
    fr_motion motion = {*start, pivot_local, fr_vec3_scale(duration, velocity),
                        fr_vec3_scale(duration, angular_velocity)};
    return motion;
}

// x(t) of a point that is at x0 when t = 0.
static fr_vec3 point_at(const fr_motion *motion, fr_vec3 x0, double t) {
    fr__axis axis = fr__axis_of_turn(motion->turn);
    fr__arm arm = fr__arm_make(&axis, x0, fr_pose_apply(&motion->start, motion->pivot_local));
    fr_vec3 turned = fr__arm_displacement(&arm, fr__swing_at(axis.angle, t));
    return fr_vec3_add(x0, fr_vec3_add(fr_vec3_scale(t, motion->travel), turned));
}

fr_pose fr_motion_pose(const fr_motion *motion, double t) {
    fr_pose pose = motion->start;
    if (t == 0.0) { return pose; }
    fr_quat turned = fr_quat_from_vector(fr_vec3_scale(t, motion->turn));
    pose.rotation = fr_quat_multiply(turned, motion->start.rotation);
    (void)fr_quat_normalize(&pose.rotation, NULL);
    pose.position = point_at(motion, motion->start.position, t);
    return pose;
}

fr_vec3 fr_motion_point(const fr_motion *motion, fr_vec3 point_local, double t) {
    return point_at(motion, fr_pose_apply(&motion->start, point_local), t);
}

// |x'(t)| = |travel + turn x (x - c)| <= |travel| + |turn| |x0 - c|. A point within `reach_local` of the pivot is, in
// the world, within scale * reach_local plus the rounding of both points. The factor covers the roundings here: at
// most 8 in a row, each (1 + u).
double fr_motion_speed_bound(const fr_motion *motion, double reach_local) {
    FR_ASSERT(reach_local >= 0.0);
    double speed = fr__length(motion->travel);
    double angle = fr__length(motion->turn);
    if (angle > 0.0) {
        double rounding = fr_pose_rounding(&motion->start, fr_vec3_largest(motion->pivot_local) + reach_local);
        speed += angle * (motion->start.scale * reach_local + 2.0 * rounding);
    }
    return speed * (1.0 + 0x1p-48);
}

// A length a caller gave: finite and within FR_LENGTH_MAX.
static fr_status check_length(fr_vec3 v, const char *what, fr_error *error) {
    if (!fr_vec3_is_finite(v)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a motion's %s has a number that is not finite", what);
    }
    if (fr_vec3_largest(v) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a motion's %s is longer than 2^300", what);
    }
    return FR_OK;
}

fr_status fr_motion_check(fr_motion *motion, fr_error *error) {
    fr_status status = check_length(motion->pivot_local, "pivot", error);
    if (status == FR_OK) { status = check_length(motion->travel, "travel", error); }
    if (status == FR_OK) { status = check_length(motion->turn, "turn", error); }
    if (status != FR_OK) { return status; }
    if (!(fr__axis_of_turn(motion->turn).angle <= FR_TURN_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a motion's turn is over 2^20 radians");
    }
    return fr_pose_check(&motion->start, error);
}
