// The skills sit and stand: the hips go as measured, the feet stay on the ground, and the legs follow.
#include "human/skill.h"

#include "human/posture.h"
#include "human/sit_curve.h"
#include "human/walk_drop.h"
#include "human/walk_set.h"

// In leg lengths: flesh between seat and hip joints; how high the hips are on the lowest and the highest seat; how far
// the body may stand from a seat; where feet may stand before the seat, and where they are put otherwise.
static const double FLESH = 0.13, LOWEST = 0.30, HIGHEST = 0.95, NEAR = 1.0;
static const double FEET_NEAREST = 0.28, FEET_FARTHEST = 0.58, FEET_BEFORE = 0.36;
static const double FEET_NARROWEST = 0.04, FEET_WIDEST = 0.32; // of each foot from the middle
static const double LIFT = 0.06;                               // of a foot that steps

static const double STEP_SECONDS = 0.4, STEP_SLOWER = 0.5; // of one foot, and more a leg length that it travels
static const double DROP_RATE = 30.0, DROP_WIDTH = 4.0;    // looks a second at what the legs need, and looks ahead
static const double DROP_SECONDS = 0.15, SPARE = 0.03;     // hips sink and rise; leg lengths more than the need
static const double JOIN_SECONDS = 0.7;                    // in which the body leaves its first posture
static const double FACING_MAX = 60.0;                     // degrees between the body's heading and the seat's
static const double TOES_OUT = 8.0;                        // degrees
static const double FLAT = 6.0;                            // degrees of pitch up to which a foot stands
static const double PELVIS_SHARE = 0.6;                    // of the measured tilt: people differ widely in it
static const double HEAD_SHARE = 0.6;                      // of the lean is taken back by the neck

// From the first posture, by steps of the feet where they stand badly, to `over`, then as measured to `to`. Heights are
// over the ground.
typedef struct sit_state {
    fr__walk_body body;
    fr__walk_figure from, over, to;
    double ground;
    double height;   // of the hips on the seat, leg lengths
    double stepping; // seconds of the steps
    double first;    // the foot that steps first, FR__LEFT or FR__RIGHT
    double steps[2]; // seconds that each foot steps, 0: it stands
    fr_vec3 seat;    // the target's place in the beginning
} sit_state;

// ---------------------------------------------------------------------------------------------------------------
// Turns

static fr_quat scaled(fr_quat q, double part) { return fr_quat_from_vector(fr_vec3_scale(part, fr_quat_to_vector(q))); }

// By how much each joint of the upper body differs at a time from its last turn: the curves without their last values.
static void shape_turns(const sit_state *mine, fr__sit_motion motion, double time, fr_quat turns[FR__FIGURE_TURNS]) {
    double angles[FR__SIT_CURVES];
    for (int i = 0; i < FR__SIT_CURVES; i++) {
        fr__sit_curve curve = (fr__sit_curve)i;
        double last = fr__sit_curve_at(motion, curve, mine->height, fr__sit_duration(motion));
        angles[i] = fr_radians(fr__sit_curve_at(motion, curve, mine->height, time) - last);
    }
    double lean = angles[FR__SIT_LEAN], tilt = PELVIS_SHARE * angles[FR__SIT_TILT];
    turns[FR__FIGURE_HIP] = fr__turn_x(tilt);
    turns[FR__FIGURE_CHEST] = fr__turn_x(lean - tilt);
    turns[FR__FIGURE_HEAD] = fr__turn_x(-HEAD_SHARE * lean);
    for (int side = 0; side < 2; side++) {
        double outward = side == FR__LEFT ? 1.0 : -1.0;
        turns[FR__FIGURE_UPPER_ARM + side] = fr_quat_multiply(fr__turn_x(-angles[FR__SIT_SHOULDER_FLEXION]),
                                                              fr__turn_z(outward * angles[FR__SIT_SHOULDER_ABDUCTION]));
        turns[FR__FIGURE_FOREARM + side] = fr__turn_x(-angles[FR__SIT_ELBOW]);
        turns[FR__FIGURE_PALM + side] = fr_quat_identity();
    }
}

