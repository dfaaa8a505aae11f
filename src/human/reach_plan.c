// The search for a reach that avoids obstacles: postures of the arm at the goal by several swivels of the
// elbow, and paths to each of them: straight, with all joints at once, past the chest, round by one via point and by
// two.
#include "human/reach_plan.h"

#include "posture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLAN_COOKIE 0x52504C4Eu
#define CLEARANCE_MAX 0.1
#define LIMIT_SLACK 1e-6 // radians and metres that a goal may be missed by
#define ENDS_MAX 6u      // postures at one goal that paths are looked for
#define SWIVEL_STEP 15.0 // degrees
#define SWIVELS 7        // to each side
#define SWIVELS_LEANING 3
#define PATHS_MAX 240u   // that are looked at where there is one goal
#define PATHS_SOME 30u   // that are looked at for each of several goals
#define PATHS_LEANING 4u // that are looked at for each goal with a turn of the chest
#define DETOUR_MAX 1.15  // times the shortest path of the joints that a straight path of the palm may take
#define FINAL_STEPS 6    // of the last, straight part

enum { BLOCKED_MAX = 256 }; // goals of which it is noted

typedef struct plan_end {
    fr__arm_turns turns;
    fr_pose palm;
} plan_end;

typedef struct reach_search {
    const fr_reach_plan_input *input;
    fr_reach_plan_output *output;
    fr__clear clear;
    fr_reach_plan plan;
    plan_end start;
    fr_vec3 up, back, outward;          // directions of the body
    fr_quat chest;                      // the turn of the chest that the arm is solved from at a goal
    bool is_upright;                    // that is the one of the posture
    uint64_t blocked[BLOCKED_MAX / 64]; // bit i: at goal i the hand itself meets something, however the arm is held
    uint32_t path_count;                // looked at for this goal
    fr__reach_accept_fn *accept;        // NULL: all ends
    void *context;
    fr_status status;
} reach_search;

fr_reach_plan_input fr_default_reach_plan_input(void) {
    return (fr_reach_plan_input){.clearance = 0.001, .lean_max = 0.6, .cookie = PLAN_COOKIE};
}

static fr_status check(const fr_reach_plan_input *input, fr_error *error) {
    if (input->cookie != PLAN_COOKIE) { return fr_error_set_cookie(error, "fr_default_reach_plan_input"); }
    if (input->skeleton == NULL || input->posture == NULL || input->goals == NULL || input->goal_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a planned reach needs a skeleton, a posture and a goal");
    }
    if (input->figure != NULL && fr_figure_get(input->figure)->skeleton != input->skeleton) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the figure is of another skeleton");
    }
    if (!(input->clearance >= 0.0) || input->clearance > CLEARANCE_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a clearance of %g m is not within 0 .. %g", input->clearance,
                            CLEARANCE_MAX);
    }
    for (uint32_t i = 0; i < input->goal_count; i++) {
        fr_pose goal = fr_pose_make(input->goals[i].position, input->goals[i].rotation);
        fr_status status = fr_pose_check(&goal, error);
        if (status != FR_OK) { return status; }
    }
    if (!fr_vec3_is_finite(input->approach) || fr_vec3_length(input->approach) > 1.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an approach is up to 1 m long");
    }
    return fr__posture_check_count(input->posture, fr_skeleton_get(input->skeleton)->link_count, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Postures of the arm

static fr__arm_turns turns_of(const reach_search *s, const fr_posture *posture) {
    fr__arm_turns out;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        out.turns[i] = posture->turns[s->plan.links[i]];
    }
    return out;
}

static void put_turns(reach_search *s, const fr__arm_turns *turns) {
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        s->clear.turns[s->plan.links[i]] = turns->turns[i];
    }
}

static fr__arm_turns turns_between(const fr__arm_turns *a, const fr__arm_turns *b, double t) {
    fr__arm_turns out;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        out.turns[i] = fr__turn_between(a->turns[i], b->turns[i], t);
    }
    return out;
}

// How an arm is solved for a palm.
typedef struct solve_options {
    bool is_swivel_only;
    double swivel;
    double lean_max;
} solve_options;

