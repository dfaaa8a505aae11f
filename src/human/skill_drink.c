// The skills drink and tap: an arm goes through a few key postures, which inverse kinematics finds in the beginning,
// and returns.
#include "human/skill.h"

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

static void add_key(arm_path *path, double seconds, const fr_quat turns[KEY_LINKS]) {
    FR_ASSERT(path->count < KEYS_MAX);
    arm_key *key = &path->keys[path->count];
    key->seconds = path->count > 0 ? path->keys[path->count - 1].seconds + seconds : 0.0;
    for (int i = 0; i < KEY_LINKS; i++) {
        key->turns[i] = turns[i];
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
    add_key(path, 0.0, turns);
}

static double path_seconds(const arm_path *path) { return path->keys[path->count - 1].seconds; }

// The arm at a time, at rest at each key.
static void follow_path(const fr_skill_input *input, const arm_path *path, double seconds, bool has_chest,
                        fr_skill_output *output) {
    uint64_t next = 1;
    while (next + 1 < path->count && path->keys[next].seconds <= seconds) {
        next++;
    }
    const arm_key *a = &path->keys[next - 1], *b = &path->keys[next];
    double part = (seconds - a->seconds) / (b->seconds - a->seconds);
    part = fr_reach_progress(part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
    for (int i = has_chest ? KEY_CHEST : KEY_UPPER_ARM; i < KEY_LINKS; i++) {
        uint32_t link = fr__skill_link(input, arm_role((fr_side)path->side, i));
        if (link == FR_NO_LINK) { continue; }
        output->posture.turns[link] = fr__skill_between(a->turns[i], b->turns[i], part);
        output->weights[link] = FR__WEIGHT_MUST;
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
    double total = 100.0 * found.miss + 10.0 * found.excess + change;
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

static fr_status check_reach(const reach_cost *cost, const char *what, fr_error *error) {
    if (cost->miss > 0.005) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is out of reach by %.2f m", what, cost->miss);
    }
    if (cost->excess > 0.2) {
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

// Of several grips round the cup, the one that suits the arm best.
static reach_cost find_drink(const fr_skill_input *input, fr_side side, const fr_quat first[KEY_LINKS],
                             fr_quat up[KEY_LINKS], fr_quat tipped[KEY_LINKS]) {
    fr_quat away;
    fr_vec3 mouth = find_mouth(input, &away);
    reach_cost best = {INFINITY, INFINITY, INFINITY};
    for (int i = -3; i <= 6; i++) {
        fr_quat a[KEY_LINKS], b[KEY_LINKS];
        double yaw = fr_radians(12.0 * i);
        fr_pose at = cup_palm(input, side, mouth, away, yaw, 0.0);
        fr_pose over = cup_palm(input, side, mouth, away, yaw, fr_radians(DRINK_TIP));
        reach_cost up_cost = find_palm(input, side, &at, 0.0, first, a);
        reach_cost tip_cost = find_palm(input, side, &over, 0.0, a, b);
        double total = up_cost.total + tip_cost.total;
        if (!(total < best.total)) { continue; }
        best = (reach_cost){up_cost.miss > tip_cost.miss ? up_cost.miss : tip_cost.miss,
                            up_cost.excess > tip_cost.excess ? up_cost.excess : tip_cost.excess, total};
        for (int k = 0; k < KEY_LINKS; k++) {
            up[k] = a[k];
            tipped[k] = b[k];
        }
    }
    return best;
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
    fr_quat up[KEY_LINKS], tipped[KEY_LINKS];
    arm_path *path = &mine->path;
    begin_path(input, side, path);
    reach_cost cost = find_drink(input, side, path->keys[0].turns, up, tipped);
    status = check_reach(&cost, "the mouth", error);
    if (status != FR_OK) { return status; }
    mine->head = input->body.turns[fr__skill_link(input, FR_LINK_HEAD)];
    add_key(path, 1.1, up);
    add_key(path, 0.55, tipped);
    add_key(path, 0.7, tipped);
    add_key(path, 0.5, up);
    add_key(path, 1.1, path->keys[0].turns);
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

// Finds how to hold the tap so that the hand can turn it.
static reach_cost find_tap(const fr_skill_input *input, fr_side side, double angle, const fr_quat first[KEY_LINKS],
                           fr_quat keys[3][KEY_LINKS]) {
    fr_vec3 outward = fr__quat_turn(input->target.rotation, (fr_vec3){0.0, 0.0, 1.0}), at = input->target.position;
    uint32_t shoulder = fr__skill_link(input, arm_role(side, KEY_UPPER_ARM));
    fr_pose pose = fr__link_pose(fr_skeleton_get(input->skeleton), &input->body, shoulder);
    reach_cost best = {INFINITY, INFINITY, INFINITY};
    for (int i = -4; i <= 4; i++) {
        fr_quat found[3][KEY_LINKS], turn = tap_palm(input, side, pose.position, fr_radians(22.5 * i));
        fr_quat turned = fr__quat_product(fr_quat_from_axis_angle(outward, angle), turn);
        fr_pose palms[3] = {palm_at(input, side, fr_vec3_add_scaled(at, TAP_BEFORE, outward), turn),
                            palm_at(input, side, at, turn), palm_at(input, side, at, turned)};
        reach_cost all = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++) {
            reach_cost one = find_palm(input, side, &palms[k], TAP_LEAN, k > 0 ? found[k - 1] : first, found[k]);
            all.miss = one.miss > all.miss ? one.miss : all.miss;
            all.excess = one.excess > all.excess ? one.excess : all.excess;
            all.total += one.total;
        }
        if (!(all.total < best.total)) { continue; }
        best = all;
        for (int k = 0; k < 3 * KEY_LINKS; k++) {
            keys[k / KEY_LINKS][k % KEY_LINKS] = found[k / KEY_LINKS][k % KEY_LINKS];
        }
    }
    return best;
}

static fr_status tap_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames, fr_error *error) {
    tap_state *mine = state->bytes;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, input->target.position, &side, error);
    if (status != FR_OK) { return status; }
    mine->turn = (input->fields->given & FR_FIELD_VALUE) != 0 ? input->fields->value : fr_radians(TAP_TURN);
    if (!(fabs(mine->turn) <= fr_radians(TAP_TURN_MAX))) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a hand turns a tap by up to %g degrees, not by %g", TAP_TURN_MAX,
                            fr_degrees(mine->turn));
    }
    fr_quat keys[3][KEY_LINKS];
    arm_path *path = &mine->path;
    begin_path(input, side, path);
    reach_cost cost = find_tap(input, side, mine->turn, path->keys[0].turns, keys);
    status = check_reach(&cost, "the tap", error);
    if (status != FR_OK) { return status; }
    for (int k = 0; k < 3; k++) {
        add_key(path, TAP_SECONDS[k], keys[k]);
    }
    add_key(path, TAP_SECONDS[3], keys[0]);
    add_key(path, TAP_SECONDS[4], path->keys[0].turns);

    fr_quat *first = state->turns, *closed = state->turns + input->body.count;
    for (uint32_t i = 0; i < input->body.count; i++) {
        first[i] = closed[i] = input->body.turns[i];
    }
    bool has_diameter = (input->fields->given & FR_FIELD_DIAMETER) != 0;
    fr_posture grip = {.turns = closed, .count = input->body.count};
    (void)fr_grip_posture(input->skeleton, side, 0.5 * (has_diameter ? input->fields->diameter : TAP_DIAMETER), &grip,
                          NULL);
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, path_seconds(path));
    return fr__skill_check_time(input, path_seconds(path), "turning the tap", error);
}

