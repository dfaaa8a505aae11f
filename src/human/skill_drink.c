// The skills drink and tap: an arm goes through a few key postures, which inverse kinematics finds in the beginning,
// and returns. Of several grips the one that suits the arm best is taken with which the arm meets nothing.
#include "human/limit.h"
#include "human/skill_arm.h"

#include "human/posture.h"

// ---------------------------------------------------------------------------------------------------------------
// Keys of an arm

#define KEYS_MAX 6
#define SWIVELS 16 // of an elbow that are tried
enum { KEY_CHEST, KEY_UPPER_ARM, KEY_FOREARM, KEY_PALM, KEY_LINKS };

// Turns of the chest and an arm at a time.
typedef struct arm_key {
    double seconds;
    fr_quat turns[KEY_LINKS];
    uint64_t round; // a bit a link: from the key before, the shorter arc would lead beyond its limit
} arm_key;

// From key to key. The first key is the body's posture.
typedef struct arm_path {
    uint64_t side; // fr_side
    uint64_t count;
    arm_key keys[KEYS_MAX];
} arm_path;

static fr_link arm_role(fr_side side, int index) {
    fr_link upper = side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    return index == KEY_CHEST ? FR_LINK_CHEST : (fr_link)((int)upper + index - KEY_UPPER_ARM);
}

static void add_key(const fr_skill_input *input, arm_path *path, double seconds, const fr_quat turns[KEY_LINKS]) {
    FR_ASSERT(path->count < KEYS_MAX);
    arm_key *key = &path->keys[path->count];
    const arm_key *before = path->count > 0 ? key - 1 : NULL;
    key->seconds = before != NULL ? before->seconds + seconds : 0.0;
    key->round = 0;
    for (int i = 0; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(input, arm_role((fr_side)path->side, i));
        key->turns[i] = turns[i];
        if (before == NULL || link == FR_NO_LINK) { continue; }
        if (fr__limit_leaves(input->skeleton, link, before->turns[i], turns[i])) { key->round |= UINT64_C(1) << i; }
    }
    path->count++;
}

// The key of the body as it is. A skeleton whose arm does not hang on its chest has the identity there.
static void begin_path(const fr_skill_input *input, fr_side side, arm_path *path) {
    fr_quat turns[KEY_LINKS];
    path->side = (uint64_t)side;
    path->count = 0;
    for (int i = 0; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(input, arm_role(side, i));
        turns[i] = link != FR_NO_LINK ? input->body.turns[link] : fr_quat_identity();
    }
    add_key(input, path, 0.0, turns);
}

static double path_seconds(const arm_path *path) { return path->keys[path->count - 1].seconds; }

// The turns of the arm at a time, at rest at each key.
static void path_turns(const fr_skill_input *input, const arm_path *path, double seconds, fr_quat turns[KEY_LINKS]) {
    uint64_t next = 1;
    while (next + 1 < path->count && path->keys[next].seconds <= seconds) {
        next++;
    }
    const arm_key *a = &path->keys[next - 1], *b = &path->keys[next];
    double part = (seconds - a->seconds) / (b->seconds - a->seconds);
    part = fr_reach_progress(part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
    for (int i = 0; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(input, arm_role((fr_side)path->side, i));
        turns[i] = (b->round >> i & 1u) != 0 ? fr__limit_between(input->skeleton, link, a->turns[i], b->turns[i], part)
                                             : fr__skill_between(a->turns[i], b->turns[i], part);
    }
}

static void follow_path(const fr_skill_input *input, const arm_path *path, double seconds, bool has_chest,
                        fr_skill_output *output) {
    fr_quat turns[KEY_LINKS];
    path_turns(input, path, seconds, turns);
    for (int i = has_chest ? KEY_CHEST : KEY_UPPER_ARM; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(input, arm_role((fr_side)path->side, i));
        if (link == FR_NO_LINK) { continue; }
        output->posture.turns[link] = turns[i];
        output->weights[link] = FR__WEIGHT_MUST;
    }
}

// What is looked along.
typedef struct path_look {
    const fr_skill_input *input;
    const arm_path *path;
    bool has_chest;
} path_look;

static void path_posture(double part, fr_posture *body, void *context) {
    const path_look *look = context;
    fr_quat turns[KEY_LINKS];
    path_turns(look->input, look->path, part * path_seconds(look->path), turns);
    for (int i = look->has_chest ? KEY_CHEST : KEY_UPPER_ARM; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(look->input, arm_role((fr_side)look->path->side, i));
        if (link != FR_NO_LINK) { body->turns[link] = turns[i]; }
    }
}

// The frame of a palm whose fingers point along one direction and that faces another, perpendicular to it.
static fr_quat palm_turn(fr_side side, fr_vec3 fingers, fr_vec3 faces) {
    fr_vec3 x = fr_vec3_negate(fingers), y = side == FR_RIGHT ? fr_vec3_negate(faces) : faces;
    return fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{x, y, fr_vec3_cross(x, y)}}));
}

