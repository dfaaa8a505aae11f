// The angles of a posture as the worksheets of work study name them.
#include "fureai/human_study.h"

// Where the links of the roles are turned to, away from upright, in the world.
typedef struct turned_links {
    const fr_skeleton_view *view;
    const fr_pose *poses;
} turned_links;

static fr_quat away_of(const turned_links *t, fr_link role) {
    uint32_t link = t->view->roles[role];
    return fr_quat_multiply(t->poses[link].rotation, fr_quat_conjugate(t->view->uprights[link]));
}

static fr_vec3 turn(fr_quat q, fr_vec3 v) {
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    return fr_pose_turn(&pose, v);
}

// One turn as another sees it: conjugate(from) to.
static fr_quat between(fr_quat from, fr_quat to) { return fr_quat_multiply(fr_quat_conjugate(from), to); }

// The angle of what a turn does about the vertical, -pi .. pi (its twist).
static double twist_of(fr_quat q) {
    double angle = 2.0 * fr_atan2(q.y, q.w);
    return angle > FR_PI ? angle - 2.0 * FR_PI : angle < -FR_PI ? angle + 2.0 * FR_PI : angle;
}

// The angle of a unit vector out of a plane, by its component across.
static double out_of_plane(double across, double a, double b) { return fr_atan2(across, sqrt(a * a + b * b)); }

static double between_vectors(fr_vec3 a, fr_vec3 b) {
    return fr_atan2(fr_vec3_length(fr_vec3_cross(a, b)), fr_vec3_dot(a, b));
}

static const fr_vec3 up = {0.0, 1.0, 0.0}, down = {0.0, -1.0, 0.0}, left = {1.0, 0.0, 0.0};

// ---------------------------------------------------------------------------------------------------------------
// Trunk and neck

static void read_trunk(const turned_links *t, fr_work_angles *out) {
    fr_quat hip = away_of(t, FR_LINK_HIP), chest = away_of(t, FR_LINK_CHEST), head = away_of(t, FR_LINK_HEAD);
    // The sagittal plane is that of the hips; their left is taken into the horizontal, so that it holds at any bend.
    fr_vec3 across = turn(hip, left);
    across.y = 0.0;
    across = fr_vec3_unit(across, left);
    fr_vec3 front = fr_vec3_cross(across, up), trunk = turn(chest, up);
    double forwards = fr_vec3_dot(trunk, front), sideways = fr_vec3_dot(trunk, across);
    out->trunk_flexion = fr_atan2(forwards, trunk.y);
    out->trunk_side = out_of_plane(sideways, forwards, trunk.y);
    out->trunk_twist = twist_of(between(hip, chest));

    fr_quat neck = between(chest, head);
    fr_vec3 top = turn(neck, up);
    out->neck_flexion = fr_atan2(top.z, top.y);
    out->neck_side = out_of_plane(top.x, top.y, top.z);
    out->neck_twist = twist_of(neck);
}

// ---------------------------------------------------------------------------------------------------------------
// Limbs

static void read_arm(const turned_links *t, fr_work_side side, fr_arm_angles *out) {
    static const fr_link links[FR_WORK_SIDE_COUNT][3] = {
        {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_PALM},
        {FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM}};
    double outwards = side == FR_WORK_LEFT ? 1.0 : -1.0; // of the x axis
    fr_quat chest = away_of(t, FR_LINK_CHEST), upper = away_of(t, links[side][0]);
    fr_quat forearm = away_of(t, links[side][1]), palm = away_of(t, links[side][2]);

    fr_vec3 arm = turn(between(chest, upper), down);
    out->elevation = fr_atan2(sqrt(arm.x * arm.x + arm.z * arm.z), -arm.y);
    out->flexion = fr_atan2(arm.z, -arm.y);
    out->abduction = out_of_plane(outwards * arm.x, arm.y, arm.z);

    fr_quat bend = between(upper, forearm);
    out->elbow = between_vectors(turn(bend, down), down);
    fr_vec3 lower = turn(between(chest, forearm), down);
    out->outward = out_of_plane(outwards * lower.x, lower.y, lower.z);
    const fr_pose *wrist = &t->poses[t->view->roles[links[side][2]]];
    const fr_pose *middle = &t->poses[t->view->roles[FR_LINK_CHEST]];
    fr_vec3 from_middle = fr_vec3_sub(wrist->position, middle->position);
    out->is_across = outwards * fr_vec3_dot(from_middle, turn(chest, left)) < 0.0;

    // A forearm turns about itself in either link: what the forearm's does is put before the palm's.
    fr_quat spin = fr_quat_from_axis_angle(up, twist_of(bend));
    fr_quat hand = fr_quat_multiply(spin, between(forearm, palm));
    double twist = twist_of(hand);
    fr_vec3 fingers = turn(fr_quat_multiply(fr_quat_from_axis_angle(up, -twist), hand), down);
    out->wrist_twist = -outwards * twist;
    out->wrist_flexion = fr_atan2(-outwards * fingers.x, -fingers.y);
    out->wrist_deviation = out_of_plane(fingers.z, fingers.x, fingers.y);
}

static void read_leg(const turned_links *t, fr_work_side side, uint8_t contact, fr_leg_angles *out) {
    static const fr_link links[FR_WORK_SIDE_COUNT][2] = {{FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN},
                                                         {FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN}};
    fr_vec3 thigh = turn(away_of(t, links[side][0]), down), shin = turn(away_of(t, links[side][1]), down);
    out->thigh = between_vectors(thigh, down);
    out->knee = between_vectors(thigh, shin);
    out->is_bearing = contact != 0;
}

fr_status fr_work_angles_of(const fr_skeleton *skeleton, const fr_posture *posture, fr_work_angles *out,
                            fr_error *error) {
    FR_ASSERT(skeleton != NULL && posture != NULL && out != NULL);
    static const fr_link needed[] = {FR_LINK_HIP,           FR_LINK_CHEST,           FR_LINK_HEAD,
                                     FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_PALM,
                                     FR_LINK_LEFT_FOREARM,  FR_LINK_LEFT_UPPER_ARM,  FR_LINK_LEFT_PALM,
                                     FR_LINK_RIGHT_THIGH,   FR_LINK_RIGHT_SHIN,      FR_LINK_LEFT_THIGH,
                                     FR_LINK_LEFT_SHIN};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (view->roles[needed[i]] == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no link for %s",
                                fr_link_h_anim_name(needed[i]));
        }
    }
    fr_pose poses[FR_MAX_LINKS];
    fr_status status = fr_posture_poses(skeleton, posture, 1, poses, error);
    if (status != FR_OK) { return status; }
    turned_links t = {view, poses};
    read_trunk(&t, out);
    const uint8_t contacts[FR_WORK_SIDE_COUNT] = {posture->contact_right, posture->contact_left};
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        read_arm(&t, (fr_work_side)side, &out->arms[side]);
        read_leg(&t, (fr_work_side)side, contacts[side], &out->legs[side]);
    }
    return FR_OK;
}
