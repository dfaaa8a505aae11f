// Clips that are made by code: a performer does a scene, and its frames are kept.
#include "fureai/human_skill.h"

#include "human/posture.h"
#include "human/skill.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The hand at a knob: a skill for the door's clip alone

// The door, for a body that stands at the origin and faces +Z, in leg lengths: the hinge, the distance of the knob from
// it, and the knob's height.
static const fr_vec3 HINGE = {0.444, 0.0, 0.46};
static const double KNOB = 0.81, KNOB_UP = 1.11;

typedef struct knob_state {
    double leg;      // metres
    double is_leant; // 1: the chest had to lean
} knob_state;

static fr_vec3 knob_at(double leg, double angle) {
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    return fr_vec3_scale(leg, fr_vec3_make(HINGE.x - KNOB * cosine, KNOB_UP, HINGE.z + KNOB * sine));
}

static fr_status knob_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    knob_state *mine = state->bytes;
    fr_side side;
    fr_status status = fr__skill_choose_side(input, input->body.place, &side, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < input->body.count; i++) {
        state->turns[i] = state->turns[input->body.count + i] = input->body.turns[i];
    }
    mine->leg = fr_walk_set_get(fr_walk_get(input->walk).set)->leg;
    *frames = input->frames;
    return FR_OK;
}

// The palm round the knob: fingers away from the shoulder, the thumb up and to the middle.
static fr_pose knob_palm(const fr_skill_input *input, fr_vec3 knob, fr_side side) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_link upper = side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    fr_pose shoulder = fr__link_pose(view, &input->body, fr__skill_link(input, upper));
    fr_vec3 to = fr_vec3_sub(knob, shoulder.position);
    to.y *= 0.4;
    fr_vec3 x = fr_vec3_negate(fr_vec3_unit(to, (fr_vec3){0.0, 0.0, 1.0}));
    fr_vec3 up = {0.0, 1.0, 0.0}, z = fr_vec3_unit(fr_vec3_add_scaled(up, -fr_vec3_dot(up, x), x), up);
    fr_quat turn = fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{x, fr_vec3_cross(z, x), z}}));
    double inward = side == FR_RIGHT ? -0.6 : 0.6;
    turn = fr__quat_product(turn, fr__quat_about(0, inward));
    fr_vec3 grip = view->points[side == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP].offset;
    return fr_pose_make(fr_vec3_sub(knob, fr__quat_turn(turn, grip)), turn);
}

// The arm that holds the knob, with the elbow as in the frame before unless it is the first.
static fr_status reach_knob(const fr_skill_input *input, bool is_first, fr_quat *last, fr_side side, fr_vec3 knob,
                            fr_reach_output *found, fr_error *error) {
    fr_reach_input reach = fr_default_reach_input();
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = input->body;
    memcpy(turns, input->body.turns, input->body.count * sizeof *turns);
    posture.turns = turns;
    const fr_link upper = side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t link = fr__skill_link(input, (fr_link)(upper + i));
        turns[link] = last[link];
    }
    reach.skeleton = input->skeleton;
    reach.posture = &posture;
    reach.side = side;
    reach.palm = knob_palm(input, knob, side);
    reach.is_swivel_only = !is_first;
    fr_status status = fr_reach_solve(&reach, found, error);
    posture.turns = last;
    if (status == FR_OK) { fr_reach_apply(input->skeleton, side, found, &posture); }
    return status;
}

// From the first angle of the door, `heading`, to its last, `value`. Where they are equal, the hand comes to the knob,
// or leaves it by a displacement, `goal`.
static fr_status knob_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    knob_state *mine = state->bytes;
    double come = fr_reach_progress(fr__skill_part(input)), angle = input->fields->heading;
    bool is_leaving = (input->fields->given & FR_FIELD_GOAL) != 0,
         is_coming = input->fields->value == angle && !is_leaving;
    if (!is_coming) { angle += come * (input->fields->value - angle); }
    fr_side side = input->fields->side == FR_SIDE_RIGHT ? FR_RIGHT : FR_LEFT;
    fr_reach_output found;
    fr_quat *last = state->turns + input->body.count;
    fr_vec3 knob = knob_at(mine->leg, angle);
    if (is_leaving) { knob = fr_vec3_add_scaled(knob, come, input->fields->goal.position); }
    fr_status status = reach_knob(input, is_coming && input->frame == 1, last, side, knob, &found, error);
    if (status != FR_OK) { return status; }
    fr_posture first = output->posture, goal = output->posture;
    first.turns = state->turns;
    goal.turns = last;
    status = fr_posture_slerp(&first, &goal, is_coming ? come : 1.0, &output->posture, error);
    fr__skill_weigh_arm(input, output, side, FR__WEIGHT_MUST);
    if (found.lean > 0.0) { mine->is_leant = 1.0; }
    if (mine->is_leant > 0.0) { fr__skill_weigh(input, output, FR_LINK_CHEST, FR__WEIGHT_MUST); }
    return status;
}

