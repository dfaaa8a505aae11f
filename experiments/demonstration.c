// The demonstration of Ichiguchi's thesis, played twice and measured.
#include "demonstration.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 7000u
#define LINKS FR_LINK_COUNT
#define MOTIONS 11        // of the table; the transitions lie between them
#define BEFORE 6u         // frames before the end of a motion that belong to the transition after it
#define AFTER 9u          // frames after the beginning of the next
#define UPRIGHT_FRAMES 20 // of the source's return to the upright posture
#define HAND_FRAMES 50    // of a reach

const char *const demonstration_names[DEMONSTRATION_ROWS] = {
    "door", "T1",   "walk", "T2",  "TV switch", "T3",   "walk", "T4",    "reach cup", "T5", "grasp cup",
    "T6",   "walk", "T7",   "tap", "T8",        "walk", "T9",   "drink", "T10",       "sit"};

const double demonstration_ratings[DEMONSTRATION_ROWS] = {3.2, 2.4, 3.0, 3.4, 3.4, 2.8, 2.8, 2.4, 2.6, 2.4, 2.4,
                                                          2.8, 2.8, 3.0, 2.2, 3.0, 3.0, 3.4, 3.4, 3.0, 3.6};

// What both films share, and the body of each.
typedef struct play {
    demonstration_film *film;
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_clip *clips[FR_MADE_CLIP_COUNT];
    uint32_t begins[MOTIONS], ends[MOTIONS]; // frames of each motion
    fr_quat upright_turns[LINKS], goal_turns[LINKS];
    fr_posture upright, goal; // the goal of an arm
    // Of ours.
    fr_performer *performer;
    uint64_t next_task;
    // Of the source's.
    fr_walk *walk;
    fr_quat now_turns[LINKS];
    fr_posture now;
    fr_quat from_turns[LINKS];
    fr_posture from;
    double arm_weights[LINKS + 1];
    fr_error *error;
} play;

// ---------------------------------------------------------------------------------------------------------------
// Films

void demonstration_free(demonstration_film *film) {
    free(film->places);
    free(film->turns);
    free(film->contacts);
    free(film->rows);
}

static bool make_film(demonstration_film *film) {
    film->capacity = FRAMES_MAX;
    film->places = malloc(FRAMES_MAX * sizeof *film->places);
    film->turns = malloc((size_t)FRAMES_MAX * LINKS * sizeof *film->turns);
    film->contacts = malloc(2 * FRAMES_MAX * sizeof *film->contacts);
    film->rows = malloc(2 * FRAMES_MAX * sizeof *film->rows);
    return film->places != NULL && film->turns != NULL && film->contacts != NULL && film->rows != NULL;
}

static void add_frame(play *p, const fr_posture *posture) {
    demonstration_film *film = p->film;
    if (film->count == film->capacity) { return; }
    film->places[film->count] = posture->place;
    memcpy(film->turns + (size_t)film->count * LINKS, posture->turns, LINKS * sizeof(fr_quat));
    film->contacts[2 * film->count] = posture->contact_left;
    film->contacts[2 * film->count + 1] = posture->contact_right;
    film->count++;
}

