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

fr_status fr__mover_step_off(const fr__step_off *step, fr_pose *pose, bool *is_free, fr_error *error) {
    fr_pose off = *pose;
    *is_free = false;
    for (uint32_t round = 0; round < step->rounds && !*is_free; round++) {
        fr_vec3 normals[3];
        double depths[3] = {0.0, 0.0, 0.0};
        uint32_t count = step->touched(normals, depths, step->context);
        if (count == 0) { return FR_OK; }
        for (uint32_t i = 0; i < count; i++) {
            off.position = fr_vec3_add_scaled(off.position, -(depths[i] + step->gap), normals[i]);
        }
        fr_status status = step->is_free(&off, is_free, step->context, error);
        if (status != FR_OK) { return status; }
    }
    if (*is_free) { *pose = off; }
    return FR_OK;
}