static const fr_skill KNOB_SKILL = {
    .name = "knob",
    .words = "keeps a hand at the knob of a door",
    .needs = FR_FIELD_SIDE | FR_FIELD_HEADING | FR_FIELD_VALUE | FR_FIELD_FRAMES,
    .state_bytes = sizeof(knob_state),
    .state_turns = 2,
    .init = knob_init,
    .step = knob_step,
};

// ---------------------------------------------------------------------------------------------------------------
// Recording

#define MAX_SECONDS 20.0

// What would be much for the stack: how the body stands and which links of it are a goal, and the output of a step.
typedef struct recording_scratch {
    fr_quat turns[FR_MAX_LINKS];
    double weights[FR_MAX_LINKS + 1];
    fr_posture posture;
    fr_performer_output output;
} recording_scratch;

typedef struct recording {
    const fr_walk_set *set;
    fr_allocator allocator;
    fr_performer *performer;
    uint32_t links, capacity, count;
    fr_vec3 *places;
    fr_quat *turns;
    uint8_t *contacts;
    float *weights; // links + 1
    recording_scratch *scratch;
    uint64_t next_task;
} recording;

static void destroy_recording(recording *r) {
    fr_performer_destroy(r->performer);
    fr_deallocate(&r->allocator, r->places, r->capacity, sizeof *r->places);
    fr_deallocate(&r->allocator, r->turns, (size_t)r->capacity * r->links, sizeof *r->turns);
    fr_deallocate(&r->allocator, r->contacts, 2 * (size_t)r->capacity, sizeof *r->contacts);
    fr_deallocate(&r->allocator, r->weights, r->links + 1, sizeof *r->weights);
    fr_deallocate(&r->allocator, r->scratch, 1, sizeof *r->scratch);
}

static fr_status make_recording(const fr_walk_set *set, const fr_allocator *allocator, recording *r, fr_error *error) {
    const fr_walk_set_view *view = fr_walk_set_get(set);
    memset(r, 0, sizeof *r);
    r->set = set;
    r->allocator = fr_allocator_or_default(allocator);
    r->links = fr_skeleton_get(view->skeleton)->link_count;
    r->capacity = (uint32_t)(MAX_SECONDS * view->frame_rate);
    r->places = fr_allocate(&r->allocator, r->capacity, sizeof *r->places, 8);
    r->turns = fr_allocate(&r->allocator, (size_t)r->capacity * r->links, sizeof *r->turns, 32);
    r->contacts = fr_allocate(&r->allocator, 2 * (size_t)r->capacity, sizeof *r->contacts, 1);
    r->weights = fr_allocate(&r->allocator, r->links + 1, sizeof *r->weights, 4);
    r->scratch = fr_allocate(&r->allocator, 1, sizeof *r->scratch, _Alignof(recording_scratch));
    fr_status status = FR_OK;
    if (r->places == NULL || r->turns == NULL || r->contacts == NULL || r->weights == NULL || r->scratch == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a clip");
    }
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = view->skeleton;
    def.walk_set = set;
    def.rate = view->frame_rate;
    def.allocator = r->allocator;
    if (status == FR_OK) { status = fr_performer_create(&def, &r->performer, error); }
    return status;
}

static void add_frame(recording *r) {
    fr_posture posture = fr_performer_get(r->performer).posture;
    if (r->count == r->capacity) { return; }
    r->places[r->count] = posture.place;
    memcpy(r->turns + (size_t)r->count * r->links, posture.turns, r->links * sizeof *r->turns);
    r->contacts[2 * r->count] = posture.contact_left;
    r->contacts[2 * r->count + 1] = posture.contact_right;
    r->count++;
}

static fr_task next_task(recording *r, const fr_skill *skill, uint32_t given) {
    fr_task task = {.id = ++r->next_task, .skill = skill};
    task.fields.given = given;
    return task;
}

