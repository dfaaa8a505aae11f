// The skills shake_hand, hand_over and receive: what two people do together. Both begin in the same frame and take the
// same time. The frame where their hands meet lies between the two bodies and is found again in every frame from where
// both of them are, so that hands that are at it are at one another.
#include "human/clasp.h"
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>
#include <string.h>

#define BEFORE 0.06  // metres that a palm stays off until its last, straight part
#define BACK 0.09    // metres that who has given takes the hand back, straight
#define TO_BODY 0.10 // metres that who has received takes the hand to the body
#define LEAN_MAX 0.6 // radians
#define SWINGS 2.0   // of clasped hands, up and down
#define SWING 0.025  // metres, half of their height
#define NEAR 2e-4    // metres between a thing and the palm that comes under it
#define FARTHEST 3.0 // metres between two who meet, at most

enum { REACH, MEET, CLOSE, TOGETHER, LOOSEN, PART, RETURN, STAGES };

typedef struct meet_state {
    fr__arm_move move;
    fr_pose own, other; // the frame of the meeting from the own root and from the other's
    fr_pose palm;       // of a hand that holds a thing, from the frame of the meeting
    fr_vec3 lag;        // of the palm where the straight part begins, in the world
    fr_quat first[FR_REACH_LINKS], last[FR_REACH_LINKS]; // turns of the arm at the beginning, and where it turns back
    fr_quat hand[FR__HAND_LINKS], open[FR__HAND_LINKS];  // turns of the hand at the beginning, and open
    fr__clasp clasp;
    uint32_t ends[STAGES]; // last frames of the stages
    uint32_t has_thing;    // 1: the hand holds what it gives
} meet_state;

static const double SHAKE_SECONDS[STAGES] = {1.0, 0.25, 0.2, 1.1, 0.2, 0.25, 0.9};
static const double GIVE_SECONDS[STAGES] = {1.1, 0.3, 0.1, 0.2, 0.35, 0.3, 0.9};

static bool is_shake(const fr_skill_input *input) { return input->skill == &fr__skill_shake_hand; }

// The part of a stage that is over, 0 .. 1.
static double part_of(const fr_skill_input *input, const meet_state *mine, int stage) {
    uint32_t begin = stage > 0 ? mine->ends[stage - 1] : 0, end = mine->ends[stage];
    if (input->frame >= end) { return 1.0; }
    return input->frame <= begin ? 0.0 : (double)(input->frame - begin) / (double)(end - begin);
}

static double progress_of(const fr_skill_input *input, const meet_state *mine, int stage) {
    return fr_reach_progress(part_of(input, mine, stage));
}

// ---------------------------------------------------------------------------------------------------------------
// The frame of the meeting

static fr_pose own_root(const fr_skill_input *input) { return fr_pose_make(input->body.place, input->body.turns[0]); }

// Halfway between where it is from the one body and from the other.
static fr_pose meeting_frame(const fr_skill_input *input, const meet_state *mine) {
    fr_pose root = own_root(input);
    fr_pose a = fr_pose_compose(&root, &mine->own), b = fr_pose_compose(&input->target, &mine->other);
    return fr_pose_make(fr_vec3_lerp(a.position, b.position, 0.5), fr__turn_between(a.rotation, b.rotation, 0.5));
}

// The palm when it is `back` metres off, against the direction out of it, `up` over the meeting and `nearer` to the
// body.
static fr_pose palm_at(const fr_skill_input *input, const meet_state *mine, double back, double up, double nearer) {
    fr_side side = (fr_side)mine->move.side;
    fr_pose frame = meeting_frame(input, mine), palm;
    fr_vec3 fingers = fr__quat_turn(frame.rotation, fr_vec3_make(0.0, 0.0, 1.0));
    frame.position = fr_vec3_add_scaled(frame.position, -nearer, fingers);
    frame.position.y += up;
    if (mine->has_thing != 0) {
        palm = fr_pose_compose(&frame, &mine->palm);
    } else {
        palm = fr__clasp_palm(input->skeleton, side, &frame, mine->clasp.gap);
    }
    fr_vec3 inner = fr__quat_turn(palm.rotation, fr_vec3_make(0.0, side == FR_RIGHT ? -1.0 : 1.0, 0.0));
    palm.position = fr_vec3_add_scaled(palm.position, -back, inner);
    return palm;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning

// The poses that the palm goes on to: an arm is chosen that needs no other swivel on the path.
static uint32_t course(const fr_skill_input *input, const fr_pose *goal, fr_pose *palms, void *context) {
    const meet_state *mine = context;
    (void)goal;
    double off = mine->has_thing != 0 ? 0.0 : BEFORE;
    palms[0] = palm_at(input, mine, off, 0.0, 0.0);
    palms[1] = palm_at(input, mine, 0.0, 0.0, 0.0);
    palms[2] = palm_at(input, mine, 0.0, is_shake(input) ? SWING : 0.0, 0.0);
    palms[3] = palm_at(input, mine, 0.0, is_shake(input) ? -SWING : 0.0, 0.0);
    palms[4] = palm_at(input, mine, mine->has_thing != 0 ? BACK : 0.0, 0.0, 0.0);
    return 5;
}

static fr_status set_frame(const fr_skill_input *input, meet_state *mine, fr_error *error) {
    fr_pose root = own_root(input), back = fr_pose_inverse(&root), other = fr_pose_inverse(&input->target);
    double apart = fr_vec3_distance(root.position, input->target.position);
    if (apart > FARTHEST) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the other is %.1f m away; %.1f m are too far to %s", apart,
                            FARTHEST, input->skill->name);
    }
    mine->own = fr_pose_compose(&back, &input->fields->goal);
    mine->other = fr_pose_compose(&other, &input->fields->goal);
    return FR_OK;
}

