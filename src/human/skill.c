// The table of skills, the check of their fields, and what several skills share.
#include "human/skill.h"

#include "human/posture.h"
#include "human/walk_figure.h"

#include <string.h>

// How many times as fast as is natural a body may move.
static const double FASTEST = 3.0;

// ---------------------------------------------------------------------------------------------------------------
// The table

static const fr_skill *const SKILLS[] = {
    &fr__skill_call,       &fr__skill_carry,      &fr__skill_check,    &fr__skill_drink,       &fr__skill_gesture,
    &fr__skill_grasp,      &fr__skill_hand_over,  &fr__skill_hold_arm, &fr__skill_ik_reach,    &fr__skill_look_at,
    &fr__skill_mocap_play, &fr__skill_point,      &fr__skill_press,    &fr__skill_read,        &fr__skill_receive,
    &fr__skill_release,    &fr__skill_shake_hand, &fr__skill_sit,      &fr__skill_slerp,       &fr__skill_slide,
    &fr__skill_stand,      &fr__skill_step_reach, &fr__skill_tap,      &fr__skill_touch_panel, &fr__skill_turn,
    &fr__skill_type,       &fr__skill_walk,
};

uint32_t fr_skill_count(void) { return (uint32_t)(sizeof SKILLS / sizeof SKILLS[0]); }

const fr_skill *fr_skill_at(uint32_t index) {
    FR_ASSERT(index < fr_skill_count());
    return SKILLS[index];
}

const fr_skill *fr_skill_find(const char *name) {
    FR_ASSERT(name != NULL);
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        if (strcmp(SKILLS[i]->name, name) == 0) { return SKILLS[i]; }
    }
    return NULL;
}

const char *fr_skill_field_name(uint32_t field) {
    static const char *const names[FR_FIELD_COUNT] = {"target", "object",   "goal",    "heading", "side",
                                                      "clip",   "posture",  "weights", "value",   "poses",
                                                      "word",   "diameter", "frames",  "speed"};
    for (uint32_t i = 0; i < FR_FIELD_COUNT; i++) {
        if (field == 1u << i) { return names[i]; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Fields

static bool has(const fr_skill_fields *fields, uint32_t field) { return (fields->given & field) != 0; }

static fr_status check_missing(const fr_skill *skill, const fr_skill_fields *fields, fr_error *error) {
    for (uint32_t i = 0; i < FR_FIELD_COUNT; i++) {
        if ((skill->needs & 1u << i) != 0 && !has(fields, 1u << i)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skill %s needs a %s", skill->name,
                                fr_skill_field_name(1u << i));
        }
    }
    return FR_OK;
}

static fr_status check_number(const char *skill, const char *field, double number, double low, fr_error *error) {
    if (!isfinite(number) || fabs(number) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the %s of %s is %g", field, skill, number);
    }
    if (number > low) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s of %s is %g, not over 0", field, skill, number);
}

static fr_status check_numbers(const fr_skill *skill, const fr_skill_fields *fields, fr_error *error) {
    const char *name = skill->name;
    fr_status status = FR_OK;
    if (has(fields, FR_FIELD_HEADING)) { status = check_number(name, "heading", fields->heading, -INFINITY, error); }
    if (status == FR_OK && has(fields, FR_FIELD_HEADING) && fabs(fields->heading) > FR_TURN_MAX) {
        status = fr_error_set(error, FR_ERROR_NOT_FINITE, "the heading of %s is %g", name, fields->heading);
    }
    if (status == FR_OK && has(fields, FR_FIELD_VALUE)) {
        status = check_number(name, "value", fields->value, -INFINITY, error);
    }
    if (status == FR_OK && has(fields, FR_FIELD_DIAMETER)) {
        status = check_number(name, "diameter", fields->diameter, 0.0, error);
    }
    if (status == FR_OK && has(fields, FR_FIELD_SPEED)) {
        status = check_number(name, "speed", fields->speed, 0.0, error);
    }
    if (status != FR_OK) { return status; }
    if (has(fields, FR_FIELD_FRAMES) && (fields->frames == 0 || fields->frames > FR_MAX_SKILL_FRAMES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u frames of %s; 1 .. %u are allowed", fields->frames, name,
                            FR_MAX_SKILL_FRAMES);
    }
    if (has(fields, FR_FIELD_SIDE) && (unsigned)fields->side > FR_SIDE_LEFT) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s has no side %d", name, (int)fields->side);
    }
    if (has(fields, FR_FIELD_WORD) && memchr(fields->word, '\0', sizeof fields->word) == NULL) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a word of %s has more than %u bytes", name, FR_MAX_SKILL_WORD);
    }
    return FR_OK;
}