// The pose of the palm whose grip is at a place.
static fr_pose palm_at(const fr_skill_input *input, fr_side side, fr_vec3 grip, fr_quat turn) {
    const fr_link_point *point =
        &fr_skeleton_get(input->skeleton)->points[side == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP];
    fr_vec3 offset = point->link != FR_NO_LINK ? point->offset : (fr_vec3){0.0, 0.0, 0.0};
    return fr_pose_make(fr_vec3_sub(grip, fr__quat_turn(turn, offset)), turn);
}

// How badly an arm reaches a pose: metres missed, radians over its limits, and both with the change from other turns
// and a raised elbow, which people avoid.
typedef struct reach_cost {
    double miss, excess, total;
} reach_cost;

// Where the elbow is over the shoulder, metres.
static double elbow_height(const fr_skill_input *input, fr_side side, const fr_quat turns[KEY_LINKS]) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    uint32_t upper = fr__skill_link(input, arm_role(side, KEY_UPPER_ARM));
    fr_pose shoulder = fr__link_pose(view, &input->body, upper);
    fr_pose chest = fr__link_pose(view, &input->body, view->parents[upper]);
    fr_vec3 forearm = view->offsets[fr__skill_link(input, arm_role(side, KEY_FOREARM))];
    fr_vec3 elbow = fr__quat_turn(fr_quat_multiply(chest.rotation, turns[KEY_UPPER_ARM]), forearm);
    return fr_vec3_add(shoulder.position, elbow).y - shoulder.position.y;
}

static reach_cost try_palm(const fr_skill_input *input, fr_reach_input *reach, const fr_quat from[KEY_LINKS],
                           fr_quat turns[KEY_LINKS]) {
    fr_reach_output found;
    if (fr_reach_solve(reach, &found, NULL) != FR_OK) { return (reach_cost){INFINITY, INFINITY, INFINITY}; }
    const fr_quat all[KEY_LINKS] = {found.chest, found.upper_arm, found.forearm, found.palm};
    double change = 0.0;
    for (int i = 0; i < KEY_LINKS; i++) {
        turns[i] = all[i];
        if (fr__skill_link(input, arm_role(reach->side, i)) == FR_NO_LINK) { continue; }
        change += fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(from[i]), all[i])));
    }
    double total = 100.0 * found.miss + 100.0 * found.excess + change;
    return (reach_cost){found.miss, found.excess, total + 8.0 * elbow_height(input, reach->side, turns)};
}

// The arm that brings the palm to a pose, of those with the elbow anywhere round the line from shoulder to wrist.
static reach_cost find_palm(const fr_skill_input *input, fr_side side, const fr_pose *palm, double lean,
                            const fr_quat from[KEY_LINKS], fr_quat turns[KEY_LINKS]) {
    fr_reach_input reach = fr_default_reach_input();
    reach.skeleton = input->skeleton;
    reach.posture = &input->body;
    reach.side = side;
    reach.palm = *palm;
    reach.lean_max = lean;
    reach_cost best = try_palm(input, &reach, from, turns);
    reach.is_swivel_only = true;
    for (int i = 0; i < SWIVELS; i++) {
        fr_quat other[KEY_LINKS];
        reach.swivel = 2.0 * FR_PI * i / SWIVELS;
        reach_cost cost = try_palm(input, &reach, from, other);
        if (!(cost.total < best.total)) { continue; }
        best = cost;
        for (int k = 0; k < KEY_LINKS; k++) {
            turns[k] = other[k];
        }
    }
    return best;
}

