// What the files of skills share: the rows of the table, and small helpers for links, weights and events.
#ifndef FUREAI_HUMAN_SKILL_PRIVATE_H
#define FUREAI_HUMAN_SKILL_PRIVATE_H

#include "fureai/human_skill.h"

// Weights of section 16: how important a link of a skill is.
#define FR__WEIGHT_NORMAL 1.0
#define FR__WEIGHT_LIGHT 0.1  // arms that only swing along
#define FR__WEIGHT_MUST 100.0 // it must be so

// Rows, one file a family. The table of skill.c names them.
extern const fr_skill fr__skill_drink, fr__skill_gesture, fr__skill_hold_arm, fr__skill_mocap_play, fr__skill_sit,
    fr__skill_slerp, fr__skill_stand, fr__skill_tap, fr__skill_turn, fr__skill_walk;

extern const fr_skill fr__skill_call, fr__skill_carry, fr__skill_check, fr__skill_grasp, fr__skill_hand_over,
    fr__skill_ik_reach, fr__skill_look_at, fr__skill_point, fr__skill_press, fr__skill_read, fr__skill_receive,
    fr__skill_release, fr__skill_shake_hand, fr__skill_slide, fr__skill_step_reach, fr__skill_touch_panel,
    fr__skill_type;

// Checks the fields of a skill that came from outside: what is missing, not finite or out of its range. Poses and turns
// of postures are checked where they are copied.
fr_status fr__skill_check_fields(const fr_skill *skill, const fr_skill_fields *fields, uint32_t link_count,
                                 fr_error *error);

// Plans the body's walk to goals: on from the step that the body is in, or from where it stands; with `may_bend` round
// things. `frames` is how many it takes.
fr_status fr__skill_go(const fr_skill_input *input, const fr_walk_goal *goals, size_t count, bool may_bend,
                       uint32_t *frames, fr_error *error);

// The weights of a walk: 1 of all links that walk, arms lightly, 0 of fingers.
void fr__skill_weigh_walk(const fr_skeleton *skeleton, double *weights, uint32_t link_count);

// The link of a role; FR_NO_LINK where the skeleton has none.
static inline uint32_t fr__skill_link(const fr_skill_input *input, fr_link role) {
    return fr_skeleton_get(input->skeleton)->roles[role];
}

// Sets the weight of the link that has a role, where there is one.
static inline void fr__skill_weigh(const fr_skill_input *input, fr_skill_output *output, fr_link role, double weight) {
    uint32_t link = fr__skill_link(input, role);
    if (link != FR_NO_LINK) { output->weights[link] = weight; }
}

// The turn a part of the path from one turn to another, by the shorter arc.
fr_quat fr__skill_between(fr_quat from, fr_quat to, double part);

// Sets the weights of upper arm, forearm and palm of a side.
void fr__skill_weigh_arm(const fr_skill_input *input, fr_skill_output *output, fr_side side, double weight);

// Emits an event of the target's object, or of none. What is beyond FR_MAX_SKILL_EVENTS is lost.
void fr__skill_emit(const fr_skill_input *input, fr_skill_output *output, const char *name, double a, double b);

// Whether the skeleton has upper arm, forearm and palm of a side, each the parent of the next; else FR_ERROR_ARGUMENT.
fr_status fr__skill_check_arm(const fr_skill_input *input, fr_side side, fr_error *error);

// The side that the fields give; FR_SIDE_NEAREST or none: the one whose shoulder is nearer to a point of the world, of
// those that the skeleton has.
fr_status fr__skill_choose_side(const fr_skill_input *input, fr_vec3 point, fr_side *side, fr_error *error);

// The heading of the body: where its root at rest, which faces +Z, faces now.
double fr__skill_heading(const fr_skeleton *skeleton, const fr_posture *posture);

// The height of the lowest sole point of a posture; false for a skeleton without soles.
bool fr__skill_ground(const fr_skeleton *skeleton, const fr_posture *posture, double *ground);

// The part of a task's time that is over, 0 .. 1; 1 in its last frame.
static inline double fr__skill_part(const fr_skill_input *input) {
    if (input->frames == 0 || input->frame >= input->frames) { return 1.0; }
    return (double)input->frame / (double)input->frames;
}

// Refuses frames in which the motion would have to go over three times as fast as is natural.
fr_status fr__skill_check_time(const fr_skill_input *input, double seconds, const char *what, fr_error *error);

// Frames of a duration, 1 or more.
uint32_t fr__skill_frames(const fr_skill_input *input, double seconds);

#endif