// Gives every frame its rows: motions, and transitions about where one ends and the next begins.
static void name_rows(play *p) {
    demonstration_film *film = p->film;
    memset(film->rows, DEMONSTRATION_ROWS, 2 * (size_t)film->count);
    for (int m = 0; m < MOTIONS; m++) {
        for (uint32_t k = p->begins[m]; k < p->ends[m] && k < film->count; k++) {
            film->rows[2 * k] = (uint8_t)(2 * m);
        }
    }
    for (int m = 0; m + 1 < MOTIONS; m++) {
        uint32_t from = m == 9 ? p->begins[m + 1] : p->ends[m];
        for (uint32_t k = from < BEFORE ? 0 : from - BEFORE; k < p->begins[m + 1] + AFTER && k < film->count; k++) {
            film->rows[2 * k + 1] = (uint8_t)(2 * m + 1);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Goals

static fr_status stand_at(play *p, double x, double z, double heading_deg, fr_posture *out) {
    fr_status status = fr_posture_rest(p->skeleton, out, p->error);
    if (status != FR_OK) { return status; }
    out->contact_left = out->contact_right = FR_CONTACT_HEEL | FR_CONTACT_TOE;
    return fr_walk_set_stand(p->set, fr_vec3_make(x, 0.0, z), fr_radians(heading_deg), out, p->error);
}

// The right arm of a body that stands at a place with the grip of its hand at a point, the thumb up.
static fr_status aim_arm(play *p, double x, double z, double heading_deg, fr_vec3 grip) {
    fr_pose poses[LINKS];
    fr_status status = stand_at(p, x, z, heading_deg, &p->goal);
    if (status == FR_OK) { status = fr_posture_poses(p->skeleton, &p->goal, 1, poses, p->error); }
    if (status != FR_OK) { return status; }
    fr_vec3 to = fr_vec3_sub(grip, poses[FR_LINK_RIGHT_UPPER_ARM].position), up = {0.0, 1.0, 0.0};
    to.y *= 0.5;
    fr_vec3 palm_x = fr_vec3_negate(fr_vec3_unit(to, up));
    fr_vec3 palm_z = fr_vec3_unit(fr_vec3_add_scaled(up, -fr_vec3_dot(up, palm_x), palm_x), up);
    fr_mat3 axes = fr_mat3_transpose((fr_mat3){{palm_x, fr_vec3_cross(palm_z, palm_x), palm_z}});
    fr_reach_input reach = fr_default_reach_input();
    fr_reach_output found;
    reach.skeleton = p->skeleton;
    reach.posture = &p->goal;
    reach.palm.rotation = fr_quat_from_mat3(axes);
    fr_vec3 offset = fr_skeleton_get(p->skeleton)->points[FR_POINT_RIGHT_GRIP].offset;
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), reach.palm.rotation);
    reach.palm = fr_pose_make(fr_vec3_sub(grip, fr_pose_turn(&turn, offset)), reach.palm.rotation);
    status = fr_reach_solve(&reach, &found, p->error);
    if (status == FR_OK) { fr_reach_apply(p->skeleton, FR_RIGHT, &found, &p->goal); }
    return status;
}

static void weigh_links(double *weights, fr_link from, uint32_t count, double weight) {
    for (uint32_t i = 0; i < count; i++) {
        weights[(uint32_t)from + i] = weight;
    }
}

// The places of the walks: where, and the heading there in degrees.
static const double WALKS[7][3] = {{0.95, 3.2, -90.0}, {1.6, 3.62, 90.0}, {2.9, 3.62, 90.0}, {4.1, 1.2, 90.0},
                                   {3.0, 2.0, -49.0},  {1.6, 3.2, -49.0}, {1.85, 4.5, 90.0}};
static const fr_vec3 SWITCH_GRIP = {0.61, 0.95, 3.2}, CUP = {2.5, 0.8, 4.0};
static const double DOOR_START[2] = {1.0, -0.414};
static const double PASSING[2] = {2.4, 3.62}; // where the body passes the cup

// ---------------------------------------------------------------------------------------------------------------
// Ours: tasks of a performer

static fr_task next_task(play *p, const char *skill, uint32_t given) {
    fr_task task = {.id = ++p->next_task, .skill = fr_skill_find(skill)};
    task.fields.given = given;
    return task;
}

static fr_task walk_task(play *p, int walk) {
    fr_task task = next_task(p, "walk", FR_FIELD_GOAL | FR_FIELD_HEADING);
    task.fields.goal = fr_pose_make(fr_vec3_make(WALKS[walk][0], 0.0, WALKS[walk][1]), fr_quat_identity());
    task.fields.heading = fr_radians(WALKS[walk][2]);
    return task;
}

// Adds tasks and goes on until the last of them is over.
static fr_status perform(play *p, const fr_task *tasks, uint32_t count) {
    fr_performer_output output;
    uint64_t last = tasks[count - 1].id;
    fr_status status = fr_performer_add(p->performer, tasks, count, NULL, p->error);
    for (bool is_over = false; status == FR_OK && !is_over && p->film->count < p->film->capacity;) {
        status = fr_performer_step(p->performer, NULL, &output, p->error);
        add_frame(p, &output.posture);
        for (uint32_t i = 0; i < output.end_count; i++) {
            is_over = is_over || output.ends[i].task == last;
            if (output.ends[i].reason == FR_TASK_FAILED) {
                return fr_error_set(p->error, output.ends[i].status, "%s", output.ends[i].message);
            }
        }
    }
    return status;
}

static void begin_motion(play *p, int motion) { p->begins[motion] = p->film->count; }
static void end_motion(play *p, int motion) { p->ends[motion] = p->film->count; }

static fr_task arm_task(play *p, const fr_posture *goal) {
    fr_task task = next_task(p, "slerp", FR_FIELD_POSTURE | FR_FIELD_WEIGHTS);
    memset(p->arm_weights, 0, sizeof p->arm_weights);
    weigh_links(p->arm_weights, FR_LINK_RIGHT_UPPER_ARM, 3, 100.0);
    p->arm_weights[FR_LINK_CHEST] = 100.0;
    task.fields.posture = goal;
    task.fields.weights = p->arm_weights;
    return task;
}

static fr_status play_door_and_switch(play *p) {
    fr_task door = next_task(p, "mocap_play", FR_FIELD_CLIP), walk = walk_task(p, 0);
    door.fields.clip = p->clips[FR_MADE_DOOR];
    begin_motion(p, 0);
    fr_status status = perform(p, &door, 1);
    end_motion(p, 0);
    begin_motion(p, 1);
    if (status == FR_OK) { status = perform(p, &walk, 1); }
    end_motion(p, 1);
    begin_motion(p, 2);
    if (status == FR_OK) { status = aim_arm(p, WALKS[0][0], WALKS[0][1], WALKS[0][2], SWITCH_GRIP); }
    if (status == FR_OK) {
        fr_task press = arm_task(p, &p->goal);
        status = perform(p, &press, 1);
    }
    if (status == FR_OK) {
        fr_task back = arm_task(p, &p->upright);
        status = perform(p, &back, 1);
    }
    end_motion(p, 2);
    return status;
}

// Walks past the cup, reaches for it and closes the hand, and carries it on.
static fr_status play_cup(play *p) {
    fr_task walk = walk_task(p, 1);
    begin_motion(p, 3);
    fr_status status = perform(p, &walk, 1);
    if (status == FR_OK) { status = aim_arm(p, PASSING[0], PASSING[1], 90.0, CUP); }
    if (status != FR_OK) { return status; }
    fr_quat closed_turns[LINKS];
    double finger_weights[LINKS + 1] = {0.0};
    fr_posture closed = {.turns = closed_turns, .count = LINKS};
    (void)fr_posture_copy(&p->goal, &closed, NULL);
    (void)fr_grip_posture(p->skeleton, FR_RIGHT, 0.035, &closed, NULL);
    weigh_links(finger_weights, FR_LINK_RIGHT_THUMB_1, 14, 100.0);
    uint32_t first = p->film->count + 12;
    fr_task tasks[4] = {arm_task(p, &p->goal),
                        next_task(p, "slerp", FR_FIELD_POSTURE | FR_FIELD_WEIGHTS | FR_FIELD_FRAMES),
                        next_task(p, "hold_arm", FR_FIELD_SIDE), walk_task(p, 2)};
    tasks[0].fields.given |= FR_FIELD_FRAMES;
    tasks[0].fields.frames = HAND_FRAMES;
    tasks[0].start = 12;
    tasks[1].fields.posture = &closed;
    tasks[1].fields.weights = finger_weights;
    tasks[1].fields.frames = 24;
    tasks[1].start = 12 + HAND_FRAMES;
    tasks[2].fields.side = FR_SIDE_RIGHT;
    tasks[2].start = 12 + HAND_FRAMES;
    status = perform(p, tasks, 4);
    p->ends[3] = p->begins[4] = first;
    p->ends[4] = p->begins[5] = first + HAND_FRAMES;
    p->ends[5] = p->begins[6] = first + HAND_FRAMES + 24;
    fr_task on = walk_task(p, 3);
    if (status == FR_OK) { status = perform(p, &on, 1); }
    end_motion(p, 6);
    return status;
}

static fr_status play_tap_and_drink(play *p) {
    fr_task tap = next_task(p, "tap", FR_FIELD_TARGET | FR_FIELD_SIDE), walk = walk_task(p, 4);
    uint64_t hold = p->next_task - 4; // of the cup
    tap.fields.side = FR_SIDE_LEFT;
    tap.fields.target = fr_pose_make(fr_vec3_make(4.55, 1.0, 1.3),
                                     fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(-90.0)));
    begin_motion(p, 7);
    fr_status status = perform(p, &tap, 1);
    end_motion(p, 7);
    begin_motion(p, 8);
    if (status == FR_OK) { status = perform(p, &walk, 1); }
    end_motion(p, 8);
    begin_motion(p, 9);
    fr_task both[2] = {walk_task(p, 5), next_task(p, "drink", FR_FIELD_SIDE)};
    both[1].fields.side = FR_SIDE_RIGHT;
    (void)fr_performer_stop(p->performer, hold);
    if (status == FR_OK) { status = perform(p, both, 2); }
    end_motion(p, 9);
    return status;
}

