// How far the grip of a hand comes in each direction: the farthest place that the arm's inverse kinematics reaches
// within the limits of its joints.
#include "fureai/human_study.h"

#include <math.h>
#include <string.h>

#define ENVELOPE_COOKIE UINT32_C(0x656e7665)

enum { SWIVELS = 16, ROLLS = 8, TURNS = SWIVELS + ROLLS, STEPS = 24 };

static const double MISS = 1e-6;      // metres and radians that count as reached
static const double PRECISION = 1e-3; // of the arm's length

fr_envelope_input fr_default_envelope_input(void) { return (fr_envelope_input){.bands = 9, .cookie = ENVELOPE_COOKIE}; }

uint32_t fr_envelope_count(uint32_t bands) { return bands * 2 * (bands - 1); }

fr_vec3 fr_envelope_direction(const fr_envelope *envelope, uint32_t bands, uint32_t index) {
    FR_ASSERT(envelope != NULL && bands >= 3 && index < fr_envelope_count(bands));
    uint32_t columns = 2 * (bands - 1);
    double elevation = FR_PI * (double)(index / columns) / (double)(bands - 1) - 0.5 * FR_PI;
    double heading = 2.0 * FR_PI * (double)(index % columns) / (double)columns;
    fr_vec3 up = {0.0, 1.0, 0.0}, left = fr_vec3_cross(up, envelope->front);
    fr_vec3 level = fr_vec3_add_scaled(fr_vec3_scale(fr_cos(heading), envelope->front), fr_sin(heading), left);
    return fr_vec3_add_scaled(fr_vec3_scale(fr_cos(elevation), level), fr_sin(elevation), up);
}

// ---------------------------------------------------------------------------------------------------------------
// Sitting

static fr_vec3 turn(fr_quat q, fr_vec3 v) {
    fr_pose pose = fr_pose_make((fr_vec3){0.0, 0.0, 0.0}, q);
    return fr_pose_turn(&pose, v);
}

static fr_quat away_of(const fr_skeleton_view *view, const fr_pose *poses, fr_link role) {
    uint32_t link = view->roles[role];
    return fr_quat_multiply(poses[link].rotation, fr_quat_conjugate(view->uprights[link]));
}

