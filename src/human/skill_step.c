// The skill step_reach: a palm goes to a goal that is out of reach from where the body stands. The body walks to a
// place near by from where the hand comes there, stands, and reaches.
#include "human/skill_arm.h"

#include "human/posture.h"
#include "human/walk_figure.h"
#include "human/walk_plan.h"

#include <math.h>
#include <string.h>

#define LEAN_MAX 0.6
#define STEP_MAX 2.0 // metres that the body goes at most
#define STEP_MIN 0.1 // metres that it goes at least: people make no smaller step to reach

enum { PLACES = 12 };

typedef struct step_state {
    fr__arm_move move;
    fr__look look;
    uint32_t side;
    uint32_t has_arrived; // 1: the hand has set out
    uint32_t began;       // the frame after which it set out
} step_state;

static fr_status plan_reach(const fr_skill_input *input, step_state *mine, fr_error *error) {
    const fr__arm_goals wanted = {.poses = &input->fields->goal, .count = 1, .lean_max = LEAN_MAX};
    mine->move.side = mine->side;
    fr__hand_read(input, (fr_side)mine->side, &input->body, mine->move.to); // the fingers stay as they are
    return fr__arm_move_find(input, &wanted, &mine->move, NULL, error);
}

// The i-th place to stand at, from where the goal may be reached, and where the body faces there: on the line towards
// the goal as near as the arm needs, then nearer and farther, then beside it.
static fr_walk_goal place_at(const fr_skill_input *input, double arm, int i) {
    static const double parts[PLACES] = {0.75, 0.6, 0.9, 0.45, 0.75, 0.75, 0.6, 0.6, 0.9, 0.9, 0.45, 0.45};
    static const double turns_deg[PLACES] = {0, 0, 0, 0, 30, -30, 30, -30, 30, -30, 30, -30};
    fr_vec3 goal = input->fields->goal.position, from = fr_vec3_sub(input->body.place, goal);
    from.y = 0.0;
    fr_vec3 out = fr_vec3_unit(from, fr_vec3_make(0.0, 0.0, -1.0));
    out = fr__quat_turn(fr__quat_about(1, fr_radians(turns_deg[i])), out);
    fr_vec3 place = fr_vec3_add_scaled(goal, parts[i] * arm, out);
    return (fr_walk_goal){place, fr_atan2(-out.x, -out.z), true};
}

static double level_distance(fr_vec3 a, fr_vec3 b) {
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

static double arm_length(const fr_skill_input *input, fr_side side) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    uint32_t upper = side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    return fr_vec3_length(view->offsets[view->roles[upper + 1]]) +
           fr_vec3_length(view->offsets[view->roles[upper + 2]]);
}

// Whether nothing is where the arms of a body are that stands somewhere: from among things a reach is a long search.
static bool is_clear_place(const fr_skill_input *there, fr_side side) {
    if (there->figure == NULL || there->space == NULL) { return true; }
    fr_reach_plan_input plan = fr_default_reach_plan_input();
    plan.skeleton = there->skeleton;
    plan.figure = there->figure;
    plan.posture = &there->body;
    plan.side = side;
    plan.space = there->space;
    plan.filter = there->filter;
    fr__clear clear;
    fr__clear_begin(&clear, &plan, fr__skill_link(there, FR_LINK_CHEST), NULL);
    return clear.status == FR_OK && clear.touch_count == 0;
}

