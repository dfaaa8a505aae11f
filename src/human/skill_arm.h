// What the skills of arms and hands share: a planned reach with a shape of the hand, a palm or a fingertip that follows
// a point, and how fingers are held.
#ifndef FUREAI_HUMAN_SKILL_ARM_H
#define FUREAI_HUMAN_SKILL_ARM_H

#include "human/reach_plan.h"
#include "human/skill.h"

enum { FR__PRESS_GOALS = 45 };

// How fingers are held.
typedef enum fr__hand_shape {
    FR__HAND_OPEN,     // as at rest
    FR__HAND_POINTING, // the index finger straight, the others bent
    FR__HAND_TYPING,   // all fingers curved
    FR__HAND_HOOKED    // the index finger curved as for typing, the others bent
} fr__hand_shape;

// The 14 turns of a hand's links; false with a sentence where the skeleton has no fingers on that side.
fr_status fr__hand_shape_turns(const fr_skill_input *input, fr_side side, fr__hand_shape shape,
                               fr_quat turns[FR__HAND_LINKS], fr_error *error);

// Reads the turns of a hand's links from a posture, and writes some between two shapes into one, weights included.
void fr__hand_read(const fr_skill_input *input, fr_side side, const fr_posture *posture, fr_quat turns[FR__HAND_LINKS]);
void fr__hand_write(const fr_skill_input *input, fr_side side, const fr_quat *from, const fr_quat *to, double part,
                    fr_skill_output *output);

// The tip of the index finger in the palm's frame when the fingers are held so.
fr_vec3 fr__hand_tip(const fr_skill_input *input, fr_side side, const fr_quat turns[FR__HAND_LINKS]);

// Looks at what is around before a motion that is given as it is, of the arm of a side or, with the chest, of all above
// the hip: refuses what would meet an object, with a sentence that names it. The object of the fields is not looked at.
// `seconds` is the natural duration. A body without a figure, or without a space, does not look.
fr_status fr__skill_look_along(const fr_skill_input *input, fr_side side, bool has_chest, double seconds,
                               fr__clear_motion_fn *motion, void *context, fr_error *error);

// A planned reach of one arm, at the end of which the hand has a shape.
typedef struct fr__arm_move {
    fr_reach_plan plan;
    fr_quat from[FR__HAND_LINKS], to[FR__HAND_LINKS]; // of the fingers
    fr_vec3 velocities[FR_REACH_LINKS];               // of the links in the last frame that followed a palm
    uint32_t side;
    uint32_t frames;
} fr__arm_move;

typedef struct fr__arm_goals {
    const fr_pose *poses; // of the palm, the one liked best first
    uint32_t count;
    bool is_tip;
    fr_vec3 approach;
    bool may_touch; // fingers may touch the object of the fields at the end
    double lean_max;
    uint32_t leaving; // poses at the end of a course on which the hand leaves the object: they are looked at
} fr__arm_goals;

// Plans a move from the body's posture; `move` has its side and the fingers' last turns. Refuses with a sentence on
// what is in reach and what stops the arm.
fr_status fr__arm_move_find(const fr_skill_input *input, const fr__arm_goals *goals, fr__arm_move *move, uint32_t *goal,
                            fr_error *error);

// Poses that the palm goes on to after a move, one after another, and how many of them there are for a goal.
typedef uint32_t fr__arm_course_fn(const fr_skill_input *input, const fr_pose *goal, fr_pose *palms, void *context);

enum { FR__COURSE_MAX = 32 };

// The same for a hand that goes on from there: the whole course from the end of the plan is within the limits of the
// joints, so that no frame of it needs another swivel of the elbow.
fr_status fr__arm_move_find_course(const fr_skill_input *input, const fr__arm_goals *goals, fr__arm_course_fn *course,
                                   void *context, fr_quat *scratch, fr__arm_move *move, uint32_t *goal,
                                   fr_error *error);

// A palm that meets a goal while the body moves on, opens before it is there, stays there for a while and leaves.
typedef struct fr__arm_pass {
    fr_reach_pass pass;
    fr_quat from[FR__HAND_LINKS], to[FR__HAND_LINKS]; // of the fingers
    uint32_t frame;                                   // of the course, in which the body should be now
} fr__arm_pass;

