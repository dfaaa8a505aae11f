// The skill gesture: nod, shake, bow, wave, thumb_up, shrug, surprise. Each goes through a few key turns of a few links
// and returns to the posture that it began with.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <string.h>

#define KEYS_MAX 10
#define TRACKS_MAX 8

// A turn at a time: angles in degrees about the world's axes of a body that stands upright, x left, y up, z forward;
// about y first, then z, then x.
typedef struct gesture_key {
    double seconds;
    double x, y, z;
} gesture_key;

// What one link does. The last key is where it begins to return; at the gesture's end it is back.
typedef struct gesture_track {
    fr_link role;
    bool is_relative; // to its first turn; else to the link at rest
    uint32_t key_count;
    gesture_key keys[KEYS_MAX];
} gesture_track;

typedef struct gesture {
    const char *word;
    double seconds;
    bool has_side; // tracks are those of the right side, and mirrored for the left
    bool has_fist; // the fingers close, without the thumb
    uint32_t track_count;
    gesture_track tracks[TRACKS_MAX];
} gesture;

static const gesture GESTURES[] = {
    {.word = "bow",
     .seconds = 2.5,
     .track_count = 4,
     .tracks = {{FR_LINK_CHEST, true, 2, {{0.95, 36.0, 0.0, 0.0}, {1.5, 36.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_UPPER_ARM, true, 2, {{0.95, -32.0, 0.0, 0.0}, {1.5, -32.0, 0.0, 0.0}}},
                {FR_LINK_LEFT_UPPER_ARM, true, 2, {{0.95, -32.0, 0.0, 0.0}, {1.5, -32.0, 0.0, 0.0}}},
                {FR_LINK_HEAD, true, 2, {{0.85, 14.0, 0.0, 0.0}, {1.6, 14.0, 0.0, 0.0}}}}},
    {.word = "nod",
     .seconds = 1.25,
     .track_count = 2,
     .tracks = {{FR_LINK_HEAD,
                 true,
                 4,
                 {{0.28, 17.0, 0.0, 0.0}, {0.54, -3.0, 0.0, 0.0}, {0.80, 12.0, 0.0, 0.0}, {0.82, 12.0, 0.0, 0.0}}},
                {FR_LINK_CHEST, true, 2, {{0.30, 2.0, 0.0, 0.0}, {0.80, 1.5, 0.0, 0.0}}}}},
    {.word = "shake",
     .seconds = 1.75,
     .track_count = 2,
     .tracks = {{FR_LINK_HEAD,
                 true,
                 4,
                 {{0.30, 2.0, 26.0, 2.0}, {0.68, 2.0, -26.0, -2.0}, {1.04, 2.0, 19.0, 1.0}, {1.36, 1.0, -9.0, 0.0}}},
                {FR_LINK_CHEST, true, 3, {{0.34, 0.0, 2.5, 0.0}, {0.72, 0.0, -2.5, 0.0}, {1.08, 0.0, 1.5, 0.0}}}}},
    {.word = "shrug",
     .seconds = 1.6,
     .track_count = 8,
     .tracks = {{FR_LINK_RIGHT_UPPER_ARM, false, 2, {{0.42, -14.0, -38.0, -20.0}, {1.0, -14.0, -38.0, -20.0}}},
                {FR_LINK_LEFT_UPPER_ARM, false, 2, {{0.42, -14.0, 38.0, 20.0}, {1.0, -14.0, 38.0, 20.0}}},
                {FR_LINK_RIGHT_FOREARM, false, 2, {{0.42, -74.0, 0.0, 0.0}, {1.0, -76.0, 0.0, 0.0}}},
                {FR_LINK_LEFT_FOREARM, false, 2, {{0.42, -74.0, 0.0, 0.0}, {1.0, -76.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_PALM, false, 2, {{0.44, 0.0, -70.0, 0.0}, {1.0, 0.0, -72.0, 0.0}}},
                {FR_LINK_LEFT_PALM, false, 2, {{0.44, 0.0, 70.0, 0.0}, {1.0, 0.0, 72.0, 0.0}}},
                {FR_LINK_HEAD, true, 2, {{0.40, 3.0, 6.0, -9.0}, {1.0, 3.0, 6.0, -9.0}}},
                {FR_LINK_CHEST, true, 2, {{0.40, -3.0, 0.0, 0.0}, {1.0, -3.0, 0.0, 0.0}}}}},
    {.word = "surprise",
     .seconds = 1.9,
     .track_count = 8,
     .tracks = {{FR_LINK_RIGHT_UPPER_ARM, false, 2, {{0.36, -24.0, -18.0, -24.0}, {1.1, -20.0, -16.0, -20.0}}},
                {FR_LINK_LEFT_UPPER_ARM, false, 2, {{0.36, -24.0, 18.0, 24.0}, {1.1, -20.0, 16.0, 20.0}}},
                {FR_LINK_RIGHT_FOREARM, false, 2, {{0.36, -104.0, 0.0, 0.0}, {1.1, -96.0, 0.0, 0.0}}},
                {FR_LINK_LEFT_FOREARM, false, 2, {{0.36, -104.0, 0.0, 0.0}, {1.1, -96.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_PALM, false, 2, {{0.38, -8.0, 60.0, 0.0}, {1.1, -6.0, 56.0, 0.0}}},
                {FR_LINK_LEFT_PALM, false, 2, {{0.38, -8.0, -60.0, 0.0}, {1.1, -6.0, -56.0, 0.0}}},
                {FR_LINK_HEAD, true, 2, {{0.34, -9.0, 0.0, 0.0}, {1.1, -7.0, 0.0, 0.0}}},
                {FR_LINK_CHEST, true, 2, {{0.38, -9.0, 0.0, 0.0}, {1.1, -7.0, 0.0, 0.0}}}}},
    {.word = "thumb_up",
     .seconds = 2.1,
     .has_side = true,
     .has_fist = true,
     .track_count = 5,
     .tracks = {{FR_LINK_RIGHT_UPPER_ARM, false, 2, {{0.60, -34.0, 12.0, -8.0}, {1.4, -36.0, 12.0, -8.0}}},
                {FR_LINK_RIGHT_FOREARM, false, 2, {{0.62, -72.0, 0.0, 0.0}, {1.4, -74.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_PALM, false, 2, {{0.62, -18.0, 0.0, 0.0}, {1.4, -18.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_THUMB_1, false, 2, {{0.64, -45.0, 0.0, 0.0}, {1.4, -45.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_THUMB_2, false, 2, {{0.64, 0.0, 0.0, 0.0}, {1.4, 0.0, 0.0, 0.0}}}}},
    {.word = "wave",
     .seconds = 2.9,
     .has_side = true,
     .track_count = 4,
     .tracks = {{FR_LINK_RIGHT_UPPER_ARM, false, 2, {{0.60, -18.0, -78.0, -52.0}, {2.2, -18.0, -78.0, -54.0}}},
                {FR_LINK_RIGHT_FOREARM,
                 false,
                 6,
                 {{0.62, -112.0, 0.0, 0.0},
                  {0.92, -78.0, 0.0, 0.0},
                  {1.24, -118.0, 0.0, 0.0},
                  {1.56, -78.0, 0.0, 0.0},
                  {1.88, -116.0, 0.0, 0.0},
                  {2.20, -88.0, 0.0, 0.0}}},
                {FR_LINK_RIGHT_PALM,
                 false,
                 6,
                 {{0.62, -8.0, 0.0, 0.0},
                  {0.98, 12.0, 0.0, 0.0},
                  {1.30, -10.0, 0.0, 0.0},
                  {1.62, 12.0, 0.0, 0.0},
                  {1.94, -8.0, 0.0, 0.0},
                  {2.26, 0.0, 0.0, 0.0}}},
                {FR_LINK_HEAD, true, 2, {{0.5, -2.0, -6.0, 3.0}, {2.2, -2.0, -6.0, 3.0}}}}},
};

#define GESTURE_COUNT (sizeof GESTURES / sizeof GESTURES[0])
#define FINGER_LINKS 14u

typedef struct gesture_state {
    uint64_t index; // of the gesture
    uint64_t side;  // fr_side
} gesture_state;

// ---------------------------------------------------------------------------------------------------------------
// A gesture at a time

static fr_link on_side(fr_link role, fr_side side) {
    if (side == FR_RIGHT) { return role; }
    if (role >= FR_LINK_RIGHT_THUMB_1) { return (fr_link)(role + FR_LINK_LEFT_THUMB_1 - FR_LINK_RIGHT_THUMB_1); }
    if (role >= FR_LINK_RIGHT_UPPER_ARM && role <= FR_LINK_RIGHT_PALM) {
        return (fr_link)(role + FR_LINK_LEFT_UPPER_ARM - FR_LINK_RIGHT_UPPER_ARM);
    }
    return role;
}

static fr_status find_gesture(const char *word, uint64_t *index, fr_error *error) {
    for (*index = 0; *index < GESTURE_COUNT; ++*index) {
        if (strcmp(GESTURES[*index].word, word) == 0) { return FR_OK; }
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT,
                        "no gesture \"%s\"; there are bow, nod, shake, shrug, surprise, thumb_up and wave", word);
}

// The turn of a key, within the limits of the link.
static fr_quat turn_of(const fr_skeleton *skeleton, uint32_t link, const gesture_track *track, const gesture_key *key,
                       fr_side side, fr_quat first) {
    double across = side == FR_LEFT ? -1.0 : 1.0;
    fr_quat away = fr_quat_multiply(fr__quat_about(0, fr_radians(key->x)),
                                    fr_quat_multiply(fr__quat_about(2, fr_radians(across * key->z)),
                                                     fr__quat_about(1, fr_radians(across * key->y))));
    if (track->is_relative) { away = fr_quat_multiply(fr_skeleton_turn_to_upright(skeleton, link, first), away); }
    return fr_skeleton_clamp(skeleton, link, fr_skeleton_turn_from_upright(skeleton, link, away));
}

static double progress(double from, double to, double seconds) {
    double part = (seconds - from) / (to - from);
    return fr_reach_progress(part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part);
}

static fr_quat track_turn(const fr_skill_input *input, const gesture *g, const gesture_track *track, uint32_t link,
                          fr_side side, double seconds, fr_quat first) {
    uint32_t next = 0;
    while (next < track->key_count && track->keys[next].seconds <= seconds) {
        next++;
    }
    double from = next > 0 ? track->keys[next - 1].seconds : 0.0;
    double to = next < track->key_count ? track->keys[next].seconds : g->seconds;
    fr_quat a = first, b = first;
    if (next > 0) { a = turn_of(input->skeleton, link, track, &track->keys[next - 1], side, first); }
    if (next < track->key_count) { b = turn_of(input->skeleton, link, track, &track->keys[next], side, first); }
    return fr__skill_between(a, b, progress(from, to, seconds));
}

static void move_fingers(const fr_skill_input *input, const fr_skill_state *state, const gesture *g, fr_side side,
                         double seconds, fr_quat *turns, double *weights) {
    uint32_t role = on_side(FR_LINK_RIGHT_THUMB_1, side) + 2u;
    double part = progress(0.15, 0.6, seconds) - progress(1.5, g->seconds, seconds);
    for (uint32_t i = 0; i < FINGER_LINKS - 2u; i++) {
        uint32_t link = fr__skill_link(input, (fr_link)(role + i));
        if (link == FR_NO_LINK) { continue; }
        turns[link] = fr__skill_between(state->turns[link], state->turns[input->body.count + link], part);
        if (weights != NULL) { weights[link] = FR__WEIGHT_MUST; }
    }
}

// The turns of a gesture at a time.
static void gesture_turns(const fr_skill_input *input, const fr_skill_state *state, double seconds, fr_quat *turns,
                          double *weights) {
    const gesture_state *mine = state->bytes;
    const gesture *g = &GESTURES[mine->index];
    fr_side side = (fr_side)mine->side;
    for (uint32_t i = 0; i < g->track_count; i++) {
        uint32_t link = fr__skill_link(input, on_side(g->tracks[i].role, side));
        if (link == FR_NO_LINK) { continue; }
        turns[link] = track_turn(input, g, &g->tracks[i], link, side, seconds, state->turns[link]);
        if (weights != NULL) { weights[link] = FR__WEIGHT_MUST; }
    }
    if (g->has_fist) { move_fingers(input, state, g, side, seconds, turns, weights); }
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning

// What is looked along.
typedef struct gesture_look {
    const fr_skill_input *input;
    const fr_skill_state *state;
} gesture_look;

static void gesture_posture(double part, fr_posture *body, void *context) {
    const gesture_look *look = context;
    const gesture_state *mine = look->state->bytes;
    gesture_turns(look->input, look->state, part * GESTURES[mine->index].seconds, body->turns, NULL);
}

static fr_status begin_side(const fr_skill_input *input, const fr_skill_state *state, fr_side side, uint32_t *frames,
                            fr_error *error) {
    gesture_state *mine = state->bytes;
    const gesture *g = &GESTURES[mine->index];
    mine->side = side;
    bool has_chest = false;
    for (uint32_t i = 0; i < g->track_count; i++) {
        fr_link role = on_side(g->tracks[i].role, side);
        has_chest = has_chest || role == FR_LINK_CHEST || role == FR_LINK_HEAD;
        if (role < FR_LINK_RIGHT_THUMB_1 && fr__skill_link(input, role) == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton lacks a link to %s with", g->word);
        }
    }
    fr_quat *fist = state->turns + input->body.count;
    for (uint32_t i = 0; i < input->body.count; i++) {
        state->turns[i] = fist[i] = input->body.turns[i];
    }
    fr_posture closed = {.turns = fist, .count = input->body.count};
    if (g->has_fist) { (void)fr_grip_posture(input->skeleton, side, 0.012, &closed, NULL); }
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, g->seconds);
    fr_status status = fr__skill_check_time(input, g->seconds, g->word, error);
    if (status != FR_OK) { return status; }
    gesture_look look = {input, state};
    return fr__skill_look_along(input, side, has_chest, g->seconds, gesture_posture, &look, error);
}

// What one hand does the other one does where an obstacle stops the first.
static fr_status gesture_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                              fr_error *error) {
    gesture_state *mine = state->bytes;
    fr_status status = find_gesture(input->fields->word, &mine->index, error);
    if (status != FR_OK) { return status; }
    bool is_given = (input->fields->given & FR_FIELD_SIDE) != 0 && input->fields->side != FR_SIDE_NEAREST;
    bool is_left = is_given && input->fields->side == FR_SIDE_LEFT, has_side = GESTURES[mine->index].has_side;
    status = begin_side(input, state, has_side && is_left ? FR_LEFT : FR_RIGHT, frames, error);
    if (status != FR_ERROR_ARGUMENT || !has_side || is_given) { return status; }
    return begin_side(input, state, FR_LEFT, frames, NULL) == FR_OK ? FR_OK : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Going on

static fr_status gesture_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                              fr_error *error) {
    (void)error;
    const gesture_state *mine = state->bytes;
    double seconds = fr__skill_part(input) * GESTURES[mine->index].seconds;
    gesture_turns(input, state, seconds, output->posture.turns, output->weights);
    if (input->frame == input->frames) { fr__skill_emit(input, output, "gesture", 0.0, 0.0); }
    return FR_OK;
}

const fr_skill fr__skill_gesture = {
    .name = "gesture",
    .words = "makes a gesture: bow, nod, shake, shrug, surprise, thumb_up or wave",
    .needs = FR_FIELD_WORD,
    .takes = FR_FIELD_SIDE | FR_FIELD_OBJECT | FR_FIELD_FRAMES,
    .may_read_space = true,
    .state_bytes = sizeof(gesture_state),
    .state_turns = 2,
    .init = gesture_init,
    .step = gesture_step,
};
