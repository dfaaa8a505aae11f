// The angles of a walking body that gait is measured by, from its posture alone, in degrees.
#ifndef FUREAI_TEST_WALK_ANGLES_H
#define FUREAI_TEST_WALK_ANGLES_H

#include "fureai/human.h"

#include <math.h>

typedef enum walk_angle {
    WALK_PELVIS_TURN, // to the left, in the world
    WALK_PELVIS_ROLL,
    WALK_CHEST_TURN, // in the pelvis
    WALK_HIP,        // flexion
    WALK_KNEE,
    WALK_FOOT, // toes up
    WALK_SHOULDER,
    WALK_ELBOW,
    WALK_ANGLES
} walk_angle;

// The first angle of Rx(a) Rz(b) Ry(c), degrees.
static inline double walk_first_angle(fr_quat q) {
    fr_mat3 m = fr_quat_to_mat3(q);
    return fr_degrees(atan2(m.row[2].y, m.row[1].y));
}

// The angles of a body of fr_skeleton_create_body, those of the limbs of one side, with its links in the world.
static inline void walk_angles_of(const fr_skeleton *skeleton, const fr_quat *turns, const fr_pose *poses, bool is_left,
                                  double angles[WALK_ANGLES]) {
    static const fr_link limbs[2][4] = {
        {FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM},
        {FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN, FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM}};
    fr_mat3 pelvis = fr_quat_to_mat3(fr_skeleton_turn_to_upright(skeleton, FR_LINK_HIP, turns[FR_LINK_HIP]));
    fr_mat3 chest = fr_quat_to_mat3(fr_skeleton_turn_to_upright(skeleton, FR_LINK_CHEST, turns[FR_LINK_CHEST]));
    angles[WALK_PELVIS_TURN] = fr_degrees(atan2(pelvis.row[0].z, pelvis.row[2].z));
    angles[WALK_PELVIS_ROLL] = fr_degrees(atan2(pelvis.row[1].x, pelvis.row[1].y));
    angles[WALK_CHEST_TURN] = fr_degrees(atan2(chest.row[0].z, chest.row[2].z));
    static const walk_angle kinds[4] = {WALK_HIP, WALK_KNEE, WALK_SHOULDER, WALK_ELBOW};
    for (int i = 0; i < 4; i++) {
        uint32_t link = (uint32_t)limbs[is_left][i];
        double angle = walk_first_angle(fr_skeleton_turn_to_upright(skeleton, link, turns[link]));
        angles[kinds[i]] = kinds[i] == WALK_KNEE ? angle : -angle;
    }
    const fr_link_point *points =
        fr_skeleton_get(skeleton)->points + (is_left ? FR_POINT_LEFT_HEEL : FR_POINT_RIGHT_HEEL);
    fr_vec3 heel = fr_pose_apply(&poses[points[0].link], points[0].offset);
    fr_vec3 toe = fr_pose_apply(&poses[points[1].link], points[1].offset);
    angles[WALK_FOOT] = fr_degrees(asin((toe.y - heel.y) / fr_vec3_distance(toe, heel)));
}

#endif
