// Where the hands of two people meet.
#include "fureai/human_meeting.h"

#include "human/clasp.h"
#include "human/posture.h"

#include <math.h>
#include <string.h>

#define MEETING_COOKIE 0x4D454554u
#define SHAKE_APART 0.72 // of the sum of both arms: hips of people who shake hands (CMU 18_01 and 19_01: 0.75 m)
#define GIVE_APART 0.90  // likewise, of people who hand something over
#define BELOW_ELBOW 0.06 // metres of a clasp under the mean of both elbows; 0.05 m each of a hanging arm
#define SWING 0.03       // metres up and down that a clasp needs
#define BEFORE 0.06      // metres by which a palm comes from the side of its back
#define REACHED 1e-6     // of the sum of miss and excess
#define MISS_WEIGHT 10.0 // radians a metre

enum { HEIGHTS = 11, TILTS = 7, ROLLS = 5, YAWS = 24, PALM_YAWS = 7 };

fr_meeting_input fr_default_meeting_input(void) {
    fr_meeting_input input;
    memset(&input, 0, sizeof input);
    const fr_quat along_thumb = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), 0.5 * FR_PI);
    input.thing = fr_pose_make(fr_vec3_make(-0.1, 0.0, 0.0), along_thumb);
    input.cookie = MEETING_COOKIE;
    return input;
}

// ---------------------------------------------------------------------------------------------------------------
// The two who meet

typedef struct meeting_body {
    const fr_skeleton *skeleton;
    fr_side side;
    fr_posture posture; // standing at its place
    fr_quat turns[FR_MAX_LINKS];
    double arm, shoulder, elbow; // its length, heights in the world
    fr_vec3 ahead;               // level, to the other
} meeting_body;

static uint32_t arm_link(const meeting_body *b, uint32_t i) {
    fr_link upper = b->side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
    return fr_skeleton_get(b->skeleton)->roles[upper + i];
}

static double arm_length(const fr_skeleton *skeleton, fr_side side) {
    const meeting_body b = {.skeleton = skeleton, .side = side};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    double length = 0.0;
    for (uint32_t i = 1; i <= 2; i++) {
        uint32_t link = arm_link(&b, i);
        length += link != FR_NO_LINK ? fr_vec3_length(view->offsets[link]) : 0.0;
    }
    return length;
}

double fr_meeting_distance(const fr_meeting_input *input) {
    FR_ASSERT(input != NULL && input->skeletons[0] != NULL && input->skeletons[1] != NULL);
    double arms = arm_length(input->skeletons[0], input->sides[0]) + arm_length(input->skeletons[1], input->sides[1]);
    return (input->kind == FR_MEETING_SHAKE_HAND ? SHAKE_APART : GIVE_APART) * arms;
}

static fr_status stand(const fr_meeting_input *input, int i, fr_vec3 ahead, meeting_body *b, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeletons[i]);
    *b = (meeting_body){.skeleton = input->skeletons[i], .side = input->sides[i], .ahead = ahead};
    memcpy(b->turns, view->rests, view->link_count * sizeof *b->turns);
    b->posture = (fr_posture){.place = input->places[i], .turns = b->turns, .count = view->link_count};
    double angles[FR_ARM_ANGLES];
    fr_status status = fr_reach_angles(b->skeleton, &b->posture, b->side, angles, error);
    if (status != FR_OK) { return status; }
    b->turns[0] = fr__quat_product(fr__quat_about(1, fr_atan2(ahead.x, ahead.z)), b->turns[0]);
    b->arm = arm_length(b->skeleton, b->side);
    b->shoulder = fr__link_pose(view, &b->posture, arm_link(b, 0)).position.y;
    b->elbow = b->shoulder - fr_vec3_length(view->offsets[arm_link(b, 1)]);
    return FR_OK;
}