// The last turns of a body that sits: a little back, hands on the thighs.
static void seated_turns(const sit_state *mine, double heading, fr_quat turns[FR__FIGURE_TURNS]) {
    double last = fr__sit_duration(FR__SIT_DOWN), h = mine->height;
    double lean = fr__sit_curve_at(FR__SIT_DOWN, FR__SIT_LEAN, h, last);
    double tilt = PELVIS_SHARE * (fr__sit_curve_at(FR__SIT_DOWN, FR__SIT_TILT, h, last) -
                                  fr__sit_curve_at(FR__SIT_DOWN, FR__SIT_TILT, h, 0.0));
    turns[FR__FIGURE_HIP] = fr_quat_multiply(fr__turn_y(heading), fr__turn_x(fr_radians(tilt)));
    turns[FR__FIGURE_CHEST] = fr__turn_x(fr_radians(lean - tilt));
    turns[FR__FIGURE_HEAD] = fr__turn_x(fr_radians(-lean));
    for (int side = 0; side < 2; side++) {
        double outward = side == FR__LEFT ? 1.0 : -1.0;
        fr_quat arm = fr_quat_multiply(fr__turn_x(fr_radians(-14.0)), fr__turn_z(fr_radians(8.0) * outward));
        turns[FR__FIGURE_UPPER_ARM + side] = fr_quat_multiply(arm, fr__turn_y(fr_radians(-30.0) * outward));
        turns[FR__FIGURE_FOREARM + side] = fr__turn_x(fr_radians(-56.0));
        fr_quat palm = fr__turn_y(fr_radians(-60.0) * outward);
        turns[FR__FIGURE_PALM + side] = fr_quat_multiply(palm, fr__turn_z(fr_radians(12.0) * -outward));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Feet

static double out_of(int side) { return side == FR__LEFT ? 1.0 : -1.0; }

// A place on the ground in a frame that stands somewhere and faces a heading: x forward, y left.
static fr_vec2 seen_from(fr_vec3 origin, double heading, fr_vec3 point) {
    double sine, cosine, x = point.x - origin.x, z = point.z - origin.z;
    fr_sincos(heading, &sine, &cosine);
    return (fr_vec2){x * sine + z * cosine, x * cosine - z * sine};
}

static fr_vec3 put_from(fr_vec3 origin, double heading, double forward, double left) {
    double sine, cosine;
    fr_sincos(heading, &sine, &cosine);
    return fr_vec3_make(origin.x + forward * sine + left * cosine, origin.y, origin.z + forward * cosine - left * sine);
}

static bool is_flat(const fr__walk_body *body, const fr__walk_leg *leg) {
    return fabs(leg->pitch) < fr_radians(FLAT) && fr__walk_sole(body, leg) < 0.02 * body->leg;
}

// Puts a foot flat on the ground at a place.
static fr__walk_leg standing_leg(const fr__walk_body *body, fr_vec3 place, double heading) {
    return (fr__walk_leg){fr_vec3_make(place.x, body->ankle, place.z), heading, 0.0, heading};
}

// Which feet step, one after the other: first the one that is higher, else the one with the longer step.
static void plan_steps(sit_state *mine) {
    double cost[2];
    for (int side = 0; side < 2; side++) {
        const fr__walk_leg *from = &mine->from.legs[side], *to = &mine->over.legs[side];
        cost[side] = fr_vec3_distance(from->ankle, to->ankle) + 10.0 * fr__walk_sole(&mine->body, from);
        double travel = fr_vec3_distance(from->ankle, to->ankle) / mine->body.leg;
        if (mine->steps[side] > 0.0) { mine->steps[side] = STEP_SECONDS + STEP_SLOWER * travel; }
        mine->stepping += mine->steps[side];
    }
    mine->first = cost[FR__RIGHT] > cost[FR__LEFT] ? FR__RIGHT : FR__LEFT;
}

// The middle of the hips of a body that stands on both feet.
static fr_vec3 over_feet(const fr__walk_figure *stand, const fr__walk_leg legs[2], double heading) {
    fr_vec3 middle = fr_vec3_lerp(legs[0].ankle, legs[1].ankle, 0.5);
    fr_vec3 usual = fr_vec3_lerp(stand->legs[0].ankle, stand->legs[1].ankle, 0.5);
    fr_vec3 place = put_from(middle, heading, stand->middle.z - usual.z, stand->middle.x - usual.x);
    place.y = stand->middle.y;
    return place;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning

// How the body stands at the origin, facing +Z.
static void standing(const fr_skill_input *input, const fr__walk_body *body, fr__walk_figure *stand) {
    if (input->walk != NULL) {
        *stand = fr_walk_get(input->walk).set->stand;
        return;
    }
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_quat turns[FR_MAX_LINKS];
    for (uint32_t i = 0; i < view->link_count; i++) {
        turns[i] = view->rests[i];
    }
    fr_posture rest = {.place = view->offsets[0], .turns = turns, .count = view->link_count};
    double ground;
    fr__walk_read(input->skeleton, body, &rest, stand, &ground);
}

static fr_status read_body(const fr_skill_input *input, sit_state *mine, fr_error *error) {
    fr_status status = fr__walk_body_read(input->skeleton, &mine->body, error);
    if (status != FR_OK) { return status; }
    fr__walk_read(input->skeleton, &mine->body, &input->body, &mine->from, &mine->ground);
    mine->over = mine->from;
    return FR_OK;
}

static fr_status set_frames(const fr_skill_input *input, const sit_state *mine, fr__sit_motion motion, uint32_t *frames,
                            fr_error *error) {
    double seconds = mine->stepping + fr__sit_duration(motion);
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, seconds);
    return fr__skill_check_time(input, seconds, motion == FR__SIT_DOWN ? "sitting down" : "standing up", error);
}

static double seat_heading(const fr_skill_input *input) {
    fr_vec3 forward = fr__quat_turn(input->target.rotation, (fr_vec3){0.0, 0.0, 1.0});
    return fr_atan2(forward.x, forward.z);
}

static fr_status check_seat(const fr_skill_input *input, const sit_state *mine, double heading, fr_error *error) {
    double leg = mine->body.leg, high = input->target.position.y - mine->ground;
    if (!(mine->height >= LOWEST && mine->height <= HIGHEST)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the seat is %.2f m high; this body sits on %.2f .. %.2f m", high,
                            (LOWEST - FLESH) * leg, (HIGHEST - FLESH) * leg);
    }
    double turned = fr_degrees(fabs(fr__wrap(fr__walk_hip_heading(&mine->from) - heading)));
    if (turned > FACING_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the body is turned from the seat by %.0f degrees; turn first",
                            turned);
    }
    fr_vec2 seen = seen_from(mine->to.middle, heading, mine->from.middle);
    if (sqrt(seen.x * seen.x + seen.y * seen.y) <= NEAR * leg && seen.x >= -0.25 * leg) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT,
                        "the seat is out of reach: the body is %.2f m before it and %.2f m beside it; walk to %.2f m "
                        "before it first",
                        seen.x, fabs(seen.y), 0.5 * leg);
}

