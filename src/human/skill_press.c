// The skills press and touch_panel: the hand goes before the target, the index finger straight to it, holds and comes
// back.
#include "human/skill_arm.h"

#include "human/posture.h"

#define BEFORE 0.06        // metres before the surface where the straight part begins
#define PRESS_DEPTH 0.008  // metres that a button is pressed in
#define TOUCH_DEPTH -0.001 // the bone's tip stays this much before a panel: the flesh touches it
#define IN_SECONDS 0.3
#define HOLD_SECONDS 0.1
#define OUT_SECONDS 0.25
#define LEAN_MAX 0.6

enum { REACH, IN, HOLD, OUT, STAGES };

typedef struct press_state {
    fr__arm_move move;
    fr__look look;
    fr_quat palm;          // the palm's turn in the target's frame
    fr_vec3 tip;           // of the index finger in the palm's frame
    fr_vec3 point;         // that is pressed, in the target's frame
    fr_vec3 lag;           // of the tip where the straight part begins, in the world
    double depth;          // metres
    uint32_t ends[STAGES]; // last frames of the stages
} press_state;

// The target where its button is not pressed: one that is in goes on from there.
static fr_pose surface_of(const fr_skill_input *input) {
    fr_pose target = input->target;
    bool may_move = input->space != NULL && (input->fields->given & FR_FIELD_OBJECT) != 0;
    for (uint32_t i = 0; may_move && i < fr_space_joint_places(input->space); i++) {
        const fr_joint *joint = fr_joint_get(input->space, fr_space_joint_at(input->space, i));
        if (joint == NULL || joint->kind != FR_JOINT_SLIDER) { continue; }
        if (joint->value == 0.0 || !fr_object_id_equal(joint->child, input->fields->object)) { continue; }
        const fr_object_view *parent = fr_object_get(input->space, joint->parent);
        fr_quat turn = joint->frame_parent.rotation;
        if (parent != NULL) { turn = fr__quat_product(parent->pose.rotation, turn); }
        fr_vec3 axis = fr__quat_turn(turn, fr_vec3_make(0.0, 0.0, 1.0));
        target.position = fr_vec3_add_scaled(target.position, -joint->value, axis);
    }
    return target;
}

static fr_vec3 tip_goal(const fr_skill_input *input, const press_state *mine, double height) {
    fr_pose surface = surface_of(input);
    return fr_pose_apply(&surface, fr_vec3_make(mine->point.x, mine->point.y, mine->point.z + height));
}

static fr_pose palm_for_tip(const fr_skill_input *input, const press_state *mine, fr_vec3 tip) {
    fr_pose palm = fr_pose_make(tip, fr__quat_product(input->target.rotation, mine->palm));
    palm.position = fr_vec3_sub(tip, fr__quat_turn(palm.rotation, mine->tip));
    return palm;
}

static fr_status begin_shape(const fr_skill_input *input, const fr_skill_state *state, fr_side side,
                             fr__hand_shape shape, uint32_t *frames, fr_error *error) {
    press_state *mine = state->bytes;
    fr_status status = fr__hand_shape_turns(input, side, shape, mine->move.to, error);
    if (status != FR_OK) { return status; }
    mine->move.side = side;
    mine->tip = fr__hand_tip(input, side, mine->move.to);

    fr_pose goals[FR__PRESS_GOALS];
    fr_vec3 deepest = tip_goal(input, mine, -mine->depth);
    fr__arm_goals wanted = {.poses = goals, .is_tip = true, .may_touch = mine->depth > 0.0, .lean_max = LEAN_MAX};
    double bend = shape == FR__HAND_HOOKED ? fr_radians(FR__TYPING_BEND_DEG) : 0.0;
    wanted.count = fr__press_goals(input, side, &input->target, deepest, bend, goals);
    wanted.approach = fr_vec3_sub(deepest, tip_goal(input, mine, BEFORE));
    uint32_t chosen = 0;
    status = fr__arm_move_find(input, &wanted, &mine->move, &chosen, error);
    if (status != FR_OK) { return status; }
    mine->palm = fr__quat_product(fr_quat_conjugate(input->target.rotation), goals[chosen].rotation);
    fr__glance_begin(input, deepest, &mine->look);
    const double seconds[STAGES] = {mine->move.plan.seconds, IN_SECONDS, HOLD_SECONDS, OUT_SECONDS};
    *frames = fr__skill_stages(input, seconds, mine->ends, STAGES);
    for (int i = 1; i < STAGES; i++) {
        mine->ends[i] += mine->ends[i - 1];
    }
    return FR_OK;
}