fr_status fr__skill_check_fields(const fr_skill *skill, const fr_skill_fields *fields, uint32_t link_count,
                                 fr_error *error) {
    fr_status status = check_missing(skill, fields, error);
    if (status == FR_OK) { status = check_numbers(skill, fields, error); }
    if (status != FR_OK) { return status; }
    if (has(fields, FR_FIELD_CLIP)) {
        if (fields->clip == NULL || fr_clip_get(fields->clip)->link_count > link_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "%s has no clip, or one of more links than the body",
                                skill->name);
        }
    }
    if (has(fields, FR_FIELD_POSTURE)) {
        if (fields->posture == NULL) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "%s has no posture", skill->name);
        }
        status = fr__posture_check_count(fields->posture, link_count, error);
        if (status != FR_OK) { return status; }
    }
    if (has(fields, FR_FIELD_WEIGHTS)) {
        double largest = 0.0;
        for (uint32_t i = 0; fields->weights != NULL && i <= link_count; i++) {
            double weight = fields->weights[i];
            if (!(weight >= 0.0 && weight <= FR_MAX_WEIGHT)) {
                return fr_error_set(error, FR_ERROR_NOT_FINITE, "weight %u of %s is %g", i, skill->name, weight);
            }
            largest = weight > largest ? weight : largest;
        }
        if (largest < FR_MIN_WEIGHT) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "all weights of %s are 0", skill->name);
        }
    }
    if (has(fields, FR_FIELD_POSES) &&
        (fields->poses == NULL || fields->pose_count == 0 || fields->pose_count > FR_MAX_SKILL_POSES)) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u poses of %s; 1 .. %u are allowed", fields->pose_count,
                            skill->name, FR_MAX_SKILL_POSES);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What skills share

fr_quat fr__skill_between(fr_quat from, fr_quat to, double part) {
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(from), to));
    return fr__quat_product(from, fr_quat_from_vector(fr_vec3_scale(part, turn)));
}

static fr_link shoulder_of(fr_side side) { return side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM; }

void fr__skill_weigh_arm(const fr_skill_input *input, fr_skill_output *output, fr_side side, double weight) {
    for (unsigned i = 0; i < 3; i++) {
        fr__skill_weigh(input, output, (fr_link)(shoulder_of(side) + i), weight);
    }
}

void fr__skill_emit(const fr_skill_input *input, fr_skill_output *output, const char *name, double a, double b) {
    FR_ASSERT(strlen(name) <= FR_MAX_EVENT_NAME);
    if (output->event_count == FR_MAX_SKILL_EVENTS) { return; }
    fr_skill_event *event = &output->events[output->event_count++];
    memset(event, 0, sizeof *event);
    strcpy(event->name, name);
    if (has(input->fields, FR_FIELD_OBJECT)) { event->object = input->fields->object; }
    event->numbers[0] = a;
    event->numbers[1] = b;
}

fr_status fr__skill_check_arm(const fr_skill_input *input, fr_side side, fr_error *error) {
    double angles[FR_ARM_ANGLES];
    return fr_reach_angles(input->skeleton, &input->body, side, angles, error);
}

fr_status fr__skill_choose_side(const fr_skill_input *input, fr_vec3 point, fr_side *side, fr_error *error) {
    fr_skill_side given = has(input->fields, FR_FIELD_SIDE) ? input->fields->side : FR_SIDE_NEAREST;
    if (given != FR_SIDE_NEAREST) {
        *side = given == FR_SIDE_RIGHT ? FR_RIGHT : FR_LEFT;
        return fr__skill_check_arm(input, *side, error);
    }
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    double best = INFINITY;
    fr_status status = FR_ERROR_ARGUMENT;
    for (int i = 0; i < 2; i++) {
        fr_side one = i == 0 ? FR_RIGHT : FR_LEFT;
        if (fr__skill_check_arm(input, one, status == FR_OK ? NULL : error) != FR_OK) { continue; }
        fr_pose pose = fr__link_pose(view, &input->body, fr__skill_link(input, shoulder_of(one)));
        double distance = fr_vec3_distance(pose.position, point);
        // A point in the middle is the right arm's.
        if (!(distance < best - 1e-9)) { continue; }
        best = distance;
        *side = one;
        status = FR_OK;
    }
    return status;
}

double fr__skill_heading(const fr_skeleton *skeleton, const fr_posture *posture) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_quat away = fr_quat_multiply(posture->turns[0], fr_quat_conjugate(view->uprights[0]));
    fr_vec3 forward = fr__quat_turn(away, (fr_vec3){0.0, 0.0, 1.0});
    // A body that lies faces where its head or its feet point.
    if (fabs(forward.y) > 0.9999) { forward = fr__quat_turn(away, (fr_vec3){0.0, forward.y > 0.0 ? -1.0 : 1.0, 0.0}); }
    return fr_atan2(forward.x, forward.z);
}

bool fr__skill_ground(const fr_skeleton *skeleton, const fr_posture *posture, double *ground) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    bool is_found = false;
    for (int point = FR_POINT_RIGHT_HEEL; point <= FR_POINT_LEFT_TOE; point++) {
        if (view->points[point].link == FR_NO_LINK) { continue; }
        fr_pose pose = fr__link_pose(view, posture, view->points[point].link);
        double height = fr_pose_apply(&pose, view->points[point].offset).y;
        *ground = is_found && *ground < height ? *ground : height;
        is_found = true;
    }
    return is_found;
}

uint32_t fr__skill_frames(const fr_skill_input *input, double seconds) {
    double frames = floor(seconds * input->rate + 0.5);
    return frames >= 1.0 ? frames < FR_MAX_SKILL_FRAMES ? (uint32_t)frames : FR_MAX_SKILL_FRAMES : 1u;
}

fr_status fr__skill_check_time(const fr_skill_input *input, double seconds, const char *what, fr_error *error) {
    if (input->frames == 0 || (double)input->frames * FASTEST >= seconds * input->rate) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s takes about %.1f s; %u frames are %.2f s", what, seconds,
                        input->frames, (double)input->frames / input->rate);
}
