// The skills ik_reach, grasp and release: a palm goes to a goal, a hand closes on what is in it, and opens.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>
#include <string.h>

#define LEAN_MAX 0.6
#define GRASP_SECONDS 0.6
#define RELEASE_SECONDS 0.35
#define OPEN_PART 0.45 // of a grasp in which the hand opens
#define IS_OPEN 0.05   // radians that a finger of an open hand may be off
#define DIAMETER 0.05  // metres, of what is gripped where nothing is said

// ---------------------------------------------------------------------------------------------------------------
// ik_reach

typedef struct reach_state {
    fr__arm_move move;
    fr__look look;
    uint32_t has_fingers; // 1: the hand opens on the path
    fr__arm_pass pass;    // of a body that moves on
} reach_state;

static bool is_on_the_move(const fr_skill_input *input) { return (input->fields->given & FR_FIELD_CLIP) != 0; }

static fr_status reach_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    reach_state *mine = state->bytes;
    const fr_pose *goal = &input->fields->goal;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, goal->position, &side, error);
    if (status == FR_OK) { status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, mine->move.to, error); }
    if (status != FR_OK) { return status; }
    mine->move.side = side;
    if (is_on_the_move(input)) {
        status = fr__arm_pass_begin(input, side, &mine->pass, frames, error);
        if (status == FR_OK) { fr__glance_begin(input, goal->position, &mine->look); }
        return status;
    }
    fr_quat open[FR__HAND_LINKS];
    memcpy(open, mine->move.to, sizeof open);
    fr__hand_read(input, side, &input->body, mine->move.to); // the fingers stay as they are
    fr__arm_goals wanted = {.poses = goal, .count = 1, .lean_max = LEAN_MAX};
    status = fr__arm_move_find(input, &wanted, &mine->move, NULL, error);
    bool has_object = (input->fields->given & FR_FIELD_OBJECT) != 0;
    if (status == FR_ERROR_ARGUMENT && has_object) {
        // Bent fingers may meet what the hand shall take.
        memcpy(mine->move.to, open, sizeof open);
        if (fr__arm_move_find(input, &wanted, &mine->move, NULL, NULL) == FR_OK) { status = FR_OK; }
        mine->has_fingers = 1;
    }
    if (status != FR_OK) { return status; }
    fr__glance_begin(input, goal->position, &mine->look);
    *frames = input->frames > 0 ? input->frames : mine->move.frames;
    return FR_OK;
}

// The arm alone, where the hand need not open: what fingers do is left to others.
static fr_status reach_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    reach_state *mine = state->bytes;
    double part = fr__skill_part(input);
    fr__glance_write(input, &mine->look, input->fields->goal.position, output);
    if (is_on_the_move(input)) { return fr__arm_pass_step(input, &mine->pass, output, error); }
    if (mine->has_fingers != 0) {
        fr__arm_move_write(input, &mine->move, part, output);
    } else {
        fr_reach_plan_apply(input->skeleton, &mine->move.plan, part, &output->posture);
        fr__arm_move_weigh(input, &mine->move, output);
    }
    if (input->frame == input->frames) { fr__skill_emit(input, output, "reached", 0.0, 0.0); }
    return FR_OK;
}

const fr_skill fr__skill_ik_reach = {
    .name = "ik_reach",
    .words = "brings a palm to a goal, round what stands between, leaning where the arm is too short",
    .needs = FR_FIELD_GOAL,
    .takes = FR_FIELD_SIDE | FR_FIELD_OBJECT | FR_FIELD_FRAMES | FR_FIELD_CLIP | FR_FIELD_VALUE,
    .may_read_space = true,
    .state_bytes = sizeof(reach_state),
    .state_turns = 1,
    .init = reach_init,
    .step = reach_step,
};

// ---------------------------------------------------------------------------------------------------------------
// grasp, release

typedef struct grasp_state {
    fr_quat from[FR__HAND_LINKS], open[FR__HAND_LINKS], closed[FR__HAND_LINKS];
    uint32_t side;
    uint32_t opened; // the frame after which the hand closes
} grasp_state;

static fr_status hand_init(const fr_skill_input *input, grasp_state *mine, fr_error *error) {
    fr_vec3 point = (input->fields->given & FR_FIELD_TARGET) != 0 ? input->target.position : input->body.place;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, point, &side, error);
    if (status == FR_OK) { status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, mine->open, error); }
    if (status != FR_OK) { return status; }
    mine->side = side;
    fr__hand_read(input, side, &input->body, mine->from);
    return FR_OK;
}

