// The skills of walking: walk to a place, turn on the spot. Both plan the performer's own walk.
#include "human/skill.h"

#include "human/walk_figure.h"
#include "human/walk_look.h"

// A body may have to go this many times as fast as its walk set does, or as slowly.
static const double FASTEST = 3.0, SLOWEST = 1.0 / 20.0;

// Seconds that a turn by a quarter takes (measured, on the spot).
static const double QUARTER_SECONDS = 1.44;

static fr_status check_walk(const fr_skill_input *input, fr_error *error) {
    if (input->walk != NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the body cannot walk: it has no walk set or no legs");
}

static double ground_distance(fr_vec3 a, fr_vec3 b) {
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

fr_status fr__skill_go(const fr_skill_input *input, const fr_walk_goal *goals, size_t count, bool may_bend,
                       uint32_t *frames, fr_error *error) {
    fr_status status = FR_OK;
    if (!input->is_walking) { status = fr_walk_begin(input->walk, &input->body, error); }
    double steady = 1.0;
    if ((input->fields->given & FR_FIELD_SPEED) != 0) {
        steady = input->fields->speed / fr_walk_set_get(fr_walk_get(input->walk).set)->speed;
    }
    if (status == FR_OK) { status = fr__walk_look_go(input, goals, count, may_bend, steady, error); }
    if (status != FR_OK) { return status; }
    uint32_t count_now = fr_walk_get(input->walk).frame_count;
    *frames = count_now > 0 ? count_now : 1;
    return status;
}

static fr_status check_speed(const fr_skill_input *input, fr_error *error) {
    if ((input->fields->given & FR_FIELD_SPEED) == 0) { return FR_OK; }
    double natural = fr_walk_set_get(fr_walk_get(input->walk).set)->speed, speed = input->fields->speed;
    if (speed >= SLOWEST * natural && speed <= FASTEST * natural) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a walk at %g m/s; this body walks at %.2f .. %.2f m/s", speed,
                        SLOWEST * natural, FASTEST * natural);
}

static fr_status walk_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    (void)state;
    const fr_skill_fields *fields = input->fields;
    fr_walk_goal goals[FR_MAX_SKILL_POSES + 1];
    fr_status status = check_walk(input, error);
    if (status == FR_OK) { status = check_speed(input, error); }
    if (status != FR_OK) { return status; }
    uint32_t count = 0;
    for (; (fields->given & FR_FIELD_POSES) != 0 && count < fields->pose_count; count++) {
        goals[count] = (fr_walk_goal){.place = fields->poses[count].position};
    }
    bool has_heading = (fields->given & FR_FIELD_HEADING) != 0;
    goals[count++] = (fr_walk_goal){fields->goal.position, has_heading ? fields->heading : 0.0, has_heading};

    double length = ground_distance(input->body.place, goals[0].place);
    for (uint32_t i = 1; i < count; i++) {
        length += ground_distance(goals[i - 1].place, goals[i].place);
    }
    double natural = fr_walk_set_get(fr_walk_get(input->walk).set)->speed;
    status = fr__skill_check_time(input, length / natural, "the walk", error);
    return status == FR_OK ? fr__skill_go(input, goals, count, count == 1, frames, error) : status;
}

static fr_status turn_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    (void)state;
    fr_status status = check_walk(input, error);
    if (status != FR_OK) { return status; }
    fr_walk_view view = fr_walk_get(input->walk);
    double angle = fabs(fr__wrap(input->fields->heading - fr__skill_heading(input->skeleton, &input->body)));
    status = fr__skill_check_time(input, QUARTER_SECONDS * angle / (0.5 * FR_PI), "the turn", error);
    fr_walk_goal goal = {input->is_walking ? view.place : input->body.place, input->fields->heading, true};
    return status == FR_OK ? fr__skill_go(input, &goal, 1, false, frames, error) : status;
}

void fr__skill_weigh_walk(const fr_skeleton *skeleton, double *weights, uint32_t link_count) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (uint32_t i = 0; i <= link_count; i++) {
        weights[i] = 0.0;
    }
    for (int role = 0; role < FR_BODY_LINK_COUNT; role++) {
        bool is_arm = role >= FR_LINK_RIGHT_UPPER_ARM && role <= FR_LINK_LEFT_PALM;
        if (view->roles[role] != FR_NO_LINK) {
            weights[view->roles[role]] = is_arm ? FR__WEIGHT_LIGHT : FR__WEIGHT_NORMAL;
        }
    }
    weights[link_count] = FR__WEIGHT_NORMAL;
}

static fr_status walk_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    (void)state;
    fr__skill_weigh_walk(input->skeleton, output->weights, output->posture.count);
    fr_status status = fr_walk_step(input->walk, &output->posture, error);
    output->is_done = !fr__walk_is_walking(input->walk);
    return status;
}

const fr_skill fr__skill_walk = {
    .name = "walk",
    .words = "walks to a goal, past other points, and faces a heading there",
    .needs = FR_FIELD_GOAL,
    .takes = FR_FIELD_POSES | FR_FIELD_HEADING | FR_FIELD_FRAMES | FR_FIELD_SPEED,
    .has_walk = true,
    .init = walk_init,
    .step = walk_step,
};

const fr_skill fr__skill_turn = {
    .name = "turn",
    .words = "turns on the spot to a heading by small steps",
    .needs = FR_FIELD_HEADING,
    .takes = FR_FIELD_FRAMES,
    .has_walk = true,
    .init = turn_init,
    .step = walk_step,
};
