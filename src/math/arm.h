// How a point turns about an axis, written as its displacement, so that its rounding error shrinks with the angle and a
// far pivot does no harm: with r = x0 - c, unit axis k, angle f,
//
//     Rot(f k) r - r = sin f q - (1 - cos f) p,      p = r - k (k . r),  q = k x r      (Rodrigues)
//
//          q |   .            p points from the axis to the point, q along its path; both are as long as the point's
//            |  /             distance to the axis. On world axis i the point swings as p_i cos f + q_i sin f, with
//            | /f             amplitude sqrt(p_i^2 + q_i^2).
//        c --+------ p
//
// Errors, u = 2^-53, l = |r| (sum of the absolute coordinates in what follows, which is no smaller), for the exact
// doubles x0, c and turn, terms of order u^2 left to the slack of the bounds that use them:
//   angle   |turn|: squares and sums 3u, root 2.5u; times t: 3.5u f.          axis k: 3.5u a coordinate
//   r       u |r|          k . r: 3u + 3.5u + u = 7.5u l
//   p       u l + (7.5 + 3.5 + 1)u l + u l = 14.5u l at most                   q: (3.5 + 1 + 1)u l + u l = 6.5u l
// The sine and cosine of f/2 are within 1.5 ulp <= 3u of themselves, and 1.75u f for the angle's error:
//   sine    2 s c:   3.5 sqrt(2) u f + 14u |s c| <= 12u f      (|s c| = |sin f| / 2 <= f / 2)
//   versine 2 s^2:   7u f |s| + 14u s^2 <= 14u f               (|s| <= 1, |s| <= f / 2)
//   swing   sin f <= f, 1 - cos f <= f: 6.5 + 12 + 14.5 + 14 + 2 (products) + 2 (difference) = 51u f l
#ifndef FUREAI_MATH_ARM_H
#define FUREAI_MATH_ARM_H

#include "math/frame.h"

// |v| without under- or overflow, within 2.5u.
static inline double fr__length(fr_vec3 v) {
    double largest = fr_vec3_largest(v);
    if (largest < 0x1p-400) { return 0x1p-600 * fr_vec3_length(fr_vec3_scale(0x1p+600, v)); }
    if (largest > 0x1p+400) { return 0x1p+600 * fr_vec3_length(fr_vec3_scale(0x1p-600, v)); }
    return fr_vec3_length(v);
}

// A turn as unit axis and angle; a zero axis when there is none.
typedef struct fr__axis {
    fr_vec3 unit;
    double angle;
} fr__axis;

static inline fr__axis fr__axis_of_turn(fr_vec3 turn) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr__axis axis = {zero, fr__length(turn)};
    if (axis.angle > 0.0) { axis.unit = fr_vec3_unit(turn, zero); }
    return axis;
}

// Sine and 1 - cosine of the angle turned at t.
typedef struct fr__swing {
    double sine, versine;
} fr__swing;

static inline fr__swing fr__swing_at(double angle, double t) {
    double sine, cosine;
    fr_sincos(0.5 * (t * angle), &sine, &cosine);
    fr__swing swing = {2.0 * (sine * cosine), 2.0 * (sine * sine)};
    return swing;
}

// A point as the axis sees it.
typedef struct fr__arm {
    fr_vec3 across;  // p
    fr_vec3 tangent; // q
    double reach;    // l
} fr__arm;

static inline fr__arm fr__arm_make(const fr__axis *axis, fr_vec3 point, fr_vec3 pivot) {
    fr_vec3 r = fr_vec3_sub(point, pivot);
    fr__arm arm = {fr_vec3_add_scaled(r, -fr_vec3_dot(axis->unit, r), axis->unit), fr_vec3_cross(axis->unit, r),
                   fabs(r.x) + fabs(r.y) + fabs(r.z)};
    return arm;
}

// Rot(f k) r - r.
static inline fr_vec3 fr__arm_displacement(const fr__arm *arm, fr__swing swing) {
    fr_vec3 along = fr_vec3_scale(swing.sine, arm->tangent), across = fr_vec3_scale(swing.versine, arm->across);
    return fr_vec3_sub(along, across);
}

#endif