// Of several costs the lowest one above the last that was taken; false: there is none. Equal ones are taken in their
// order.
static bool next_lowest(const reach_cost *costs, uint32_t count, bool *is_taken, uint32_t *out) {
    bool has_one = false;
    for (uint32_t i = 0; i < count; i++) {
        if (is_taken[i] || (has_one && !(costs[i].total < costs[*out].total))) { continue; }
        *out = i;
        has_one = true;
    }
    if (has_one) { is_taken[*out] = true; }
    return has_one;
}

// How far beyond its limits an arm may be at a key, radians.
#define EXCESS_MAX 1e-3

static fr_status check_reach(const reach_cost *cost, const char *what, fr_error *error) {
    if (cost->miss > 0.005) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is out of reach by %.2f m", what, cost->miss);
    }
    if (cost->excess > EXCESS_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "to reach %s an arm would turn %.0f degrees beyond its limits",
                            what, fr_degrees(cost->excess));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// drink

static const double DRINK_TIP = 52.0;                // degrees that the cup is tipped
static const double DRINK_HEAD = -13.0;              // degrees that the head goes back
static const double RIM_UP = 0.045, RIM_BACK = 0.04; // metres from the middle of the grip to the rim at the mouth

typedef struct drink_state {
    arm_path path;
    fr_quat head; // at first
} drink_state;

static fr_vec3 axis_of(fr_quat turn, double x, double y, double z) { return fr__quat_turn(turn, (fr_vec3){x, y, z}); }

// Where the mouth is, and how the chest is turned from upright.
static fr_vec3 find_mouth(const fr_skill_input *input, fr_quat *away) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    uint32_t head = view->roles[FR_LINK_HEAD];
    fr_pose pose = fr__link_pose(view, &input->body, head);
    const fr_link_point *top = &view->points[FR_POINT_HEAD_TOP];
    double height = top->link == head ? fr_vec3_length(top->offset) : 0.23;
    *away = fr_quat_multiply(pose.rotation, fr_quat_conjugate(view->uprights[head]));
    return fr_vec3_add(pose.position, axis_of(*away, 0.0, 0.24 * height, 0.46 * height));
}

// The palm with a cup at the mouth, tipped by an angle about the rim, seen from a side.
static fr_pose cup_palm(const fr_skill_input *input, fr_side side, fr_vec3 mouth, fr_quat away, double yaw,
                        double tip) {
    double out = side == FR_RIGHT ? -1.0 : 1.0;
    fr_quat seen = fr_quat_multiply(away, fr__quat_about(1, out * yaw));
    fr_vec3 fingers = axis_of(seen, -out, 0.0, 0.0), faces = axis_of(seen, 0.0, 0.0, -1.0);
    fr_quat turn = palm_turn(side, fingers, faces);
    fr_vec3 middle = axis_of(away, 0.0, -RIM_UP, RIM_BACK);
    fr_quat tipped = fr_quat_multiply(away, fr_quat_multiply(fr__quat_about(0, -tip), fr_quat_conjugate(away)));
    fr_vec3 grip = fr_vec3_add(mouth, fr__quat_turn(tipped, middle));
    return palm_at(input, side, grip, fr__quat_product(tipped, turn));
}

enum { CUP_GRIPS = 10 };

// A grip round the cup: the arm with the cup at the mouth, and tipped.
typedef struct cup_grip {
    fr_quat up[KEY_LINKS], tipped[KEY_LINKS];
} cup_grip;

static void find_grips(const fr_skill_input *input, fr_side side, const fr_quat first[KEY_LINKS],
                       cup_grip grips[CUP_GRIPS], reach_cost costs[CUP_GRIPS]) {
    fr_quat away;
    fr_vec3 mouth = find_mouth(input, &away);
    for (int i = 0; i < CUP_GRIPS; i++) {
        double yaw = fr_radians(12.0 * (i - 3));
        fr_pose at = cup_palm(input, side, mouth, away, yaw, 0.0);
        fr_pose over = cup_palm(input, side, mouth, away, yaw, fr_radians(DRINK_TIP));
        reach_cost up = find_palm(input, side, &at, 0.0, first, grips[i].up);
        reach_cost tip = find_palm(input, side, &over, 0.0, grips[i].up, grips[i].tipped);
        costs[i] = (reach_cost){up.miss > tip.miss ? up.miss : tip.miss,
                                up.excess > tip.excess ? up.excess : tip.excess, up.total + tip.total};
    }
}

