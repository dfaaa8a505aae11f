// Screws: checks, the screw between two poses, and points moved by it.
#include "fureai/sector.h"

fr_status fr_screw_check(fr_screw *screw, fr_error *error) {
    if (!fr_vec3_is_finite(screw->point) || !fr_vec3_is_finite(screw->axis) || !isfinite(screw->angle) ||
        !isfinite(screw->slide)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of the screw is not finite");
    }
    if (fabs(screw->angle) > FR_TURN_MAX) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the screw turns by more than 2^20 radians");
    }
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = fr_vec3_unit(screw->axis, zero);
    if (fr_vec3_equal(axis, zero)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the screw's axis is zero"); }
    screw->axis = axis;
    return FR_OK;
}

bool fr_screw_between(const fr_pose *a, const fr_pose *b, fr_screw *out) {
    fr_motion motion = fr_motion_screw_between(a, b);
    double angle = fr_vec3_length(motion.turn);
    if (!(angle >= 1e-6)) { return false; }
    fr_vec3 axis = fr_vec3_scale(1.0 / angle, motion.turn);
    *out = (fr_screw){fr_pose_apply(a, motion.pivot_local), axis, angle, fr_vec3_dot(motion.travel, axis)};
    return true;
}

fr_vec3 fr_screw_apply(const fr_screw *screw, fr_vec3 point, double t) {
    fr_vec3 d = fr_vec3_sub(point, screw->point);
    double along = fr_vec3_dot(d, screw->axis), sine, cosine;
    fr_vec3 across = fr_vec3_add_scaled(d, -along, screw->axis);
    fr_sincos(t * screw->angle, &sine, &cosine);
    fr_vec3 x = fr_vec3_add_scaled(screw->point, along + t * screw->slide, screw->axis);
    x = fr_vec3_add_scaled(x, cosine, across);
    return fr_vec3_add_scaled(x, sine, fr_vec3_cross(screw->axis, across));
}
