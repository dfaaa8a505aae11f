// What the skills of arms and hands share.
#include "human/skill_arm.h"

#include "human/posture.h"
#include "human/walk_figure.h"

#include <math.h>
#include <string.h>

#define BENT_DEG 70.0     // first joints of fingers that are out of use
#define LIMIT_SLACK 1e-6  // radians
#define LAG_MAX 0.3       // radians that a joint may be behind
#define COURSE_STEEP 12.0 // radians that the joints may turn a metre of the palm on a course
#define STEEP 0.62        // cosine between a finger that presses and the direction inwards, at least
#define MISS_MAX 0.05     // metres by which what a hand is at may go out of reach
#define FRAME_RATE 60.0   // frames a second that JUMP_MAX is for
#define JUMP_MAX 3.0      // radians a second by which a joint's velocity may change in a frame
#define BRAKE 120.0       // radians a second squared
#define SAMPLE_RATE 40.0  // a second, of a motion that is looked along
#define ELBOW_BELOW 0.2   // metres below the shoulder from where a forearm comes naturally

static uint32_t thumb_role(fr_side side) { return side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1; }

static uint32_t finger_link(const fr_skill_input *input, fr_side side, uint32_t i) {
    return fr__skill_link(input, (fr_link)(thumb_role(side) + i));
}

// ---------------------------------------------------------------------------------------------------------------
// Hands

fr_status fr__hand_shape_turns(const fr_skill_input *input, fr_side side, fr__hand_shape shape,
                               fr_quat turns[FR__HAND_LINKS], fr_error *error) {
    static const double bends_deg[4][FR__HAND_LINKS] = {
        {0},
        {25, 35, 0, 0, 0, BENT_DEG, 95, 50, BENT_DEG, 95, 50, BENT_DEG, 95, 50},
        {15, 20, 25, 30, 20, 22, 28, 18, 22, 28, 18, 22, 28, 18},
        {25, 35, 25, 30, 20, BENT_DEG, 95, 50, BENT_DEG, 95, 50, BENT_DEG, 95, 50},
    };
    const fr_quat *rests = fr_skeleton_get(input->skeleton)->rests;
    double sign = side == FR_RIGHT ? 1.0 : -1.0;
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = finger_link(input, side, i);
        if (link == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no fingers on the %s",
                                side == FR_RIGHT ? "right" : "left");
        }
        turns[i] = fr__quat_product(rests[link], fr__quat_about(2, sign * fr_radians(bends_deg[shape][i])));
        turns[i] = fr_skeleton_clamp(input->skeleton, link, turns[i]);
    }
    return FR_OK;
}

void fr__hand_read(const fr_skill_input *input, fr_side side, const fr_posture *posture,
                   fr_quat turns[FR__HAND_LINKS]) {
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = finger_link(input, side, i);
        turns[i] = fr_skeleton_clamp(input->skeleton, link, posture->turns[link]);
    }
}

void fr__hand_write(const fr_skill_input *input, fr_side side, const fr_quat *from, const fr_quat *to, double part,
                    fr_skill_output *output) {
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = finger_link(input, side, i);
        fr_quat turn = fr__turn_between(from[i], to[i], part);
        output->posture.turns[link] = fr_skeleton_clamp(input->skeleton, link, turn);
        output->weights[link] = FR__WEIGHT_MUST;
    }
}

fr_vec3 fr__hand_tip(const fr_skill_input *input, fr_side side, const fr_quat turns[FR__HAND_LINKS]) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_vec3 tip = view->tips[finger_link(input, side, 4)];
    for (uint32_t i = 4; i >= 2; i--) {
        tip = fr_vec3_add(view->offsets[finger_link(input, side, i)], fr__quat_turn(turns[i], tip));
    }
    return tip;
}

// ---------------------------------------------------------------------------------------------------------------
// Moves of an arm

// A course that the hand goes on with after a move.
typedef struct arm_course {
    const fr_skill_input *input;
    const fr__arm_goals *goals;
    fr_side side;
    fr__arm_course_fn *course;
    void *context;
    fr_quat *scratch;
} arm_course;

