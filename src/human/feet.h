// The feet of a clip, frame by frame, private to the room.
#ifndef FUREAI_HUMAN_FEET_H
#define FUREAI_HUMAN_FEET_H

#include "fureai/human_files.h"

// One leg of a skeleton: its links, its sole and the frames of its hinge.
typedef struct fr__body_leg {
    uint32_t thigh, shin, foot;
    fr_vec3 heel, toe;                // of the sole in the frame of the foot
    double thigh_length, shin_length; // metres
    fr_quat thigh_hinge, shin_hinge;  // frames in thigh and shin: x along the bone, y along the knee's axis
} fr__body_leg;

// Finds both legs, the left one first. FR_ERROR_ARGUMENT where one is missing or its links do not follow one another.
fr_status fr__body_legs_find(const fr_skeleton *skeleton, fr__body_leg legs[2], fr_error *error);

// Turns thigh and shin so that the ankle is at `ankle` (two-bone inverse kinematics) and the foot as `foot`, in the
// plane of the knee's present axis. `poses` are those of the posture with its hip where it is to stay. An ankle out of
// reach is missed along the line to it.
void fr__body_leg_place(const fr_skeleton_view *view, const fr__body_leg *leg, const fr_pose *poses, fr_vec3 ankle,
                        fr_quat foot, fr_posture *posture);

#endif