static fr_status play_sit(play *p) {
    fr_task both[2] = {next_task(p, "hold_arm", FR_FIELD_SIDE), walk_task(p, 6)};
    fr_task sit = next_task(p, "sit", FR_FIELD_TARGET);
    both[0].fields.side = FR_SIDE_RIGHT;
    sit.fields.target = fr_pose_make(fr_vec3_make(1.3, 0.44, 4.5),
                                     fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(90.0)));
    fr_status status = perform(p, both, 2);
    begin_motion(p, 10);
    if (status == FR_OK) { status = perform(p, &sit, 1); }
    end_motion(p, 10);
    return status;
}

static fr_status play_ours(play *p) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->skeleton;
    def.walk_set = p->set;
    def.posture = &p->now;
    fr_status status = stand_at(p, DOOR_START[0], DOOR_START[1], 0.0, &p->now);
    if (status == FR_OK) { status = fr_performer_create(&def, &p->performer, p->error); }
    if (status == FR_OK) { status = play_door_and_switch(p); }
    if (status == FR_OK) { status = play_cup(p); }
    if (status == FR_OK) { status = play_tap_and_drink(p); }
    return status == FR_OK ? play_sit(p) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The source's: t = k / N, upright postures between motions, the plain mean

static double heading_of(const play *p, const fr_posture *posture) {
    const fr_skeleton_view *view = fr_skeleton_get(p->skeleton);
    fr_quat away = fr_quat_multiply(posture->turns[0], fr_quat_conjugate(view->uprights[0]));
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), away);
    fr_vec3 forward = fr_pose_turn(&pose, fr_vec3_make(0.0, 0.0, 1.0));
    return fr_atan2(forward.x, forward.z);
}