// Plans it on the clip of the fields, which says how the body moves from now on; `value` of them is for how many
// seconds the palm stays. Refuses with a sentence, as fr__arm_move_find, and where the body is elsewhere.
fr_status fr__arm_pass_begin(const fr_skill_input *input, fr_side side, fr__arm_pass *pass, uint32_t *frames,
                             fr_error *error);

// One frame. The course is followed where the body is on it, frames that came late included; fails where it is not.
fr_status fr__arm_pass_step(const fr_skill_input *input, fr__arm_pass *pass, fr_skill_output *output, fr_error *error);

// Begins with one side.
typedef fr_status fr__side_fn(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                              fr_error *error);

// Begins with the side that the fields give; where they leave it open, with the one that is nearer to a point, and with
// the other where that is refused. The sentence of a refusal is that of the first.
fr_status fr__skill_try_sides(const fr_skill_input *input, const fr_skill_state *state, fr_vec3 point,
                              fr__side_fn *begin, uint32_t *frames, fr_error *error);

// Weighs the links of the arm, and of the chest where the move leans.
void fr__arm_move_weigh(const fr_skill_input *input, const fr__arm_move *move, fr_skill_output *output);

// Writes the move at a part of its time, 0 .. 1, and its weights.
void fr__arm_move_write(const fr_skill_input *input, const fr__arm_move *move, double part, fr_skill_output *output);

// Brings a palm to a pose from the arm's last posture, as the body stands now; what the move does besides is kept. No
// joint speeds up faster than people do: what jumps away is followed. Fails where the pose goes out of reach.
fr_status fr__arm_follow(const fr_skill_input *input, fr__arm_move *move, const fr_pose *palm, fr_quat *scratch,
                         fr_skill_output *output, fr_error *error);

// The body as it stands now, with the arm (and the lean) of the skill's own posture.
fr_posture fr__arm_posture(const fr_skill_input *input, const fr__arm_move *move, const fr_posture *own,
                           fr_quat *scratch);

// Where the palm of a side is with the arm of the skill's own posture on the body as it stands now.
fr_pose fr__arm_palm(const fr_skill_input *input, const fr__arm_move *move, const fr_posture *posture,
                     fr_quat *scratch);

// The palm's turn whose fingers point along a direction with its inner side as near as possible to another direction.
fr_quat fr__palm_turn(fr_side side, fr_vec3 fingers, fr_vec3 inner);

// Palms with which an index finger presses at a target (origin on the surface, z outwards), the natural ones first;
// places are those of the tip. The index finger is bent by so much in all. Returns how many.
uint32_t fr__press_goals(const fr_skill_input *input, fr_side side, const fr_pose *target, fr_vec3 tip, double bend,
                         fr_pose goals[FR__PRESS_GOALS]);

#define FR__TYPING_BEND_DEG 75.0 // of an index finger that types or is hooked

// Frames of several stages that together have as many as the task was given, each 1 or more.
uint32_t fr__skill_stages(const fr_skill_input *input, const double *seconds, uint32_t *stages, uint32_t count);

// How a body looks at a point: turns of chest and head, at a part of the time from where they were.
typedef struct fr__look {
    fr_quat chest, head;   // at the beginning
    fr_vec3 velocities[2]; // of both in the last frame
    fr_vec3 eyes;          // from the body's place; they follow the head, which they turn, with some delay
    uint32_t has_chest;    // 1: the chest turns too
    uint32_t is_glance;    // 1: the head alone, for most of the angle, where no other skill turns it; 2: not at all
} fr__look;

// Refuses what is behind the body, with the turn that would help. `has_chest` false: the chest is another's.
fr_status fr__look_begin(const fr_skill_input *input, fr_vec3 point, bool has_chest, fr__look *look, fr_error *error);
void fr__look_write(const fr_skill_input *input, fr__look *look, fr_vec3 point, double part, fr_skill_output *output);

// A glance at what a hand is at: the eyes do the rest of what the head leaves. Nothing is refused.
void fr__glance_begin(const fr_skill_input *input, fr_vec3 point, fr__look *look);
void fr__glance_write(const fr_skill_input *input, fr__look *look, fr_vec3 point, fr_skill_output *output);

#define FR__LOOK_SECONDS 0.3

#endif