static void make_drink(const fr_skill_input *input, fr_side side, const cup_grip *grip, arm_path *path) {
    begin_path(input, side, path);
    add_key(input, path, 1.1, grip->up);
    add_key(input, path, 0.55, grip->tipped);
    add_key(input, path, 0.7, grip->tipped);
    add_key(input, path, 0.5, grip->up);
    add_key(input, path, 1.1, path->keys[0].turns);
}

// The grip that suits the arm best of those with which it meets nothing.
static fr_status find_drink(const fr_skill_input *input, fr_side side, arm_path *path, fr_error *error) {
    cup_grip grips[CUP_GRIPS];
    reach_cost costs[CUP_GRIPS];
    bool is_taken[CUP_GRIPS] = {false};
    begin_path(input, side, path);
    find_grips(input, side, path->keys[0].turns, grips, costs);
    fr_status refusal = FR_OK;
    fr_error sentence = {0};
    for (uint32_t i = 0; next_lowest(costs, CUP_GRIPS, is_taken, &i);) {
        // The sentence is that of the grip that suits best.
        fr_error last = {0};
        fr_status status = check_reach(&costs[i], "the mouth", &last);
        make_drink(input, side, &grips[i], path);
        path_look look = {input, path, false};
        if (status == FR_OK) {
            status = fr__skill_look_along(input, side, false, path_seconds(path), path_posture, &look, &last);
        }
        if (status == FR_OK) { return FR_OK; }
        if (refusal == FR_OK || status != FR_ERROR_ARGUMENT) { sentence = last; }
        refusal = status;
        if (status != FR_ERROR_ARGUMENT) { break; }
    }
    if (error != NULL) { *error = sentence; }
    return refusal;
}

static fr_status drink_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    drink_state *mine = state->bytes;
    fr_side side;
    if (fr__skill_link(input, FR_LINK_HEAD) == FR_NO_LINK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no head to drink with");
    }
    fr_status status = fr__skill_choose_side(input, input->body.place, &side, error);
    if (status != FR_OK) { return status; }
    arm_path *path = &mine->path;
    status = find_drink(input, side, path, error);
    if (status != FR_OK) { return status; }
    mine->head = input->body.turns[fr__skill_link(input, FR_LINK_HEAD)];
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, path_seconds(path));
    return fr__skill_check_time(input, path_seconds(path), "drinking", error);
}

static fr_status drink_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    const drink_state *mine = state->bytes;
    const arm_path *path = &mine->path;
    double total = path_seconds(path), seconds = fr__skill_part(input) * total;
    double before = (double)(input->frame - 1) / (double)input->frames * total;
    follow_path(input, path, seconds, false, output);
    double back = fr_reach_progress(fmin(1.0, fmax(0.0, (seconds - 0.9) / 0.75))) -
                  fr_reach_progress(fmin(1.0, fmax(0.0, (seconds - 2.3) / 0.7)));
    uint32_t head = fr__skill_link(input, FR_LINK_HEAD);
    fr_quat away = fr_skeleton_turn_to_upright(input->skeleton, head, mine->head);
    fr_quat leant = fr_quat_multiply(away, fr__quat_about(0, fr_radians(DRINK_HEAD) * back));
    output->posture.turns[head] = fr_skeleton_turn_from_upright(input->skeleton, head, leant);
    output->weights[head] = FR__WEIGHT_MUST;
    if (before < path->keys[2].seconds && seconds >= path->keys[2].seconds) {
        fr__skill_emit(input, output, "drink", 0.0, 0.0);
    }
    return FR_OK;
}

const fr_skill fr__skill_drink = {
    .name = "drink",
    .words = "brings what the hand holds to the mouth, tips it, and takes it back",
    .takes = FR_FIELD_SIDE | FR_FIELD_OBJECT | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(drink_state),
    .init = drink_init,
    .step = drink_step,
};

// ---------------------------------------------------------------------------------------------------------------
// tap

static const double TAP_BEFORE = 0.06;   // metres before the tap from which the hand takes it
static const double TAP_DIAMETER = 0.04; // of its handle
static const double TAP_TURN = 60.0;     // degrees
static const double TAP_TURN_MAX = 120.0;
static const double TAP_LEAN = 0.5; // radians
static const double TAP_SECONDS[5] = {0.9, 0.45, 0.6, 0.4, 0.9};

typedef struct tap_state {
    arm_path path;
    fr__look look;
    double turn; // radians
} tap_state;