// Performs tasks beside those that go on, and takes their frames, until only `left` tasks are at work.
static fr_status perform(recording *r, const fr_task *tasks, uint32_t count, uint32_t left, fr_error *error) {
    fr_performer_output *output = &r->scratch->output;
    fr_status status = fr_performer_add(r->performer, tasks, count, NULL, error);
    while (status == FR_OK && fr_performer_get(r->performer).task_count > left && r->count < r->capacity) {
        status = fr_performer_step(r->performer, NULL, output, error);
        add_frame(r);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

static fr_task knob_task(recording *r, fr_skill_side side, double from_deg, double to_deg, double seconds) {
    fr_task task = next_task(r, &KNOB_SKILL, KNOB_SKILL.needs);
    task.fields.side = side;
    task.fields.heading = fr_radians(from_deg);
    task.fields.value = fr_radians(to_deg);
    task.fields.frames = (uint32_t)(seconds * fr_walk_set_get(r->set)->frame_rate + 0.5);
    return task;
}

static fr_task walk_task(recording *r, double x, double z, double heading_deg) {
    double leg = fr_walk_set_get(r->set)->leg;
    fr_task task = next_task(r, &fr__skill_walk, FR_FIELD_GOAL | FR_FIELD_HEADING);
    task.fields.goal = fr_pose_make(fr_vec3_make(x * leg, 0.0, z * leg), fr_quat_identity());
    task.fields.heading = fr_radians(heading_deg);
    return task;
}

// The links from one role to another go back to how the body stands.
static fr_status lower_task(recording *r, fr_link from, fr_link to, fr_task *task, fr_error *error) {
    recording_scratch *goal = r->scratch;
    const fr_skeleton *skeleton = fr_walk_set_get(r->set)->skeleton;
    goal->posture = (fr_posture){.turns = goal->turns, .count = r->links};
    fr_status status = fr_posture_rest(skeleton, &goal->posture, error);
    if (status == FR_OK) { status = fr_walk_set_stand(r->set, (fr_vec3){0.0, 0.0, 0.0}, 0.0, &goal->posture, error); }
    if (status != FR_OK) { return status; }
    memset(goal->weights, 0, sizeof goal->weights);
    for (fr_link role = from; role <= to; role++) {
        uint32_t link = fr_skeleton_get(skeleton)->roles[role];
        if (link != FR_NO_LINK) { goal->weights[link] = FR__WEIGHT_LIGHT; }
    }
    *task = next_task(r, &fr__skill_slerp, FR_FIELD_POSTURE | FR_FIELD_WEIGHTS);
    task->fields.posture = &goal->posture;
    task->fields.weights = goal->weights;
    return FR_OK;
}

// Lowers both arms and turns.
static fr_status turn_round(recording *r, double heading_deg, fr_error *error) {
    fr_task tasks[2];
    fr_status status = lower_task(r, FR_LINK_CHEST, FR_LINK_LEFT_PALM, &tasks[0], error);
    if (status != FR_OK) { return status; }
    tasks[1] = next_task(r, &fr__skill_turn, FR_FIELD_HEADING);
    tasks[1].fields.heading = fr_radians(heading_deg);
    return perform(r, tasks, 2, 0, error);
}

// The left hand takes the door over from the right one and shuts it.
static fr_status shut_door(recording *r, double angle_deg, fr_error *error) {
    fr_task tasks[5];
    fr_status status = lower_task(r, FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_PALM, &tasks[0], error);
    if (status != FR_OK) { return status; }
    tasks[1] = knob_task(r, FR_SIDE_LEFT, angle_deg, angle_deg, 1.1);
    tasks[2] = knob_task(r, FR_SIDE_LEFT, angle_deg, 0.0, 1.8);
    tasks[3] = walk_task(r, -0.14, 0.92, 180.0);
    tasks[0].start = tasks[1].fields.frames / 2;
    tasks[2].start = tasks[3].start = tasks[1].fields.frames;
    tasks[4] = knob_task(r, FR_SIDE_LEFT, 0.0, 0.0, 0.5);
    tasks[4].start = tasks[2].start + tasks[2].fields.frames;
    tasks[4].fields.given |= FR_FIELD_GOAL;
    // Away from the hinge, so that the door does not go along.
    double leg = fr_walk_set_get(r->set)->leg;
    tasks[4].fields.goal = fr_pose_make(fr_vec3_make(-0.18 * leg, 0.0, 0.0), fr_quat_identity());
    return perform(r, tasks, 5, 0, error);
}

// Opens the door with the right hand, then the left, walks through, turns, closes it and turns back.
static fr_status perform_door(recording *r, fr_error *error) {
    fr_task reach = knob_task(r, FR_SIDE_RIGHT, 0.0, 0.0, 0.9);
    fr_status status = perform(r, &reach, 1, 0, error);
    if (status == FR_OK) {
        fr_task both[2] = {knob_task(r, FR_SIDE_RIGHT, 0.0, 58.0, 1.9), walk_task(r, -0.04, 0.70, 0.0)};
        status = perform(r, both, 2, 0, error);
    }
    if (status == FR_OK) {
        fr_task swap = knob_task(r, FR_SIDE_LEFT, 58.0, 58.0, 0.6);
        status = perform(r, &swap, 1, 0, error);
    }
    if (status == FR_OK) {
        fr_task both[2] = {knob_task(r, FR_SIDE_LEFT, 58.0, 98.0, 1.6), walk_task(r, -0.04, 1.6, 0.0)};
        status = perform(r, both, 2, 0, error);
    }
    if (status == FR_OK) { status = turn_round(r, 180.0, error); }
    if (status == FR_OK) {
        fr_task right[2] = {knob_task(r, FR_SIDE_RIGHT, 98.0, 98.0, 0.8), knob_task(r, FR_SIDE_RIGHT, 98.0, 62.0, 1.0)};
        right[1].start = right[0].fields.frames;
        status = perform(r, right, 2, 0, error);
    }
    if (status == FR_OK) { status = shut_door(r, 62.0, error); }
    if (status == FR_OK) { status = turn_round(r, 0.0, error); }
    fr_task on = walk_task(r, 0.0, 1.666, 0.0);
    return status == FR_OK ? perform(r, &on, 1, 0, error) : status;
}

static fr_status perform_one(recording *r, fr_made_clip which, fr_error *error) {
    double leg = fr_walk_set_get(r->set)->leg;
    fr_task task;
    if (which == FR_MADE_SIT) {
        task = next_task(r, &fr__skill_sit, FR_FIELD_TARGET);
        task.fields.target = fr_pose_make(fr_vec3_make(0.0, 0.49 * leg, -0.61 * leg), fr_quat_identity());
    } else if (which == FR_MADE_DRINK) {
        task = next_task(r, &fr__skill_drink, FR_FIELD_SIDE);
        task.fields.side = FR_SIDE_RIGHT;
    } else {
        task = next_task(r, &fr__skill_tap, FR_FIELD_TARGET | FR_FIELD_SIDE);
        task.fields.side = FR_SIDE_LEFT;
        fr_quat back = {0.0, 0.0, 1.0, 0.0};
        task.fields.target = fr_pose_make(fr_vec3_make(0.1 * leg, 1.11 * leg, 0.5 * leg), back);
    }
    return perform(r, &task, 1, 0, error);
}

// What a clip moves: of drinking and turning a tap one arm with its hand, the head and the chest.
static void weigh(recording *r, fr_made_clip which) {
    const fr_skeleton_view *view = fr_skeleton_get(fr_walk_set_get(r->set)->skeleton);
    bool is_whole = which == FR_MADE_DOOR || which == FR_MADE_SIT, is_right = which == FR_MADE_DRINK;
    for (uint32_t i = 0; i <= r->links; i++) {
        r->weights[i] = is_whole ? 1.0f : 0.0f;
    }
    if (is_whole) { return; }
    const fr_link firsts[3] = {is_right ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM,
                               is_right ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1, FR_LINK_CHEST};
    const uint32_t counts[3] = {3, is_right ? 0 : 14, 2};
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < counts[k]; i++) {
            uint32_t link = view->roles[firsts[k] + i];
            if (link != FR_NO_LINK) { r->weights[link] = 100.0f; }
        }
    }
    if (is_right && view->roles[FR_LINK_CHEST] != FR_NO_LINK) { r->weights[view->roles[FR_LINK_CHEST]] = 0.0f; }
}