// Whether the palm can go from one pose of the course to the next without a change of swivel, and leave at its end.
static bool is_course_within(const fr_posture *end, uint32_t goal, fr__clear *clear, const fr_reach_plan *plan,
                             void *context) {
    const arm_course *c = context;
    fr_pose palms[FR__COURSE_MAX];
    uint32_t count = c->course(c->input, &c->goals->poses[goal], palms, c->context);
    memcpy(c->scratch, end->turns, end->count * sizeof *c->scratch);
    fr_posture posture = *end;
    posture.turns = c->scratch;
    fr__arm_turns last = {{{0}}};
    for (uint32_t i = 0; i < count; i++) {
        fr_reach_input reach = fr_default_reach_input();
        reach.skeleton = c->input->skeleton;
        reach.posture = &posture;
        reach.side = c->side;
        reach.palm = palms[i];
        reach.is_swivel_only = true;
        reach.lean_max = 0.0;
        fr_reach_output solved;
        if (fr_reach_solve(&reach, &solved, NULL) != FR_OK) { return false; }
        if (solved.miss > LIMIT_SLACK || solved.excess > LIMIT_SLACK) { return false; }
        const fr__arm_turns next = {{solved.chest, solved.upper_arm, solved.forearm, solved.palm}};
        // Near a straight arm small steps of the palm are large ones of the joints.
        double travel = i > 0 ? fr_vec3_distance(palms[i - 1].position, palms[i].position) : INFINITY;
        if (fr__arm_change(&last, &next) > COURSE_STEEP * travel + 0.05) { return false; }
        if (i + c->goals->leaving >= count &&
            !fr__clear_between(clear, plan, i > 0 ? &last : &next, &next, FR__CLEAR_LEAVING)) {
            return false;
        }
        last = next;
        fr_reach_apply(c->input->skeleton, c->side, &solved, &posture);
    }
    return true;
}

// The name of an obstacle; NULL: it has none.
static const char *name_of_obstacle(const fr_skill_input *input, const fr_contact *obstacle) {
    if (obstacle->b.index1 == 0 || input->object_name == NULL) { return NULL; }
    return input->object_name(obstacle->b, input->object_name_context);
}

fr_status fr__skill_look_along(const fr_skill_input *input, fr_side side, bool has_chest, double seconds,
                               fr__clear_motion_fn *motion, void *context, fr_error *error) {
    if (input->figure == NULL || input->space == NULL) { return FR_OK; }
    const uint32_t *roles = fr_skeleton_get(input->skeleton)->roles;
    uint32_t upper = roles[side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM];
    fr_quat fingers[FR__HAND_LINKS]; // they may move, each by itself
    fr__hand_read(input, side, &input->body, fingers);
    fr_reach_plan_input plan = fr_default_reach_plan_input();
    plan.skeleton = input->skeleton;
    plan.figure = input->figure;
    plan.posture = &input->body;
    plan.side = side;
    plan.fingers = fingers;
    plan.space = input->space;
    plan.filter = input->filter;
    if ((input->fields->given & FR_FIELD_OBJECT) != 0) { plan.touched = input->fields->object; }
    fr__clear clear;
    fr__clear_begin(&clear, &plan, has_chest ? roles[FR_LINK_CHEST] : upper, error);
    if (clear.status != FR_OK) { return clear.status; }
    clear.stage = FR__CLEAR_LEAVING;
    bool is_clear = fr__clear_motion(&clear, has_chest, (uint32_t)ceil(SAMPLE_RATE * seconds), motion, context);
    if (is_clear || clear.status != FR_OK) { return clear.status; }
    fr_reach_plan_output output = {.result = FR_REACH_PATH_BLOCKED, .obstacle = clear.obstacle, .link = clear.link};
    char words[256];
    fr_reach_plan_words(input->skeleton, &output, name_of_obstacle(input, &clear.obstacle), words, sizeof words);
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s", words);
}

static fr_status find_move(const fr_skill_input *input, const fr__arm_goals *goals, arm_course *course,
                           fr__arm_move *move, uint32_t *goal, fr_error *error) {
    fr_side side = (fr_side)move->side;
    fr__hand_read(input, side, &input->body, move->from);
    fr_reach_plan_input plan = fr_default_reach_plan_input();
    plan.skeleton = input->skeleton;
    plan.figure = input->figure;
    plan.posture = &input->body;
    plan.side = side;
    plan.fingers = move->to;
    plan.goals = goals->poses;
    plan.goal_count = goals->count;
    plan.is_tip = goals->is_tip;
    plan.approach = goals->approach;
    plan.lean_max = goals->lean_max;
    plan.space = input->space;
    plan.filter = input->filter;
    if (goals->may_touch && (input->fields->given & FR_FIELD_OBJECT) != 0) { plan.touched = input->fields->object; }
    fr_reach_plan_output output;
    fr_status status = fr__reach_plan_search(&plan, course != NULL ? is_course_within : NULL, course, &output, error);
    if (status != FR_OK) { return status; }
    if (output.result != FR_REACH_FOUND) {
        char words[256];
        const char *obstacle = name_of_obstacle(input, &output.obstacle);
        fr_reach_plan_words(input->skeleton, &output, obstacle, words, sizeof words);
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s", words);
    }
    memcpy(&move->plan, &output.plan, sizeof move->plan);
    move->frames = fr__skill_frames(input, output.plan.seconds);
    if (goal != NULL) { *goal = output.goal; }
    return FR_OK;
}