fr_status fr_work_sit(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error) {
    FR_ASSERT(skeleton != NULL && posture != NULL);
    static const fr_link legs[] = {FR_LINK_RIGHT_THIGH, FR_LINK_LEFT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_LEFT_SHIN};
    static const fr_body_point soles[] = {FR_POINT_RIGHT_HEEL, FR_POINT_RIGHT_TOE, FR_POINT_LEFT_HEEL,
                                          FR_POINT_LEFT_TOE};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (int i = 0; i < 4; i++) {
        if (view->roles[legs[i]] == FR_NO_LINK || view->points[soles[i]].link == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no leg with a sole");
        }
    }
    if (posture->count != view->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a posture of %u links for a skeleton of %u", posture->count,
                            view->link_count);
    }
    const fr_vec3 left = {1.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        uint32_t link = view->roles[legs[i]];
        fr_quat away = fr_quat_from_axis_angle(left, i < 2 ? -0.5 * FR_PI : 0.5 * FR_PI);
        posture->turns[link] = fr_skeleton_turn_from_upright(skeleton, link, away);
    }
    fr_pose poses[FR_MAX_LINKS];
    fr_status status = fr_posture_poses(skeleton, posture, 1, poses, error);
    double lowest = INFINITY;
    for (int i = 0; i < 4 && status == FR_OK; i++) {
        const fr_link_point *p = &view->points[soles[i]];
        lowest = fmin(lowest, fr_pose_apply(&poses[p->link], p->offset).y);
    }
    if (status == FR_OK) { posture->place.y -= lowest; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// One place

typedef struct envelope_search {
    const fr_skeleton_view *view;
    fr_reach_input reach;
    fr_vec3 shoulder;
    const fr_link_point *grip;
    fr_vec3 direction, aside, beside; // at hand, and two across it
    uint32_t first;                   // turn of the palm that was reached last
    double upper, lower;              // from shoulder to elbow, and on to the grip
    double floor;
    fr_status status;
    fr_error *error;
} envelope_search;

static fr_vec3 across_by(const envelope_search *s, double angle) {
    return fr_vec3_add_scaled(fr_vec3_scale(fr_cos(angle), s->aside), fr_sin(angle), s->beside);
}

// The turn of a palm by where its fingers and its thumb point.
static fr_quat palm_turn(const envelope_search *s, fr_vec3 fingers, fr_vec3 thumb) {
    fr_vec3 own = fr_vec3_unit(s->grip->offset, (fr_vec3){-1.0, 0.0, 0.0});
    fr_quat to = fr_quat_between(own, fingers);
    fr_vec3 now = turn(to, (fr_vec3){0.0, 0.0, 1.0});
    double angle = fr_atan2(fr_vec3_dot(fr_vec3_cross(now, thumb), fingers), fr_vec3_dot(now, thumb));
    return fr_quat_multiply(fr_quat_from_axis_angle(fingers, angle), to);
}

// Turns of the palm that are tried at a distance: in line with the forearm of an arm whose elbow is bent to a side, as
// an unbent wrist has it; and in line with the direction.
static fr_quat turn_at(const envelope_search *s, double distance, uint32_t which) {
    if (which >= SWIVELS) {
        return palm_turn(s, s->direction, across_by(s, 2.0 * FR_PI * (double)(which - SWIVELS) / ROLLS));
    }
    double along = (s->upper * s->upper + distance * distance - s->lower * s->lower) / (2.0 * distance);
    along = fmax(fmin(along, s->upper), -s->upper);
    fr_vec3 side = across_by(s, 2.0 * FR_PI * (double)which / SWIVELS);
    fr_vec3 elbow = fr_vec3_scale(along, s->direction);
    elbow = fr_vec3_add_scaled(elbow, sqrt(s->upper * s->upper - along * along), side);
    fr_vec3 fingers = fr_vec3_unit(fr_vec3_sub(fr_vec3_scale(distance, s->direction), elbow), s->direction);
    // The thumb is on the side to which the elbow bends: back to the shoulder.
    fr_vec3 back = fr_vec3_add_scaled(fr_vec3_scale(-1.0, elbow), fr_vec3_dot(elbow, fingers), fingers);
    bool is_straight = fr_vec3_length(back) < 1e-6 * s->upper;
    fr_vec3 thumb = fr_vec3_unit(is_straight ? fr_vec3_negate(side) : back, s->aside);
    return palm_turn(s, fingers, thumb);
}

static bool is_reached(envelope_search *s, double distance) {
    fr_vec3 point = fr_vec3_add_scaled(s->shoulder, distance, s->direction);
    if (point.y < s->floor) { return false; }
    double reach = s->upper + s->lower - fr_vec3_length(s->grip->offset);
    for (uint32_t i = 0; i < TURNS && s->status == FR_OK; i++) {
        uint32_t k = (s->first + i) % TURNS;
        fr_quat palm = turn_at(s, distance, k);
        fr_vec3 wrist = fr_vec3_sub(point, turn(palm, s->grip->offset));
        // Without a lean nothing beyond the arm's length is reached.
        if (s->reach.lean_max == 0.0 && fr_vec3_distance(wrist, s->shoulder) > reach + MISS) { continue; }
        fr_reach_output out;
        s->reach.palm = fr_pose_make(wrist, palm);
        s->status = fr_reach_solve(&s->reach, &out, s->error);
        if (s->status == FR_OK && out.miss <= MISS && out.excess <= MISS) {
            s->first = k;
            return true;
        }
    }
    return false;
}

// The farthest place that is reached in a direction, from outside in.
static double find_radius(envelope_search *s, fr_vec3 direction) {
    fr_vec3 least = fabs(direction.y) < 0.8 ? (fr_vec3){0.0, 1.0, 0.0} : (fr_vec3){1.0, 0.0, 0.0};
    s->direction = direction;
    s->aside = fr_vec3_unit(fr_vec3_cross(direction, least), least);
    s->beside = fr_vec3_cross(direction, s->aside);
    s->first = 0;
    double arm = s->upper + s->lower, outer = arm * (s->reach.lean_max > 0.0 ? 2.0 : 1.0), low = outer, high = outer;
    bool is_found = false;
    for (int i = STEPS; i > 0 && s->status == FR_OK && !is_found; i--) {
        low = outer * (double)i / STEPS;
        is_found = is_reached(s, low);
        if (!is_found) { high = low; }
    }
    if (!is_found) { return 0.0; }
    while (high - low > PRECISION * arm && s->status == FR_OK) {
        double middle = 0.5 * (low + high);
        if (is_reached(s, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// ---------------------------------------------------------------------------------------------------------------
// All directions

static fr_status begin(const fr_envelope_input *input, envelope_search *s, fr_envelope *out, fr_error *error) {
    const fr_skeleton_view *view = s->view = fr_skeleton_get(input->skeleton);
    const fr_link arm = input->side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    const uint32_t grip = input->side == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP;
    s->grip = &view->points[grip];
    double angles[FR_ARM_ANGLES];
    fr_status status = fr_reach_angles(input->skeleton, input->posture, input->side, angles, error);
    if (status != FR_OK) { return status; }
    if (view->roles[FR_LINK_CHEST] == FR_NO_LINK || s->grip->link != view->roles[arm + 2]) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no chest, or no grip in its palm");
    }
    fr_pose poses[FR_MAX_LINKS];
    status = fr_posture_poses(input->skeleton, input->posture, 1, poses, error);
    if (status != FR_OK) { return status; }
    s->shoulder = out->shoulder = poses[view->roles[arm]].position;
    fr_vec3 front = turn(away_of(view, poses, FR_LINK_CHEST), (fr_vec3){0.0, 0.0, 1.0});
    front.y = 0.0;
    out->front = fr_vec3_unit(front, (fr_vec3){0.0, 0.0, 1.0});
    s->upper = fr_vec3_length(view->offsets[view->roles[arm + 1]]);
    s->lower = fr_vec3_length(view->offsets[view->roles[arm + 2]]) + fr_vec3_length(s->grip->offset);
    if (!(s->upper > 0.0 && s->lower > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has an arm without length");
    }
    s->reach = fr_default_reach_input();
    s->reach.skeleton = input->skeleton;
    s->reach.posture = input->posture;
    s->reach.side = input->side;
    s->reach.lean_max = input->lean_max;
    s->floor = input->floor;
    s->error = error;
    return FR_OK;
}

fr_status fr_envelope_find(const fr_envelope_input *input, double *radii, fr_envelope *out, fr_error *error) {
    FR_ASSERT(input != NULL && radii != NULL && out != NULL && input->skeleton != NULL && input->posture != NULL);
    if (input->cookie != ENVELOPE_COOKIE) { return fr_error_set_cookie(error, "fr_default_envelope_input"); }
    if (input->bands < 3 || input->bands > FR_ENVELOPE_MAX_BANDS || input->bands % 2 == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an envelope has 3, 5 .. %u bands, not %u", FR_ENVELOPE_MAX_BANDS,
                            input->bands);
    }
    if (!(input->lean_max >= 0.0 && input->lean_max <= 0.5 * FR_PI) || !(input->floor < (double)INFINITY)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a lean or a floor out of its range");
    }
    memset(out, 0, sizeof *out);
    envelope_search s = {0};
    fr_status status = begin(input, &s, out, error);
    if (status != FR_OK) { return status; }
    fr_vec3 aside = fr_vec3_cross((fr_vec3){0.0, 1.0, 0.0}, out->front);
    if (input->side == FR_RIGHT) { aside = fr_vec3_negate(aside); }
    out->top = -INFINITY;
    for (uint32_t i = 0; i < fr_envelope_count(input->bands) && s.status == FR_OK; i++) {
        fr_vec3 direction = fr_envelope_direction(out, input->bands, i);
        radii[i] = find_radius(&s, direction);
        if (radii[i] == 0.0) { continue; }
        fr_vec3 from = fr_vec3_scale(radii[i], direction);
        out->top = fmax(out->top, s.shoulder.y + from.y);
        out->ahead = fmax(out->ahead, fr_vec3_dot(from, out->front));
        out->aside = fmax(out->aside, fr_vec3_dot(from, aside));
        out->across = fmax(out->across, -fr_vec3_dot(from, aside));
    }
    if (isinf(out->top)) { out->top = s.shoulder.y; } // nothing is reached
    return s.status;
}
