// A reach of a body that moves on: the palm goes from where it swings to a goal
// that stands still, rests there for a while and leaves. First the joints go by
// curves, with the velocities that they have and will have; near the goal the
// palm goes straight to it and rests in the world, and the arm follows it by
// inverse kinematics on the body as it is in each frame of its course.
#include "human/reach_plan.h"

#include "posture.h"

#include <math.h>
#include <string.h>

#define PASS_COOKIE 0x52505353u
#define LIMIT_SLACK 1e-3  // radians that a frame may be beyond the limits, and is brought back by
#define MISS_MAX 1e-6     // metres
#define FRAME_RATE 60.0   // frames a second that JUMP_MAX is for
#define JUMP_MAX 2.5      // radians a second by which a joint's velocity may change in a frame
#define SPEED_MAX 8.0     // radians a second of a joint while the palm is held
#define NEAR_SECONDS 0.24 // for which the palm goes straight
#define SWIVEL_STEP 15.0  // degrees
#define YIELD_STEP 1.0    // degrees of swivel in one frame
#define YIELDS 4          // to each side
#define SWIVELS 4         // to each side
#define PATHS_MAX 60u     // that are looked at in one search
#define CLEAR_MAX 8u      // of these: for obstacles
#define HOLDS_MAX 16u     // arms at the goal that are looked at
#define FRAMES_MAX 4096u  // of a reach

enum { BLOCKED_MAX = 64 }; // goals of which it is noted

typedef struct pass_search {
    const fr_reach_pass_input *input;
    fr_reach_plan_output *output;
    fr_reach_pass pass;
    fr__clear clear;
    fr__arm_turns start, last;
    fr_vec3 up, outward;
    fr_quat turns[FR_MAX_LINKS];
    uint32_t clear_first; // frame in which the arm is `last`
    uint32_t path_count, clear_count, hold_count;
    fr_status status;
} pass_search;