// The palm at a tap: fingers towards it, or, where it is turned about the vertical, over it from before.
static fr_quat tap_palm(const fr_skill_input *input, fr_side side, fr_vec3 shoulder, double roll) {
    fr_vec3 outward = fr__quat_turn(input->target.rotation, (fr_vec3){0.0, 0.0, 1.0});
    fr_vec3 to = fr_vec3_sub(input->target.position, shoulder), fingers, faces;
    if (fabs(outward.y) < 0.7) {
        fingers = fr_vec3_negate(outward);
        faces = (fr_vec3){0.0, -1.0, 0.0};
    } else {
        fingers = fr_vec3_make(to.x, 0.0, to.z);
        faces = fr_vec3_negate(outward);
    }
    fingers =
        fr_vec3_unit(fr_vec3_add_scaled(fingers, -fr_vec3_dot(fingers, faces), faces), fr_vec3_perpendicular(faces));
    fr_vec3 axis = fabs(outward.y) < 0.7 ? fingers : faces;
    return fr__quat_product(fr_quat_from_axis_angle(axis, roll), palm_turn(side, fingers, faces));
}

enum { TAP_GRIPS = 9 };

// The arm before the tap, at it, and where it has turned it.
typedef struct tap_grip {
    fr_quat keys[3][KEY_LINKS];
} tap_grip;

// How to hold the tap so that the hand can turn it.
static void find_taps(const fr_skill_input *input, fr_side side, double angle, const fr_quat first[KEY_LINKS],
                      tap_grip grips[TAP_GRIPS], reach_cost costs[TAP_GRIPS]) {
    fr_vec3 outward = fr__quat_turn(input->target.rotation, (fr_vec3){0.0, 0.0, 1.0}), at = input->target.position;
    uint32_t shoulder = fr__skill_link(input, arm_role(side, KEY_UPPER_ARM));
    fr_pose pose = fr__link_pose(fr_skeleton_get(input->skeleton), &input->body, shoulder);
    for (int i = 0; i < TAP_GRIPS; i++) {
        fr_quat turn = tap_palm(input, side, pose.position, fr_radians(22.5 * (i - 4)));
        fr_quat turned = fr__quat_product(fr_quat_from_axis_angle(outward, angle), turn);
        fr_pose palms[3] = {palm_at(input, side, fr_vec3_add_scaled(at, TAP_BEFORE, outward), turn),
                            palm_at(input, side, at, turn), palm_at(input, side, at, turned)};
        costs[i] = (reach_cost){0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            const fr_quat *last = k > 0 ? grips[i].keys[k - 1] : first;
            reach_cost one = find_palm(input, side, &palms[k], TAP_LEAN, last, grips[i].keys[k]);
            costs[i].miss = one.miss > costs[i].miss ? one.miss : costs[i].miss;
            costs[i].excess = one.excess > costs[i].excess ? one.excess : costs[i].excess;
            costs[i].total += one.total;
        }
    }
}

static void make_tap(const fr_skill_input *input, fr_side side, const tap_grip *grip, arm_path *path) {
    begin_path(input, side, path);
    for (int k = 0; k < 3; k++) {
        add_key(input, path, TAP_SECONDS[k], grip->keys[k]);
    }
    add_key(input, path, TAP_SECONDS[3], grip->keys[0]);
    add_key(input, path, TAP_SECONDS[4], path->keys[0].turns);
}

// The fingers close on the last bit to the tap and open when it is turned.
static void tap_fingers(const fr_skill_input *input, const fr_skill_state *state, const arm_path *path, double seconds,
                        fr_quat *turns, double *weights) {
    double close = (seconds - path->keys[1].seconds) / (path->keys[2].seconds - path->keys[1].seconds);
    double open = (seconds - path->keys[3].seconds) / (path->keys[4].seconds - path->keys[3].seconds);
    double part = fr_reach_progress(fmin(1.0, fmax(0.0, close))) - fr_reach_progress(fmin(1.0, fmax(0.0, open)));
    uint32_t role = path->side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = fr__skill_link(input, (fr_link)(role + i));
        if (link == FR_NO_LINK) { continue; }
        turns[link] = fr__skill_between(state->turns[link], state->turns[input->body.count + link], part);
        if (weights != NULL) { weights[link] = FR__WEIGHT_MUST; }
    }
}

// What is looked along.
typedef struct tap_look {
    path_look path;
    const fr_skill_state *state;
} tap_look;