// The turns that bring the palm to a pose, from a posture near it.
static bool solve(reach_search *s, const fr__arm_turns *near, const fr_pose *palm, solve_options options,
                  fr_reach_output *solved) {
    put_turns(s, near);
    fr_reach_input input = fr_default_reach_input();
    input.skeleton = s->input->skeleton;
    input.posture = &s->clear.posture;
    input.side = s->input->side;
    input.palm = *palm;
    input.is_swivel_only = options.is_swivel_only;
    input.swivel = options.swivel;
    input.lean_max = options.lean_max;
    s->status = fr_reach_solve(&input, solved, s->clear.error);
    return s->status == FR_OK;
}

static fr__arm_turns solved_turns(const fr_reach_output *solved) {
    return (fr__arm_turns){{solved->chest, solved->upper_arm, solved->forearm, solved->palm}};
}

// The palm's pose for a goal: the goal itself, or what brings the tip of the index finger there.
static fr_pose palm_of_goal(const reach_search *s, const fr_pose *goal) {
    fr_pose palm = fr_pose_make(goal->position, goal->rotation);
    (void)fr_quat_normalize(&palm.rotation, NULL);
    if (!s->input->is_tip) { return palm; }
    const fr_skeleton_view *view = fr_skeleton_get(s->input->skeleton);
    bool is_right = s->input->side == FR_RIGHT;
    uint32_t first = is_right ? FR_LINK_RIGHT_INDEX_1 : FR_LINK_LEFT_INDEX_1;
    fr_vec3 local = view->tips[view->roles[first + 2]];
    for (uint32_t i = 3; i-- > 0;) {
        uint32_t link = view->roles[first + i];
        fr_quat turn = s->input->fingers != NULL ? s->input->fingers[2 + i] : s->input->posture->turns[link];
        local = fr_vec3_add(view->offsets[link], fr__quat_turn(turn, local));
    }
    palm.position = fr_vec3_sub(palm.position, fr__quat_turn(palm.rotation, local));
    return palm;
}