static fr_status check(const fr_meeting_input *input, fr_vec3 *ahead, fr_error *error) {
    if (input->cookie != MEETING_COOKIE) { return fr_error_set_cookie(error, "fr_default_meeting_input"); }
    if (input->skeletons[0] == NULL || input->skeletons[1] == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "two people meet: a skeleton is missing");
    }
    for (int i = 0; i < 2; i++) {
        if (!fr_vec3_is_finite(input->places[i]) || fr_vec3_largest(input->places[i]) > FR_LENGTH_MAX) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place of a meeting is not finite");
        }
    }
    if (input->kind == FR_MEETING_SHAKE_HAND && input->sides[0] != input->sides[1]) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a right and a left hand do not clasp");
    }
    fr_pose thing = input->thing;
    fr_status status = fr_pose_check(&thing, error);
    if (status != FR_OK) { return status; }
    *ahead = fr_vec3_sub(input->places[1], input->places[0]);
    ahead->y = 0.0;
    if (fr_vec3_length(*ahead) < 1e-3) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "two people who meet do not stand at one place");
    }
    *ahead = fr_vec3_unit(*ahead, *ahead);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What is reached

typedef struct meeting_try {
    fr_pose goal;
    double miss, excess;
} meeting_try;

static double score(const meeting_try *t) { return MISS_WEIGHT * t->miss + t->excess; }

// How far an arm is from a pose of its palm, the worse of that and what it has already.
static void look(const meeting_body *b, const fr_pose *palm, meeting_try *t) {
    fr_reach_input reach = fr_default_reach_input();
    reach.skeleton = b->skeleton;
    reach.posture = &b->posture;
    reach.side = b->side;
    reach.palm = *palm;
    reach.lean_max = 0.0;
    fr_reach_output found;
    if (fr_reach_solve(&reach, &found, NULL) != FR_OK) { found.miss = found.excess = FR_PI; }
    t->miss = fmax(t->miss, found.miss);
    t->excess = fmax(t->excess, found.excess);
}

static void look_around(const meeting_body *b, const fr_pose *goal, meeting_try *t) {
    *t = (meeting_try){.goal = *goal};
    double gap = fr__clasp_thickness(b->skeleton, NULL, b->side);
    for (int i = 0; i < 6; i++) {
        fr_pose frame = *goal;
        frame.position.y += SWING * (double)(i % 3 - 1);
        fr_pose palm = fr__clasp_palm(b->skeleton, b->side, &frame, gap + (i / 3 == 0 ? 0.0 : BEFORE));
        look(b, &palm, t);
    }
}

// A frame by its fingers' direction (z) and the direction out of the palm (y).
static fr_pose frame_of(fr_vec3 middle, fr_vec3 fingers, fr_vec3 inner) {
    const fr_mat3 axes = fr_mat3_transpose((fr_mat3){{fr_vec3_cross(inner, fingers), inner, fingers}});
    return fr_pose_make(middle, fr_quat_from_mat3(axes));
}

static double sum(const meeting_try tries[2]) { return score(&tries[0]) + score(&tries[1]); }

// Takes what is better by more than the tolerance.
static void keep(const meeting_try tries[2], meeting_try best[2]) {
    if (sum(tries) + REACHED < sum(best)) { memcpy(best, tries, 2 * sizeof *best); }
}

// Both palms clasped, the whole turned about the line between the bodies and across it; `k` is below TILTS * ROLLS.
static void try_clasp(const meeting_body bodies[2], fr_vec3 middle, int k, meeting_try best[2]) {
    static const double tilts_deg[TILTS] = {0.0, 15.0, -15.0, 30.0, -30.0, 45.0, -45.0};
    static const double rolls_deg[ROLLS] = {0.0, 20.0, -20.0, 40.0, -40.0};
    const fr_vec3 up = {0.0, 1.0, 0.0};
    fr_vec3 line = bodies[0].ahead, across = fr_vec3_cross(line, up);
    double pitch = fr_radians(FR__CLASP_PITCH_DEG), sign = bodies[0].side == FR_RIGHT ? 1.0 : -1.0;
    fr_quat tilt = fr_quat_from_axis_angle(across, -fr_radians(tilts_deg[k % TILTS]));
    fr_quat turn = fr__quat_product(fr_quat_from_axis_angle(line, fr_radians(rolls_deg[k / TILTS])), tilt);
    meeting_try tries[2];
    for (int i = 0; i < 2; i++) {
        fr_vec3 ahead = bodies[i].ahead, inner = fr_vec3_scale(sign, fr_vec3_cross(up, ahead));
        fr_vec3 fingers = fr_vec3_add_scaled(fr_vec3_scale(fr_cos(pitch), ahead), -fr_sin(pitch), up);
        fr_pose goal = frame_of(middle, fr__quat_turn(turn, fingers), fr__quat_turn(turn, inner));
        look_around(&bodies[i], &goal, &tries[i]);
    }
    keep(tries, best);
}

