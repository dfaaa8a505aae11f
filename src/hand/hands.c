// The pose of one object in two hands.
//
// The line between the hands says where the object points. Each hand has also turned about that line by an angle of its
// own; the object turns by the mean of the two.
#include "fureai/hand.h"

static fr_quat turned(fr_quat by, fr_quat q) {
    fr_quat result = fr_quat_multiply(by, q);
    // A product of two unit quaternions is unit but for rounding: normalising cannot fail.
    (void)fr_quat_normalize(&result, NULL);
    return result;
}

static fr_vec3 middle(const fr_pose hands[2]) { return fr_vec3_lerp(hands[0].position, hands[1].position, 0.5); }

// An angle within half a turn of 0.
static double wrapped(double angle) { return angle - 2.0 * FR_PI * floor((angle + FR_PI) / (2.0 * FR_PI)); }

// How far a hand has turned about `axis` beyond the swing.
static double twist_of(const fr_pose *grasp, const fr_pose *now, fr_quat swing, fr_vec3 axis) {
    fr_quat turn = fr_quat_multiply(now->rotation, fr_quat_conjugate(grasp->rotation));
    fr_quat rest = fr_quat_multiply(fr_quat_conjugate(swing), turn);
    double along = rest.x * axis.x + rest.y * axis.y + rest.z * axis.z;
    return wrapped(2.0 * fr_atan2(along, rest.w));
}

static fr_quat turn_of(const fr_pose grasp[2], const fr_pose now[2]) {
    fr_vec3 was = fr_vec3_sub(grasp[1].position, grasp[0].position);
    fr_vec3 is = fr_vec3_sub(now[1].position, now[0].position);
    if (!(fr_vec3_length(was) >= FR_HANDS_APART && fr_vec3_length(is) >= FR_HANDS_APART)) {
        return fr_quat_multiply(now[0].rotation, fr_quat_conjugate(grasp[0].rotation));
    }
    was = fr_vec3_unit(was, was);
    fr_quat swing = fr_quat_between(was, fr_vec3_unit(is, was));
    double first = twist_of(&grasp[0], &now[0], swing, was);
    double second = twist_of(&grasp[1], &now[1], swing, was);
    double mean = first + 0.5 * wrapped(second - first);
    return fr_quat_multiply(swing, fr_quat_from_axis_angle(was, mean));
}

fr_pose fr_hands_pose(const fr_pose *object, const fr_pose grasp[2], const fr_pose now[2]) {
    FR_ASSERT(object != NULL && grasp != NULL && now != NULL);
    fr_quat turn = turn_of(grasp, now);
    fr_vec3 arm = fr_vec3_sub(object->position, middle(grasp));
    fr_pose pose = *object;
    pose.rotation = turned(turn, object->rotation);
    pose.position = fr_vec3_add(middle(now), fr_mat3_apply(fr_quat_to_mat3(turn), arm));
    return pose;
}
