// The skill slide: a hand takes the handle of a lever and goes with its slider or hinge to a value.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>

#define BEFORE 0.12 // metres before the handle where the straight part begins
#define IN_SECONDS 0.3
#define CLOSE_SECONDS 0.25
#define OPEN_SECONDS 0.2
#define OUT_SECONDS 0.3
#define HANDLE 0.024  // metres, its diameter where none is given
#define FLESH 0.03    // metres from the palm's axis to what it grips
#define HALF_OPEN 0.4 // of the grip that the fingers have before they close
#define LEAN_MAX 0.6

enum { REACH, IN, CLOSE, MOVE, OPEN, OUT, STAGES };
#define LOOSER 0.012 // metres more, where the palm itself would touch the handle
enum { TILTS = 5, ROLLS = 5, GRIPS = 2, HANDLE_GOALS = 2 * ROLLS * TILTS * GRIPS };

typedef struct slide_state {
    fr__arm_move move;
    fr__look look;
    fr_quat closed[FR__HAND_LINKS];
    fr_pose palm;    // in the joint's frame, where the hand has closed
    fr_vec3 lag;     // of the palm where the straight part begins
    fr_vec3 in;      // displacement of the straight part, in the target's frame
    fr_pose held;    // the palm in the target's frame when it holds
    fr_vec3 handle;  // in the joint's frame, at the first value
    fr_quat outward; // the turn of the target at the first value: z goes away from the handle
    double from;     // value of the joint in the beginning
    double low, high;
    fr_pose joint; // its frame in the world; z is the axis
    uint32_t is_slider;
    uint32_t is_hook; // 1: the hand does not turn with the handle
    uint32_t ends[STAGES];
} slide_state;

