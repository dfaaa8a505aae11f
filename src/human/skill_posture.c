// The skills of postures: slerp goes to a posture, hold_arm keeps an arm as it is.
#include "human/limit.h"
#include "human/skill.h"

// A joint of a slerp of natural length turns at this speed on average, radians a second.
static const double SLERP_SPEED = 1.6;
static const double MIN_SLERP = 0.3; // seconds

// ---------------------------------------------------------------------------------------------------------------
// slerp

static double weight_at(const fr_skill_input *input, uint32_t index) {
    if ((input->fields->given & FR_FIELD_WEIGHTS) != 0) { return input->fields->weights[index]; }
    return index < input->body.count ? FR__WEIGHT_MUST : 0.0;
}

// The links whose shorter arc would lead beyond their limits, a bit each: they go round, within.
typedef struct slerp_state {
    uint64_t round[FR_MAX_LINKS / 64];
} slerp_state;

static bool goes_round(const slerp_state *state, uint32_t link) {
    return (state->round[link / 64] >> link % 64 & 1u) != 0;
}

static fr_quat slerp_between(const fr_skill_input *input, const slerp_state *state, uint32_t link, fr_quat from,
                             double part) {
    fr_quat to = input->fields->posture->turns[link];
    return goes_round(state, link) ? fr__limit_between(input->skeleton, link, from, to, part)
                                   : fr__skill_between(from, to, part);
}

// How far a link turns on the whole.
static double path_angle(const fr_skill_input *input, const slerp_state *state, uint32_t link) {
    fr_quat from = input->body.turns[link], last = from;
    double angle = 0.0;
    for (int i = 1, parts = goes_round(state, link) ? 16 : 1; i <= parts; i++) {
        fr_quat next = slerp_between(input, state, link, from, (double)i / parts);
        angle += fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(last), next)));
        last = next;
    }
    return angle;
}

static fr_status slerp_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    slerp_state *mine = state->bytes;
    const fr_posture *goal = input->fields->posture;
    double angle = 0.0, distance = 0.0;
    for (uint32_t i = 0; i < input->body.count; i++) {
        if (weight_at(input, i) < FR_MIN_WEIGHT) { continue; }
        if (fr__limit_leaves(input->skeleton, i, input->body.turns[i], goal->turns[i])) {
            mine->round[i / 64] |= UINT64_C(1) << i % 64;
        }
        double one = path_angle(input, mine, i);
        angle = one > angle ? one : angle;
    }
    if (weight_at(input, input->body.count) >= FR_MIN_WEIGHT) {
        distance = fr_vec3_distance(goal->place, input->body.place);
    }
    double seconds = angle / SLERP_SPEED, moving = distance > 0.0 ? fr_reach_duration(distance) : 0.0;
    seconds = seconds > moving ? seconds : moving;
    seconds = seconds > MIN_SLERP ? seconds : MIN_SLERP;
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, seconds);
    return fr__skill_check_time(input, seconds, "the change of posture", error);
}

// Each step goes so much of what is left that the whole goes as people speed up and slow down.
static fr_status slerp_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    const slerp_state *mine = state->bytes;
    const fr_posture *goal = input->fields->posture;
    fr_posture *posture = &output->posture;
    double last = fr_reach_progress((double)(input->frame - 1) / (double)input->frames);
    double part = fr_reach_progress(fr__skill_part(input));
    part = part < 1.0 ? (part - last) / (1.0 - last) : 1.0;
    for (uint32_t i = 0; i <= posture->count; i++) {
        output->weights[i] = weight_at(input, i);
        if (i == posture->count || output->weights[i] < FR_MIN_WEIGHT) { continue; }
        posture->turns[i] = part < 1.0 ? slerp_between(input, mine, i, posture->turns[i], part) : goal->turns[i];
    }
    posture->place = fr_vec3_lerp(posture->place, goal->place, part);
    posture->contact_left = input->body.contact_left;
    posture->contact_right = input->body.contact_right;
    return FR_OK;
}

const fr_skill fr__skill_slerp = {
    .name = "slerp",
    .words = "goes to a posture, each joint by the shorter arc, as people speed up and slow down",
    .needs = FR_FIELD_POSTURE,
    .takes = FR_FIELD_WEIGHTS | FR_FIELD_FRAMES,
    .state_bytes = sizeof(slerp_state),
    .init = slerp_init,
    .step = slerp_step,
};

// ---------------------------------------------------------------------------------------------------------------
// hold_arm

static fr_status hold_arm_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                               fr_error *error) {
    (void)state;
    *frames = input->frames;
    if (input->fields->side == FR_SIDE_NEAREST) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "hold_arm needs a side, right or left");
    }
    fr_side side;
    return fr__skill_choose_side(input, input->body.place, &side, error);
}

// The output has the body's turns of the first frame from the beginning on; none of them changes.
static fr_status hold_arm_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                               fr_error *error) {
    (void)state, (void)error;
    fr__skill_weigh_arm(input, output, input->fields->side == FR_SIDE_RIGHT ? FR_RIGHT : FR_LEFT, FR__WEIGHT_MUST);
    return FR_OK;
}

const fr_skill fr__skill_hold_arm = {
    .name = "hold_arm",
    .words = "keeps shoulder, elbow and wrist of one arm as they are, until it is stopped",
    .needs = FR_FIELD_SIDE,
    .takes = FR_FIELD_FRAMES,
    .init = hold_arm_init,
    .step = hold_arm_step,
};