fr_reach_pass_input fr_default_reach_pass_input(void) {
    return (fr_reach_pass_input){.clearance = 0.001, .cookie = PASS_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// The curve

static double part_at(const fr_reach_pass *pass, uint32_t frame, uint32_t last) {
    if (frame >= last) { return 1.0; }
    return frame <= pass->start ? 0.0 : (double)(frame - pass->start) / (double)(last - pass->start);
}

static fr_vec3 vector_between(fr_quat from, fr_quat to) {
    fr_quat apart = fr__quat_product(fr_quat_conjugate(from), to);
    if (apart.w < 0.0) { apart = (fr_quat){-apart.w, -apart.x, -apart.y, -apart.z}; }
    return fr_quat_to_vector(apart);
}

// The turn of a joint on its curve: given velocities at both ends and no
// acceleration there.
static fr_quat curve_at(const fr_reach_pass *pass, uint32_t link, double u) {
    double u3 = u * u * u, u4 = u3 * u, u5 = u4 * u, side = 4.0 * u * (1.0 - u);
    fr_vec3 turn = fr_vec3_scale(10.0 * u3 - 15.0 * u4 + 6.0 * u5, pass->turn[link]);
    turn = fr_vec3_add_scaled(turn, u - 6.0 * u3 + 8.0 * u4 - 3.0 * u5, pass->speeds[0][link]);
    turn = fr_vec3_add_scaled(turn, -4.0 * u3 + 7.0 * u4 - 3.0 * u5, pass->speeds[1][link]);
    turn = fr_vec3_add_scaled(turn, side * side * side, pass->detour[link]);
    return fr__quat_product(pass->first[link], fr_quat_from_vector(turn));
}

// Where the palm is from the frame on in which it is near.
static fr_pose palm_at(const fr_reach_pass *pass, uint32_t frame) {
    fr_pose palm = pass->goal;
    double left = frame < pass->meet ? (double)(pass->meet - frame) / (double)(pass->meet - pass->near) : 0.0;
    palm.position = fr_vec3_add_scaled(palm.position, left * left * left, pass->approach);
    return palm;
}

// The body of a frame with the chest as the reach turns it.
static fr_status read_body(const fr_reach_pass *pass, const fr_clip *course, uint32_t frame, fr_posture *body,
                           fr_error *error) {
    fr_status status = fr_clip_frame(course, frame, body, error);
    fr_quat *chest = &body->turns[pass->links[0]];
    double part = fr_reach_progress(part_at(pass, frame, pass->meet));
    *chest = fr__quat_product(fr_quat_from_vector(fr_vec3_scale(part, pass->chest)), *chest);
    return status;
}

// The arm of a frame in which the palm is given, on from the arm of another
// frame.
static fr_status solve_palm(const fr_skeleton *skeleton, const fr_reach_pass *pass, uint32_t frame, double swivel,
                            fr__arm_turns *arm, fr_posture *body, fr_reach_output *solved, fr_error *error) {
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        body->turns[pass->links[i]] = arm->turns[i];
    }
    fr_reach_input reach = fr_default_reach_input();
    reach.skeleton = skeleton;
    reach.posture = body;
    reach.side = pass->side;
    reach.palm = palm_at(pass, frame);
    reach.is_swivel_only = true;
    reach.swivel = swivel;
    reach.lean_max = 0.0;
    fr_status status = fr_reach_solve(&reach, solved, error);
    // The elbow yields where a joint comes to its limit.
    for (int i = 0; i < 2 * YIELDS && status == FR_OK && solved->excess > LIMIT_SLACK; i++) {
        fr_reach_output yielding;
        reach.swivel = swivel + fr_radians(YIELD_STEP) * (i / 2 + 1) * (i % 2 == 0 ? 1.0 : -1.0);
        status = fr_reach_solve(&reach, &yielding, error);
        if (status == FR_OK && yielding.excess < solved->excess) { *solved = yielding; }
    }
    if (status == FR_OK) {
        *arm = (fr__arm_turns){{body->turns[pass->links[0]], solved->upper_arm, solved->forearm, solved->palm}};
    }
    return status;
}

// One frame: the arm goes on from the one before. `body` is scratch, and the
// posture afterwards.
static fr_status go_on(const fr_skeleton *skeleton, const fr_reach_pass *pass, const fr_clip *course, uint32_t frame,
                       fr__arm_turns *arm, fr_posture *body, fr_reach_output *solved, fr_error *error) {
    fr_status status = read_body(pass, course, frame, body, error);
    if (status != FR_OK) { return status; }
    solved->miss = solved->excess = 0.0;
    if (frame > pass->near) {
        status = solve_palm(skeleton, pass, frame, 0.0, arm, body, solved, error);
        if (status != FR_OK) { return status; }
    }
    arm->turns[0] = body->turns[pass->links[0]];
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        if (frame <= pass->near) { arm->turns[i] = curve_at(pass, i, part_at(pass, frame, pass->near)); }
        arm->turns[i] = fr_skeleton_clamp(skeleton, pass->links[i], arm->turns[i]);
        body->turns[pass->links[i]] = arm->turns[i];
    }
    return FR_OK;
}

