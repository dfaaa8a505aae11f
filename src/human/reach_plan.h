// What the files of a planned reach share: the turns of an arm, and whether its rigid pieces stay clear.
#ifndef FUREAI_HUMAN_REACH_PLAN_INTERNAL_H
#define FUREAI_HUMAN_REACH_PLAN_INTERNAL_H

#include "human/grip.h"

// The turns of the four links of a reach.
typedef struct fr__arm_turns {
    fr_quat turns[FR_REACH_LINKS];
} fr__arm_turns;

// How far the joints go from one to the other, radians.
double fr__arm_change(const fr__arm_turns *a, const fr__arm_turns *b);

// A plan through knots, the first and the last of them its ends. The plan's links and side are set.
void fr__reach_plan_make(const fr_skeleton *skeleton, const fr__arm_turns *knots, uint32_t count, fr_reach_plan *plan);

// The time that a hand takes for a path of that length; longer where the curve bends much.
void fr__reach_plan_set_duration(const fr_skeleton *skeleton, fr_reach_plan *plan, double distance);

// The turn a part of the shorter arc from one to another.
fr_quat fr__turn_between(fr_quat a, fr_quat b, double part);

// The turns at a parameter of the curve, 0 .. 1.
fr__arm_turns fr__reach_plan_at(const fr_skeleton *skeleton, const fr_reach_plan *plan, double u);

// By how many radians the curve leaves the limits there, before it is brought within.
double fr__reach_plan_excess(const fr_skeleton *skeleton, const fr_reach_plan *plan, double u);

enum { FR__CLEAR_MAX_PIECES = 48, FR__CLEAR_MAX_TOUCHES = 16, FR__CLEAR_TRUNK = 5, FR__CLEAR_POINTS = 64 };

// A rigid piece of the body that a reach moves.
typedef struct fr__clear_piece {
    const fr_mesh *mesh;
    uint32_t link;
    uint32_t inner_count; // pieces after it in the list that it stands for: where it is clear, they are
    bool may_meet_trunk;  // is looked at against the trunk
    bool is_finger;       // a phalanx
    bool is_tip;          // the last one of the index finger
} fr__clear_piece;

// A piece that touches an object from the start.
typedef struct fr__clear_touch {
    uint32_t piece;
    fr_object_id object;
    double depth; // metres that a corner of the piece is inside
} fr__clear_touch;

// What part of a reach is looked at.
typedef enum fr__clear_stage {
    FR__CLEAR_PATH,    // the path to its end
    FR__CLEAR_FINAL,   // the last, straight part: fingers may touch what they come for
    FR__CLEAR_LEAVING, // the hand leaves the object that it touched, which is elsewhere by then: it is not looked at
} fr__clear_stage;

// The pieces that move, what they touch at the start, and the posture that is looked at.
typedef struct fr__clear {
    const fr_reach_plan_input *input;
    const fr_skeleton_view *view;
    fr__clear_piece pieces[FR__CLEAR_MAX_PIECES];
    uint32_t piece_count;
    uint32_t arm_count; // the first of them, which move also without a lean
    bool has_lean;      // the posture that is looked at leans
    const fr_mesh *trunk[FR__CLEAR_TRUNK];
    uint32_t trunk_links[FR__CLEAR_TRUNK];
    uint32_t trunk_count;
    fr__clear_touch touches[FR__CLEAR_MAX_TOUCHES];
    uint32_t touch_count;
    uint32_t touching; // bit i: the piece of touches[i] has not left the object yet on the path that is looked at
    fr__clear_stage stage;
    fr_posture posture;
    fr_quat turns[FR_MAX_LINKS];
    fr_contact obstacle; // of the last check that failed
    uint32_t link;
    fr_status status; // of the space's queries
    fr_error *error;
} fr__clear;

// Lists the pieces below a link and finds what they touch at the input's posture.
void fr__clear_begin(fr__clear *clear, const fr_reach_plan_input *input, uint32_t first_link, fr_error *error);

// Whether the arm is clear with these turns at a parameter of the path; and along a plan.
bool fr__clear_at(fr__clear *clear, const fr_reach_plan *plan, const fr__arm_turns *turns, double u);
bool fr__clear_along(fr__clear *clear, const fr_reach_plan *plan);

// Whether the arm is clear from one posture to another that is near, at a stage of a reach.
bool fr__clear_between(fr__clear *clear, const fr_reach_plan *plan, const fr__arm_turns *from, const fr__arm_turns *to,
                       fr__clear_stage stage);

// The posture of the body in a frame of its course, fingers included, written over that of the frame before.
typedef void fr__clear_course_fn(uint32_t frame, fr_posture *body, void *context);

// Whether the arm is clear on a body that moves, from one frame to another. `has_lean`: what hangs on the chest is
// looked at too.
bool fr__clear_course(fr__clear *clear, bool has_lean, uint32_t first, uint32_t last, fr__clear_course_fn *course,
                      void *context);

// The posture of the body at a part of a motion, 0 .. 1, written over another one of it.
typedef void fr__clear_motion_fn(double part, fr_posture *body, void *context);

// Whether the pieces are clear of the objects along a motion of a body that stays where it is, from one sample to the
// next. What a piece touches at the start it may leave, not enter deeper. `has_lean` as above.
bool fr__clear_motion(fr__clear *clear, bool has_lean, uint32_t samples, fr__clear_motion_fn *motion, void *context);

// Whether the hand of a body is clear with its palm at a pose, however the arm is held.
bool fr__clear_hand(fr__clear *clear, const fr_posture *body, uint32_t palm_link, const fr_pose *palm);

// Whether a posture at the end of a plan will do for a goal. `clear` and the plan's links are for checks of what comes
// after it.
typedef bool fr__reach_accept_fn(const fr_posture *end, uint32_t goal, fr__clear *clear, const fr_reach_plan *plan,
                                 void *context);

// fr_reach_plan_find, of the ends that are accepted alone.
fr_status fr__reach_plan_search(const fr_reach_plan_input *input, fr__reach_accept_fn *accept, void *context,
                                fr_reach_plan_output *output, fr_error *error);

#endif