// The fingers close on the last bit to the tap and open when it is turned.
static void tap_fingers(const fr_skill_input *input, const fr_skill_state *state, const arm_path *path, double seconds,
                        fr_skill_output *output) {
    double close = (seconds - path->keys[1].seconds) / (path->keys[2].seconds - path->keys[1].seconds);
    double open = (seconds - path->keys[3].seconds) / (path->keys[4].seconds - path->keys[3].seconds);
    double part = fr_reach_progress(fmin(1.0, fmax(0.0, close))) - fr_reach_progress(fmin(1.0, fmax(0.0, open)));
    uint32_t role = path->side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < 14; i++) {
        uint32_t link = fr__skill_link(input, (fr_link)(role + i));
        if (link == FR_NO_LINK) { continue; }
        output->posture.turns[link] =
            fr__skill_between(state->turns[link], state->turns[input->body.count + link], part);
        output->weights[link] = FR__WEIGHT_MUST;
    }
}

static fr_status tap_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                          fr_error *error) {
    (void)error;
    const tap_state *mine = state->bytes;
    const arm_path *path = &mine->path;
    double total = path_seconds(path), seconds = fr__skill_part(input) * total;
    double before = (double)(input->frame - 1) / (double)input->frames * total;
    follow_path(input, path, seconds, true, output);
    tap_fingers(input, state, path, seconds, output);
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
    .state_bytes = sizeof(tap_state),
    .state_turns = 2,
    .init = tap_init,
    .step = tap_step,
};