fr_status fr_reach_pass_apply(const fr_skeleton *skeleton, const fr_reach_pass *pass, const fr_clip *course,
                              uint32_t frame, fr_posture *posture, fr_error *error) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture body = {.turns = turns, .count = posture->count};
    fr__arm_turns arm;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        arm.turns[i] = posture->turns[pass->links[i]];
    }
    fr_reach_output solved;
    fr_status status = go_on(skeleton, pass, course, frame, &arm, &body, &solved, error);
    for (uint32_t i = 0; i < FR_REACH_LINKS && status == FR_OK; i++) {
        posture->turns[pass->links[i]] = arm.turns[i];
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static fr_status check(const fr_reach_pass_input *input, fr_error *error) {
    if (input->cookie != PASS_COOKIE) { return fr_error_set_cookie(error, "fr_default_reach_pass_input"); }
    if (input->skeleton == NULL || input->course == NULL || input->goals == NULL || input->goal_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a reach on the move needs a skeleton, a course and a goal");
    }
    const fr_clip_view *course = fr_clip_get(input->course);
    bool rises = input->start < input->meet && input->meet <= input->end && input->end < course->frame_count;
    if (!rises || input->end - input->start > FRAMES_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "a reach of the frames %u, %u, %u on a course of %u "
                            "frames: they rise, by up to %u",
                            input->start, input->meet, input->end, course->frame_count, FRAMES_MAX);
    }
    if (course->link_count > fr_skeleton_get(input->skeleton)->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the course has %u links, more than the skeleton",
                            course->link_count);
    }
    for (uint32_t i = 0; i < input->goal_count; i++) {
        fr_pose goal = fr_pose_make(input->goals[i].position, input->goals[i].rotation);
        fr_status status = fr_pose_check(&goal, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_posture scratch_of(pass_search *s) {
    return (fr_posture){.turns = s->turns, .count = fr_skeleton_get(s->input->skeleton)->link_count};
}

static fr_status begin(pass_search *s, fr_error *error) {
    const fr_reach_pass_input *input = s->input;
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_posture body = scratch_of(s);
    fr_status status = fr_clip_frame(input->course, input->start, &body, error);
    double angles[FR_ARM_ANGLES];
    if (status == FR_OK) { status = fr_reach_angles(input->skeleton, &body, input->side, angles, error); }
    if (status != FR_OK) { return status; }
    fr_reach_pass *pass = &s->pass;
    memset(pass, 0, sizeof *pass);
    pass->side = input->side;
    pass->start = input->start;
    pass->meet = input->meet;
    pass->end = input->end;
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        fr_link role = input->side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
        pass->links[i] = view->roles[role + i - 1];
    }
    pass->links[0] = view->parents[pass->links[1]];
    fr_pose chest = fr__link_pose(view, &body, pass->links[0]);
    fr_quat away = fr__quat_product(chest.rotation, fr_quat_conjugate(view->uprights[pass->links[0]]));
    s->up = fr_vec3_make(0.0, 1.0, 0.0);
    s->outward = fr__quat_turn(away, fr_vec3_make(input->side == FR_RIGHT ? -1.0 : 1.0, 0.0, 0.0));
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        pass->first[i] = s->start.turns[i] = body.turns[pass->links[i]];
    }
    uint32_t straight = (uint32_t)(NEAR_SECONDS * fr_clip_get(input->course)->frame_rate),
             third = (pass->meet - pass->start) / 3;
    straight = straight < third ? straight : third;
    pass->near = pass->meet - (straight > 0 ? straight : 1);
    if (pass->near <= pass->start) { return FR_OK; }
    status = fr_clip_frame(input->course, input->start + 1, &body, error);
    double frames = (double)(pass->near - pass->start);
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        pass->speeds[0][i] = fr_vec3_scale(frames, vector_between(pass->first[i], body.turns[pass->links[i]]));
    }
    return status;
}

// A worse result of another try does not hide a better one.
static void note(pass_search *s, fr_reach_result result, const fr_reach_output *solved) {
    fr_reach_plan_output *out = s->output;
    bool is_first = out->path_count == 0 && out->result == FR_REACH_TOO_FAR && out->miss == 0.0;
    if (solved != NULL && (is_first || (result == out->result && solved->miss < out->miss))) {
        out->miss = solved->miss;
        out->excess = solved->excess;
        out->step = solved->step;
    }
    if (result > out->result) {
        out->result = result;
        if (solved != NULL) { out->excess = solved->excess; }
    }
}