// Links of the body that are led by an arm, a hand or a key posture: from `from` to a goal at constant speed.
static void lead(play *p, const fr_posture *goal, const double *weights, double t) {
    for (uint32_t i = 0; i < LINKS; i++) {
        if (!(weights[i] > 0.0)) { continue; }
        fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(p->from.turns[i]), goal->turns[i]));
        fr_quat between = fr_quat_multiply(p->from.turns[i], fr_quat_from_vector(fr_vec3_scale(t, turn)));
        (void)fr_quat_normalize(&between, NULL);
        p->now.turns[i] = between;
    }
}

static fr_status slerp_to(play *p, const fr_posture *goal, const double *weights, uint32_t frames) {
    fr_status status = fr_posture_copy(&p->now, &p->from, p->error);
    for (uint32_t k = 1; status == FR_OK && k <= frames; k++) {
        lead(p, goal, weights, (double)k / frames);
        add_frame(p, &p->now);
    }
    return status;
}

static bool is_cup_hand(uint32_t link) {
    return (link >= FR_LINK_RIGHT_UPPER_ARM && link <= FR_LINK_RIGHT_PALM) ||
           (link >= FR_LINK_RIGHT_THUMB_1 && link <= FR_LINK_RIGHT_LITTLE_3);
}

// Back to the upright posture where the body is; an arm that holds a cup stays.
static fr_status insert_upright(play *p, bool has_cup) {
    double heading = fr_degrees(heading_of(p, &p->now));
    fr_quat held[LINKS];
    memcpy(held, p->now.turns, sizeof held);
    fr_status status = fr_posture_copy(&p->now, &p->from, p->error);
    if (status == FR_OK) { status = stand_at(p, p->now.place.x, p->now.place.z, heading, &p->goal); }
    for (uint32_t i = 0; has_cup && i < LINKS; i++) {
        if (is_cup_hand(i)) { p->goal.turns[i] = held[i]; }
    }
    for (int k = 1; status == FR_OK && k <= UPRIGHT_FRAMES; k++) {
        status = fr_posture_slerp(&p->from, &p->goal, (double)k / UPRIGHT_FRAMES, &p->now, p->error);
        p->now.contact_left = p->now.contact_right = FR_CONTACT_HEEL | FR_CONTACT_TOE;
        add_frame(p, &p->now);
    }
    return status;
}