fr_status fr__arm_move_find(const fr_skill_input *input, const fr__arm_goals *goals, fr__arm_move *move, uint32_t *goal,
                            fr_error *error) {
    return find_move(input, goals, NULL, move, goal, error);
}

fr_status fr__arm_move_find_course(const fr_skill_input *input, const fr__arm_goals *goals, fr__arm_course_fn *course,
                                   void *context, fr_quat *scratch, fr__arm_move *move, uint32_t *goal,
                                   fr_error *error) {
    arm_course c = {input, goals, (fr_side)move->side, course, context, scratch};
    return find_move(input, goals, &c, move, goal, error);
}

fr_status fr__skill_try_sides(const fr_skill_input *input, const fr_skill_state *state, fr_vec3 point,
                              fr__side_fn *begin, uint32_t *frames, fr_error *error) {
    fr_side side;
    fr_status status = fr__skill_choose_side(input, point, &side, error);
    if (status != FR_OK) { return status; }
    fr_error refusal = {0};
    status = begin(input, state, side, frames, &refusal);
    bool is_given = (input->fields->given & FR_FIELD_SIDE) != 0 && input->fields->side != FR_SIDE_NEAREST;
    fr_side other = side == FR_RIGHT ? FR_LEFT : FR_RIGHT;
    if (status == FR_OK) { return FR_OK; }
    bool may_other = status == FR_ERROR_ARGUMENT && !is_given && fr__skill_check_arm(input, other, NULL) == FR_OK;
    if (may_other && begin(input, state, other, frames, NULL) == FR_OK) { return FR_OK; }
    if (error != NULL) { *error = refusal; }
    return status;
}

void fr__arm_move_weigh(const fr_skill_input *input, const fr__arm_move *move, fr_skill_output *output) {
    fr__skill_weigh_arm(input, output, (fr_side)move->side, FR__WEIGHT_MUST);
    if (move->plan.has_lean) { output->weights[move->plan.links[0]] = FR__WEIGHT_MUST; }
}

void fr__arm_move_write(const fr_skill_input *input, const fr__arm_move *move, double part, fr_skill_output *output) {
    fr_reach_plan_apply(input->skeleton, &move->plan, part, &output->posture);
    fr__hand_write(input, (fr_side)move->side, move->from, move->to, fr_reach_progress(part), output);
    fr__arm_move_weigh(input, move, output);
}

// The body as it stands now, with the arm (and the lean) of the skill's own posture.
fr_posture fr__arm_posture(const fr_skill_input *input, const fr__arm_move *move, const fr_posture *own,
                           fr_quat *scratch) {
    memcpy(scratch, input->body.turns, input->body.count * sizeof *scratch);
    for (uint32_t i = move->plan.has_lean ? 0 : 1; i < FR_REACH_LINKS; i++) {
        scratch[move->plan.links[i]] = own->turns[move->plan.links[i]];
    }
    fr_posture posture = input->body;
    posture.turns = scratch;
    return posture;
}

// One frame of a link towards a turn: it speeds up by at most JUMP_MAX a frame and can brake before the turn.
static fr_quat follow_turn(const fr_skill_input *input, fr_quat last, fr_quat wanted, fr_vec3 *velocity) {
    fr_quat apart = fr__quat_product(fr_quat_conjugate(last), wanted);
    if (apart.w < 0.0) { apart = (fr_quat){-apart.w, -apart.x, -apart.y, -apart.z}; }
    fr_vec3 left = fr_quat_to_vector(apart);
    double angle = fr_vec3_length(left), brake = sqrt(2.0 * BRAKE * angle);
    fr_vec3 speed = fr_vec3_scale(input->rate, left);
    if (angle * input->rate > brake) { speed = fr_vec3_scale(brake / angle, left); }
    fr_vec3 change = fr_vec3_sub(speed, *velocity);
    double jump = fr_vec3_length(change), most = JUMP_MAX * fmax(1.0, FRAME_RATE / input->rate);
    if (jump > most) { speed = fr_vec3_add_scaled(*velocity, most / jump, change); }
    if (jump <= most && angle * input->rate <= brake) {
        *velocity = speed;
        return wanted;
    }
    *velocity = speed;
    return fr__quat_product(last, fr_quat_from_vector(fr_vec3_scale(1.0 / input->rate, speed)));
}