// The arm in the frame in which the palm is at the goal: the one nearest to
// that at the start, with its elbow swivelled by an angle.
static bool find_arm(pass_search *s, double swivel, fr__arm_turns *arm) {
    fr_posture body = scratch_of(s);
    fr_reach_output solved;
    s->status = read_body(&s->pass, s->input->course, s->pass.meet, &body, NULL);
    if (s->status == FR_OK && swivel == 0.0) {
        for (uint32_t k = 1; k < FR_REACH_LINKS; k++) {
            body.turns[s->pass.links[k]] = s->start.turns[k];
        }
        fr_reach_input reach = fr_default_reach_input();
        reach.skeleton = s->input->skeleton;
        reach.posture = &body;
        reach.side = s->pass.side;
        reach.palm = s->pass.goal;
        reach.lean_max = 0.0;
        s->status = fr_reach_solve(&reach, &solved, NULL);
        *arm = (fr__arm_turns){{body.turns[s->pass.links[0]], solved.upper_arm, solved.forearm, solved.palm}};
    } else if (s->status == FR_OK) {
        s->status = solve_palm(s->input->skeleton, &s->pass, s->pass.meet, swivel, arm, &body, &solved, NULL);
    }
    if (s->status != FR_OK) { return false; }
    bool is_met = solved.miss <= MISS_MAX, is_right = is_met && solved.excess <= LIMIT_SLACK;
    if (!is_right) { note(s, is_met ? FR_REACH_BEYOND_LIMITS : FR_REACH_TOO_FAR, &solved); }
    return is_right;
}

// Follows the palm from the frame in which it is at the goal to another,
// forwards or backwards; the arm there, and the one before it. False where a
// joint leaves its limits or turns too fast.
static bool follow_palm(pass_search *s, const fr__arm_turns *meet, uint32_t last, fr__arm_turns arms[2]) {
    double rate = fr_clip_get(s->input->course)->frame_rate;
    uint32_t count = last > s->pass.meet ? last - s->pass.meet : s->pass.meet - last;
    arms[0] = arms[1] = *meet;
    for (uint32_t i = 1; i <= count && s->status == FR_OK; i++) {
        uint32_t frame = last > s->pass.meet ? s->pass.meet + i : s->pass.meet - i;
        fr_posture body = scratch_of(s);
        fr_reach_output solved;
        arms[1] = arms[0];
        s->status = read_body(&s->pass, s->input->course, frame, &body, NULL);
        if (s->status != FR_OK) { return false; }
        s->status = solve_palm(s->input->skeleton, &s->pass, frame, 0.0, &arms[0], &body, &solved, NULL);
        if (s->status != FR_OK) { return false; }
        bool is_met = solved.miss <= MISS_MAX, is_right = is_met && solved.excess <= LIMIT_SLACK;
        if (!is_right) {
            note(s, is_met ? FR_REACH_BEYOND_LIMITS : FR_REACH_TOO_FAR, &solved);
            return false;
        }
        for (uint32_t k = 1; k < FR_REACH_LINKS; k++) {
            if (fr_vec3_length(vector_between(arms[0].turns[k], arms[1].turns[k])) > SPEED_MAX / rate) {
                note(s, FR_REACH_BEYOND_LIMITS, NULL);
                return false;
            }
        }
    }
    return s->status == FR_OK;
}

// The curves of the joints to the arm with which the palm is near.
static void aim(pass_search *s, const fr__arm_turns near[2]) {
    fr_reach_pass *pass = &s->pass;
    double frames = (double)(pass->near - pass->start);
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        pass->turn[i] = vector_between(pass->first[i], near[0].turns[i]);
        fr_vec3 next = vector_between(pass->first[i], near[1].turns[i]);
        pass->speeds[1][i] = fr_vec3_scale(frames, fr_vec3_sub(next, pass->turn[i]));
    }
}

// Whether every frame is within reach and limits and no joint leaps.
static bool is_smooth(pass_search *s) {
    const fr_skeleton *skeleton = s->input->skeleton;
    double rate = fr_clip_get(s->input->course)->frame_rate;
    double most = JUMP_MAX * fmax(1.0, FRAME_RATE / rate) / rate;
    fr__arm_turns last = s->start;
    fr_vec3 velocity[FR_REACH_LINKS] = {{0}};
    for (uint32_t k = s->pass.start + 1; k <= s->pass.end; k++) {
        fr_posture body = scratch_of(s);
        fr__arm_turns now = last;
        fr_reach_output solved;
        s->status = go_on(skeleton, &s->pass, s->input->course, k, &now, &body, &solved, NULL);
        if (s->status != FR_OK || solved.miss > MISS_MAX || solved.excess > LIMIT_SLACK) { return false; }
        if (fr_skeleton_excess(skeleton, s->pass.links[0], now.turns[0]) > LIMIT_SLACK) { return false; }
        for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
            fr_vec3 turned = vector_between(last.turns[i], now.turns[i]);
            bool is_leap = k > s->pass.start + 1 && fr_vec3_distance(turned, velocity[i]) > most;
            if (is_leap) { return false; }
            velocity[i] = turned;
        }
        last = now;
    }
    return true;
}