fr_status fr_clip_create_made(const fr_walk_set *set, fr_made_clip which, const fr_allocator *allocator, fr_clip **out,
                              fr_error *error) {
    FR_ASSERT(set != NULL && out != NULL);
    static const char *const names[FR_MADE_CLIP_COUNT] = {"door", "sit", "drink", "tap"};
    *out = NULL;
    if ((unsigned)which >= FR_MADE_CLIP_COUNT) { return fr_error_set(error, FR_ERROR_ARGUMENT, "no such clip"); }
    recording r;
    fr_status status = make_recording(set, allocator, &r, error);
    if (status == FR_OK) {
        add_frame(&r);
        status = which == FR_MADE_DOOR ? perform_door(&r, error) : perform_one(&r, which, error);
    }
    if (status == FR_OK) {
        const double start = 0.0;
        weigh(&r, which);
        fr_clip_def def = fr_default_clip_def();
        def.name = names[which];
        def.frame_rate = fr_walk_set_get(set)->frame_rate;
        def.frame_count = r.count;
        def.link_count = r.links;
        def.places = r.places;
        def.turns = r.turns;
        def.contacts = r.contacts;
        def.weight_key_count = 1;
        def.weight_times = &start;
        def.weights = r.weights;
        def.allocator = r.allocator;
        status = fr_clip_create(&def, out, error);
    }
    destroy_recording(&r);
    return status;
}
