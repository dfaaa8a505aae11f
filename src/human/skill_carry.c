// The skill carry: what a hand holds is lifted off, comes before the body, as upright as it is, and stays there while
// the body goes on.
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
#define LIFT 0.06         // metres that the palm rises by in the first part of its path, as far as the arm lets it
#define LIFT_PART 0.3     // of the time
#define LIFT_LOOKS 8      // in that part
#define LIFT_JUMP 2.0     // radians a second by which the velocity of a joint may change in a frame for it
#define EXCESS_SLACK 0.01 // radians beyond its limits by which a joint may be brought back

enum { ARM_LINKS = 3 }; // upper arm, forearm, palm

typedef struct carry_state {
    fr_quat from[ARM_LINKS], to[ARM_LINKS];
    fr_vec3 detour[ARM_LINKS]; // rotation vectors midway
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

// How far the lift is at a part of its time, 0 .. 1: it begins at once, since the body may sink.
static double lifted(double part) { return part < 1.0 ? part * part * (3.0 - 2.0 * part) : 1.0; }

// The turn of a link at a part of the time until the hand is there, 0 .. 1.
static fr_quat arm_turn(const carry_state *mine, uint32_t i, double part) {
    fr_quat turn = fr__turn_between(mine->from[i], mine->to[i], fr_reach_progress(part));
    if (fr_vec3_length_squared(mine->detour[i]) == 0.0) { return turn; }
    double rise = lifted(part / LIFT_PART);
    double fall = fr_reach_progress(fmax(0.0, (part - LIFT_PART) / (1.0 - LIFT_PART)));
    return fr__quat_product(turn, fr_quat_from_vector(fr_vec3_scale(rise - fall, mine->detour[i])));
}

// Whether a joint leaves its limits on its path by more than it is beyond them at the ends.
static bool leaves_limits(const fr_skill_input *input, const carry_state *mine, uint32_t i) {
    uint32_t link = arm_link(input, (fr_side)mine->side, i);
    double ends = fmax(fr_skeleton_excess(input->skeleton, link, mine->from[i]),
                       fr_skeleton_excess(input->skeleton, link, mine->to[i]));
    for (int k = 1; k < 2 * LIFT_LOOKS; k++) {
        fr_quat turn = arm_turn(mine, i, k / (2.0 * LIFT_LOOKS));
        if (fr_skeleton_excess(input->skeleton, link, turn) > ends + EXCESS_SLACK) { return true; }
    }
    return false;
}

// By how many metres the palm is lower at its lowest than a path that rises by LIFT in the first part of the time, on
// the body as it stands.
static double find_dip(const fr_skill_input *input, fr_quat *scratch, const carry_state *mine) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    uint32_t palm = arm_link(input, (fr_side)mine->side, 2);
    fr_posture body = {.place = input->body.place, .turns = scratch, .count = view->link_count};
    memcpy(scratch, input->body.turns, view->link_count * sizeof *scratch);
    double first = fr__link_pose(view, &input->body, palm).position.y, dip = 0.0;
    for (int k = 1; k <= LIFT_LOOKS; k++) {
        double part = LIFT_PART * k / LIFT_LOOKS;
        for (uint32_t i = 0; i < ARM_LINKS; i++) {
            scratch[arm_link(input, (fr_side)mine->side, i)] = arm_turn(mine, i, part);
        }
        double wanted = LIFT * lifted((double)k / LIFT_LOOKS);
        dip = fmax(dip, first + wanted - fr__link_pose(view, &body, palm).position.y);
    }
    return dip;
}

// A hand that would sink on its path, and take what it holds through what that stands on, is lifted: the elbow bends
// more and the upper arm goes back and out.
static void find_detour(const fr_skill_input *input, fr_quat *scratch, carry_state *mine) {
    static const double table_deg[][3] = {{0, 0, 0},   {0, 0, 12},   {0, 0, 25},   {0, 15, 25},
                                          {15, 0, 40}, {15, 10, 50}, {30, 15, 75}, {15, 40, 75}};
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    double side = mine->side == FR_RIGHT ? -1.0 : 1.0, best = INFINITY;
    carry_state tried = *mine;
    for (uint32_t k = 0; k < sizeof table_deg / sizeof table_deg[0] && best > 0.0; k++) {
        const double *deg = table_deg[k];
        const fr_vec3 turns[ARM_LINKS] = {
            {fr_radians(deg[0]), 0.0, side * fr_radians(deg[1])}, {-fr_radians(deg[2]), 0.0, 0.0}, {0.0, 0.0, 0.0}};
        for (uint32_t i = 0; i < ARM_LINKS; i++) {
            uint32_t link = arm_link(input, (fr_side)mine->side, i);
            tried.detour[i] = fr__quat_turn(fr_quat_conjugate(view->uprights[link]), turns[i]);
        }
        bool is_allowed = k == 0 || !(leaves_limits(input, &tried, 0) || leaves_limits(input, &tried, 1));
        double dip = is_allowed ? find_dip(input, scratch, &tried) : INFINITY;
        if (!(dip < best)) { continue; }
        best = dip;
        *mine = tried;
    }
}

// The time within which no joint jumps: the lift has an acceleration of 6 at most.
static double lift_seconds(const carry_state *mine, double rate) {
    double turn = 0.0;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        turn = fmax(turn, fr_vec3_length(mine->detour[i]));
    }
    return sqrt(6.0 * turn / (rate * LIFT_JUMP)) / LIFT_PART;
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
    find_detour(input, state->turns, mine);
    double angle = 0.0;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        fr_quat apart = fr__quat_product(fr_quat_conjugate(mine->from[i]), mine->to[i]);
        double one = 2.0 * fr_atan2(sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z), fabs(apart.w));
        angle = one > angle ? one : angle;
    }
    mine->frames = fr__skill_frames(input, fmax(fmax(angle / SPEED, MIN_SECONDS), lift_seconds(mine, input->rate)));
    *frames = input->frames;
    return FR_OK;
}

static fr_status carry_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    const carry_state *mine = state->bytes;
    double part = input->frame < mine->frames ? (double)input->frame / (double)mine->frames : 1.0;
    for (uint32_t i = 0; i < ARM_LINKS; i++) {
        fr_quat turn = arm_turn(mine, i, part);
        output->posture.turns[arm_link(input, (fr_side)mine->side, i)] = turn;
    }
    fr__skill_weigh_arm(input, output, (fr_side)mine->side, FR__WEIGHT_MUST);
    return FR_OK;
}

const fr_skill fr__skill_carry = {
    .name = "carry",
    .words = "lifts what a hand holds, brings it before the body, as upright as it is, and keeps it there until it is "
             "stopped",
    .needs = FR_FIELD_SIDE,
    .takes = FR_FIELD_FRAMES,
    .state_bytes = sizeof(carry_state),
    .state_turns = 1,
    .init = carry_init,
    .step = carry_step,
};