fr_status fr__arm_follow(const fr_skill_input *input, fr__arm_move *move, const fr_pose *palm, fr_quat *scratch,
                         fr_skill_output *output, fr_error *error) {
    fr_posture posture = fr__arm_posture(input, move, &output->posture, scratch);
    fr_reach_input reach = fr_default_reach_input();
    reach.skeleton = input->skeleton;
    reach.posture = &posture;
    reach.side = (fr_side)move->side;
    reach.palm = *palm;
    reach.is_swivel_only = true;
    reach.lean_max = 0.0;
    fr_reach_output solved;
    fr_status status = fr_reach_solve(&reach, &solved, error);
    if (status == FR_OK && solved.excess > LIMIT_SLACK) {
        // The swivel that the arm has leads beyond a limit: the nearest one within is taken.
        reach.is_swivel_only = false;
        status = fr_reach_solve(&reach, &solved, error);
    }
    if (status != FR_OK) { return status; }
    if (solved.miss > MISS_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "what the hand is at went out of reach by %.2f m", solved.miss);
    }
    const fr_quat turns[FR_REACH_LINKS] = {solved.chest, solved.upper_arm, solved.forearm, solved.palm};
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        uint32_t link = move->plan.links[i];
        fr_quat wanted = fr_skeleton_clamp(input->skeleton, link, turns[i]);
        fr_quat *turn = &output->posture.turns[link];
        fr_quat next = follow_turn(input, *turn, wanted, &move->velocities[i]);
        *turn = fr_skeleton_clamp(input->skeleton, link, next);
        fr_quat lag = fr__quat_product(fr_quat_conjugate(*turn), wanted);
        if (fabs(lag.w) < fr_cos(0.5 * LAG_MAX)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "what the hand is at goes away faster than the arm follows");
        }
    }
    fr__arm_move_weigh(input, move, output);
    return FR_OK;
}

fr_pose fr__arm_palm(const fr_skill_input *input, const fr__arm_move *move, const fr_posture *posture,
                     fr_quat *scratch) {
    fr_posture own = fr__arm_posture(input, move, posture, scratch);
    return fr__link_pose(fr_skeleton_get(input->skeleton), &own, move->plan.links[3]);
}

// ---------------------------------------------------------------------------------------------------------------
// Goals of a finger

fr_quat fr__palm_turn(fr_side side, fr_vec3 fingers, fr_vec3 inner) {
    fr_vec3 x = fr_vec3_negate(fr_vec3_unit(fingers, fr_vec3_make(0.0, -1.0, 0.0)));
    fr_vec3 off = fr_vec3_add_scaled(inner, -fr_vec3_dot(inner, x), x);
    fr_vec3 y = fr_vec3_scale(side == FR_RIGHT ? -1.0 : 1.0, fr_vec3_unit(off, fr_vec3_perpendicular(x)));
    return fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{x, y, fr_vec3_cross(x, y)}}));
}