// What a straight finger does not come to, such as a button that looks up near the body, a curved one may.
static fr_status begin_side(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                            fr_error *error) {
    fr_error refusal = {0};
    fr_status status = begin_shape(input, state, side, FR__HAND_POINTING, frames, &refusal);
    if (status != FR_ERROR_ARGUMENT) { return status; }
    if (begin_shape(input, state, side, FR__HAND_HOOKED, frames, NULL) == FR_OK) { return FR_OK; }
    if (error != NULL) { *error = refusal; }
    return status;
}

static fr_status begin(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames, fr_error *error) {
    fr_vec3 surface = tip_goal(input, state->bytes, 0.0);
    return fr__skill_try_sides(input, state, surface, begin_side, frames, error);
}

static fr_status press_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    ((press_state *)state->bytes)->depth = PRESS_DEPTH;
    return begin(input, state, frames, error);
}

// The point of a panel is the goal's place, in the plane of the target.
static fr_status touch_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    press_state *mine = state->bytes;
    mine->depth = TOUCH_DEPTH;
    if ((input->fields->given & FR_FIELD_GOAL) != 0) {
        fr_vec3 apart = fr_vec3_sub(input->fields->goal.position, input->target.position);
        mine->point = fr__quat_turn(fr_quat_conjugate(input->target.rotation), apart);
        mine->point.z = 0.0;
    }
    return begin(input, state, frames, error);
}

// The height of the tip over the surface in a frame after the reach.
static double height_at(const press_state *mine, uint32_t frame) {
    if (frame <= mine->ends[IN]) {
        double part = (double)(frame - mine->ends[REACH]) / (double)(mine->ends[IN] - mine->ends[REACH]);
        return BEFORE - (BEFORE + mine->depth) * fr_reach_progress(part);
    }
    if (frame <= mine->ends[HOLD]) { return -mine->depth; }
    double part = (double)(frame - mine->ends[HOLD]) / (double)(mine->ends[OUT] - mine->ends[HOLD]);
    return (BEFORE + mine->depth) * fr_reach_progress(part) - mine->depth;
}

static fr_status step(const fr_skill_input *input, const fr_skill_state *state, const char *event,
                      fr_skill_output *output, fr_error *error) {
    press_state *mine = state->bytes;
    uint32_t frame = input->frame;
    fr__glance_write(input, &mine->look, tip_goal(input, mine, 0.0), output);
    if (frame <= mine->ends[REACH]) {
        fr__arm_move_write(input, &mine->move, (double)frame / (double)mine->ends[REACH], output);
        return FR_OK;
    }
    if (frame == mine->ends[REACH] + 1) {
        // Where the body or the target has moved meanwhile, the tip begins a little beside the line.
        fr_pose palm = fr__arm_palm(input, &mine->move, &output->posture, state->turns);
        fr_vec3 tip = fr_vec3_add(palm.position, fr__quat_turn(palm.rotation, mine->tip));
        mine->lag = fr_vec3_sub(tip, tip_goal(input, mine, BEFORE));
    }
    fr_vec3 goal = tip_goal(input, mine, height_at(mine, frame));
    if (frame < mine->ends[IN]) {
        double part = (double)(frame - mine->ends[REACH]) / (double)(mine->ends[IN] - mine->ends[REACH]);
        goal = fr_vec3_add_scaled(goal, 1.0 - fr_reach_progress(part), mine->lag);
    }
    fr_pose palm = palm_for_tip(input, mine, goal);
    fr_status status = fr__arm_follow(input, &mine->move, &palm, state->turns, output, error);
    if (status != FR_OK) { return status; }
    fr__hand_write(input, (fr_side)mine->move.side, mine->move.to, mine->move.to, 1.0, output);
    if (frame == mine->ends[IN]) { fr__skill_emit(input, output, event, mine->point.x, mine->point.y); }
    output->is_done = frame >= mine->ends[OUT];
    return FR_OK;
}

static fr_status press_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    return step(input, state, "press", output, error);
}

static fr_status touch_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    return step(input, state, "touch", output, error);
}

const fr_skill fr__skill_press = {
    .name = "press",
    .words = "presses a button with the index finger, 8 mm in, and takes the hand back",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(press_state),
    .state_turns = 1,
    .init = press_init,
    .step = press_step,
};

const fr_skill fr__skill_touch_panel = {
    .name = "touch_panel",
    .words = "touches a panel with the index finger at a goal on it, or at its origin",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_GOAL | FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(press_state),
    .state_turns = 1,
    .init = touch_init,
    .step = touch_step,
};
