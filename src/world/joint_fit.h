// One joint as geometry: where it puts its child, and which value of it puts the child nearest to a wish. Pure.
//
// The child is at  parent o frame_parent o J(value) o inverse(frame_child)  where J turns about z by the value (hinge),
// goes along z by it (slider), or both, by the value and by pitch times it (screw); fixed and attached: the identity.
#ifndef FUREAI_WORLD_JOINT_FIT_H
#define FUREAI_WORLD_JOINT_FIT_H

#include "fureai/space.h"

// Whether joints of a kind have a value.
static inline bool fr__joint_has_value(fr_joint_kind kind) {
    return kind == FR_JOINT_HINGE || kind == FR_JOINT_SLIDER || kind == FR_JOINT_SCREW;
}

// Whether the value is an angle.
static inline bool fr__joint_turns(fr_joint_kind kind) { return kind == FR_JOINT_HINGE || kind == FR_JOINT_SCREW; }

// The value within the joint's limits, and within what can be computed with.
double fr__joint_clamp(const fr_joint *joint, double value);

// Where the child is at a value, with its parent at a pose; the identity for the world. May be beyond the limits of
// fr_pose_check.
fr_pose fr__joint_pose(const fr_joint *joint, const fr_pose *parent, double value);

// The axis in the world, unit, with the parent at a pose.
fr_vec3 fr__joint_axis(const fr_joint *joint, const fr_pose *parent);

// The value, within the limits, that brings the corners of the child's box, in its own axes, nearest to where `wish`
// puts them: the sum of the squared distances is least. Of angles that are whole turns apart, the one nearest to the
// joint's value counts; `is_free` lets it be any within the limits.
double fr__joint_fit(const fr_joint *joint, const fr_pose *parent, const fr_bounds *box_local, const fr_pose *wish,
                     bool is_free);

#endif