static void put_frame(uint32_t frame, fr_posture *body, void *context) {
    pass_search *s = context;
    fr_reach_output solved;
    if (frame == s->clear_first) {
        (void)read_body(&s->pass, s->input->course, frame, body, NULL);
        for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
            body->turns[s->pass.links[i]] = s->last.turns[i];
        }
    } else {
        (void)go_on(s->input->skeleton, &s->pass, s->input->course, frame, &s->last, body, &solved, NULL);
    }
    if (s->input->fingers == NULL) { return; }
    const uint32_t *roles = fr_skeleton_get(s->input->skeleton)->roles;
    double part = fr_reach_progress(part_at(&s->pass, frame, s->pass.meet));
    fr_link thumb = s->pass.side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        fr_quat *turn = &body->turns[roles[thumb + i]];
        *turn = fr__turn_between(*turn, s->input->fingers[i], part);
    }
}

// Whether the arm is clear from one frame, in which it is given, to another.
static bool is_clear(pass_search *s, uint32_t first, const fr__arm_turns *arm, uint32_t last, fr_reach_result unless) {
    bool has_lean = fr_vec3_length_squared(s->pass.chest) > 0.0;
    s->clear.link = FR_NO_LINK;
    s->clear_first = first;
    s->last = *arm;
    if (fr__clear_course(&s->clear, has_lean, first, last, put_frame, s)) { return true; }
    s->status = s->clear.status;
    if (unless > s->output->result) { s->output->link = FR_NO_LINK; }
    if (s->output->link == FR_NO_LINK) {
        s->output->obstacle = s->clear.obstacle;
        s->output->link = s->clear.link;
    }
    note(s, unless, NULL);
    return false;
}

static bool may_go_on(const pass_search *s) {
    return s->status == FR_OK && s->path_count < PATHS_MAX && s->clear_count < CLEAR_MAX && s->hold_count < HOLDS_MAX;
}

// From where the palm comes to the goal: metres against the fingers, off its
// inner side, up.
enum { APPROACHES = 5 };

static fr_vec3 approach(const pass_search *s, int i) {
    static const double table[APPROACHES][3] = {
        {0.04, 0.03, 0.07}, {0.0, 0.02, 0.1}, {0.06, 0.0, 0.03}, {0.02, 0.05, 0.03}, {0.09, 0.0, 0.0}};
    fr_vec3 fingers = fr__quat_turn(s->pass.goal.rotation, fr_vec3_make(-1.0, 0.0, 0.0));
    fr_vec3 inner = fr__quat_turn(s->pass.goal.rotation, fr_vec3_make(0.0, s->pass.side == FR_RIGHT ? -1.0 : 1.0, 0.0));
    fr_vec3 out = fr_vec3_scale(-table[i][0], fingers);
    out = fr_vec3_add_scaled(out, -table[i][1], inner);
    return fr_vec3_add_scaled(out, table[i][2], s->up);
}

// Degrees by which the upper arm goes back and outward midway, and the elbow
// bends: the hand goes over an edge.
enum { DETOURS = 5 };

