// The skill type: both hands press the keys of a list, each by the hand that is nearer, six a second.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>

#define KEY_SECONDS (1.0 / 6.0)
#define STROKE_SECONDS 0.07 // from the height over a key to its bottom
#define OVER 0.015          // metres over the keys at which a hand travels
#define DEPTH 0.003         // metres that a key goes in
#define PALM_STEEP 0.25     // seconds squared a metre: how fast a hand may go to a far key
#define LEAN_MAX 0.4        // radians that the chest turns for one hand; for two it does not
#define NO_KEY UINT32_MAX

typedef struct type_state {
    fr__arm_move moves[2];
    fr__look look;
    fr_quat palms[2]; // the palms' turns in the frame of a key
    fr_vec3 tips[2];
    fr_vec3 lags[2]; // of the tips where the typing begins
    uint32_t is_used[2];
    uint32_t reached;                    // the last frame of the reach
    uint32_t last;                       // the last frame of all
    uint32_t frames[FR_MAX_SKILL_POSES]; // in which each key is pressed
    uint32_t is_alone;                   // 1: one hand presses all keys
    uint8_t sides[FR_MAX_SKILL_POSES];
} type_state;

static fr_vec3 key_place(const fr_skill_input *input, uint32_t key, double height) {
    return fr_pose_apply(&input->fields->poses[key], fr_vec3_make(0.0, 0.0, height));
}

typedef struct key_course {
    const type_state *state;
    fr_side side;
    fr_vec3 tip; // in the palm
} key_course;

// Over and on the keys of one hand, in their order.
static uint32_t type_course(const fr_skill_input *input, const fr_pose *goal, fr_pose *palms, void *context) {
    const key_course *course = context;
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->fields->pose_count && count + 2 <= FR__COURSE_MAX; i++) {
        if (course->state->sides[i] != course->side) { continue; }
        fr_vec3 tip = fr__quat_turn(goal->rotation, course->tip);
        palms[count++] = fr_pose_make(fr_vec3_sub(key_place(input, i, OVER), tip), goal->rotation);
        palms[count++] = fr_pose_make(fr_vec3_sub(key_place(input, i, -DEPTH), tip), goal->rotation);
    }
    return count;
}

// Plans how the hand of a side comes over its first key with its fingers held so.
static fr_status begin_shape(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t key,
                             fr__hand_shape shape, fr_error *error) {
    type_state *mine = state->bytes;
    fr__arm_move *move = &mine->moves[side];
    fr_status status = fr__hand_shape_turns(input, side, shape, move->to, error);
    if (status != FR_OK) { return status; }
    move->side = side;
    mine->is_used[side] = 1;
    mine->tips[side] = fr__hand_tip(input, side, move->to);
    fr_pose goals[FR__PRESS_GOALS];
    fr_vec3 bottom = key_place(input, key, -DEPTH);
    fr__arm_goals wanted = {.poses = goals, .is_tip = true, .lean_max = mine->is_alone != 0 ? LEAN_MAX : 0.0};
    double bend = shape == FR__HAND_TYPING ? fr_radians(FR__TYPING_BEND_DEG) : 0.0;
    wanted.count = fr__press_goals(input, side, &input->fields->poses[key], bottom, bend, goals);
    wanted.approach = fr_vec3_sub(bottom, key_place(input, key, OVER));
    uint32_t chosen = 0;
    key_course course = {mine, side, mine->tips[side]};
    status = fr__arm_move_find_course(input, &wanted, type_course, &course, state->turns, move, &chosen, error);
    fr_quat turned = fr_quat_conjugate(input->fields->poses[key].rotation);
    mine->palms[side] = fr__quat_product(turned, goals[chosen].rotation);
    return status;
}

// Keys that look up are pressed with curved fingers, those of a steep panel with a straight one; where that is refused,
// the other shape is tried.
static fr_status begin_hand(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t key,
                            fr_error *error) {
    fr_vec3 out = fr__quat_turn(input->fields->poses[key].rotation, fr_vec3_make(0.0, 0.0, 1.0));
    bool is_desk = out.y > 0.7;
    fr_error refusal = {0};
    fr_status status = begin_shape(input, state, side, key, is_desk ? FR__HAND_TYPING : FR__HAND_POINTING, &refusal);
    if (status == FR_OK) { return FR_OK; }
    if (begin_shape(input, state, side, key, is_desk ? FR__HAND_POINTING : FR__HAND_TYPING, NULL) == FR_OK) {
        return FR_OK;
    }
    if (error != NULL) { *error = refusal; }
    return status;
}