// The joint that moves the object, with its frame in the world.
static fr_status find_joint(const fr_skill_input *input, slide_state *mine, fr_error *error) {
    if (input->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a slide needs a space with the lever"); }
    for (uint32_t i = 0; i < fr_space_joint_places(input->space); i++) {
        const fr_joint *joint = fr_joint_get(input->space, fr_space_joint_at(input->space, i));
        if (joint == NULL || !fr_object_id_equal(joint->child, input->fields->object)) { continue; }
        if (joint->kind != FR_JOINT_HINGE && joint->kind != FR_JOINT_SLIDER) { continue; }
        const fr_object_view *parent = fr_object_get(input->space, joint->parent);
        mine->joint = parent != NULL ? fr_pose_compose(&parent->pose, &joint->frame_parent) : joint->frame_parent;
        mine->is_slider = joint->kind == FR_JOINT_SLIDER;
        mine->from = joint->value;
        mine->low = joint->low;
        mine->high = joint->high;
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the object has no slider or hinge to move");
}

// Palms that hold a handle along x of the target from before (z) it: the grip on the handle, fingers across it.
static uint32_t handle_goals(const fr_skill_input *input, fr_side side, double radius, fr_pose goals[HANDLE_GOALS]) {
    static const double tilts_deg[TILTS] = {20, 50, 0, 75, -25}, rolls_deg[ROLLS] = {0, 25, -25, 50, -50};
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_vec3 grip = view->points[side == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP].offset;
    fr_vec3 in = fr_vec3_make(0.0, 0.0, -1.0);
    uint32_t count = 0;
    for (int i = 0; i < GRIPS * TILTS; i++) {
        fr_vec3 held = grip;
        held.y += (side == FR_RIGHT ? -1.0 : 1.0) * (radius + FLESH + (i < TILTS ? 0.0 : LOOSER));
        for (int k = 0; k < 2 * ROLLS; k++) {
            // The fingers point up or down across the handle, more or less oblique, and lean over it.
            fr_quat roll = fr_quat_from_axis_angle(in, fr_radians(rolls_deg[k / 2]));
            fr_vec3 across = fr__quat_turn(roll, fr_vec3_make(0.0, k % 2 == 0 ? 1.0 : -1.0, 0.0));
            fr_quat lean = fr_quat_from_axis_angle(fr_vec3_cross(across, in), fr_radians(tilts_deg[i % TILTS]));
            fr_vec3 fingers = fr__quat_turn(lean, across), inner = fr__quat_turn(lean, in);
            fr_quat turn = fr__quat_product(input->target.rotation, fr__palm_turn(side, fingers, inner));
            fr_vec3 place = fr_vec3_sub(input->target.position, fr__quat_turn(turn, held));
            goals[count++] = fr_pose_make(place, turn);
        }
    }
    return count;
}

static fr_pose local_to(const fr_pose *frame, const fr_pose *pose) {
    fr_pose back = fr_pose_inverse(frame);
    return fr_pose_compose(&back, pose);
}

static double goal_value(const fr_skill_input *input, const slide_state *mine) {
    double value = input->fields->value;
    return value < mine->low ? mine->low : value > mine->high ? mine->high : value;
}

static double stage_part(const slide_state *mine, int stage, uint32_t frame) {
    return (double)(frame - mine->ends[stage - 1]) / (double)(mine->ends[stage] - mine->ends[stage - 1]);
}

// Where the palm is when the joint has gone from its first value to another. A hand that hooks goes with the handle and
// does not turn with it.
static fr_pose palm_at(const slide_state *mine, double value) {
    fr_pose moved = fr_pose_identity();
    if (mine->is_slider != 0) {
        moved.position.z = value - mine->from;
    } else {
        moved.rotation = fr__quat_about(2, value - mine->from);
    }
    fr_pose palm = fr_pose_compose(&mine->joint, &mine->palm);
    if (mine->is_hook != 0) {
        fr_vec3 now = fr_pose_apply(&mine->joint, fr_pose_apply(&moved, mine->handle));
        fr_vec3 travel = fr_vec3_sub(now, fr_pose_apply(&mine->joint, mine->handle));
        return fr_pose_make(fr_vec3_add(palm.position, travel), palm.rotation);
    }
    fr_pose in_joint = fr_pose_compose(&moved, &mine->palm);
    return fr_pose_compose(&mine->joint, &in_joint);
}

// Away from the handle when the joint has its goal, in the world.
static fr_vec3 out_at_end(const fr_skill_input *input, const slide_state *mine) {
    fr_vec3 out = fr__quat_turn(mine->outward, fr_vec3_make(0.0, 0.0, BEFORE));
    if (mine->is_slider != 0) { return out; }
    fr_quat turn = fr__quat_about(2, goal_value(input, mine) - mine->from);
    fr_quat back = fr_quat_conjugate(mine->joint.rotation);
    return fr__quat_turn(fr__quat_product(mine->joint.rotation, fr__quat_product(turn, back)), out);
}

enum { COURSE_STEPS = 8 };

// To the handle, and with it to the value.
static uint32_t slide_course(const fr_skill_input *input, const fr_pose *goal, fr_pose *palms, void *context) {
    slide_state *mine = context;
    fr_vec3 out = fr__quat_turn(input->target.rotation, fr_vec3_make(0.0, 0.0, BEFORE));
    mine->palm = local_to(&mine->joint, goal);
    for (int i = 1; i <= COURSE_STEPS; i++) {
        double part = (double)i / COURSE_STEPS;
        palms[i - 1] = fr_pose_make(fr_vec3_add_scaled(goal->position, 1.0 - part, out), goal->rotation);
        palms[COURSE_STEPS + i - 1] = palm_at(mine, mine->from + part * (goal_value(input, mine) - mine->from));
    }
    fr_vec3 away = out_at_end(input, mine);
    for (int i = 1; i <= COURSE_STEPS; i++) {
        palms[2 * COURSE_STEPS + i - 1] = palms[2 * COURSE_STEPS - 1];
        fr_vec3 *place = &palms[2 * COURSE_STEPS + i - 1].position;
        *place = fr_vec3_add_scaled(*place, (double)i / COURSE_STEPS, away);
    }
    return 3 * COURSE_STEPS;
}

// Where the handle is in the joint's frame at its first value.
static void take_handle(const fr_skill_input *input, slide_state *mine) {
    fr_pose back = fr_pose_inverse(&mine->joint);
    mine->handle = fr_pose_apply(&back, input->target.position);
    mine->outward = input->target.rotation;
}

static fr_status begin_side(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                            fr_error *error) {
    slide_state *mine = state->bytes;
    fr_status status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, mine->move.to, error);
    if (status != FR_OK) { return status; }
    double radius = 0.5 * ((input->fields->given & FR_FIELD_DIAMETER) != 0 ? input->fields->diameter : HANDLE);
    mine->move.side = side;
    fr_posture closed = input->body;
    closed.turns = state->turns;
    (void)fr_posture_copy(&input->body, &closed, NULL);
    status = fr_grip_posture(input->skeleton, side, radius, &closed, error);
    if (status != FR_OK) { return status; }
    fr__hand_read(input, side, &closed, mine->closed);
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        mine->move.to[i] = fr__turn_between(mine->move.to[i], mine->closed[i], HALF_OPEN);
    }

    fr_pose goals[HANDLE_GOALS];
    fr__arm_goals wanted = {.poses = goals, .may_touch = true, .lean_max = LEAN_MAX, .leaving = COURSE_STEPS};
    wanted.count = handle_goals(input, side, radius, goals);
    wanted.approach = fr__quat_turn(input->target.rotation, fr_vec3_make(0.0, 0.0, -BEFORE));
    uint32_t chosen = 0;
    take_handle(input, mine);
    fr_error refusal = {0};
    for (mine->is_hook = 0; mine->is_hook < 2; mine->is_hook++) {
        status =
            fr__arm_move_find_course(input, &wanted, slide_course, mine, state->turns, &mine->move, &chosen, &refusal);
        if (status != FR_ERROR_ARGUMENT) { break; }
    }
    if (status != FR_OK) {
        if (error != NULL) { *error = refusal; }
        return status;
    }
    mine->held = local_to(&input->target, &goals[chosen]);
    fr__glance_begin(input, input->target.position, &mine->look);
    double travel = fabs(goal_value(input, mine) - mine->from);
    if (mine->is_slider == 0) { travel *= fr_vec3_distance(mine->joint.position, input->target.position); }
    const double seconds[STAGES] = {mine->move.plan.seconds,   IN_SECONDS,   CLOSE_SECONDS,
                                    fr_reach_duration(travel), OPEN_SECONDS, OUT_SECONDS};
    *frames = fr__skill_stages(input, seconds, mine->ends, STAGES);
    for (int i = 1; i < STAGES; i++) {
        mine->ends[i] += mine->ends[i - 1];
    }
    return FR_OK;
}