// Whether the palm can go on straight from an end by the approach.
static bool is_final_clear(reach_search *s, const plan_end *end) {
    fr_vec3 approach = s->input->approach;
    if (fr_vec3_length_squared(approach) == 0.0) { return true; }
    fr__arm_turns last = end->turns;
    for (int i = 1; i <= FINAL_STEPS; i++) {
        fr_pose palm = end->palm;
        palm.position = fr_vec3_add_scaled(palm.position, (double)i / FINAL_STEPS, approach);
        fr_reach_output solved;
        if (!solve(s, &last, &palm, (solve_options){.is_swivel_only = true}, &solved)) { return false; }
        if (solved.miss > LIMIT_SLACK || solved.excess > LIMIT_SLACK) { return false; }
        fr__arm_turns next = solved_turns(&solved);
        if (!fr__clear_between(&s->clear, &s->plan, &last, &next, FR__CLEAR_FINAL)) { return false; }
        last = next;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Paths to one end

// Whether the path through these knots is clear; it becomes the plan then.
static bool try_path(reach_search *s, const fr__arm_turns *knots, uint32_t count) {
    fr__reach_plan_make(s->input->skeleton, knots, count, &s->plan);
    s->output->path_count++;
    s->path_count++;
    bool is_clear = fr__clear_along(&s->clear, &s->plan);
    if (s->clear.status != FR_OK) { s->status = s->clear.status; }
    if (!is_clear && s->output->link == FR_NO_LINK) {
        s->output->obstacle = s->clear.obstacle;
        s->output->link = s->clear.link;
    }
    return is_clear && s->status == FR_OK;
}

// The palm on a straight line between the ends, moved off it.
static fr_pose palm_between(const reach_search *s, const plan_end *end, double t, fr_vec3 off) {
    fr_pose palm = fr_pose_identity();
    palm.position = fr_vec3_add(fr_vec3_lerp(s->start.palm.position, end->palm.position, t), off);
    palm.rotation = fr__turn_between(s->start.palm.rotation, end->palm.rotation, t);
    return palm;
}

// A knot of the arm with its palm near a pose; false where that is out of reach or touches something.
static bool find_knot(reach_search *s, const plan_end *end, double t, fr_vec3 off, fr__arm_turns *out) {
    fr__arm_turns near = turns_between(&s->start.turns, &end->turns, t);
    fr_pose palm = palm_between(s, end, t, off);
    fr_reach_output solved;
    if (!solve(s, &near, &palm, (solve_options){.lean_max = 0.0}, &solved)) { return false; }
    if (solved.miss > 0.01) { return false; }
    *out = solved_turns(&solved);
    for (uint32_t i = 1; i < FR_REACH_LINKS && solved.excess > 0.0; i++) {
        out->turns[i] = fr_skeleton_clamp(s->input->skeleton, s->plan.links[i], out->turns[i]);
    }
    return true;
}

// With the palm on a straight line, or all joints at once by the shortest arcs: first the one that is natural, which is
// the line unless the joints would have to go much farther for it.
static bool try_straight(reach_search *s, const plan_end *end) {
    fr__arm_turns knots[5] = {s->start.turns, end->turns, end->turns, end->turns, end->turns};
    const fr__arm_turns ends[2] = {s->start.turns, end->turns};
    const fr_vec3 none = {0.0, 0.0, 0.0};
    bool is_known = true;
    double length = 0.0;
    for (uint32_t i = 1; i < 5; i++) {
        is_known = is_known && (i == 4 || find_knot(s, end, 0.25 * i, none, &knots[i]));
        length += fr__arm_change(&knots[i - 1], &knots[i]);
    }
    bool is_natural = is_known && length <= DETOUR_MAX * fr__arm_change(&ends[0], &ends[1]);
    if (is_natural && try_path(s, knots, 5)) { return true; }
    if (s->status == FR_OK && try_path(s, ends, 2)) { return true; }
    return is_known && !is_natural && s->status == FR_OK && try_path(s, knots, 5);
}

enum { DETOURS = 9 };

// Directions that a hand goes round by.
static fr_vec3 detour(const reach_search *s, int i) {
    static const double table[DETOURS][3] = {{1, 0, 0}, {1, 1, 0},  {0, 1, 0},  {1, 0, 1}, {0, 0, 1},
                                             {0, 1, 1}, {1, -1, 0}, {0, 0, -1}, {-1, 0, 0}}; // up, back, outward
    fr_vec3 sum = fr_vec3_scale(table[i][0], s->up);
    sum = fr_vec3_add_scaled(sum, table[i][1], s->back);
    return fr_vec3_unit(fr_vec3_add_scaled(sum, table[i][2], s->outward), s->up);
}

static bool may_go_on(const reach_search *s) {
    uint32_t most = !s->is_upright ? PATHS_LEANING : s->input->goal_count == 1 ? PATHS_MAX : PATHS_SOME;
    return s->status == FR_OK && s->path_count < most;
}

// The arm with its upper arm turned back and outward and its elbow bent, each in degrees, on a chest between the ends.
static fr__arm_turns tucked(const reach_search *s, const plan_end *end, const double degrees[3]) {
    const fr_skeleton *skeleton = s->input->skeleton;
    double side = s->input->side == FR_RIGHT ? -1.0 : 1.0;
    fr__arm_turns out = turns_between(&s->start.turns, &end->turns, 0.5);
    fr_quat back = fr_quat_from_vector(fr_vec3_make(fr_radians(degrees[0]), 0.0, 0.0));
    fr_quat outward = fr_quat_from_vector(fr_vec3_make(0.0, 0.0, side * fr_radians(degrees[1])));
    const fr_quat turns[FR_REACH_LINKS] = {fr_quat_identity(), fr__quat_product(outward, back),
                                           fr_quat_from_vector(fr_vec3_make(-fr_radians(degrees[2]), 0.0, 0.0)),
                                           fr_quat_identity()};
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        uint32_t link = s->plan.links[i];
        out.turns[i] = fr_skeleton_turn_from_upright(skeleton, link, turns[i]);
        out.turns[i] = fr_skeleton_clamp(skeleton, link, out.turns[i]);
    }
    return out;
}

// Over an edge before the body: the elbow goes back, and the hand up beside the chest.
static bool try_tuck(reach_search *s, const plan_end *end) {
    static const double first[2][3] = {{35, 5, 45}, {30, 30, 60}}, second[2][3] = {{25, 10, 125}, {15, 35, 125}};
    for (int i = 0; i < 2 && may_go_on(s); i++) {
        const fr__arm_turns knots[4] = {s->start.turns, tucked(s, end, first[i]), tucked(s, end, second[i]),
                                        end->turns};
        if (try_path(s, knots, 4)) { return true; }
    }
    return false;
}

static bool try_one_via(reach_search *s, const plan_end *end) {
    static const double lengths[3] = {0.12, 0.25, 0.4};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < DETOURS && may_go_on(s); i++) {
            fr__arm_turns knots[3] = {s->start.turns, end->turns, end->turns};
            if (!find_knot(s, end, 0.5, fr_vec3_scale(lengths[k], detour(s, i)), &knots[1])) { continue; }
            if (!fr__clear_at(&s->clear, &s->plan, &knots[1], 0.5)) { continue; }
            if (try_path(s, knots, 3)) { return true; }
        }
    }
    return false;
}