// When each key is pressed: six a second, later where one hand has far to go.
static void set_times(const fr_skill_input *input, type_state *mine) {
    double seconds = (double)mine->reached / input->rate + STROKE_SECONDS;
    for (uint32_t i = 0; i < input->fields->pose_count; i++) {
        double wanted = KEY_SECONDS;
        if (i > 0 && mine->sides[i] == mine->sides[i - 1]) {
            double distance = fr_vec3_distance(key_place(input, i, 0.0), key_place(input, i - 1, 0.0));
            double needed = STROKE_SECONDS + sqrt(PALM_STEEP * distance);
            wanted = needed > wanted ? needed : wanted;
        }
        seconds += wanted;
        mine->frames[i] = fr__skill_frames(input, seconds);
    }
    mine->last = fr__skill_frames(input, seconds + 2.0 * STROKE_SECONDS);
}

// Which hand presses each key: the nearer one.
static fr_status choose_hands(const fr_skill_input *input, type_state *mine, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < input->fields->pose_count && status == FR_OK; i++) {
        fr_side side = FR_RIGHT;
        status = fr__skill_choose_side(input, input->fields->poses[i].position, &side, error);
        mine->sides[i] = (uint8_t)side;
    }
    return status;
}

// Plans how the hands come to their first keys.
static fr_status begin_hands(const fr_skill_input *input, const fr_skill_state *state, fr_error *error) {
    type_state *mine = state->bytes;
    fr_status status = FR_OK;
    mine->is_used[FR_RIGHT] = mine->is_used[FR_LEFT] = 0;
    for (uint32_t i = 0; i < input->fields->pose_count && status == FR_OK; i++) {
        fr_side side = (fr_side)mine->sides[i];
        if (mine->is_used[side] == 0) { status = begin_hand(input, state, side, i, error); }
    }
    return status;
}

// One hand presses all keys, and the chest leans for it.
static fr_status begin_alone(const fr_skill_input *input, const fr_skill_state *state, fr_side side) {
    type_state *mine = state->bytes;
    if (fr__skill_check_arm(input, side, NULL) != FR_OK) { return FR_ERROR_ARGUMENT; }
    for (uint32_t i = 0; i < input->fields->pose_count; i++) {
        mine->sides[i] = (uint8_t)side;
    }
    mine->is_alone = 1;
    fr_status status = begin_hands(input, state, NULL);
    if (status != FR_OK) { mine->is_alone = 0; }
    return status;
}

// The middle of all keys, at which the person looks.
static fr_vec3 keys_middle(const fr_skill_input *input) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < input->fields->pose_count; i++) {
        sum = fr_vec3_add(sum, input->fields->poses[i].position);
    }
    return fr_vec3_scale(1.0 / input->fields->pose_count, sum);
}

static fr_status type_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    type_state *mine = state->bytes;
    fr_status status = choose_hands(input, mine, error);
    if (status != FR_OK) { return status; }
    fr_error refusal = {0};
    status = begin_hands(input, state, &refusal);
    fr_side first = (fr_side)mine->sides[0], other = first == FR_RIGHT ? FR_LEFT : FR_RIGHT;
    bool is_given = (input->fields->given & FR_FIELD_SIDE) != 0 && input->fields->side != FR_SIDE_NEAREST;
    for (int i = 0; i < (is_given ? 1 : 2) && status == FR_ERROR_ARGUMENT && mine->is_alone == 0; i++) {
        if (begin_alone(input, state, i == 0 ? first : other) == FR_OK) { status = FR_OK; }
    }
    if (status != FR_OK) {
        if (error != NULL) { *error = refusal; }
        return status;
    }
    for (int side = 0; side < 2; side++) {
        uint32_t needed = mine->is_used[side] != 0 ? mine->moves[side].frames : 0;
        mine->reached = needed > mine->reached ? needed : mine->reached;
    }
    set_times(input, mine);
    fr__glance_begin(input, keys_middle(input), &mine->look);
    if (input->frames > 0 && input->frames < mine->last) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u keys take %u frames, not %u", input->fields->pose_count,
                            mine->last, input->frames);
    }
    *frames = mine->last;
    return FR_OK;
}

