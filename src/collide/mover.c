// The loop of every body that moves among others: a leg goes until something stops it, backs off a little, and the next
// leg leads along what stopped it. Rooms give the deflection.
#include "collide/mover.h"

#include <string.h>

double fr__stop_part(const fr_move_output *move, const fr__stop_rule *rule) {
    if (!move->is_hit) { return 1.0; }
    double backed_off = move->free_time - rule->back_off / fmax(rule->length, 1e-300);
    return fmax(rule->min_share * move->free_time, backed_off);
}

fr_status fr__mover_run(const fr__mover_def *mover, fr_error *error) {
    fr__leg leg;
    memset(&leg, 0, sizeof leg);
    for (; leg.number < mover->max_legs && !leg.is_last; leg.number++) {
        fr_status status = mover->deflect(&leg, mover->context, error);
        if (status != FR_OK || leg.is_last) { return status; }
        status = mover->check(&leg, mover->context, error);
        if (status != FR_OK) { return status; }
        leg.part = fr__stop_part(&leg.move, &leg.rule);
        leg.pose = leg.part >= 1.0 ? leg.end : fr_motion_pose(&leg.motion, leg.part);
        status = mover->arrive(&leg, mover->context, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// A normal counts for a step off that leads away from it by so much of its length.
#define MIN_LEAD 0.1

// A step off, and how deep the body was in what it touched, added up over its rounds.
typedef struct step_path {
    fr_pose from, to;
    double depth;
} step_path;

// How long a step off may be in what the body touches at its beginning: until it has left that by the depth and by the
// tolerance.
static double length_inside(const fr__step_off *step, double depth, const fr_contact *contacts, uint32_t count,
                            fr_vec3 along) {
    double longest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double lead = -fr_vec3_dot(contacts[i].normal, along);
        if (lead >= MIN_LEAD) { longest = fmax(longest, (depth + 2.0 * step->tolerance) / lead); }
    }
    return longest;
}

// Whether nothing but what is touched at its beginning is touched on a step off. Seen backwards, from where the body is
// free, the first contact must come so late that it is that one.
static fr_status is_step_clear(const fr__step_off *step, const step_path *path, bool *is_clear, fr_error *error) {
    fr_motion still = fr_motion_still(&path->from), back = fr_motion_still(&path->to);
    back.travel = fr_vec3_sub(path->from.position, path->to.position);
    double length = fr_vec3_length(back.travel), inside = 0.0;
    fr_vec3 along = fr_vec3_scale(-1.0 / length, back.travel);
    fr_move_output start, move;
    const fr_contact *contacts;
    *is_clear = false;
    fr_status status = step->meet(&still, &start, &contacts, step->context, error);
    if (status != FR_OK) { return status; }
    if (start.is_hit) { inside = length_inside(step, path->depth, contacts, start.contact_count, along); }
    status = step->meet(&back, &move, &contacts, step->context, error);
    if (status != FR_OK) { return status; }
    // What is touched last has the surest normal.
    if (start.is_hit && move.is_hit) { inside = fmax(inside, length_inside(step, path->depth, &move.first, 1, along)); }
    *is_clear = !move.is_hit || (1.0 - move.free_time) * length <= inside;
    return FR_OK;
}

fr_status fr__mover_step_off(const fr__step_off *step, fr_pose *pose, bool *is_free, fr_error *error) {
    fr_pose off = *pose;
    double depth = 0.0;
    *is_free = false;
    for (uint32_t round = 0; round < step->rounds && !*is_free; round++) {
        fr_vec3 normals[3];
        double depths[3] = {0.0, 0.0, 0.0};
        uint32_t count = step->touched(normals, depths, step->context);
        if (count == 0) { return FR_OK; }
        double deepest = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            off.position = fr_vec3_add_scaled(off.position, -(depths[i] + step->gap), normals[i]);
            deepest = fmax(deepest, depths[i] - step->margin);
        }
        depth += deepest;
        fr_status status = step->is_free(&off, is_free, step->context, error);
        if (status != FR_OK) { return status; }
    }
    if (!*is_free) { return FR_OK; }
    const step_path path = {*pose, off, depth};
    fr_status status = is_step_clear(step, &path, is_free, error);
    if (status == FR_OK && *is_free) { *pose = off; }
    return status;
}