uint32_t fr__press_goals(const fr_skill_input *input, fr_side side, const fr_pose *target, fr_vec3 tip, double bend,
                         fr_pose goals[FR__PRESS_GOALS]) {
    static const double shares[5] = {0.5, 0.75, 0.3, 1.0, 0.0};
    static const double rolls_deg[9] = {20, -15, 50, 80, -45, 110, -75, 140, 170};
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    uint32_t upper = fr__skill_link(input, side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM);
    fr_pose shoulder = fr__link_pose(view, &input->body, upper);
    fr_vec3 from = fr_vec3_sub(shoulder.position, fr_vec3_make(0.0, ELBOW_BELOW, 0.0));
    fr_vec3 in = fr_vec3_negate(fr__quat_turn(target->rotation, fr_vec3_make(0.0, 0.0, 1.0)));
    fr_vec3 arm = fr_vec3_unit(fr_vec3_sub(tip, from), in);
    double heading = fr__skill_heading(input->skeleton, &input->body), s, c, bend_s, bend_c;
    fr_sincos(heading, &s, &c);
    fr_sincos(bend, &bend_s, &bend_c);
    uint32_t count = 0;
    for (int k = 0; k < 5; k++) {
        fr_vec3 last = fr_vec3_unit(fr_vec3_lerp(in, arm, shares[k]), in);
        // A finger that lies too flat would touch with its side.
        if (fr_vec3_dot(last, in) < STEEP) { last = fr_vec3_unit(fr_vec3_add_scaled(last, 1.0, in), in); }
        if (fr_vec3_dot(last, in) < STEEP) { continue; }
        fr_vec3 under = fr_vec3_make(-s, -1.0, -c); // down and towards the body
        under = fr_vec3_unit(fr_vec3_add_scaled(under, -fr_vec3_dot(under, last), last), fr_vec3_perpendicular(last));
        for (int i = 0; i < 9; i++) {
            // The inner side looks down, and turned about the finger towards the other arm; the palm is before the
            // bend.
            double roll = fr_radians(rolls_deg[i]) * (side == FR_RIGHT ? -1.0 : 1.0);
            fr_vec3 inner = fr__quat_turn(fr_quat_from_axis_angle(last, roll), under);
            fr_vec3 fingers = fr_vec3_add_scaled(fr_vec3_scale(bend_c, last), -bend_s, inner);
            fr_vec3 palm = fr_vec3_add_scaled(fr_vec3_scale(bend_c, inner), bend_s, last);
            goals[count++] = fr_pose_make(tip, fr__palm_turn(side, fingers, palm));
        }
    }
    return count;
}

uint32_t fr__skill_stages(const fr_skill_input *input, const double *seconds, uint32_t *stages, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += seconds[i];
    }
    double scale = input->frames > 0 && sum > 0.0 ? (double)input->frames / (sum * input->rate) : 1.0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        stages[i] = fr__skill_frames(input, scale * seconds[i]);
        total += stages[i];
    }
    return total;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

#define CHEST_SHARE 0.4
#define LEAN_SHARE 0.15 // of a look down or up; a chest that leans takes the arms along
#define LEAN_DEG 58.0   // beyond this the chest does the rest
#define CHEST_MAX_DEG 30.0
#define GLANCE_SHARE 0.6 // of the angle to what a hand is at that the head turns
#define HEAD_MAX_DEG 70.0
#define EYES_UP 0.09   // metres over the head's joint
#define NEAR_AXIS 0.3  // metres from the vertical line through the eyes, within which yaw counts less
#define SIDE_DEG 120.0 // degrees beside the body, beyond which yaw counts less
#define EYES_AFTER 6.0 // a second: how fast the eyes follow; without a delay a near target makes the head tremble

// Where the eyes of the body are, from its place.
static fr_vec3 eyes_of(const fr_skill_input *input) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_pose head = fr__link_pose(view, &input->body, fr__skill_link(input, FR_LINK_HEAD));
    return fr_vec3_sub(fr_vec3_add(head.position, fr_vec3_make(0.0, EYES_UP, 0.0)), input->body.place);
}

// Yaw and pitch of a point as the hips see it from the eyes; yaw left positive, pitch down positive. `steady` is the
// yaw but of a point that is nearly above or below the eyes, or comes to be behind the body: there it goes to 0, so
// that no small motion turns it about.
static void angles_to(const fr_skill_input *input, fr_vec3 eyes, fr_vec3 point, double *yaw, double *steady,
                      double *pitch) {
    double heading = fr__skill_heading(input->skeleton, &input->body), s, c;
    fr_sincos(heading, &s, &c);
    fr_vec3 apart = fr_vec3_sub(point, fr_vec3_add(input->body.place, eyes));
    double forward = apart.x * s + apart.z * c, left = apart.x * c - apart.z * s;
    double level = sqrt(forward * forward + left * left);
    *yaw = level > 1e-9 ? fr_atan2(left, forward) : 0.0;
    double behind = (fabs(*yaw) - fr_radians(SIDE_DEG)) / (FR_PI - fr_radians(SIDE_DEG));
    *steady = *yaw * fr__ease(level / NEAR_AXIS) * (1.0 - fr__ease(behind));
    *pitch = level > 1e-9 || apart.y != 0.0 ? fr_atan2(-apart.y, level) : 0.0;
}

static double within(double angle, double most_deg) {
    double most = fr_radians(most_deg);
    return angle > most ? most : angle < -most ? -most : angle;
}