// The last key of a hand before a frame, or the first one after it.
static uint32_t key_of(const fr_skill_input *input, const type_state *mine, int side, uint32_t frame, bool is_next) {
    uint32_t found = NO_KEY;
    for (uint32_t i = 0; i < input->fields->pose_count; i++) {
        if (mine->sides[i] != side) { continue; }
        if (is_next && mine->frames[i] > frame) { return i; }
        if (!is_next && mine->frames[i] <= frame) { found = i; }
    }
    return found;
}

// How far down a stroke is, 0 .. 1, so many frames before or after a key.
static double stroke(const fr_skill_input *input, double frames) {
    double x = frames / (STROKE_SECONDS * input->rate);
    return x >= 1.0 ? 0.0 : (1.0 - x * x) * (1.0 - x * x);
}

// Where the tip of a side is in a frame, and the frame of the key that turns the hand.
static fr_pose tip_at(const fr_skill_input *input, const type_state *mine, int side, uint32_t frame) {
    uint32_t before = key_of(input, mine, side, frame, false), after = key_of(input, mine, side, frame, true);
    uint32_t from = before != NO_KEY ? before : after, to = after != NO_KEY ? after : before;
    double part = 0.0, down = 0.0;
    if (before != NO_KEY) { down = stroke(input, (double)(frame - mine->frames[before])); }
    if (after != NO_KEY) { down = fmax(down, stroke(input, (double)(mine->frames[after] - frame))); }
    if (before != NO_KEY && after != NO_KEY) {
        double margin = 0.3 * STROKE_SECONDS * input->rate;
        double span = (double)(mine->frames[after] - mine->frames[before]) - 2.0 * margin;
        part = span > 1.0 ? ((double)(frame - mine->frames[before]) - margin) / span : 0.5;
    }
    double height = OVER - (OVER + DEPTH) * down;
    part = fr_reach_progress(part);
    fr_pose tip = input->fields->poses[part < 0.5 ? from : to];
    tip.position = fr_vec3_lerp(key_place(input, from, height), key_place(input, to, height), part);
    return tip;
}

static fr_status type_hand(const fr_skill_input *input, const fr_skill_state *state, int side, fr_skill_output *output,
                           fr_error *error) {
    type_state *mine = state->bytes;
    fr__arm_move *move = &mine->moves[side];
    if (input->frame <= mine->reached) {
        fr__arm_move_write(input, move, (double)input->frame / (double)mine->reached, output);
        return FR_OK;
    }
    fr_pose tip = tip_at(input, mine, side, input->frame);
    if (input->frame == mine->reached + 1) {
        fr_pose palm = fr__arm_palm(input, move, &output->posture, state->turns);
        fr_vec3 own = fr_vec3_add(palm.position, fr__quat_turn(palm.rotation, mine->tips[side]));
        mine->lags[side] = fr_vec3_sub(own, tip.position);
    }
    double over = (double)(input->frame - mine->reached) / (STROKE_SECONDS * input->rate);
    tip.position = fr_vec3_add_scaled(tip.position, 1.0 - fr_reach_progress(over), mine->lags[side]);
    fr_pose palm = fr_pose_make(tip.position, fr__quat_product(tip.rotation, mine->palms[side]));
    palm.position = fr_vec3_sub(tip.position, fr__quat_turn(palm.rotation, mine->tips[side]));
    fr__hand_write(input, (fr_side)side, move->to, move->to, 1.0, output);
    return fr__arm_follow(input, move, &palm, state->turns, output, error);
}

static fr_status type_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    type_state *mine = state->bytes;
    fr_status status = FR_OK;
    fr__glance_write(input, &mine->look, keys_middle(input), output);
    for (int side = 0; side < 2 && status == FR_OK; side++) {
        if (mine->is_used[side] != 0) { status = type_hand(input, state, side, output, error); }
    }
    for (uint32_t i = 0; i < input->fields->pose_count; i++) {
        if (mine->frames[i] == input->frame) { fr__skill_emit(input, output, "press", i, mine->sides[i]); }
    }
    output->is_done = input->frame >= mine->last;
    return status;
}

const fr_skill fr__skill_type = {
    .name = "type",
    .words = "presses the keys at a list of poses, six a second, each with the nearer hand",
    .needs = FR_FIELD_POSES,
    .takes = FR_FIELD_OBJECT | FR_FIELD_SIDE | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(type_state),
    .state_turns = 1,
    .init = type_init,
    .step = type_step,
};