// How far before the hips the feet of a body that sits may stand: as far as legs reach that are not quite straight.
static double seated_reach(const sit_state *mine) {
    double bones = 0.97 * (mine->body.thigh + mine->body.shin), drop = mine->to.middle.y - mine->body.ankle;
    double square = bones * bones - drop * drop, reach = square > 0.0 ? sqrt(square) : 0.0;
    return reach < FEET_FARTHEST * mine->body.leg ? reach : FEET_FARTHEST * mine->body.leg;
}

static fr_status sit_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames, fr_error *error) {
    sit_state *mine = state->bytes;
    fr_status status = read_body(input, mine, error);
    if (status != FR_OK) { return status; }
    double leg = mine->body.leg, heading = seat_heading(input);
    mine->seat = mine->to.middle = input->target.position;
    mine->to.middle.y += FLESH * leg - mine->ground;
    mine->height = mine->to.middle.y / leg;
    status = check_seat(input, mine, heading, error);
    if (status != FR_OK) { return status; }

    double farthest = seated_reach(mine), nearest = FEET_NEAREST * leg, before = FEET_BEFORE * leg;
    nearest = nearest < 0.5 * farthest ? nearest : 0.5 * farthest;
    before = before < 0.85 * farthest ? before : 0.85 * farthest;
    for (int side = 0; side < 2; side++) {
        const fr__walk_leg *foot = &mine->from.legs[side];
        fr_vec2 seen = seen_from(mine->to.middle, heading, foot->ankle);
        double out = seen.y * out_of(side);
        bool stands_well = is_flat(&mine->body, foot) && seen.x >= nearest && seen.x <= farthest &&
                           out >= FEET_NARROWEST * leg && out <= FEET_WIDEST * leg &&
                           fabs(fr__wrap(foot->heading - heading)) < fr_radians(40.0);
        if (stands_well) { continue; }
        fr_vec3 place = put_from(mine->to.middle, heading, before, out_of(side) * (mine->body.half + 0.03 * leg));
        mine->over.legs[side] = standing_leg(&mine->body, place, heading + fr_radians(TOES_OUT) * out_of(side));
        mine->steps[side] = 1.0;
    }
    plan_steps(mine);
    bool is_up = mine->from.middle.y > 0.85 * leg;
    if (mine->stepping > 0.0 && is_up) {
        fr__walk_figure stand;
        standing(input, &mine->body, &stand);
        mine->over.middle = over_feet(&stand, mine->over.legs, heading);
        double turn = fr__wrap(heading - fr__walk_hip_heading(&mine->from));
        mine->over.turns[FR__FIGURE_HIP] = fr_quat_multiply(fr__turn_y(turn), mine->from.turns[FR__FIGURE_HIP]);
    }
    seated_turns(mine, heading, mine->to.turns);
    return set_frames(input, mine, FR__SIT_DOWN, frames, error);
}