static fr_status play_clip(play *p, const fr_clip *clip, bool has_cup) {
    fr_quat turns[LINKS], held[LINKS];
    fr_posture frame = {.turns = turns, .count = LINKS};
    fr_status status = fr_clip_frame(clip, 0, &frame, p->error);
    double turn = heading_of(p, &p->now) - heading_of(p, &frame);
    fr_vec3 first = frame.place, place = p->now.place;
    fr_quat about = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), turn);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), about);
    memcpy(held, p->now.turns, sizeof held);
    for (uint32_t k = 1; status == FR_OK && k < fr_clip_get(clip)->frame_count; k++) {
        status = fr_clip_frame(clip, k, &frame, p->error);
        fr_vec3 moved = fr_pose_turn(&pose, fr_vec3_sub(frame.place, first));
        (void)fr_posture_copy(&frame, &p->now, NULL);
        p->now.place = fr_vec3_make(place.x + moved.x, frame.place.y, place.z + moved.z);
        p->now.turns[0] = fr_quat_multiply(about, frame.turns[0]);
        (void)fr_quat_normalize(&p->now.turns[0], NULL);
        for (uint32_t i = 0; has_cup && i < LINKS; i++) {
            if (is_cup_hand(i)) { p->now.turns[i] = held[i]; }
        }
        add_frame(p, &p->now);
    }
    return status;
}

// A key that an arm goes to while the body walks: over these frames of the walk.
typedef struct walk_key {
    uint32_t begin, frames;
    const fr_posture *goal;
    const double *weights;
} walk_key;

// Walks, and moves arms from key to key. A link that was led stays as it was led (hold_arm).
static fr_status walk_with(play *p, int walk, const walk_key *keys, uint32_t count, bool has_cup) {
    fr_walk_goal goal = {{WALKS[walk][0], 0.0, WALKS[walk][1]}, fr_radians(WALKS[walk][2]), true};
    fr_status status = fr_walk_begin(p->walk, &p->now, p->error);
    if (status == FR_OK) { status = fr_walk_go(p->walk, &goal, 1, 0, p->error); }
    bool is_led = has_cup;
    uint32_t last = count > 0 ? keys[count - 1].begin + keys[count - 1].frames : 0;
    for (uint32_t k = 1; status == FR_OK && (fr_walk_get(p->walk).is_walking || k <= last); k++) {
        fr_quat held[LINKS];
        memcpy(held, p->now.turns, sizeof held);
        status = fr_walk_step(p->walk, &p->now, p->error);
        for (uint32_t i = FR_LINK_RIGHT_UPPER_ARM; is_led && i <= FR_LINK_RIGHT_PALM; i++) {
            p->now.turns[i] = held[i];
        }
        for (uint32_t c = 0; c < count; c++) {
            if (k <= keys[c].begin || k > keys[c].begin + keys[c].frames) { continue; }
            if (k == keys[c].begin + 1) { (void)fr_posture_copy(&p->now, &p->from, NULL); }
            lead(p, keys[c].goal, keys[c].weights, (double)(k - keys[c].begin) / keys[c].frames);
            is_led = true;
        }
        add_frame(p, &p->now);
    }
    return status;
}