static fr_status slide_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    fr_status status = find_joint(input, state->bytes, error);
    if (status != FR_OK) { return status; }
    return fr__skill_try_sides(input, state, input->target.position, begin_side, frames, error);
}

// Where the fingers stop: on the faces of what is round them, where these are known.
static void close_on_faces(const fr_skill_input *input, slide_state *mine, fr_posture *posture, fr_quat *scratch) {
    if (input->figure == NULL) { return; }
    fr_side side = (fr_side)mine->move.side;
    fr_posture own = fr__arm_posture(input, &mine->move, posture, scratch);
    fr_grip_input grip = fr_default_grip_input();
    grip.skeleton = input->skeleton;
    grip.figure = input->figure;
    grip.posture = &own;
    grip.side = side;
    grip.space = input->space;
    grip.filter = input->filter;
    fr_grip_output output;
    if (fr_grip_close(&grip, &own, &output, NULL) != FR_OK || output.result == FR_GRIP_INSIDE) { return; }
    fr__hand_read(input, side, &own, mine->closed);
}

static fr_status slide_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    slide_state *mine = state->bytes;
    fr_side side = (fr_side)mine->move.side;
    uint32_t frame = input->frame;
    fr__glance_write(input, &mine->look, input->target.position, output);
    if (frame <= mine->ends[REACH]) {
        fr__arm_move_write(input, &mine->move, (double)frame / (double)mine->ends[REACH], output);
        return FR_OK;
    }
    fr_pose palm = fr_pose_compose(&input->target, &mine->held);
    fr_vec3 out = fr__quat_turn(input->target.rotation, fr_vec3_make(0.0, 0.0, BEFORE));
    if (frame == mine->ends[REACH] + 1) {
        fr_pose now = fr__arm_palm(input, &mine->move, &output->posture, state->turns);
        mine->lag = fr_vec3_sub(now.position, fr_vec3_add(palm.position, out));
    }
    if (frame == mine->ends[IN] + 1) { close_on_faces(input, mine, &output->posture, state->turns); }
    if (frame <= mine->ends[CLOSE]) {
        double left = frame < mine->ends[IN] ? 1.0 - fr_reach_progress(stage_part(mine, IN, frame)) : 0.0;
        palm.position = fr_vec3_add_scaled(palm.position, left, fr_vec3_add(out, mine->lag));
        double part = frame > mine->ends[IN] ? fr_reach_progress(stage_part(mine, CLOSE, frame)) : 0.0;
        fr__hand_write(input, side, mine->move.to, mine->closed, part, output);
        if (frame == mine->ends[CLOSE]) {
            // The hand may have moved the lever a little as it came.
            (void)find_joint(input, mine, NULL);
            take_handle(input, mine);
            mine->palm = local_to(&mine->joint, &palm);
            fr__skill_emit(input, output, "grasp", side, 0.0);
        }
    } else if (frame <= mine->ends[MOVE]) {
        double part = fr_reach_progress(stage_part(mine, MOVE, frame)), goal = goal_value(input, mine);
        palm = palm_at(mine, mine->from + part * (goal - mine->from));
        fr__hand_write(input, side, mine->closed, mine->closed, 1.0, output);
        if (frame == mine->ends[MOVE]) { fr__skill_emit(input, output, "moved", goal, 0.0); }
    } else {
        palm = palm_at(mine, goal_value(input, mine));
        double open = frame < mine->ends[OPEN] ? fr_reach_progress(stage_part(mine, OPEN, frame)) : 1.0;
        double away = frame > mine->ends[OPEN] ? fr_reach_progress(stage_part(mine, OUT, frame)) : 0.0;
        palm.position = fr_vec3_add_scaled(palm.position, away, out_at_end(input, mine));
        fr__hand_write(input, side, mine->closed, mine->move.to, open, output);
    }
    output->is_done = frame >= mine->ends[OUT];
    return fr__arm_follow(input, &mine->move, &palm, state->turns, output, error);
}

const fr_skill fr__skill_slide = {
    .name = "slide",
    .words = "takes a lever by its handle and moves it along its slider or hinge to a value",
    .needs = FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_VALUE,
    .takes = FR_FIELD_SIDE | FR_FIELD_DIAMETER | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(slide_state),
    .state_turns = 1,
    .init = slide_init,
    .step = slide_step,
};