static void set_detour(pass_search *s, int i) {
    static const double table_deg[DETOURS][3] = {{0, 0, 0}, {0, 0, 25}, {12, 8, 50}, {0, 20, 20}, {25, 15, 75}};
    double side = s->pass.side == FR_RIGHT ? -1.0 : 1.0;
    const fr_vec3 turns[FR_REACH_LINKS] = {{0.0, 0.0, 0.0},
                                           {fr_radians(table_deg[i][0]), 0.0, side * fr_radians(table_deg[i][1])},
                                           {-fr_radians(table_deg[i][2]), 0.0, 0.0},
                                           {0.0, 0.0, 0.0}};
    const fr_skeleton_view *view = fr_skeleton_get(s->input->skeleton);
    for (uint32_t k = 1; k < FR_REACH_LINKS; k++) {
        fr_quat back = fr_quat_conjugate(view->uprights[s->pass.links[k]]);
        s->pass.detour[k] = fr__quat_turn(back, turns[k]);
    }
}

// Paths to an arm at the goal: it comes from several sides, round by several detours.
static bool find_path(pass_search *s, const fr__arm_turns *meet) {
    fr__arm_turns arms[2];
    if (!follow_palm(s, meet, s->pass.end, arms)) { return false; }
    s->hold_count++;
    if (!is_clear(s, s->pass.meet, meet, s->pass.end, FR_REACH_GOAL_BLOCKED)) { return false; }
    for (int i = 0; i < APPROACHES && may_go_on(s); i++) {
        s->pass.approach = approach(s, i);
        if (!follow_palm(s, meet, s->pass.near, arms)) { continue; }
        aim(s, arms);
        for (int k = 0; k < DETOURS && may_go_on(s); k++) {
            set_detour(s, k);
            s->path_count++;
            s->output->path_count++;
            if (!is_smooth(s)) {
                if (s->status == FR_OK) { note(s, FR_REACH_BEYOND_LIMITS, NULL); }
                continue;
            }
            s->clear_count++;
            if (is_clear(s, s->pass.start, &s->start, s->pass.end, FR_REACH_PATH_BLOCKED)) { return true; }
        }
    }
    return false;
}

// Arms at the goal with several swivels of the elbow.
static bool find_ends(pass_search *s) {
    fr__arm_turns first, arm;
    s->pass.approach = (fr_vec3){0.0, 0.0, 0.0};
    if (!find_arm(s, 0.0, &first)) { return false; }
    for (int i = 0; i <= 2 * SWIVELS && may_go_on(s); i++) {
        double swivel = fr_radians(SWIVEL_STEP) * ((i + 1) / 2) * (i % 2 == 0 ? 1.0 : -1.0);
        arm = first;
        s->pass.approach = (fr_vec3){0.0, 0.0, 0.0};
        if (i > 0 && !find_arm(s, swivel, &arm)) { continue; }
        if (find_path(s, &arm)) { return true; }
    }
    return false;
}

// Degrees by which the chest leans forward, brings the shoulder forward and
// leans to the side of the arm.
enum { CHESTS = 7 };

static void turn_chest(pass_search *s, int i) {
    static const double table_deg[CHESTS][3] = {{0, 0, 0},   {6, 0, 5},     {0, 14, 0}, {12, 0, 9},
                                                {10, 14, 5}, {14, -12, 10}, {22, 0, 12}};
    const fr_skeleton_view *view = fr_skeleton_get(s->input->skeleton);
    uint32_t below = view->parents[s->pass.links[0]];
    double side = s->pass.side == FR_RIGHT ? 1.0 : -1.0;
    fr_vec3 turn = {fr_radians(table_deg[i][0]), side * fr_radians(table_deg[i][1]),
                    side * fr_radians(table_deg[i][2])};
    s->pass.chest =
        below == FR_NO_LINK ? (fr_vec3){0.0, 0.0, 0.0} : fr__quat_turn(fr_quat_conjugate(view->uprights[below]), turn);
}