// Whether the feet can carry the body as they stand: flat, side by side, not too far before the hips.
static bool stands_well(const sit_state *mine, double heading) {
    double leg = mine->body.leg;
    fr_vec2 seen[2];
    for (int side = 0; side < 2; side++) {
        const fr__walk_leg *foot = &mine->from.legs[side];
        seen[side] = seen_from(mine->from.middle, heading, foot->ankle);
        double out = seen[side].y * out_of(side);
        if (!is_flat(&mine->body, foot) || fabs(seen[side].x) > 0.62 * leg || out < 0.02 * leg || out > 0.4 * leg ||
            fabs(fr__wrap(foot->heading - heading)) > fr_radians(50.0)) {
            return false;
        }
    }
    return fabs(seen[0].x - seen[1].x) < 0.2 * leg;
}

static fr_status stand_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                            fr_error *error) {
    sit_state *mine = state->bytes;
    fr_status status = read_body(input, mine, error);
    if (status != FR_OK) { return status; }
    fr__walk_figure stand;
    standing(input, &mine->body, &stand);
    double leg = mine->body.leg, heading = fr__walk_hip_heading(&mine->from);
    mine->height = mine->from.middle.y / leg;
    bool is_up = mine->from.middle.y > 0.85 * leg;
    if (!stands_well(mine, heading)) {
        fr_vec3 under = put_from(mine->from.middle, heading, is_up ? 0.0 : FEET_BEFORE * leg, 0.0);
        for (int side = 0; side < 2; side++) {
            const fr__walk_leg *usual = &stand.legs[side];
            fr_vec3 place = put_from(under, heading, usual->ankle.z - stand.middle.z, usual->ankle.x - stand.middle.x);
            mine->over.legs[side] = standing_leg(&mine->body, place, heading + usual->heading);
            mine->steps[side] = 1.0;
        }
    }
    plan_steps(mine);
    mine->to = stand;
    mine->to.middle = over_feet(&stand, mine->over.legs, heading);
    mine->to.turns[FR__FIGURE_HIP] = fr_quat_multiply(fr__turn_y(heading), stand.turns[FR__FIGURE_HIP]);
    return set_frames(input, mine, FR__STAND_UP, frames, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Going on

// One foot while it steps, at a part of the steps' time; before it and after it the foot stands.
static void step_foot(const sit_state *mine, int side, double time, fr__walk_leg *leg, uint8_t *contact) {
    const fr__walk_leg *from = &mine->from.legs[side], *to = &mine->over.legs[side];
    double begin = (int)mine->first == side ? 0.0 : mine->steps[1 - side];
    double part = mine->steps[side] > 0.0 ? (time - begin) / mine->steps[side] : 0.0;
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    double eased = fr__ease(part), up = 4.0 * part * (1.0 - part);
    leg->ankle = fr_vec3_lerp(from->ankle, to->ankle, eased);
    leg->ankle.y += LIFT * mine->body.leg * up * up;
    leg->heading = from->heading + eased * fr__wrap(to->heading - from->heading);
    leg->knee = from->knee + eased * fr__wrap(to->knee - from->knee);
    leg->pitch = (1.0 - eased) * from->pitch;
    bool is_down = part <= 0.0 ? is_flat(&mine->body, from) : part >= 1.0;
    *contact = is_down ? FR_CONTACT_HEEL | FR_CONTACT_TOE : 0;
}

// Middle, hips and legs of the body while its feet step, before the hips sink.
static void step_legs(const sit_state *mine, double time, fr__walk_figure *figure, uint8_t contacts[2]) {
    double part = fr__ease(time / mine->stepping);
    figure->middle = fr_vec3_lerp(mine->from.middle, mine->over.middle, part);
    figure->turns[FR__FIGURE_HIP] =
        fr__skill_between(mine->from.turns[FR__FIGURE_HIP], mine->over.turns[FR__FIGURE_HIP], part);
    for (int side = 0; side < 2; side++) {
        step_foot(mine, side, time, &figure->legs[side], &contacts[side]);
    }
}

// How much lower the hips must be at a look, so that both legs reach with some room.
static double need_at(int64_t look, void *context) {
    const sit_state *mine = context;
    double time = (double)look / DROP_RATE, spare = SPARE * mine->body.leg;
    fr__walk_figure figure;
    uint8_t contacts[2];
    step_legs(mine, time < 0.0 ? 0.0 : (time > mine->stepping ? mine->stepping : time), &figure, contacts);
    double left = fr__walk_need(&mine->body, &figure, FR__LEFT), right = fr__walk_need(&mine->body, &figure, FR__RIGHT);
    double need = left > right ? left : right;
    return need + spare * need / (need + spare);
}

// The hips sink before a leg would be stretched from one foot to the other, and rise again.
static void step_feet(sit_state *mine, double time, fr__walk_figure *figure, uint8_t contacts[2]) {
    double part = fr__ease(time / mine->stepping);
    step_legs(mine, time, figure, contacts);
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        if (i != FR__FIGURE_HIP) {
            figure->turns[i] = fr__skill_between(mine->from.turns[i], mine->over.turns[i], part);
        }
    }
    fr__walk_drops drops;
    fr__walk_drops_clear(&drops);
    double ends = fr__ease(time / DROP_SECONDS) * fr__ease((mine->stepping - time) / DROP_SECONDS);
    figure->middle.y -= ends * fr__walk_drops_at(&drops, time * DROP_RATE, DROP_WIDTH, need_at, mine);
}

// A foot that stands goes flat about the point that it stands on, and its knee turns towards its toes.
static void plant_foot(const sit_state *mine, int side, double time, fr__walk_leg *leg) {
    const fr__walk_leg *over = &mine->over.legs[side];
    fr__walk_print print = fr__walk_print_of(&mine->body, over);
    double left = 1.0 - fr__ease(time / 0.4), lift = fr__walk_sole(&mine->body, over);
    leg->heading = over->heading;
    leg->pitch = left * over->pitch;
    leg->ankle = fr__walk_planted(&mine->body, &print, leg->heading, leg->pitch);
    leg->ankle.y += left * lift;
    leg->knee = over->knee + fr__ease(time / JOIN_SECONDS) * fr__wrap(over->heading - over->knee);
}

static void move_hips(const sit_state *mine, fr__sit_motion motion, double time, fr__walk_figure *figure) {
    double up = fr__sit_part_at(motion, FR__SIT_HIPS_UP, mine->height, time);
    double forward = fr__sit_part_at(motion, FR__SIT_HIPS_FORWARD, mine->height, time);
    figure->middle = fr_vec3_lerp(mine->over.middle, mine->to.middle, forward);
    figure->middle.y = mine->over.middle.y + up * (mine->to.middle.y - mine->over.middle.y);

    fr_quat first[FR__FIGURE_TURNS], now[FR__FIGURE_TURNS];
    shape_turns(mine, motion, 0.0, first);
    shape_turns(mine, motion, time, now);
    double left = 1.0 - fr__ease(time / JOIN_SECONDS);
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        fr_quat began = fr_quat_multiply(mine->to.turns[i], first[i]);
        fr_quat lacks = fr_quat_multiply(fr_quat_conjugate(began), mine->over.turns[i]);
        figure->turns[i] = fr_quat_multiply(fr_quat_multiply(mine->to.turns[i], now[i]), scaled(lacks, left));
    }
}

