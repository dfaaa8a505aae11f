// Lets a walk begin at the body's posture and velocity.
//
// Every number that the body lacks from the plan is o with the speed v, and o(u) = (1 - u)^3 (o + u (3 o + T v)) is
// what is left after the part u of the time T. Turns lack a rotation vector. A foot that stands lacks only its pitch,
// about the point on which it stands.
#include "human/walk_fade.h"

#include "human/walk_set.h"

// Below this height a sole is on the ground, metres.
static const double ON_GROUND = 1e-4;

double fr__walk_lack_left(const fr__walk_lack *lack, double u, double frames) {
    double s = 1.0 - u;
    return u >= 1.0 ? 0.0 : s * s * s * (lack->value + u * (3.0 * lack->value + frames * lack->speed));
}

static fr_vec3 vector_left(fr_vec3 value, fr_vec3 speed, double u, double frames) {
    double s = 1.0 - u, cube = s * s * s;
    return fr_vec3_add_scaled(fr_vec3_scale(cube * (1.0 + 3.0 * u), value), cube * u * frames, speed);
}

// The rotation vector from a to b, by the shorter turn, in the axes of a.
static fr_vec3 turn_between(fr_quat a, fr_quat b) {
    return fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a), b));
}

static fr__walk_lack lack_of(double is, double is_speed, double plan, double plan_speed) {
    return (fr__walk_lack){is - plan, is_speed - plan_speed};
}

static void set_leg(const fr__walk_body *body, const fr__walk_pair *is, const fr__walk_pair *plan, int side,
                    fr__walk_leg_fade *fade) {
    const fr__walk_leg *before = &is->first.legs[side], *now = &is->second.legs[side];
    const fr__walk_leg *last = &plan->first.legs[side], *begin = &plan->second.legs[side];
    fade->pitch = lack_of(now->pitch, (now->pitch - before->pitch) / is->step, begin->pitch,
                          (begin->pitch - last->pitch) / plan->step);
    fade->knee = lack_of(fr__wrap(now->knee - begin->knee), fr__wrap(now->knee - before->knee) / is->step, 0.0,
                         fr__wrap(begin->knee - last->knee) / plan->step);
    double lift = plan->contacts[side] != 0 ? fr__walk_sole(body, now) - fr__walk_sole(body, begin) : 0.0;
    fade->lift = (fr__walk_lack){lift > ON_GROUND ? lift : 0.0, 0.0};
}

void fr__walk_fade_set(fr__walk_fade *fade, const fr__walk_body *body, const fr__walk_pair *is,
                       const fr__walk_pair *plan, double begin) {
    fade->begin = begin;
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        fr_vec3 is_turn = turn_between(is->first.turns[i], is->second.turns[i]);
        fr_vec3 plan_turn = turn_between(plan->first.turns[i], plan->second.turns[i]);
        fade->turns[i] = turn_between(plan->second.turns[i], is->second.turns[i]);
        fade->turn_speeds[i] =
            fr_vec3_sub(fr_vec3_scale(1.0 / is->step, is_turn), fr_vec3_scale(1.0 / plan->step, plan_turn));
    }
    fr_vec3 is_travel = fr_vec3_sub(is->second.middle, is->first.middle);
    fr_vec3 plan_travel = fr_vec3_sub(plan->second.middle, plan->first.middle);
    fade->middle = fr_vec3_sub(is->second.middle, plan->second.middle);
    fade->middle_speed =
        fr_vec3_sub(fr_vec3_scale(1.0 / is->step, is_travel), fr_vec3_scale(1.0 / plan->step, plan_travel));
    for (int side = 0; side < 2; side++) {
        set_leg(body, is, plan, side, &fade->legs[side]);
    }
}

double fr__walk_fade_arms(const fr__walk_fade *fade) {
    double far = 0.0;
    for (int i = FR__FIGURE_UPPER_ARM; i < FR__FIGURE_TURNS; i++) {
        double turn = fr_vec3_length(fade->turns[i]);
        far = turn > far ? turn : far;
    }
    return far;
}

// The pitch of a foot that stands fades about its heel or toes; in the air the ankle moves as it would there.
static void fade_leg(const fr__walk_fade *fade, const fr__walk_body *body, int side, double time, fr__walk_leg *leg,
                     uint8_t *contact) {
    const fr__walk_leg_fade *lacks = &fade->legs[side];
    double u = (time - fade->begin) / fade->leg_frames;
    if (!(u < 1.0)) { return; }
    fr__walk_print print = fr__walk_print_of(body, leg);
    fr_vec3 before = fr__walk_planted(body, &print, leg->heading, leg->pitch);
    leg->pitch += fr__walk_lack_left(&lacks->pitch, u, fade->leg_frames);
    fr_vec3 after = fr__walk_planted(body, &print, leg->heading, leg->pitch);
    double lift = fr__walk_lack_left(&lacks->lift, u, fade->leg_frames);
    leg->ankle = fr_vec3_add(leg->ankle, fr_vec3_sub(after, before));
    leg->ankle.y += lift;
    if (*contact != 0) { *contact = lift > ON_GROUND ? 0 : fr__walk_contact_bits(leg->pitch); }
    if (*contact == 0) {
        double low = fr__walk_sole(body, leg);
        leg->ankle.y -= low < 0.0 ? low : 0.0;
    }
}

void fr__walk_fade_apply(const fr__walk_fade *fade, const fr__walk_body *body, double time, fr__walk_figure *figure,
                         uint8_t contacts[2]) {
    if (!(fade->frames > 0.0 && time >= fade->begin)) { return; }
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        double frames = i < FR__FIGURE_UPPER_ARM ? fade->frames : fade->arm_frames,
               part = (time - fade->begin) / frames;
        if (!(part < 1.0)) { continue; }
        fr_vec3 left = vector_left(fade->turns[i], fade->turn_speeds[i], part, frames);
        figure->turns[i] = fr_quat_multiply(figure->turns[i], fr_quat_from_vector(left));
    }
    double u = (time - fade->begin) / fade->frames;
    if (!(u < 1.0)) { return; }
    fr_vec3 left = vector_left(fade->middle, fade->middle_speed, u, fade->frames);
    figure->middle = fr_vec3_add(figure->middle, left);
    for (int side = 0; side < 2; side++) {
        fr__walk_leg *leg = &figure->legs[side];
        leg->knee += fr__walk_lack_left(&fade->legs[side].knee, u, fade->frames);
        fade_leg(fade, body, side, time, leg, &contacts[side]);
    }
}