static void tap_posture(double part, fr_posture *body, void *context) {
    tap_look *look = context;
    const arm_path *path = look->path.path;
    path_posture(part, body, &look->path);
    tap_fingers(look->path.input, look->state, path, part * path_seconds(path), body->turns, NULL);
}

// As find_drink.
static fr_status find_tap(const fr_skill_input *input, const fr_skill_state *state, fr_side side, fr_error *error) {
    tap_state *mine = state->bytes;
    arm_path *path = &mine->path;
    tap_grip grips[TAP_GRIPS];
    reach_cost costs[TAP_GRIPS];
    bool is_taken[TAP_GRIPS] = {false};
    begin_path(input, side, path);
    find_taps(input, side, mine->turn, path->keys[0].turns, grips, costs);
    fr_status refusal = FR_OK;
    fr_error sentence = {0};
    for (uint32_t i = 0; next_lowest(costs, TAP_GRIPS, is_taken, &i);) {
        fr_error last = {0};
        fr_status status = check_reach(&costs[i], "the tap", &last);
        make_tap(input, side, &grips[i], path);
        tap_look look = {{input, path, true}, state};
        if (status == FR_OK) {
            status = fr__skill_look_along(input, side, true, path_seconds(path), tap_posture, &look, &last);
        }
        if (status == FR_OK) { return FR_OK; }
        if (refusal == FR_OK || status != FR_ERROR_ARGUMENT) { sentence = last; }
        refusal = status;
        if (status != FR_ERROR_ARGUMENT) { break; }
    }
    if (error != NULL) { *error = sentence; }
    return refusal;
}

static fr_status begin_tap(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                           fr_error *error) {
    tap_state *mine = state->bytes;
    const arm_path *path = &mine->path;
    fr_quat *first = state->turns, *closed = state->turns + input->body.count;
    for (uint32_t i = 0; i < input->body.count; i++) {
        first[i] = closed[i] = input->body.turns[i];
    }
    bool has_diameter = (input->fields->given & FR_FIELD_DIAMETER) != 0;
    fr_posture grip = {.turns = closed, .count = input->body.count};
    (void)fr_grip_posture(input->skeleton, side, 0.5 * (has_diameter ? input->fields->diameter : TAP_DIAMETER), &grip,
                          NULL);
    fr_status status = find_tap(input, state, side, error);
    if (status != FR_OK) { return status; }
    fr__glance_begin(input, input->target.position, &mine->look);
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, path_seconds(path));
    return fr__skill_check_time(input, path_seconds(path), "turning the tap", error);
}

static fr_status tap_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames, fr_error *error) {
    tap_state *mine = state->bytes;
    mine->turn = (input->fields->given & FR_FIELD_VALUE) != 0 ? input->fields->value : fr_radians(TAP_TURN);
    if (!(fabs(mine->turn) <= fr_radians(TAP_TURN_MAX))) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a hand turns a tap by up to %g degrees, not by %g", TAP_TURN_MAX,
                            fr_degrees(mine->turn));
    }
    return fr__skill_try_sides(input, state, input->target.position, begin_tap, frames, error);
}

static fr_status tap_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                          fr_error *error) {
    (void)error;
    tap_state *mine = state->bytes;
    const arm_path *path = &mine->path;
    double total = path_seconds(path), seconds = fr__skill_part(input) * total;
    double before = (double)(input->frame - 1) / (double)input->frames * total;
    follow_path(input, path, seconds, true, output);
    fr__glance_write(input, &mine->look, input->target.position, output);
    tap_fingers(input, state, path, seconds, output->posture.turns, output->weights);
    if (before < path->keys[2].seconds && seconds >= path->keys[2].seconds) {
        fr__skill_emit(input, output, "grasp", 0.0, 0.0);
    }
    if (before < path->keys[3].seconds && seconds >= path->keys[3].seconds) {
        fr__skill_emit(input, output, "turned", mine->turn, 0.0);
    }
    return FR_OK;
}

const fr_skill fr__skill_tap = {
    .name = "tap",
    .words = "takes a tap by its handle, turns it, and lets it go",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_SIDE | FR_FIELD_OBJECT | FR_FIELD_VALUE | FR_FIELD_DIAMETER | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(tap_state),
    .state_turns = 2,
    .init = tap_init,
    .step = tap_step,
};