static fr_status step_motion(const fr_skill_input *input, sit_state *mine, fr__sit_motion motion,
                             fr_skill_output *output) {
    double seconds = fr__skill_part(input) * (mine->stepping + fr__sit_duration(motion));
    fr__walk_figure figure;
    uint8_t contacts[2] = {FR_CONTACT_HEEL | FR_CONTACT_TOE, FR_CONTACT_HEEL | FR_CONTACT_TOE};
    if (seconds < mine->stepping) {
        step_feet(mine, seconds, &figure, contacts);
    } else {
        move_hips(mine, motion, seconds - mine->stepping, &figure);
        for (int side = 0; side < 2; side++) {
            plant_foot(mine, side, seconds - mine->stepping, &figure.legs[side]);
        }
    }
    fr__walk_pose(input->skeleton, &mine->body, &figure, &output->posture);
    output->posture.place.y += mine->ground;
    for (int side = 0; side < 2; side++) {
        if (contacts[side] != 0) { contacts[side] = fr__walk_contact_bits(figure.legs[side].pitch); }
    }
    output->posture.contact_left = contacts[FR__LEFT];
    output->posture.contact_right = contacts[FR__RIGHT];
    fr__skill_weigh_walk(input->skeleton, output->weights, output->posture.count);
    fr__skill_weigh_arm(input, output, FR_RIGHT, FR__WEIGHT_NORMAL);
    fr__skill_weigh_arm(input, output, FR_LEFT, FR__WEIGHT_NORMAL);
    return FR_OK;
}