// How far the chest leans for a look up or down.
static double lean_for(double pitch) {
    double bend = LEAN_SHARE * within(pitch, LEAN_DEG) + pitch - within(pitch, LEAN_DEG);
    return within(bend, CHEST_MAX_DEG);
}

fr_status fr__look_begin(const fr_skill_input *input, fr_vec3 point, bool has_chest, fr__look *look, fr_error *error) {
    uint32_t chest = fr__skill_link(input, FR_LINK_CHEST), head = fr__skill_link(input, FR_LINK_HEAD);
    if (chest == FR_NO_LINK || head == FR_NO_LINK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no chest or head to look with");
    }
    double yaw, steady, pitch;
    look->eyes = eyes_of(input);
    angles_to(input, look->eyes, point, &yaw, &steady, &pitch);
    if (fabs(yaw) > fr_radians(CHEST_MAX_DEG + HEAD_MAX_DEG)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the target is behind the body; a turn by %.0f degrees would help", fr_degrees(yaw));
    }
    look->chest = input->body.turns[chest];
    look->head = input->body.turns[head];
    look->has_chest = has_chest;
    return FR_OK;
}

void fr__look_write(const fr_skill_input *input, fr__look *look, fr_vec3 point, double part, fr_skill_output *output) {
    const fr_skeleton *skeleton = input->skeleton;
    uint32_t links[2] = {fr__skill_link(input, FR_LINK_CHEST), fr__skill_link(input, FR_LINK_HEAD)};
    double seen, yaw, pitch, share = EYES_AFTER / input->rate;
    look->eyes = fr_vec3_lerp(look->eyes, eyes_of(input), share < 1.0 ? share : 1.0);
    angles_to(input, look->eyes, point, &seen, &yaw, &pitch);
    double reach = look->is_glance != 0 ? GLANCE_SHARE : 1.0;
    yaw *= reach;
    pitch *= reach;

    // Where the face shall look, and the chest's share of it; the head does the rest from the chest.
    fr_quat wanted = fr__quat_product(fr__quat_about(1, yaw), fr__quat_about(0, pitch));
    wanted = fr__quat_product(fr__quat_about(1, fr__skill_heading(skeleton, &input->body)), wanted);
    fr_quat hip = fr__quat_product(input->body.turns[0], fr_quat_conjugate(fr_skeleton_get(skeleton)->uprights[0]));
    fr_quat aways[2] = {fr_skeleton_turn_to_upright(skeleton, links[0], input->body.turns[links[0]])};
    if (look->has_chest != 0) {
        aways[0] = fr__quat_product(fr__quat_about(1, within(CHEST_SHARE * yaw, CHEST_MAX_DEG)),
                                    fr__quat_about(0, lean_for(pitch)));
    }
    aways[1] = fr__quat_product(fr_quat_conjugate(fr__quat_product(hip, aways[0])), wanted);
    double angle = fr_vec3_length(fr_quat_to_vector(aways[1])), most = fr_radians(HEAD_MAX_DEG);
    if (angle > most) { aways[1] = fr__turn_between(fr_quat_identity(), aways[1], most / angle); }
    for (int i = look->has_chest != 0 ? 0 : 1; i < 2; i++) {
        fr_quat goal = fr_skeleton_turn_from_upright(skeleton, links[i], aways[i]);
        goal = fr_skeleton_clamp(skeleton, links[i], goal);
        goal = fr__turn_between(i == 0 ? look->chest : look->head, goal, fr_reach_progress(part));
        fr_quat *turn = &output->posture.turns[links[i]];
        *turn = fr_skeleton_clamp(skeleton, links[i], follow_turn(input, *turn, goal, &look->velocities[i]));
        output->weights[links[i]] = i == 0 ? 10.0 * FR__WEIGHT_NORMAL : FR__WEIGHT_MUST;
    }
    if (look->is_glance != 0) { output->weights[links[1]] = FR__WEIGHT_NORMAL; }
}

void fr__glance_begin(const fr_skill_input *input, fr_vec3 point, fr__look *look) {
    look->is_glance = fr__look_begin(input, point, false, look, NULL) == FR_OK ? 1 : 2;
}

void fr__glance_write(const fr_skill_input *input, fr__look *look, fr_vec3 point, fr_skill_output *output) {
    double part = (double)input->frame / (FR__LOOK_SECONDS * input->rate);
    if (look->is_glance == 1) { fr__look_write(input, look, point, part < 1.0 ? part : 1.0, output); }
}
