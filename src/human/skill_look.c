// The skills look_at, check, read, point and call: head and chest turn to a target, an arm points at it.
#include "human/skill_arm.h"

#include "human/posture.h"

#define CHECK_SECONDS 1.0
#define READ_SECONDS 3.0
#define CALL_SECONDS 0.8
#define POINT_SECONDS 1.0
#define STRETCHED 0.995 // of the arm's length
#define NEAR_TIP 0.12   // metres that the finger stays away from a target within reach

// ---------------------------------------------------------------------------------------------------------------
// look_at, check, read

static double look_part(const fr_skill_input *input) {
    double frames = FR__LOOK_SECONDS * input->rate;
    if (input->frames > 0 && frames > input->frames) { frames = input->frames; }
    return (double)input->frame >= frames ? 1.0 : (double)input->frame / frames;
}

static fr_status look_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    *frames = input->frames;
    return fr__look_begin(input, input->target.position, true, state->bytes, error);
}

static fr_status look_for(const fr_skill_input *input, const fr_skill_state *state, double seconds, uint32_t *frames,
                          fr_error *error) {
    fr_status status = look_init(input, state, frames, error);
    if (*frames == 0) { *frames = fr__skill_frames(input, seconds); }
    return status;
}

static fr_status check_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    return look_for(input, state, CHECK_SECONDS, frames, error);
}

static fr_status read_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    return look_for(input, state, READ_SECONDS, frames, error);
}

static fr_status look_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    (void)error;
    fr__look_write(input, state->bytes, input->target.position, look_part(input), output);
    return FR_OK;
}

// Emits an event with the field `value` in the last frame.
static void emit_last(const fr_skill_input *input, fr_skill_output *output, const char *name) {
    double value = (input->fields->given & FR_FIELD_VALUE) != 0 ? input->fields->value : 0.0;
    if (input->frame == input->frames) { fr__skill_emit(input, output, name, value, 0.0); }
}

static fr_status check_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    emit_last(input, output, "seen");
    return look_step(input, state, output, error);
}

static fr_status read_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    emit_last(input, output, "read");
    return look_step(input, state, output, error);
}

const fr_skill fr__skill_look_at = {
    .name = "look_at",
    .words = "turns head and chest to a target and follows it with the eyes, until it is stopped",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_FRAMES,
    .state_bytes = sizeof(fr__look),
    .init = look_init,
    .step = look_step,
};

const fr_skill fr__skill_check = {
    .name = "check",
    .words = "looks at a target for a second and has then seen its value",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_VALUE | FR_FIELD_FRAMES,
    .state_bytes = sizeof(fr__look),
    .init = check_init,
    .step = check_step,
};

const fr_skill fr__skill_read = {
    .name = "read",
    .words = "looks at what is in the hands or on a desk, as long as reading takes",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_VALUE | FR_FIELD_FRAMES,
    .state_bytes = sizeof(fr__look),
    .init = read_init,
    .step = read_step,
};

// ---------------------------------------------------------------------------------------------------------------
// point, call

typedef struct point_state {
    fr__arm_move move;
    fr__look look;
    uint32_t ends[2]; // last frames of the reach and of the whole
} point_state;

enum { POINT_ROLLS = 9, POINT_STRETCHES = 4, POINT_GOALS = POINT_ROLLS * POINT_STRETCHES };

static double bone(const fr_skill_input *input, fr_link role) {
    return fr_vec3_length(fr_skeleton_get(input->skeleton)->offsets[fr__skill_link(input, role)]);
}

