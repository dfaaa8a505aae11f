// The curve of a planned reach: rotation vectors from a middle posture, interpolated through knots by cubics with a
// continuous derivative, so that no joint jumps and no inverse kinematics is needed in a frame.
#include "human/reach_plan.h"

#include "posture.h"

#include <math.h>
#include <string.h>

#define FRAME_RATE 60.0 // frames a second that the natural duration is judged by
#define JUMP_MAX 2.0    // radians a second by which a joint's velocity may change from frame to frame
#define DURATION_MAX 6.0
#define LIMIT_SLACK 1e-6 // radians that an end of a reach may be beyond a limit by

static fr_quat shorter(fr_quat q) { return q.w < 0.0 ? (fr_quat){-q.w, -q.x, -q.y, -q.z} : q; }

static fr_vec3 vector_from(fr_quat from, fr_quat to) {
    return fr_quat_to_vector(shorter(fr__quat_product(fr_quat_conjugate(from), to)));
}

fr_quat fr__turn_between(fr_quat a, fr_quat b, double part) {
    return fr__quat_product(a, fr_quat_from_vector(fr_vec3_scale(part, vector_from(a, b))));
}

// ---------------------------------------------------------------------------------------------------------------
// The curve

// The derivative at a knot: that of the parabola through it and its neighbours.
static fr_vec3 slope_at(const fr_reach_plan *plan, uint32_t knot, uint32_t link) {
    uint32_t last = plan->knot_count - 1;
    uint32_t i = knot == 0 ? 1 : knot == last ? last - 1 : knot; // the middle of the three
    if (last == 1) { return fr_vec3_sub(plan->knots[1][link], plan->knots[0][link]); }
    double before = plan->params[i] - plan->params[i - 1], after = plan->params[i + 1] - plan->params[i];
    fr_vec3 first = fr_vec3_scale(1.0 / before, fr_vec3_sub(plan->knots[i][link], plan->knots[i - 1][link]));
    fr_vec3 second = fr_vec3_scale(1.0 / after, fr_vec3_sub(plan->knots[i + 1][link], plan->knots[i][link]));
    fr_vec3 slope =
        fr_vec3_add(fr_vec3_scale(after / (before + after), first), fr_vec3_scale(before / (before + after), second));
    if (knot == i) { return slope; }
    fr_vec3 chord = knot == 0 ? first : second;
    return fr_vec3_sub(fr_vec3_scale(2.0, chord), slope);
}

static fr_vec3 curve_at(const fr_reach_plan *plan, uint32_t link, double u) {
    uint32_t i = 0;
    while (i + 2 < plan->knot_count && u > plan->params[i + 1]) {
        i++;
    }
    double h = plan->params[i + 1] - plan->params[i], t = (u - plan->params[i]) / h;
    double t2 = t * t, t3 = t2 * t;
    fr_vec3 out = fr_vec3_scale(2.0 * t3 - 3.0 * t2 + 1.0, plan->knots[i][link]);
    out = fr_vec3_add_scaled(out, 3.0 * t2 - 2.0 * t3, plan->knots[i + 1][link]);
    out = fr_vec3_add_scaled(out, h * (t3 - 2.0 * t2 + t), slope_at(plan, i, link));
    return fr_vec3_add_scaled(out, h * (t3 - t2), slope_at(plan, i + 1, link));
}

static fr_quat turn_at(const fr_reach_plan *plan, uint32_t link, double u) {
    return fr__quat_product(plan->middles[link], fr_quat_from_vector(curve_at(plan, link, u)));
}

fr__arm_turns fr__reach_plan_at(const fr_skeleton *skeleton, const fr_reach_plan *plan, double u) {
    fr__arm_turns out;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        out.turns[i] = i == 0 && !plan->has_lean ? plan->middles[0] : turn_at(plan, i, u);
        if ((plan->limited >> i & 1u) != 0 && (i > 0 || plan->has_lean)) {
            out.turns[i] = fr_skeleton_clamp(skeleton, plan->links[i], out.turns[i]);
        }
    }
    return out;
}