// The open palm of who takes, and the thing of who gives, turned about the vertical.
static void try_gifts(const fr_meeting_input *input, const meeting_body bodies[2], fr_vec3 middle,
                      meeting_try best[2]) {
    static const double yaws_deg[PALM_YAWS] = {15.0, 0.0, 30.0, 45.0, -15.0, 60.0, 80.0};
    const fr_vec3 up = {0.0, 1.0, 0.0};
    const fr_pose back = fr_pose_inverse(&input->thing);
    meeting_try tries[2] = {{.miss = INFINITY}, {.miss = INFINITY}};
    double nearest = INFINITY;
    for (int i = 0; i < YAWS; i++) {
        fr_quat turn = fr__quat_about(1, 2.0 * FR_PI * (double)i / YAWS);
        meeting_try t = {.goal = frame_of(middle, fr__quat_turn(turn, bodies[0].ahead), up)};
        fr_pose palm = fr_pose_compose(&t.goal, &back);
        look(&bodies[0], &palm, &t);
        // Of those that are reached alike, the fingers point to the other.
        fr_vec3 fingers = fr__quat_turn(palm.rotation, fr_vec3_make(-1.0, 0.0, 0.0));
        double away = 1.0 - fr_vec3_dot(fingers, bodies[0].ahead);
        bool is_better = score(&t) + REACHED < score(&tries[0]);
        bool is_like = !is_better && score(&t) < score(&tries[0]) + REACHED && away < nearest;
        if (!is_better && !is_like) { continue; }
        tries[0] = t;
        nearest = away;
    }
    double sign = bodies[1].side == FR_RIGHT ? 1.0 : -1.0;
    for (int i = 0; i < PALM_YAWS && !(score(&tries[1]) < REACHED); i++) {
        fr_quat turn = fr__quat_about(1, sign * fr_radians(yaws_deg[i]));
        fr_pose goal = frame_of(middle, fr__quat_turn(turn, bodies[1].ahead), up);
        meeting_try t;
        look_around(&bodies[1], &goal, &t);
        if (score(&t) + REACHED < score(&tries[1])) { tries[1] = t; }
    }
    keep(tries, best);
}

fr_status fr_meeting_find(const fr_meeting_input *input, fr_meeting_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    static const double heights[HEIGHTS] = {0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, 0.25, 0.3, 0.4};
    fr_vec3 ahead;
    meeting_body bodies[2];
    fr_status status = check(input, &ahead, error);
    if (status == FR_OK) { status = stand(input, 0, ahead, &bodies[0], error); }
    if (status == FR_OK) { status = stand(input, 1, fr_vec3_negate(ahead), &bodies[1], error); }
    if (status != FR_OK) { return status; }
    double share = bodies[0].arm / (bodies[0].arm + bodies[1].arm);
    fr_vec3 middle = fr_vec3_lerp(input->places[0], input->places[1], share);
    double low = 0.5 * (bodies[0].elbow + bodies[1].elbow) - BELOW_ELBOW;
    meeting_try best[2] = {{.miss = FR_LENGTH_MAX}, {.miss = FR_LENGTH_MAX}};
    // A clasp that is turned less is better than one at a more natural height.
    int turns = input->kind == FR_MEETING_SHAKE_HAND ? TILTS * ROLLS : 1;
    for (int i = 0; i < turns * HEIGHTS && sum(best) > REACHED; i++) {
        middle.y = low + heights[i % HEIGHTS];
        if (input->kind == FR_MEETING_SHAKE_HAND) {
            try_clasp(bodies, middle, i / HEIGHTS, best);
        } else {
            try_gifts(input, bodies, middle, best);
        }
    }
    memset(output, 0, sizeof *output);
    for (int i = 0; i < 2; i++) {
        output->goals[i] = best[i].goal;
        output->miss = fmax(output->miss, best[i].miss);
        output->excess = fmax(output->excess, best[i].excess);
    }
    output->ratio = fr_vec3_length(fr__clasp_point(bodies[1].skeleton, bodies[1].side)) /
                    fr_vec3_length(fr__clasp_point(bodies[0].skeleton, bodies[0].side));
    output->is_reached = sum(best) <= REACHED;
    return FR_OK;
}
