// The links of the human body (Ichiguchi 2000, table 5.3): their order, their parents and the names that others give
// them.
#ifndef FUREAI_HUMAN_LINKS_H
#define FUREAI_HUMAN_LINKS_H

#include <stdint.h>

// One line a link: name of the value, parent's name (of the root its own), name of the link, name of the H-Anim joint
// at its origin, name of the joint in BVH files of the CMU collection ("" for none).
#define FR_LINK_TABLE(X)                                                                                               \
    X(HIP, HIP, "hip", "humanoid_root", "Hips")                                                                        \
    X(CHEST, HIP, "chest", "vl5", "Spine1")                                                                            \
    X(HEAD, CHEST, "head", "skullbase", "Head")                                                                        \
    X(RIGHT_UPPER_ARM, CHEST, "right_upper_arm", "r_shoulder", "RightArm")                                             \
    X(RIGHT_FOREARM, RIGHT_UPPER_ARM, "right_forearm", "r_elbow", "RightForeArm")                                      \
    X(RIGHT_PALM, RIGHT_FOREARM, "right_palm", "r_wrist", "RightFingerBase")                                           \
    X(LEFT_UPPER_ARM, CHEST, "left_upper_arm", "l_shoulder", "LeftArm")                                                \
    X(LEFT_FOREARM, LEFT_UPPER_ARM, "left_forearm", "l_elbow", "LeftForeArm")                                          \
    X(LEFT_PALM, LEFT_FOREARM, "left_palm", "l_wrist", "LeftFingerBase")                                               \
    X(RIGHT_THIGH, HIP, "right_thigh", "r_hip", "RightUpLeg")                                                          \
    X(RIGHT_SHIN, RIGHT_THIGH, "right_shin", "r_knee", "RightLeg")                                                     \
    X(RIGHT_FOOT, RIGHT_SHIN, "right_foot", "r_ankle", "RightFoot")                                                    \
    X(LEFT_THIGH, HIP, "left_thigh", "l_hip", "LeftUpLeg")                                                             \
    X(LEFT_SHIN, LEFT_THIGH, "left_shin", "l_knee", "LeftLeg")                                                         \
    X(LEFT_FOOT, LEFT_SHIN, "left_foot", "l_ankle", "LeftFoot")                                                        \
    X(RIGHT_THUMB_1, RIGHT_PALM, "right_thumb_1", "r_thumb2", "RThumb")                                                \
    X(RIGHT_THUMB_2, RIGHT_THUMB_1, "right_thumb_2", "r_thumb3", "")                                                   \
    X(RIGHT_INDEX_1, RIGHT_PALM, "right_index_1", "r_index1", "RightHandIndex1")                                       \
    X(RIGHT_INDEX_2, RIGHT_INDEX_1, "right_index_2", "r_index2", "")                                                   \
    X(RIGHT_INDEX_3, RIGHT_INDEX_2, "right_index_3", "r_index3", "")                                                   \
    X(RIGHT_MIDDLE_1, RIGHT_PALM, "right_middle_1", "r_middle1", "")                                                   \
    X(RIGHT_MIDDLE_2, RIGHT_MIDDLE_1, "right_middle_2", "r_middle2", "")                                               \
    X(RIGHT_MIDDLE_3, RIGHT_MIDDLE_2, "right_middle_3", "r_middle3", "")                                               \
    X(RIGHT_RING_1, RIGHT_PALM, "right_ring_1", "r_ring1", "")                                                         \
    X(RIGHT_RING_2, RIGHT_RING_1, "right_ring_2", "r_ring2", "")                                                       \
    X(RIGHT_RING_3, RIGHT_RING_2, "right_ring_3", "r_ring3", "")                                                       \
    X(RIGHT_LITTLE_1, RIGHT_PALM, "right_little_1", "r_pinky1", "")                                                    \
    X(RIGHT_LITTLE_2, RIGHT_LITTLE_1, "right_little_2", "r_pinky2", "")                                                \
    X(RIGHT_LITTLE_3, RIGHT_LITTLE_2, "right_little_3", "r_pinky3", "")                                                \
    X(LEFT_THUMB_1, LEFT_PALM, "left_thumb_1", "l_thumb2", "LThumb")                                                   \
    X(LEFT_THUMB_2, LEFT_THUMB_1, "left_thumb_2", "l_thumb3", "")                                                      \
    X(LEFT_INDEX_1, LEFT_PALM, "left_index_1", "l_index1", "LeftHandIndex1")                                           \
    X(LEFT_INDEX_2, LEFT_INDEX_1, "left_index_2", "l_index2", "")                                                      \
    X(LEFT_INDEX_3, LEFT_INDEX_2, "left_index_3", "l_index3", "")                                                      \
    X(LEFT_MIDDLE_1, LEFT_PALM, "left_middle_1", "l_middle1", "")                                                      \
    X(LEFT_MIDDLE_2, LEFT_MIDDLE_1, "left_middle_2", "l_middle2", "")                                                  \
    X(LEFT_MIDDLE_3, LEFT_MIDDLE_2, "left_middle_3", "l_middle3", "")                                                  \
    X(LEFT_RING_1, LEFT_PALM, "left_ring_1", "l_ring1", "")                                                            \
    X(LEFT_RING_2, LEFT_RING_1, "left_ring_2", "l_ring2", "")                                                          \
    X(LEFT_RING_3, LEFT_RING_2, "left_ring_3", "l_ring3", "")                                                          \
    X(LEFT_LITTLE_1, LEFT_PALM, "left_little_1", "l_pinky1", "")                                                       \
    X(LEFT_LITTLE_2, LEFT_LITTLE_1, "left_little_2", "l_pinky2", "")                                                   \
    X(LEFT_LITTLE_3, LEFT_LITTLE_2, "left_little_3", "l_pinky3", "")

// The links of the body of fr_skeleton_create_body by their index, and the roles that links of any other skeleton may
// have. The first 15 are the body without fingers.
typedef enum fr_link {
#define FR_LINK_VALUE(name, parent, text, h_anim, bvh) FR_LINK_##name,
    FR_LINK_TABLE(FR_LINK_VALUE)
#undef FR_LINK_VALUE
        FR_LINK_COUNT
} fr_link;

#define FR_BODY_LINK_COUNT 15 // links of the body without fingers

// No link: the parent of a root, a role that no link of a skeleton has.
#define FR_NO_LINK UINT32_MAX

// Points that are fixed to links of a body.
typedef enum fr_body_point {
    FR_POINT_HEAD_TOP,
    FR_POINT_RIGHT_HEEL, // of the sole
    FR_POINT_RIGHT_TOE,
    FR_POINT_LEFT_HEEL,
    FR_POINT_LEFT_TOE,
    FR_POINT_RIGHT_GRIP, // the centre of what the palm grips
    FR_POINT_LEFT_GRIP,
    FR_POINT_COUNT
} fr_body_point;

#endif