// A seat that moves takes the hips along.
static fr_status sit_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                          fr_error *error) {
    (void)error;
    sit_state *mine = state->bytes;
    fr_vec3 moved = fr_vec3_sub(input->target.position, mine->seat);
    mine->to.middle = fr_vec3_add(mine->to.middle, moved);
    mine->seat = input->target.position;
    fr_status status = step_motion(input, mine, FR__SIT_DOWN, output);
    if (input->frame == input->frames) { fr__skill_emit(input, output, "seated", 0.0, 0.0); }
    return status;
}

static fr_status stand_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                            fr_error *error) {
    (void)error;
    return step_motion(input, state->bytes, FR__STAND_UP, output);
}

const fr_skill fr__skill_sit = {
    .name = "sit",
    .words = "sits down on a seat behind the body, feet on the ground, hands on the thighs",
    .needs = FR_FIELD_TARGET,
    .takes = FR_FIELD_OBJECT | FR_FIELD_FRAMES,
    .state_bytes = sizeof(sit_state),
    .may_read_walk = true,
    .init = sit_init,
    .step = sit_step,
};

const fr_skill fr__skill_stand = {
    .name = "stand",
    .words = "stands up where the feet are, from a seat or any other posture",
    .takes = FR_FIELD_FRAMES,
    .state_bytes = sizeof(sit_state),
    .may_read_walk = true,
    .init = stand_init,
    .step = stand_step,
};