double fr__reach_plan_excess(const fr_skeleton *skeleton, const fr_reach_plan *plan, double u) {
    double sum = 0.0;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        if ((plan->limited >> i & 1u) == 0) { continue; }
        sum += fr_skeleton_excess(skeleton, plan->links[i], turn_at(plan, i, u));
    }
    return sum;
}

void fr_reach_plan_apply(const fr_skeleton *skeleton, const fr_reach_plan *plan, double time, fr_posture *posture) {
    fr__arm_turns arm = fr__reach_plan_at(skeleton, plan, fr_reach_progress(time));
    for (uint32_t i = plan->has_lean ? 0 : 1; i < FR_REACH_LINKS; i++) {
        posture->turns[plan->links[i]] = arm.turns[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Its knots and its duration

double fr__arm_change(const fr__arm_turns *a, const fr__arm_turns *b) {
    double sum = 0.0;
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        sum += fr_vec3_length_squared(vector_from(a->turns[i], b->turns[i]));
    }
    return sqrt(sum);
}

// The greatest change of a joint's velocity from frame to frame.
static double velocity_jump(const fr_skeleton *skeleton, const fr_reach_plan *plan) {
    uint32_t frames = (uint32_t)(plan->seconds * FRAME_RATE) + 1;
    fr_vec3 before[FR_REACH_LINKS] = {{0}};
    fr__arm_turns last = fr__reach_plan_at(skeleton, plan, 0.0);
    double most = 0.0;
    for (uint32_t k = 1; k <= frames + 1; k++) {
        fr__arm_turns now = fr__reach_plan_at(skeleton, plan, fr_reach_progress((double)k / frames));
        for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
            fr_vec3 velocity = fr_vec3_scale(FRAME_RATE, vector_from(last.turns[i], now.turns[i]));
            double jump = fr_vec3_distance(velocity, before[i]);
            most = jump > most ? jump : most;
            before[i] = velocity;
        }
        last = now;
    }
    return most;
}

void fr__reach_plan_make(const fr_skeleton *skeleton, const fr__arm_turns *knots, uint32_t count, fr_reach_plan *plan) {
    plan->knot_count = count;
    plan->limited = 0;
    double length = 0.0;
    plan->params[0] = 0.0;
    for (uint32_t k = 1; k < count; k++) {
        length += fr__arm_change(&knots[k - 1], &knots[k]) + 1e-3; // equal knots stay apart
        plan->params[k] = length;
    }
    for (uint32_t k = 1; k < count; k++) {
        plan->params[k] = k + 1 == count ? 1.0 : plan->params[k] / length;
    }
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        fr_quat first = knots[0].turns[i], last = knots[count - 1].turns[i];
        fr_vec3 half = fr_vec3_scale(0.5, vector_from(first, last));
        bool is_still = i == 0 && memcmp(&first, &last, sizeof first) == 0;
        plan->middles[i] = is_still ? first : fr__quat_product(first, fr_quat_from_vector(half));
        if (i == 0) { plan->has_lean = !is_still; }
        for (uint32_t k = 0; k < count; k++) {
            plan->knots[k][i] = vector_from(plan->middles[i], knots[k].turns[i]);
        }
        if (fr_skeleton_excess(skeleton, plan->links[i], first) <= LIMIT_SLACK &&
            fr_skeleton_excess(skeleton, plan->links[i], last) <= LIMIT_SLACK) {
            plan->limited |= 1u << i;
        }
    }
}

void fr__reach_plan_set_duration(const fr_skeleton *skeleton, fr_reach_plan *plan, double distance) {
    plan->seconds = fr_reach_duration(distance);
    double jump = velocity_jump(skeleton, plan);
    if (jump > JUMP_MAX) { plan->seconds *= sqrt(jump / JUMP_MAX); }
    if (plan->seconds > DURATION_MAX) { plan->seconds = DURATION_MAX; }
}
