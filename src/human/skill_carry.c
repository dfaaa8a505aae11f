// The skill carry: what a hand holds comes before the body, as upright as it is, and stays there while the body goes
// on.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>
#include <string.h>

#define ELBOW_HANG 0.9    // of the upper arm's length that the elbow is below the shoulder
#define WRIST_RAISED 0.04 // metres of the wrist over the elbow
#define FOREARM_AHEAD 0.9 // of the forearm's length that the wrist is before the shoulder
#define MIN_LEVEL 0.6     // of the fingers' direction that is level, so that it can be turned about the vertical
#define MISS_MAX 0.02     // metres by which the arm may miss that place
#define EXCESS_MAX 1e-3   // radians beyond its limits
#define SPEED 2.0         // radians a second of a joint, on average
#define MIN_SECONDS 0.5

enum { ARM_LINKS = 3 }; // upper arm, forearm, palm

typedef struct carry_state {
    fr_quat from[ARM_LINKS], to[ARM_LINKS];
    uint32_t side;
    uint32_t frames; // until the hand is there
} carry_state;

static uint32_t arm_link(const fr_skill_input *input, fr_side side, uint32_t i) {
    fr_link upper = side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    return fr__skill_link(input, (fr_link)(upper + i));
}

// The place of the wrist, from the root of an upright body that faces +Z: the upper arm hangs, the forearm is nearly
// level.
static fr_vec3 wrist_place(const fr_skill_input *input, fr_side side) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    double arm = fr_vec3_length(view->offsets[arm_link(input, side, 1)]);
    double forearm = fr_vec3_length(view->offsets[arm_link(input, side, 2)]);
    fr_vec3 place = {0.0, WRIST_RAISED - ELBOW_HANG * arm, FOREARM_AHEAD * forearm};
    for (uint32_t i = arm_link(input, side, 0); view->parents[i] != FR_NO_LINK; i = view->parents[i]) {
        place = fr_vec3_add(place, fr__quat_turn(view->uprights[view->parents[i]], view->offsets[i]));
    }
    return place;
}

// Tries one turn of the palm; the best so far stays. What is left is how many radians the arm is beyond its limits.
static void try_palm(const fr_skill_input *input, const fr_posture *upright, const fr_pose *palm, double *best,
                     carry_state *mine) {
    fr_reach_input reach = fr_default_reach_input();
    reach.skeleton = input->skeleton;
    reach.posture = upright;
    reach.side = (fr_side)mine->side;
    reach.palm = *palm;
    reach.lean_max = 0.0;
    fr_reach_output found;
    if (fr_reach_solve(&reach, &found, NULL) != FR_OK) { return; }
    if (found.miss > MISS_MAX || found.excess > EXCESS_MAX || !(found.excess < *best)) { return; }
    *best = found.excess;
    const fr_quat turns[ARM_LINKS] = {found.upper_arm, found.forearm, found.palm};
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        mine->to[i] = fr_skeleton_clamp(input->skeleton, arm_link(input, reach.side, i), turns[i]);
    }
}

// Turned about the vertical alone, what is held stays as upright as it is; fingers point forward and a little inward.
// Where no such turn is within the arm's limits the arm stays as it is.
static void find_place(const fr_skill_input *input, fr_quat *scratch, carry_state *mine) {
    static const double inward_deg[] = {15.0, 35.0, -5.0, 55.0, 75.0};
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_side side = (fr_side)mine->side;
    fr_quat palm = fr__link_pose(view, &input->body, arm_link(input, side, 2)).rotation;
    double heading = fr__skill_heading(input->skeleton, &input->body), best = INFINITY;
    palm = fr__quat_product(fr__quat_about(1, -heading), palm);
    fr_vec3 fingers = fr__quat_turn(palm, fr_vec3_make(-1.0, 0.0, 0.0));
    if (sqrt(fingers.x * fingers.x + fingers.z * fingers.z) < MIN_LEVEL) { return; }

    // A body that stands upright at the origin, with the arm as it is: the solution nearest to that is taken.
    memcpy(scratch, view->rests, view->link_count * sizeof *scratch);
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        scratch[arm_link(input, side, i)] = mine->from[i];
    }
    const fr_posture upright = {.turns = scratch, .count = view->link_count};
    double now = fr_atan2(fingers.x, fingers.z);
    for (uint32_t i = 0; i < sizeof inward_deg / sizeof inward_deg[0] && best > 0.0; i++) {
        double wanted = fr_radians(side == FR_RIGHT ? inward_deg[i] : -inward_deg[i]);
        fr_quat turn = fr__quat_product(fr__quat_about(1, wanted - now), palm);
        const fr_pose place = fr_pose_make(wrist_place(input, side), turn);
        try_palm(input, &upright, &place, &best, mine);
    }
}

static fr_status carry_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    carry_state *mine = state->bytes;
    if (input->fields->side == FR_SIDE_NEAREST) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "carry needs a side, right or left");
    }
    fr_side side;
    fr_status status = fr__skill_choose_side(input, input->body.place, &side, error);
    if (status != FR_OK) { return status; }
    mine->side = side;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        mine->from[i] = mine->to[i] = input->body.turns[arm_link(input, side, i)];
    }
    find_place(input, state->turns, mine);
    double angle = 0.0;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        fr_quat apart = fr__quat_product(fr_quat_conjugate(mine->from[i]), mine->to[i]);
        double one = 2.0 * fr_atan2(sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z), fabs(apart.w));
        angle = one > angle ? one : angle;
    }
    mine->frames = fr__skill_frames(input, angle / SPEED > MIN_SECONDS ? angle / SPEED : MIN_SECONDS);
    *frames = input->frames;
    return FR_OK;
}

static fr_status carry_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    const carry_state *mine = state->bytes;
    double part = input->frame < mine->frames ? (double)input->frame / (double)mine->frames : 1.0;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        fr_quat turn = fr__turn_between(mine->from[i], mine->to[i], fr_reach_progress(part));
        output->posture.turns[arm_link(input, (fr_side)mine->side, i)] = turn;
    }
    fr__skill_weigh_arm(input, output, (fr_side)mine->side, FR__WEIGHT_MUST);
    return FR_OK;
}

const fr_skill fr__skill_carry = {
    .name = "carry",
    .words = "brings what a hand holds before the body, as upright as it is, and keeps it there until it is stopped",
    .needs = FR_FIELD_SIDE,
    .takes = FR_FIELD_FRAMES,
    .state_bytes = sizeof(carry_state),
    .state_turns = 1,
    .init = carry_init,
    .step = carry_step,
};