// Walks to the nearest place of those from where the goal is reached, and to which the body can walk.
static fr_status begin_walk(const fr_skill_input *input, const fr_skill_state *state, step_state *mine,
                            fr_error *error) {
    const fr_walk_set *set = fr_walk_get(input->walk).set;
    fr_skill_input there = *input, walking = *input;
    there.body.turns = state->turns;
    walking.has_planned_path = false; // the caller does not know of this walk
    double arm = arm_length(input, (fr_side)mine->side);
    fr_error refusal = {0};
    for (int i = 0; i < PLACES; i++) {
        fr_walk_goal goal = place_at(input, arm, i);
        double distance = level_distance(goal.place, input->body.place);
        if (distance < STEP_MIN || distance > STEP_MAX) { continue; }
        fr_error *first = refusal.status == FR_OK ? &refusal : NULL;
        memcpy(state->turns, input->body.turns, input->body.count * sizeof *state->turns);
        if (!fr__skill_ground(input->skeleton, &input->body, &goal.place.y)) { continue; }
        fr_status status = fr_walk_set_stand(set, goal.place, goal.heading, &there.body, first);
        if (status == FR_OK && !is_clear_place(&there, (fr_side)mine->side)) { continue; }
        if (status == FR_OK) { status = plan_reach(&there, mine, first); }
        uint32_t frames = 0;
        if (status == FR_OK) { status = fr__skill_go(&walking, &goal, 1, true, &frames, first); }
        if (status == FR_OK || status == FR_ERROR_MEMORY) { return status; }
    }
    if (refusal.status == FR_OK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the goal is farther than a step of %g m would help, or things are where one would stand",
                            STEP_MAX);
    }
    if (error != NULL) { *error = refusal; }
    return refusal.status;
}

static fr_status begin_side(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                            fr_error *error) {
    step_state *mine = state->bytes;
    fr_quat open[FR__HAND_LINKS];
    fr_status status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, open, error); // it has fingers
    if (status != FR_OK) { return status; }
    mine->side = side;
    mine->has_arrived = 0;
    *frames = 0;
    // Who stands where the arm reaches the goal does not walk.
    if (!input->is_walking && plan_reach(input, mine, NULL) == FR_OK) {
        fr__glance_begin(input, input->fields->goal.position, &mine->look);
        mine->has_arrived = 1;
        mine->began = 0;
        return FR_OK;
    }
    return begin_walk(input, state, mine, error);
}

static fr_status step_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    if (input->walk == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the body cannot walk: it has no walk set or no legs");
    }
    return fr__skill_try_sides(input, state, input->fields->goal.position, begin_side, frames, error);
}

// The hand sets out where the body stands; the goal is the same, and the arm is where the walk has left it.
static fr_status set_out(const fr_skill_input *input, step_state *mine, fr_error *error) {
    fr_status status = plan_reach(input, mine, error);
    if (status != FR_OK) { return status; }
    fr__glance_begin(input, input->fields->goal.position, &mine->look);
    mine->has_arrived = 1;
    mine->began = input->frame - 1;
    return FR_OK;
}

static fr_status step_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    step_state *mine = state->bytes;
    if (mine->has_arrived == 0 && fr__walk_is_walking(input->walk)) {
        fr__skill_weigh_walk(input->skeleton, output->weights, output->posture.count);
        return fr_walk_step(input->walk, &output->posture, error);
    }
    if (mine->has_arrived == 0) {
        fr_status status = set_out(input, mine, error);
        if (status != FR_OK) { return status; }
        memset(output->weights, 0, (output->posture.count + 1) * sizeof *output->weights);
    }
    fr_skill_input reaching = *input; // the glance counts its frames from where the hand sets out
    reaching.frame = input->frame - mine->began;
    double part = fmin(1.0, (double)reaching.frame / (double)mine->move.frames);
    fr__glance_write(&reaching, &mine->look, input->fields->goal.position, output);
    fr_reach_plan_apply(input->skeleton, &mine->move.plan, part, &output->posture);
    fr__arm_move_weigh(input, &mine->move, output);
    if (reaching.frame < mine->move.frames) { return FR_OK; }
    fr__skill_emit(input, output, "reached", 0.0, 0.0);
    output->is_done = true;
    return FR_OK;
}

const fr_skill fr__skill_step_reach = {
    .name = "step_reach",
    .words = "steps to where a palm comes to a goal that is out of reach, and brings it there",
    .needs = FR_FIELD_GOAL,
    .takes = FR_FIELD_SIDE | FR_FIELD_OBJECT,
    .has_walk = true,
    .may_read_space = true,
    .state_bytes = sizeof(step_state),
    .state_turns = 1,
    .init = step_init,
    .step = step_step,
};