// Palms on the line from the shoulder to the target: of a straight arm first, then of one that is bent more and more.
static void point_goals(const fr_skill_input *input, fr_side side, fr_vec3 tip, fr_pose goals[POINT_GOALS]) {
    static const double rolls_deg[POINT_ROLLS] = {60, 30, 90, 0, 120, -30, 150, -60, 180};
    static const double stretches[POINT_STRETCHES] = {STRETCHED, 0.85, 0.7, 0.55};
    bool is_right = side == FR_RIGHT;
    uint32_t upper = fr__skill_link(input, is_right ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM);
    fr_pose shoulder = fr__link_pose(fr_skeleton_get(input->skeleton), &input->body, upper);
    fr_vec3 apart = fr_vec3_sub(input->target.position, shoulder.position);
    fr_vec3 along = fr_vec3_unit(apart, fr_vec3_make(0.0, 0.0, 1.0)), down = fr_vec3_make(0.0, -1.0, 0.0);
    double arm = bone(input, is_right ? FR_LINK_RIGHT_FOREARM : FR_LINK_LEFT_FOREARM) +
                 bone(input, is_right ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM);
    double left = fr_vec3_length(apart) - fr_vec3_length(tip) - NEAR_TIP;
    for (int i = 0; i < POINT_GOALS; i++) {
        double wrist = stretches[i / POINT_ROLLS] * arm;
        if (wrist > left) { wrist = left > 0.4 * arm ? left : 0.4 * arm; }
        double roll = fr_radians(rolls_deg[i % POINT_ROLLS]) * (is_right ? -1.0 : 1.0);
        fr_vec3 inner = fr_vec3_add_scaled(down, -fr_vec3_dot(down, along), along);
        inner = fr__quat_turn(fr_quat_from_axis_angle(along, roll), inner);
        goals[i] = fr_pose_make(fr_vec3_add_scaled(shoulder.position, wrist, along), fr__palm_turn(side, along, inner));
    }
}

static fr_status point_for(const fr_skill_input *input, const fr_skill_state *state, double seconds, uint32_t *frames,
                           fr_error *error) {
    point_state *mine = state->bytes;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, input->target.position, &side, error);
    if (status == FR_OK) { status = fr__hand_shape_turns(input, side, FR__HAND_POINTING, mine->move.to, error); }
    if (status == FR_OK) { status = fr__look_begin(input, input->target.position, false, &mine->look, error); }
    if (status != FR_OK) { return status; }
    mine->move.side = side;
    fr_pose goals[POINT_GOALS];
    point_goals(input, side, fr__hand_tip(input, side, mine->move.to), goals);
    fr__arm_goals wanted = {.poses = goals, .count = POINT_GOALS, .lean_max = 0.0};
    status = fr__arm_move_find(input, &wanted, &mine->move, NULL, error);
    if (status != FR_OK) { return status; }
    const double stages[2] = {mine->move.plan.seconds, seconds};
    *frames = fr__skill_stages(input, stages, mine->ends, 2);
    mine->ends[1] += mine->ends[0];
    return FR_OK;
}

static fr_status point_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    return point_for(input, state, POINT_SECONDS, frames, error);
}

static fr_status call_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    return point_for(input, state, CALL_SECONDS, frames, error);
}

static fr_status point_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    point_state *mine = state->bytes;
    double part = input->frame >= mine->ends[0] ? 1.0 : (double)input->frame / (double)mine->ends[0];
    fr__arm_move_write(input, &mine->move, part, output);
    fr__look_write(input, &mine->look, input->target.position, look_part(input), output);
    output->is_done = input->frame >= mine->ends[1];
    return FR_OK;
}

static fr_status call_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    const point_state *mine = state->bytes;
    if (input->frame == mine->ends[1]) { fr__skill_emit(input, output, "called", 0.0, 0.0); }
    return point_step(input, state, output, error);
}

const fr_skill fr__skill_point = {
    .name = "point",
    .words = "points at a target with a straight arm and the index finger, and looks at it",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(point_state),
    .state_turns = 1,
    .init = point_init,
    .step = point_step,
};

const fr_skill fr__skill_call = {
    .name = "call",
    .words = "points at a target, holds for 0.8 s and has then called it (pointing and calling)",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .state_bytes = sizeof(point_state),
    .state_turns = 1,
    .init = call_init,
    .step = call_step,
};