static fr_status play_literal_cup(play *p) {
    begin_motion(p, 3);
    fr_status status = walk_with(p, 1, NULL, 0, false);
    if (status == FR_OK) { status = aim_arm(p, PASSING[0], PASSING[1], 90.0, CUP); }
    if (status != FR_OK) { return status; }
    fr_quat arm_turns[LINKS], closed_turns[LINKS];
    double arm[LINKS + 1] = {0.0}, fingers[LINKS + 1] = {0.0};
    fr_posture reached = {.turns = arm_turns, .count = LINKS}, closed = {.turns = closed_turns, .count = LINKS};
    (void)fr_posture_copy(&p->goal, &reached, NULL);
    (void)fr_posture_copy(&p->goal, &closed, NULL);
    (void)fr_grip_posture(p->skeleton, FR_RIGHT, 0.035, &closed, NULL);
    weigh_links(arm, FR_LINK_RIGHT_UPPER_ARM, 3, 100.0);
    weigh_links(fingers, FR_LINK_RIGHT_THUMB_1, 14, 100.0);
    uint32_t first = p->film->count + 12;
    const walk_key keys[2] = {{12, HAND_FRAMES, &reached, arm}, {12 + HAND_FRAMES, 24, &closed, fingers}};
    status = walk_with(p, 2, keys, 2, false);
    p->ends[3] = p->begins[4] = first;
    p->ends[4] = p->begins[5] = first + HAND_FRAMES;
    p->ends[5] = p->begins[6] = first + HAND_FRAMES + 24;
    if (status == FR_OK) { status = walk_with(p, 3, NULL, 0, true); }
    end_motion(p, 6);
    return status;
}

// Key postures of a clip that was made: the arm at some of its times.
static fr_status key_of(play *p, const fr_clip *clip, double seconds, fr_posture *key) {
    return fr_clip_sample(clip, seconds, key, p->error);
}

static fr_status play_literal_tap(play *p) {
    static const double times[3] = {1.35, 1.95, 3.2};
    static const uint32_t frames[3] = {80, 36, 74};
    fr_quat turns[LINKS];
    fr_posture key = {.turns = turns, .count = LINKS};
    double weights[LINKS + 1] = {0.0};
    weigh_links(weights, FR_LINK_LEFT_UPPER_ARM, 3, 100.0);
    weigh_links(weights, FR_LINK_LEFT_THUMB_1, 14, 100.0);
    fr_status status = FR_OK;
    for (int k = 0; k < 3 && status == FR_OK; k++) {
        status = key_of(p, p->clips[FR_MADE_TAP], times[k], &key);
        if (status == FR_OK) { status = slerp_to(p, &key, weights, frames[k]); }
    }
    return status;
}

static fr_status play_literal_drink(play *p) {
    static const double times[4] = {1.1, 1.65, 1.1, 0.0};
    static const uint32_t frames[4] = {66, 33, 30, 66};
    fr_quat turns[4][LINKS];
    fr_posture key_postures[4];
    double weights[LINKS + 1] = {0.0};
    walk_key keys[4];
    uint32_t begin = 0;
    weigh_links(weights, FR_LINK_RIGHT_UPPER_ARM, 3, 100.0);
    fr_status status = FR_OK;
    for (int k = 0; k < 4 && status == FR_OK; k++) {
        key_postures[k] = (fr_posture){.turns = turns[k], .count = LINKS};
        status = key_of(p, p->clips[FR_MADE_DRINK], times[k], &key_postures[k]);
        keys[k] = (walk_key){begin, frames[k], &key_postures[k], weights};
        begin += frames[k] + (k == 1 ? 42u : 0u);
    }
    // The arm goes back to where it held the cup.
    memcpy(turns[3], p->now.turns, sizeof turns[3]);
    return status == FR_OK ? walk_with(p, 5, keys, 4, true) : status;
}

