// Pulls a palm or the head of a body to a point, for people who pose it: arms by their exact inverse kinematics, the
// head by a lean of the chest and then by legs that bend over feet that stay.
#include "fureai/human_reach.h"

#include "feet.h"
#include "posture.h"

#define STRETCHED 0.9999 // of a leg's length
#define SQUATTED 0.35    // likewise, from hip to ankle
#define HALVINGS 30
#define LEAST_LEAN 0.05 // of a lean that is given back by halves

static fr_status pull_palm(const fr_skeleton *skeleton, fr_side side, fr_vec3 point, const fr_pose *poses,
                           fr_posture *posture, fr_error *error) {
    fr_reach_input input = fr_default_reach_input();
    fr_reach_output output;
    const fr_link palm = side == FR_RIGHT ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM;
    input.skeleton = skeleton;
    input.posture = posture;
    input.side = side;
    uint32_t link = fr_skeleton_get(skeleton)->roles[palm];
    input.palm = fr_pose_make(point, link != FR_NO_LINK ? poses[link].rotation : fr_quat_identity());
    fr_status status = fr_reach_solve(&input, &output, error);
    if (status == FR_OK) { fr_reach_apply(skeleton, side, &output, posture); }
    return status;
}

// Turns the chest so that the head lies in the direction of the point, as far as the joint lets it.
static void turn_chest(const fr_skeleton *skeleton, uint32_t chest, uint32_t head, fr_vec3 point, const fr_pose *poses,
                       fr_posture *posture) {
    uint32_t parent = fr_skeleton_get(skeleton)->parents[chest];
    fr_vec3 from = fr_vec3_sub(poses[head].position, poses[chest].position);
    fr_vec3 to = fr_vec3_sub(point, poses[chest].position);
    if (fr_vec3_length(from) < 1e-6 || fr_vec3_length(to) < 1e-6) { return; }
    fr_quat turn = fr_quat_between(fr_vec3_unit(from, to), fr_vec3_unit(to, from));
    fr_quat world = fr_quat_multiply(turn, poses[chest].rotation);
    fr_quat local = fr_quat_multiply(fr_quat_conjugate(poses[parent].rotation), world);
    posture->turns[chest] = fr_skeleton_clamp(skeleton, chest, local);
}

// Leans the chest to the point. At a limit of the joint the head may come to lie farther from the point than before:
// then by half as much, and in the end not at all.
static fr_status lean(const fr_skeleton *skeleton, uint32_t chest, uint32_t head, fr_vec3 point, fr_pose *poses,
                      fr_posture *posture, fr_error *error) {
    double before = fr_vec3_distance(poses[head].position, point);
    fr_quat upright = posture->turns[chest];
    turn_chest(skeleton, chest, head, point, poses, posture);
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(upright), posture->turns[chest]));
    double part = 1.0;
    fr_status status = fr_posture_poses(skeleton, posture, 1, poses, error);
    while (status == FR_OK && part > 0.0 && fr_vec3_distance(poses[head].position, point) > before) {
        part = part > LEAST_LEAN ? 0.5 * part : 0.0; // a turn by nothing is the identity
        posture->turns[chest] = fr_quat_multiply(upright, fr_quat_from_vector(fr_vec3_scale(part, turn)));
        status = fr_posture_poses(skeleton, posture, 1, poses, error);
    }
    return status;
}

// Whether the legs reach the ankles with the hip moved by so much.
static bool legs_reach(const fr_skeleton_view *view, const fr__body_leg legs[2], const fr_pose *poses,
                       const fr_vec3 ankles[2], fr_vec3 shift) {
    bool is_reached = true;
    for (int i = 0; i < 2 && is_reached; i++) {
        const fr_pose *hip = &poses[view->parents[legs[i].thigh]];
        fr_vec3 joint = fr_vec3_add(fr_pose_apply(hip, view->offsets[legs[i].thigh]), shift);
        double length = legs[i].thigh_length + legs[i].shin_length, distance = fr_vec3_distance(joint, ankles[i]);
        is_reached = distance <= STRETCHED * length && distance >= SQUATTED * length;
    }
    return is_reached;
}

// Moves the hip by what is left, as far as both legs reach their ankles, and bends the legs.
static fr_status shift_hip(const fr_skeleton *skeleton, fr_vec3 shift, fr_pose *poses, fr_posture *posture,
                           fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr__body_leg legs[2];
    fr_status status = fr__body_legs_find(skeleton, legs, error);
    if (status != FR_OK) { return status; }
    fr_vec3 ankles[2] = {poses[legs[0].foot].position, poses[legs[1].foot].position};
    fr_quat feet[2] = {poses[legs[0].foot].rotation, poses[legs[1].foot].rotation};
    double low = 0.0, high = 1.0;
    if (legs_reach(view, legs, poses, ankles, shift)) { low = 1.0; }
    for (int i = 0; i < HALVINGS && low < 1.0; i++) {
        double middle = 0.5 * (low + high);
        bool is_reached = legs_reach(view, legs, poses, ankles, fr_vec3_scale(middle, shift));
        *(is_reached ? &low : &high) = middle;
    }
    if (low == 0.0) { return FR_OK; }
    posture->place = fr_vec3_add_scaled(posture->place, low, shift);
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr_posture_poses(skeleton, posture, 1, poses, error);
        if (status == FR_OK) { fr__body_leg_place(view, &legs[i], poses, ankles[i], feet[i], posture); }
    }
    return status;
}

static fr_status pull_head(const fr_skeleton *skeleton, fr_vec3 point, fr_pose *poses, fr_posture *posture,
                           fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    uint32_t chest = view->roles[FR_LINK_CHEST], head = view->roles[FR_LINK_HEAD];
    if (chest == FR_NO_LINK || head == FR_NO_LINK || view->parents[chest] == FR_NO_LINK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no chest and head");
    }
    fr_status status = lean(skeleton, chest, head, point, poses, posture, error);
    if (status != FR_OK) { return status; }
    return shift_hip(skeleton, fr_vec3_sub(point, poses[head].position), poses, posture, error);
}

fr_status fr_posture_pull(const fr_skeleton *skeleton, fr_pull_part part, fr_vec3 point, fr_posture *posture,
                          fr_error *error) {
    FR_ASSERT(skeleton != NULL && posture != NULL);
    fr_pose poses[FR_LINK_COUNT];
    if (fr_skeleton_get(skeleton)->link_count > FR_LINK_COUNT || posture->count > FR_LINK_COUNT) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a body that is pulled has at most %u links", FR_LINK_COUNT);
    }
    if ((uint32_t)part >= FR_PULL_PART_COUNT) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such part of a body to pull");
    }
    if (!fr_vec3_is_finite(point) || fr_vec3_largest(point) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the point that a body is pulled to is not finite");
    }
    fr_status status = fr_posture_poses(skeleton, posture, 1, poses, error);
    if (status != FR_OK) { return status; }
    if (part == FR_PULL_HEAD) { return pull_head(skeleton, point, poses, posture, error); }
    return pull_palm(skeleton, part == FR_PULL_RIGHT_PALM ? FR_RIGHT : FR_LEFT, point, poses, posture, error);
}