static fr_status set_hand(const fr_skill_input *input, meet_state *mine, fr_error *error) {
    fr_side side = (fr_side)mine->move.side;
    const fr_skill_fields *fields = input->fields;
    fr_status status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, mine->open, error);
    if (status != FR_OK) { return status; }
    fr__hand_read(input, side, &input->body, mine->hand);
    memcpy(mine->move.to, mine->has_thing != 0 ? mine->hand : mine->open, sizeof mine->move.to);
    if (mine->has_thing != 0) {
        mine->palm = fr_pose_inverse(&fields->poses[0]);
        return FR_OK;
    }
    if (is_shake(input)) {
        double ratio = (fields->given & FR_FIELD_VALUE) != 0 ? fields->value : 1.0;
        if (!(ratio >= 0.2 && ratio <= 5.0)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a hand %g times as large does not clasp; 0.2 .. 5", ratio);
        }
        fr__clasp_find(input->skeleton, input->figure, side, ratio, &mine->clasp);
    } else {
        mine->clasp.gap = fr__clasp_thickness(input->skeleton, input->figure, side) + NEAR;
    }
    return FR_OK;
}

// The reach to where the straight part begins, and an arm that needs no other swivel from there on. Where every arm
// does, the swivel is found as the hand goes.
static fr_status find_reach(const fr_skill_input *input, const fr_skill_state *state, fr_error *error) {
    meet_state *mine = state->bytes;
    double off = mine->has_thing != 0 ? 0.0 : BEFORE;
    fr_pose met = palm_at(input, mine, 0.0, 0.0, 0.0), before = palm_at(input, mine, off, 0.0, 0.0);
    fr__arm_goals wanted = {.poses = &met, .count = 1, .lean_max = LEAN_MAX};
    wanted.approach = fr_vec3_sub(met.position, before.position);
    fr_status status = fr__arm_move_find_course(input, &wanted, course, mine, state->turns, &mine->move, NULL, NULL);
    if (status != FR_ERROR_ARGUMENT) { return status; }
    status = fr__arm_move_find(input, &wanted, &mine->move, NULL, error);
    if (status != FR_ERROR_ARGUMENT) { return status; }
    wanted.poses = &before;
    wanted.approach = fr_vec3_make(0.0, 0.0, 0.0);
    return fr__arm_move_find(input, &wanted, &mine->move, NULL, NULL) == FR_OK ? FR_OK : status;
}

