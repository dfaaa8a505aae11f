// Random vectors, rotations, poses and motions for the tests of room math, and the motion in long double as its oracle.
#ifndef FUREAI_TEST_MATH_SAMPLE_H
#define FUREAI_TEST_MATH_SAMPLE_H

#include "fureai/math.h"

#include <string.h>

static inline double sample_signed(fr_random *random) { return fr_random_between(random, -1.0, 1.0); }

// A power of two from 2^low to 2^high.
static inline double sample_power(fr_random *random, int low, int high) {
    return ldexp(1.0, low + (int)fr_random_below(random, (uint64_t)(high - low + 1)));
}

// Any finite double: every exponent, subnormal ones included.
static inline double sample_double(fr_random *random) {
    for (;;) {
        uint64_t bits = fr_random_bits(random);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) { return x; }
    }
}

static inline fr_vec3 sample_vector(fr_random *random, double reach) {
    double x = sample_signed(random), y = sample_signed(random), z = sample_signed(random);
    return fr_vec3_make(reach * x, reach * y, reach * z);
}

static inline fr_vec3 sample_direction(fr_random *random) {
    for (;;) {
        fr_vec3 v = sample_vector(random, 1.0);
        double n2 = fr_vec3_length_squared(v);
        if (n2 > 0.01 && n2 <= 1.0) { return fr_vec3_unit(v, v); }
    }
}

// Of any length.
static inline fr_quat sample_quat(fr_random *random) {
    double w = sample_signed(random), x = sample_signed(random), y = sample_signed(random), z = sample_signed(random);
    fr_quat q = {w, x, y, z};
    return q;
}

// Uniform among rotations.
static inline fr_quat sample_rotation(fr_random *random) {
    for (;;) {
        fr_quat q = sample_quat(random);
        double n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (n2 < 0.01 || n2 > 1.0) { continue; }
        double n = sqrt(n2);
        fr_quat unit = {q.w / n, q.x / n, q.y / n, q.z / n};
        (void)fr_quat_normalize(&unit, NULL);
        return unit;
    }
}

static inline fr_pose sample_pose(fr_random *random, double reach) {
    fr_quat rotation = sample_rotation(random);
    return fr_pose_make(sample_vector(random, reach), rotation);
}

static inline double length_of_quat_difference(fr_quat a, fr_quat b) {
    double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(w * w + x * x + y * y + z * z);
}

// Distance of the rotations' quaternions, the nearer of b and -b.
static inline double rotation_distance(fr_quat a, fr_quat b) {
    fr_quat minus = {-b.w, -b.x, -b.y, -b.z};
    double plus_distance = length_of_quat_difference(a, b), minus_distance = length_of_quat_difference(a, minus);
    return plus_distance < minus_distance ? plus_distance : minus_distance;
}

typedef struct long_vec3 {
    long double x, y, z;
} long_vec3;

static inline long double long_distance(long_vec3 a, fr_vec3 b) {
    long double x = a.x - (long double)b.x, y = a.y - (long double)b.y, z = a.z - (long double)b.z;
    return sqrtl(x * x + y * y + z * z);
}

// R(q/|q|) (s v) + p, at least 64 bits of mantissa.
static inline long_vec3 long_pose_apply(const fr_pose *pose, fr_vec3 v) {
    long double w = pose->rotation.w, x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z;
    long double f = 2.0L / (w * w + x * x + y * y + z * z), s = pose->scale;
    long double vx = s * v.x, vy = s * v.y, vz = s * v.z;
    long_vec3 out = {vx - f * ((y * y + z * z) * vx - (x * y - w * z) * vy - (x * z + w * y) * vz) + pose->position.x,
                     vy - f * ((x * x + z * z) * vy - (x * y + w * z) * vx - (y * z - w * x) * vz) + pose->position.y,
                     vz - f * ((x * x + y * y) * vz - (x * z - w * y) * vx - (y * z + w * x) * vy) + pose->position.z};
    return out;
}

// x(t) as the header defines it, on the doubles x0 and c.
static inline long_vec3 long_motion_point(const fr_motion *motion, fr_vec3 point_local, double t) {
    fr_vec3 x0 = fr_pose_apply(&motion->start, point_local), c = fr_pose_apply(&motion->start, motion->pivot_local);
    long double rx = (long double)x0.x - c.x, ry = (long double)x0.y - c.y, rz = (long double)x0.z - c.z;
    long double kx = motion->turn.x, ky = motion->turn.y, kz = motion->turn.z;
    long double angle = sqrtl(kx * kx + ky * ky + kz * kz);
    long_vec3 out = {x0.x + t * (long double)motion->travel.x, x0.y + t * (long double)motion->travel.y,
                     x0.z + t * (long double)motion->travel.z};
    if (angle == 0.0L) { return out; }
    kx /= angle, ky /= angle, kz /= angle;
    long double dot = kx * rx + ky * ry + kz * rz;
    long double sine = sinl(angle * t), half = sinl(0.5L * angle * t), versine = 2.0L * half * half;
    out.x += sine * (ky * rz - kz * ry) - versine * (rx - kx * dot);
    out.y += sine * (kz * rx - kx * rz) - versine * (ry - ky * dot);
    out.z += sine * (kx * ry - ky * rx) - versine * (rz - kz * dot);
    return out;
}

#endif
