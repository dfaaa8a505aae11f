// Feeling faces that hold an object. SHOWN is the god-object of RAW: a spring pulls the hand to it. SHOWN is known a
// few ten times a second; in between it goes with the hand along what the planes leave free, so that sliding is not
// felt as a spring to where the object was a picture ago. Away from a plane the pull is the spring's up to half the
// distance at which the plane lets go and falls to nothing there: the release is a detent, not a step.
#include "shown.h"

#include <math.h>

#define UNIT 1e-6     // of a normal's length
#define PARALLEL 1e-6 // of the product of normals

static const fr_vec3 zero = {0.0, 0.0, 0.0};

// e = sum of out[i] normals[i] plus a rest that is perpendicular to all of them. False where two are parallel.
static bool parts_of(const fr_haptic_hold *hold, fr_vec3 e, double out[FR_HAPTIC_PLANES]) {
    const fr_vec3 *n = hold->normals;
    if (hold->count == 1) { out[0] = fr_vec3_dot(n[0], e); }
    if (hold->count == 2) {
        double c = fr_vec3_dot(n[0], n[1]), d = 1.0 - c * c, a = fr_vec3_dot(n[0], e), b = fr_vec3_dot(n[1], e);
        if (!(d > PARALLEL)) { return false; }
        out[0] = (a - c * b) / d;
        out[1] = (b - c * a) / d;
    }
    if (hold->count == 3) {
        fr_vec3 yz = fr_vec3_cross(n[1], n[2]);
        double d = fr_vec3_dot(n[0], yz);
        if (!(d * d > PARALLEL)) { return false; }
        out[0] = fr_vec3_dot(e, yz) / d;
        out[1] = fr_vec3_dot(e, fr_vec3_cross(n[2], n[0])) / d;
        out[2] = fr_vec3_dot(e, fr_vec3_cross(n[0], n[1])) / d;
    }
    return true;
}

static bool is_placed(const fr_pose *pose) {
    fr_pose p = *pose;
    p.scale = 1.0;
    return fr_pose_check(&p, NULL) == FR_OK;
}

bool fr__haptic_is_hold(const fr_haptic_hold *hold) {
    if (hold->count > FR_HAPTIC_PLANES) { return false; }
    if (hold->count == 0) { return true; }
    for (uint32_t i = 0; i < hold->count; i++) {
        bool is_unit = fabs(fr_vec3_length(hold->normals[i]) - 1.0) <= UNIT;
        if (!is_unit || !(hold->thresholds[i] > 0.0)) { return false; }
    }
    double parts[FR_HAPTIC_PLANES];
    return is_placed(&hold->raw) && is_placed(&hold->shown) && parts_of(hold, zero, parts);
}

// The part of the spring's force that is left when a hand is pulled `away` metres from a plane.
static double detent(double away, double threshold) {
    if (away <= 0.5 * threshold) { return 1.0; }
    return away < threshold ? (threshold - away) / away : 0.0;
}

// What the planes leave free of a vector; the normals' parts of it go to `parts`.
static fr_vec3 free_of(const fr_haptic_hold *hold, fr_vec3 e, double parts[FR_HAPTIC_PLANES]) {
    parts_of(hold, e, parts);
    for (uint32_t i = 0; i < hold->count; i++) {
        e = fr_vec3_add_scaled(e, -parts[i], hold->normals[i]);
    }
    return e;
}

// One plane leaves the turn about its normal free, more leave none.
static fr_vec3 torque_of(const fr_haptic *h, const fr_haptic_hold *hold, const fr_haptic_input *in, fr_quat *rotation) {
    *rotation = hold->shown.rotation;
    if (hold->count == 1) {
        fr_vec3 since = fr_quat_to_vector(fr_quat_multiply(in->rotation, fr_quat_conjugate(hold->raw.rotation)));
        double twist = fr_vec3_dot(since, hold->normals[0]);
        *rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(twist, hold->normals[0])), *rotation);
    }
    fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(*rotation, fr_quat_conjugate(in->rotation)));
    return fr_vec3_add_scaled(fr_vec3_scale(h->def.turn_stiffness, off), -h->def.turn_damping, h->spin);
}

fr__wrench fr__haptic_shown(const fr_haptic *h, const fr_haptic_hold *hold, const fr_haptic_input *in, fr_vec3 *place,
                            fr_quat *rotation) {
    *place = in->tip;
    *rotation = in->has_rotation ? in->rotation : fr_quat_identity();
    if (hold->count == 0) { return (fr__wrench){zero, zero}; }

    double parts[FR_HAPTIC_PLANES], least = 1.0;
    fr_vec3 since = free_of(hold, fr_vec3_sub(in->tip, hold->raw.position), parts);
    *place = fr_vec3_add(hold->shown.position, since);
    fr_vec3 off = fr_vec3_sub(in->tip, *place), beside = free_of(hold, off, parts), pull = zero;
    for (uint32_t i = 0; i < hold->count; i++) {
        double left = detent(fr_vec3_dot(hold->normals[i], off), hold->thresholds[i]);
        pull = fr_vec3_add_scaled(pull, -left * parts[i], hold->normals[i]);
        least = fmin(least, left);
    }
    pull = fr_vec3_add_scaled(pull, -least, beside);
    fr__wrench w = {fr_vec3_scale(h->def.stiffness, pull), zero};
    w.force = fr_vec3_add_scaled(w.force, -h->def.damping, h->velocity);
    if (in->has_rotation) { w.torque = fr_vec3_scale(least, torque_of(h, hold, in, rotation)); }
    return w;
}