static fr_status grasp_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    grasp_state *mine = state->bytes;
    fr_status status = hand_init(input, mine, error);
    if (status != FR_OK) { return status; }
    bool is_open = true;
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        fr_quat apart = fr__quat_product(fr_quat_conjugate(mine->from[i]), mine->open[i]);
        is_open = is_open && fabs(apart.w) >= fr_cos(0.5 * IS_OPEN);
    }
    double part = is_open ? 0.0 : OPEN_PART;
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, GRASP_SECONDS * (1.0 - OPEN_PART + part));
    mine->opened = (uint32_t)(part * *frames);
    return FR_OK;
}

// What is gripped may be in the hand already, and left out of what the body may meet.
static bool is_gripped(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const fr_skill_input *input = context;
    const fr_query_filter *outer = input->filter;
    if (fr_object_id_equal(a, input->fields->object)) { return true; }
    return outer == NULL || outer->accept == NULL || outer->accept(space, a, b, outer->context);
}

// Where the fingers go to: on the faces of the object where it is in the space, else round a cylinder.
static fr_status find_grip(const fr_skill_input *input, const fr_skill_state *state, fr_error *error) {
    grasp_state *mine = state->bytes;
    const fr_skill_fields *fields = input->fields;
    fr_side side = (fr_side)mine->side;
    memcpy(state->turns, input->body.turns, input->body.count * sizeof *state->turns);
    fr_posture posture = input->body;
    posture.turns = state->turns;
    bool has_object = (fields->given & FR_FIELD_OBJECT) != 0 && input->space != NULL && input->figure != NULL;
    if (!has_object) {
        double diameter = (fields->given & FR_FIELD_DIAMETER) != 0 ? fields->diameter : DIAMETER;
        fr_status status = fr_grip_posture(input->skeleton, side, 0.5 * diameter, &posture, error);
        fr__hand_read(input, side, &posture, mine->closed);
        return status;
    }
    fr_grip_input grip = fr_default_grip_input();
    grip.skeleton = input->skeleton;
    grip.figure = input->figure;
    grip.posture = &posture;
    grip.side = side;
    grip.space = input->space;
    fr_skill_input seen = *input;
    fr_query_filter filter = input->filter != NULL ? *input->filter : fr_default_query_filter();
    filter.accept = is_gripped;
    filter.context = &seen;
    grip.filter = &filter;
    fr_grip_output output;
    fr_status status = fr_grip_close(&grip, &posture, &output, error);
    fr__hand_read(input, side, &posture, mine->closed);
    if (status != FR_OK || output.result == FR_GRIP_HELD) { return status; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s",
                        output.result == FR_GRIP_TOO_BIG   ? "the hand does not get round the object: it is too big"
                        : output.result == FR_GRIP_NOTHING ? "there is nothing in the hand to grip"
                                                           : "a finger is in the object already");
}

static fr_status grasp_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    grasp_state *mine = state->bytes;
    fr_side side = (fr_side)mine->side;
    if (input->frame <= mine->opened) {
        double part = (double)input->frame / (double)mine->opened;
        fr__hand_write(input, side, mine->from, mine->open, fr_reach_progress(part), output);
        return FR_OK;
    }
    if (input->frame == mine->opened + 1) {
        fr_status status = find_grip(input, state, error);
        if (status != FR_OK) { return status; }
    }
    double part = (double)(input->frame - mine->opened) / (double)(input->frames - mine->opened);
    const fr_quat *open = mine->opened > 0 ? mine->open : mine->from;
    fr__hand_write(input, side, open, mine->closed, fr_reach_progress(part), output);
    if (input->frame == input->frames) { fr__skill_emit(input, output, "grasp", side, 0.0); }
    return FR_OK;
}

const fr_skill fr__skill_grasp = {
    .name = "grasp",
    .words = "opens a hand and closes it on the object in it, or round a cylinder of a diameter",
    .needs = 0,
    .takes = FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_DIAMETER | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(grasp_state),
    .state_turns = 1,
    .init = grasp_init,
    .step = grasp_step,
};

static fr_status release_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                              fr_error *error) {
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, RELEASE_SECONDS);
    return hand_init(input, state->bytes, error);
}

static fr_status release_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                              fr_error *error) {
    (void)error;
    const grasp_state *mine = state->bytes;
    fr__hand_write(input, (fr_side)mine->side, mine->from, mine->open, fr_reach_progress(fr__skill_part(input)),
                   output);
    if (input->frame == input->frames) { fr__skill_emit(input, output, "release", mine->side, 0.0); }
    return FR_OK;
}

const fr_skill fr__skill_release = {
    .name = "release",
    .words = "opens a hand and lets go of what it holds",
    .needs = 0,
    .takes = FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .state_bytes = sizeof(grasp_state),
    .init = release_init,
    .step = release_step,
};