static bool try_two_vias(reach_search *s, const plan_end *end) {
    fr__arm_turns knots[4] = {s->start.turns, end->turns, end->turns, end->turns};
    for (int i = 0; i < DETOURS; i++) {
        if (!find_knot(s, end, 0.1, fr_vec3_scale(0.2, detour(s, i)), &knots[1])) { continue; }
        if (!fr__clear_at(&s->clear, &s->plan, &knots[1], 0.3)) { continue; }
        for (int k = 0; k < DETOURS && may_go_on(s); k++) {
            if (!find_knot(s, end, 0.85, fr_vec3_scale(0.2, detour(s, k)), &knots[2])) { continue; }
            if (!fr__clear_at(&s->clear, &s->plan, &knots[2], 0.7)) { continue; }
            if (try_path(s, knots, 4)) { return true; }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Ends of one goal

// Whether a link is the palm of the arm or a finger: it is where the goal wants it, however the arm is held.
static bool is_of_hand(const reach_search *s, uint32_t link) {
    const uint32_t *parents = fr_skeleton_get(s->input->skeleton)->parents;
    while (link != FR_NO_LINK && link != s->plan.links[3]) {
        link = parents[link];
    }
    return link != FR_NO_LINK;
}

// Clear postures at the goal, the nearest swivel first; what is wrong with the first of all goes to the output.
static uint32_t find_ends(reach_search *s, uint32_t goal, plan_end *ends) {
    fr_reach_plan_output *out = s->output;
    fr_pose palm = palm_of_goal(s, &s->input->goals[goal]);
    palm.position = fr_vec3_sub(palm.position, s->input->approach);
    fr_reach_output first, solved;
    fr__arm_turns from = s->start.turns;
    from.turns[0] = s->chest;
    if (!solve(s, &from, &palm, (solve_options){.lean_max = s->input->lean_max}, &first)) { return 0; }
    fr_reach_result result = first.miss > LIMIT_SLACK     ? FR_REACH_TOO_FAR
                             : first.excess > LIMIT_SLACK ? FR_REACH_BEYOND_LIMITS
                                                          : FR_REACH_GOAL_BLOCKED;
    if (goal == 0 && s->is_upright) {
        out->miss = first.miss;
        out->excess = first.excess;
        out->step = first.step;
    }
    if (result > out->result) { out->result = result; }
    if (result != FR_REACH_GOAL_BLOCKED) { return 0; }

    uint32_t count = 0;
    fr__arm_turns nearest = solved_turns(&first);
    int swivels = s->is_upright ? SWIVELS : SWIVELS_LEANING;
    for (int i = 0; i <= 2 * swivels && count < ENDS_MAX; i++) {
        double angle = fr_radians(SWIVEL_STEP) * ((i + 1) / 2) * (i % 2 == 0 ? 1.0 : -1.0);
        solve_options options = {.is_swivel_only = true, .swivel = angle};
        if (!solve(s, &nearest, &palm, options, &solved)) { return 0; }
        if (solved.excess > LIMIT_SLACK || solved.miss > LIMIT_SLACK) { continue; }
        plan_end *end = &ends[count];
        *end = (plan_end){i == 0 ? nearest : solved_turns(&solved), palm};
        put_turns(s, &end->turns);
        bool is_accepted = s->accept == NULL || s->accept(&s->clear.posture, goal, &s->clear, &s->plan, s->context);
        if (!is_accepted && s->clear.status == FR_OK) { continue; }
        s->clear.link = FR_NO_LINK;
        bool is_clear = is_accepted && fr__clear_at(&s->clear, &s->plan, &end->turns, 1.0) && is_final_clear(s, end);
        if (s->clear.status != FR_OK) {
            s->status = s->clear.status;
            return 0;
        }
        if (is_clear) { count++; }
        if (is_clear || s->clear.link == FR_NO_LINK) { continue; }
        if (out->link == FR_NO_LINK) {
            out->obstacle = s->clear.obstacle;
            out->link = s->clear.link;
        }
        if (is_of_hand(s, s->clear.link)) {
            if (goal < BLOCKED_MAX) { s->blocked[goal / 64] |= UINT64_C(1) << goal % 64; }
            return 0;
        }
    }
    return count;
}

// Tries the simple paths to all ends before the long ones.
static bool find_path(reach_search *s, uint32_t goal) {
    plan_end ends[ENDS_MAX];
    s->path_count = 0;
    uint32_t count = find_ends(s, goal, ends);
    if (count == 0) { return false; }
    if (s->output->result < FR_REACH_PATH_BLOCKED) {
        s->output->result = FR_REACH_PATH_BLOCKED;
        s->output->link = FR_NO_LINK;
    }
    for (int kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < (kind == 1 && count > 2 ? 2 : count) && may_go_on(s); i++) {
            bool is_found = kind == 0   ? try_straight(s, &ends[i])
                            : kind == 1 ? try_tuck(s, &ends[i])
                            : kind == 2 ? try_one_via(s, &ends[i])
                                        : try_two_vias(s, &ends[i]);
            if (is_found) { return true; }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The chest

enum { CHESTS = 12 };

// Turns the chest where the arm alone does not come to a goal: it leans forward, brings the shoulder forward, leans to
// the side of the arm. False where that is more than may be, or than the chest can.
static bool turn_chest(reach_search *s, int i) {
    static const double table_deg[CHESTS][3] = {{0, 0, 0},   {0, 20, 0},   {12, 0, 0},  {12, 20, 0},
                                                {0, -20, 0}, {0, 0, 12},   {-10, 0, 0}, {25, 0, 0},
                                                {0, 32, 0},  {12, -20, 0}, {0, 0, -12}, {-8, 25, 0}};
    const fr_skeleton_view *view = fr_skeleton_get(s->input->skeleton);
    uint32_t link = s->plan.links[0];
    s->chest = s->start.turns.turns[0];
    s->is_upright = i == 0;
    if (i == 0) { return true; }
    if (view->parents[link] == FR_NO_LINK) { return false; }
    double side = s->input->side == FR_RIGHT ? 1.0 : -1.0;
    fr_vec3 turn = fr_vec3_scale(fr_radians(table_deg[i][0]), fr_vec3_cross(s->back, s->up));
    turn = fr_vec3_add_scaled(turn, side * fr_radians(table_deg[i][1]), s->up);
    turn = fr_vec3_add_scaled(turn, fr_radians(table_deg[i][2]), fr_vec3_cross(s->up, s->outward));
    if (fr_vec3_length(turn) > s->input->lean_max) { return false; }
    fr_pose below = fr__link_pose(view, s->input->posture, view->parents[link]);
    fr_quat world = fr__quat_product(fr_quat_from_vector(turn), fr__quat_product(below.rotation, s->chest));
    s->chest = fr__quat_product(fr_quat_conjugate(below.rotation), world);
    return fr_skeleton_excess(s->input->skeleton, link, s->chest) <= LIMIT_SLACK;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static fr_status begin(reach_search *s, const fr_reach_plan_input *input, fr_reach_plan_output *output,
                       fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    double angles[FR_ARM_ANGLES];
    fr_status status = fr_reach_angles(input->skeleton, input->posture, input->side, angles, error);
    if (status != FR_OK) { return status; }
    bool is_right = input->side == FR_RIGHT;
    for (uint32_t i = 0; (input->is_tip || input->fingers != NULL) && i < FR__HAND_LINKS; i++) {
        if (view->roles[(is_right ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1) + i] != FR_NO_LINK) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no fingers on the %s",
                            is_right ? "right" : "left");
    }
    s->input = input;
    s->output = output;
    s->status = FR_OK;
    memset(s->blocked, 0, sizeof s->blocked);
    memset(&s->plan, 0, sizeof s->plan); // plans are compared and hashed byte by byte
    s->plan.side = input->side;
    for (uint32_t i = 1; i < FR_REACH_LINKS; i++) {
        s->plan.links[i] = view->roles[(is_right ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM) + i - 1];
    }
    s->plan.links[0] = view->parents[s->plan.links[1]];
    s->start.turns = turns_of(s, input->posture);
    s->start.palm = fr__link_pose(view, input->posture, s->plan.links[3]);

    // The body's directions: forward is +Z where it stands upright.
    fr_pose chest = fr__link_pose(view, input->posture, s->plan.links[0]);
    fr_quat away = fr__quat_product(chest.rotation, fr_quat_conjugate(view->uprights[s->plan.links[0]]));
    s->up = fr_vec3_make(0.0, 1.0, 0.0);
    s->back = fr__quat_turn(away, fr_vec3_make(0.0, 0.0, -1.0));
    s->outward = fr__quat_turn(away, fr_vec3_make(is_right ? -1.0 : 1.0, 0.0, 0.0));
    return FR_OK;
}

static void take_plan(reach_search *s, uint32_t goal) {
    fr_reach_plan_output *output = s->output;
    fr_pose palm = palm_of_goal(s, &s->input->goals[goal]);
    double distance = fr_vec3_distance(s->start.palm.position, palm.position);
    output->result = FR_REACH_FOUND;
    output->goal = goal;
    output->miss = output->excess = 0.0;
    output->step = (fr_vec3){0.0, 0.0, 0.0};
    output->obstacle = (fr_contact){0};
    output->link = FR_NO_LINK;
    fr__reach_plan_set_duration(s->input->skeleton, &s->plan, distance);
    memcpy(&output->plan, &s->plan, sizeof s->plan);
}

fr_status fr__reach_plan_search(const fr_reach_plan_input *input, fr__reach_accept_fn *accept, void *context,
                                fr_reach_plan_output *output, fr_error *error) {
    reach_search s;
    s.accept = accept;
    s.context = context;
    *output = (fr_reach_plan_output){.result = FR_REACH_TOO_FAR, .link = FR_NO_LINK};
    fr_status status = check(input, error);
    if (status == FR_OK) { status = begin(&s, input, output, error); }
    if (status != FR_OK) { return status; }
    fr__clear_begin(&s.clear, input, input->lean_max > 0.0 ? s.plan.links[0] : s.plan.links[1], error);
    s.status = s.clear.status;
    for (int chest = 0; chest < CHESTS && output->result != FR_REACH_FOUND; chest++) {
        if (!turn_chest(&s, chest)) { continue; }
        for (uint32_t i = 0; i < input->goal_count && s.status == FR_OK; i++) {
            bool is_blocked = i < BLOCKED_MAX && (s.blocked[i / 64] >> i % 64 & 1u) != 0;
            if (is_blocked || !find_path(&s, i)) { continue; }
            take_plan(&s, i);
            break;
        }
    }
    return s.status;
}

fr_status fr_reach_plan_find(const fr_reach_plan_input *input, fr_reach_plan_output *output, fr_error *error) {
    return fr__reach_plan_search(input, NULL, NULL, output, error);
}

void fr_reach_plan_words(const fr_skeleton *skeleton, const fr_reach_plan_output *output, const char *obstacle,
                         char *text, size_t bytes) {
    const char *link = output->link == FR_NO_LINK ? "arm" : fr_skeleton_get(skeleton)->names[output->link];
    const char *where = output->result == FR_REACH_GOAL_BLOCKED ? "at the goal" : "on the path";
    switch (output->result) {
    case FR_REACH_FOUND: (void)snprintf(text, bytes, "the goal is reached"); break;
    case FR_REACH_TOO_FAR:
        (void)snprintf(text, bytes, "the goal is out of reach by %.3f m; a step of (%.2f, %.2f) m would help",
                       output->miss, output->step.x, output->step.z);
        break;
    case FR_REACH_BEYOND_LIMITS:
        (void)snprintf(text, bytes, "the arm would have to turn %.2f rad beyond its limits", output->excess);
        break;
    default:
        if (output->obstacle.b.index1 == 0) {
            (void)snprintf(text, bytes, "the %s would meet the body itself or a joint's limit %s", link, where);
        } else if (obstacle != NULL && obstacle[0] != '\0') {
            (void)snprintf(text, bytes, "'%s', face %u stops the %s %s", obstacle, output->obstacle.face_b, link,
                           where);
        } else {
            (void)snprintf(text, bytes, "object %u, face %u stops the %s %s", output->obstacle.b.index1 - 1,
                           output->obstacle.face_b, link, where);
        }
    }
}