static fr_status play_literal(play *p) {
    fr_walk_def def = fr_default_walk_def();
    def.set = p->set;
    double arm[LINKS + 1] = {0.0};
    weigh_links(arm, FR_LINK_RIGHT_UPPER_ARM, 3, 100.0);
    fr_status status = fr_walk_create(&def, &p->walk, p->error);
    if (status == FR_OK) { status = stand_at(p, DOOR_START[0], DOOR_START[1], 0.0, &p->now); }
    begin_motion(p, 0);
    if (status == FR_OK) { status = play_clip(p, p->clips[FR_MADE_DOOR], false); }
    end_motion(p, 0);
    if (status == FR_OK) { status = insert_upright(p, false); }
    begin_motion(p, 1);
    if (status == FR_OK) { status = walk_with(p, 0, NULL, 0, false); }
    end_motion(p, 1);
    if (status == FR_OK) { status = insert_upright(p, false); }
    begin_motion(p, 2);
    if (status == FR_OK) { status = aim_arm(p, WALKS[0][0], WALKS[0][1], WALKS[0][2], SWITCH_GRIP); }
    if (status == FR_OK) { status = slerp_to(p, &p->goal, arm, HAND_FRAMES); }
    end_motion(p, 2);
    if (status == FR_OK) { status = insert_upright(p, false); }
    if (status == FR_OK) { status = play_literal_cup(p); }
    if (status == FR_OK) { status = insert_upright(p, true); }
    begin_motion(p, 7);
    if (status == FR_OK) { status = play_literal_tap(p); }
    end_motion(p, 7);
    if (status == FR_OK) { status = insert_upright(p, true); }
    begin_motion(p, 8);
    if (status == FR_OK) { status = walk_with(p, 4, NULL, 0, true); }
    end_motion(p, 8);
    if (status == FR_OK) { status = insert_upright(p, true); }
    begin_motion(p, 9);
    if (status == FR_OK) { status = play_literal_drink(p); }
    end_motion(p, 9);
    if (status == FR_OK) { status = walk_with(p, 6, NULL, 0, true); }
    if (status == FR_OK) { status = insert_upright(p, true); }
    begin_motion(p, 10);
    if (status == FR_OK) { status = play_clip(p, p->clips[FR_MADE_SIT], true); }
    end_motion(p, 10);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Both

static fr_status prepare(play *p) {
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    p->upright = (fr_posture){.turns = p->upright_turns, .count = LINKS};
    p->goal = (fr_posture){.turns = p->goal_turns, .count = LINKS};
    p->now = (fr_posture){.turns = p->now_turns, .count = LINKS};
    p->from = (fr_posture){.turns = p->from_turns, .count = LINKS};
    if (!make_film(p->film)) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for a film"); }
    fr_status status = fr_skeleton_create_body(&body, &p->skeleton, p->error);
    if (status != FR_OK) { return status; }
    set.skeleton = p->skeleton;
    set.frame_rate = DEMONSTRATION_RATE;
    status = fr_walk_set_create(&set, &p->set, p->error);
    for (int i = 0; i < FR_MADE_CLIP_COUNT && status == FR_OK; i++) {
        status = fr_clip_create_made(p->set, (fr_made_clip)i, NULL, &p->clips[i], p->error);
    }
    return status == FR_OK ? stand_at(p, 0.0, 0.0, 0.0, &p->upright) : status;
}

fr_status demonstration_play(bool is_literal, demonstration_film *film, fr_error *error) {
    play p = {.film = film, .error = error};
    fr_status status = prepare(&p);
    if (status == FR_OK) { status = is_literal ? play_literal(&p) : play_ours(&p); }
    if (status == FR_OK) { name_rows(&p); }
    fr_performer_destroy(p.performer);
    fr_walk_destroy(p.walk);
    for (int i = 0; i < FR_MADE_CLIP_COUNT; i++) {
        fr_clip_release(p.clips[i]);
    }
    fr_walk_set_release(p.set);
    fr_skeleton_release(p.skeleton);
    return status;
}