static fr_status meet_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    meet_state *mine = state->bytes;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, input->fields->goal.position, &side, error);
    if (status != FR_OK) { return status; }
    mine->move.side = side;
    mine->has_thing = input->skill == &fr__skill_hand_over;
    status = set_frame(input, mine, error);
    if (status == FR_OK) { status = set_hand(input, mine, error); }
    if (status != FR_OK) { return status; }
    status = find_reach(input, state, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        mine->first[i] = input->body.turns[mine->move.plan.links[i]];
    }
    // Both need the same time: it does not depend on how far this arm has to go.
    double seconds = 0.0;
    const double *stages = is_shake(input) ? SHAKE_SECONDS : GIVE_SECONDS;
    for (int i = 0; i < STAGES; i++) {
        seconds += stages[i];
    }
    status = fr__skill_check_time(input, seconds, input->skill->name, error);
    if (status != FR_OK) { return status; }
    *frames = fr__skill_stages(input, stages, mine->ends, STAGES);
    for (int i = 1; i < STAGES; i++) {
        mine->ends[i] += mine->ends[i - 1];
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Going on

static void write_hand(const fr_skill_input *input, const meet_state *mine, fr_skill_output *output) {
    fr_side side = (fr_side)mine->move.side;
    double loose = progress_of(input, mine, LOOSEN), back = progress_of(input, mine, RETURN);
    if (mine->has_thing != 0) {
        fr__hand_write(input, side, mine->hand, mine->open, loose, output);
    } else if (!is_shake(input)) {
        fr__hand_write(input, side, mine->open, mine->open, 1.0, output);
    } else if (input->frame > mine->ends[PART]) {
        fr__hand_write(input, side, mine->open, mine->hand, back, output);
    } else {
        fr__hand_write(input, side, mine->open, mine->clasp.fingers, progress_of(input, mine, CLOSE) - loose, output);
    }
}

// Where the palm is after the reach.
static fr_pose palm_now(const fr_skill_input *input, const meet_state *mine) {
    double near = progress_of(input, mine, MEET), away = progress_of(input, mine, PART), swing = 0.0, back = 0.0;
    if (is_shake(input)) {
        double part = part_of(input, mine, TOGETHER), rise = part * (1.0 - part);
        swing = SWING * 16.0 * rise * rise * fr_sin(2.0 * FR_PI * SWINGS * part);
        back = BEFORE * (1.0 - near + away);
    } else {
        back = mine->has_thing != 0 ? BACK * away : BEFORE * (1.0 - near);
    }
    bool receives = !is_shake(input) && mine->has_thing == 0;
    double nearer = receives ? TO_BODY * progress_of(input, mine, RETURN) : 0.0;
    fr_pose palm = palm_at(input, mine, back, swing, nearer);
    palm.position = fr_vec3_add_scaled(palm.position, 1.0 - near, mine->lag);
    return palm;
}

static void emit_events(const fr_skill_input *input, const meet_state *mine, fr_skill_output *output) {
    bool shakes = is_shake(input);
    double side = (double)mine->move.side;
    if (shakes && input->frame == mine->ends[CLOSE]) { fr__skill_emit(input, output, "clasped", side, 0.0); }
    if (input->frame != mine->ends[TOGETHER]) { return; }
    fr__skill_emit(input, output, shakes ? "shaken" : mine->has_thing != 0 ? "given" : "received", side, 0.0);
}

static void go_back(const fr_skill_input *input, meet_state *mine, fr_skill_output *output) {
    for (uint32_t i = mine->move.plan.has_lean ? 0 : 1; i < FR_REACH_LINKS; i++) {
        fr_quat *turn = &output->posture.turns[mine->move.plan.links[i]];
        if (input->frame == mine->ends[PART] + 1) { mine->last[i] = *turn; }
        fr_quat now = fr__turn_between(mine->last[i], mine->first[i], progress_of(input, mine, RETURN));
        *turn = fr_skeleton_clamp(input->skeleton, mine->move.plan.links[i], now);
    }
    fr__arm_move_weigh(input, &mine->move, output);
}

static fr_status meet_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    meet_state *mine = state->bytes;
    fr_status status = FR_OK;
    if (input->frame <= mine->ends[REACH]) {
        fr__arm_move_write(input, &mine->move, part_of(input, mine, REACH), output);
        return FR_OK;
    }
    if (input->frame == mine->ends[REACH] + 1) {
        fr_pose palm = fr__arm_palm(input, &mine->move, &output->posture, state->turns);
        double off = mine->has_thing != 0 ? 0.0 : BEFORE;
        mine->lag = fr_vec3_sub(palm.position, palm_at(input, mine, off, 0.0, 0.0).position);
    }
    bool receives = !is_shake(input) && mine->has_thing == 0;
    if (input->frame > mine->ends[PART] && !receives) {
        go_back(input, mine, output);
    } else {
        fr_pose palm = palm_now(input, mine);
        status = fr__arm_follow(input, &mine->move, &palm, state->turns, output, error);
    }
    if (status != FR_OK) { return status; }
    write_hand(input, mine, output);
    emit_events(input, mine, output);
    output->is_done = input->frame >= mine->ends[RETURN];
    return FR_OK;
}

#define MEET_ROW                                                                                                       \
    .may_read_space = true, .state_bytes = sizeof(meet_state), .state_turns = 1, .init = meet_init, .step = meet_step

const fr_skill fr__skill_shake_hand = {
    .name = "shake_hand",
    .words = "clasps the hand of another person, shakes it and takes the hand back",
    .needs = FR_FIELD_TARGET | FR_FIELD_GOAL,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_VALUE | FR_FIELD_FRAMES,
    .partner = "shake_hand",
    MEET_ROW,
};

const fr_skill fr__skill_hand_over = {
    .name = "hand_over",
    .words = "gives what a hand holds into the open hand of another person",
    .needs = FR_FIELD_TARGET | FR_FIELD_GOAL | FR_FIELD_POSES,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .partner = "receive",
    MEET_ROW,
};

const fr_skill fr__skill_receive = {
    .name = "receive",
    .words = "takes what another person gives on the open hand",
    .needs = FR_FIELD_TARGET | FR_FIELD_GOAL,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .partner = "hand_over",
    MEET_ROW,
};