// Looks at what the arm touches when it sets out.
static bool begin_clear(pass_search *s, fr_reach_plan_input *plan, fr_posture *body, fr_error *error) {
    const fr_reach_pass_input *input = s->input;
    *plan = fr_default_reach_plan_input();
    plan->skeleton = input->skeleton;
    plan->figure = input->figure;
    plan->posture = body;
    plan->side = input->side;
    plan->fingers = input->fingers;
    plan->goals = input->goals;
    plan->goal_count = input->goal_count;
    plan->space = input->space;
    plan->filter = input->filter;
    plan->clearance = input->clearance;
    fr__clear_begin(&s->clear, plan, s->pass.links[0], error);
    s->status = s->clear.status;
    for (uint32_t i = 0; i < s->clear.touch_count && s->status == FR_OK; i++) {
        uint32_t piece = s->clear.touches[i].piece;
        if (piece >= s->clear.arm_count) { continue; }
        s->output->obstacle = (fr_contact){.b = s->clear.touches[i].object};
        s->output->link = s->clear.pieces[piece].link;
        s->output->result = FR_REACH_PATH_BLOCKED;
        return false;
    }
    return s->status == FR_OK;
}

// Bit i: at goal i the open hand itself meets something, however the arm is held.
static uint64_t find_blocked(pass_search *s, const fr_posture *body) {
    const fr_skeleton_view *view = fr_skeleton_get(s->input->skeleton);
    fr_link thumb = s->pass.side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < FR__HAND_LINKS && s->input->fingers != NULL; i++) {
        body->turns[view->roles[thumb + i]] = s->input->fingers[i];
    }
    uint64_t blocked = 0;
    for (uint32_t i = 0; i < s->input->goal_count && i < BLOCKED_MAX; i++) {
        fr_pose goal = fr_pose_make(s->input->goals[i].position, s->input->goals[i].rotation);
        (void)fr_quat_normalize(&goal.rotation, NULL);
        if (fr__clear_hand(&s->clear, body, s->pass.links[3], &goal)) { continue; }
        blocked |= UINT64_C(1) << i;
        if (s->output->link != FR_NO_LINK) { continue; }
        s->output->obstacle = s->clear.obstacle;
        s->output->link = s->clear.link;
    }
    s->status = s->clear.status;
    bool are_all = s->input->goal_count <= BLOCKED_MAX && blocked == UINT64_MAX >> (BLOCKED_MAX - s->input->goal_count);
    if (are_all) {
        s->output->result = FR_REACH_GOAL_BLOCKED;
    } else { // it is not why the others are not met
        s->output->obstacle = (fr_contact){0};
        s->output->link = FR_NO_LINK;
    }
    return blocked;
}

fr_status fr_reach_pass_find(const fr_reach_pass_input *input, fr_reach_pass *pass, fr_reach_plan_output *output,
                             fr_error *error) {
    FR_ASSERT(input != NULL && pass != NULL && output != NULL);
    pass_search s;
    s.input = input;
    s.output = output;
    s.path_count = s.clear_count = s.hold_count = 0;
    *output = (fr_reach_plan_output){.result = FR_REACH_TOO_FAR, .link = FR_NO_LINK};
    fr_status status = check(input, error);
    if (status == FR_OK) { status = begin(&s, error); }
    if (status != FR_OK) { return status; }
    fr_quat turns[FR_MAX_LINKS];
    fr_posture body = {.turns = turns, .count = fr_skeleton_get(input->skeleton)->link_count};
    (void)fr_clip_frame(input->course, input->start, &body, NULL);
    fr_reach_plan_input plan;
    if (!begin_clear(&s, &plan, &body, error)) { return s.status; }
    uint64_t blocked = find_blocked(&s, &body);
    for (int chest = 0; chest < CHESTS; chest++) {
        turn_chest(&s, chest);
        for (uint32_t i = 0; i < input->goal_count && may_go_on(&s); i++) {
            if (i < BLOCKED_MAX && (blocked >> i & 1u) != 0) { continue; }
            s.pass.goal = fr_pose_make(input->goals[i].position, input->goals[i].rotation);
            (void)fr_quat_normalize(&s.pass.goal.rotation, NULL);
            if (!find_ends(&s)) { continue; }
            output->result = FR_REACH_FOUND;
            output->goal = i;
            output->miss = output->excess = 0.0;
            output->step = (fr_vec3){0.0, 0.0, 0.0};
            output->obstacle = (fr_contact){0};
            output->link = FR_NO_LINK;
            memcpy(pass, &s.pass, sizeof *pass);
            return FR_OK;
        }
    }
    return s.status;
}
