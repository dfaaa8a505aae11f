// Unit vectors that are right over the whole range of doubles.
#include "fureai/math.h"

// a times a power of two such that its largest coordinate is in [1/2, 1): exact, but for coordinates some 2^1000 times
// smaller than the largest.
static fr_vec3 scale_to_one(fr_vec3 a) {
    int exponent;
    (void)frexp(fr_vec3_largest(a), &exponent);
    return fr_vec3_make(ldexp(a.x, -exponent), ldexp(a.y, -exponent), ldexp(a.z, -exponent));
}

fr_vec3 fr_vec3_unit(fr_vec3 a, fr_vec3 fallback) {
    if (!fr_vec3_is_finite(a)) { return fallback; }
    double length_squared = fr_vec3_length_squared(a);

    // Outside this range a square may have lost bits. Inside it, a square that underflows is 2^-374 times the sum and
    // would not have changed it: both branches give the same bits.
    if (!(length_squared >= 0x1p-700 && length_squared <= 0x1p+1000)) {
        if (fr_vec3_largest(a) == 0.0) { return fallback; }
        a = scale_to_one(a);
        length_squared = fr_vec3_length_squared(a);
    }
    double length = sqrt(length_squared);
    return fr_vec3_make(a.x / length, a.y / length, a.z / length);
}

fr_vec3 fr_vec3_perpendicular(fr_vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);

    // Across the axis of the smallest coordinate: the cross product is then at least sqrt(2/3) long.
    fr_vec3 across;
    if (x <= y && x <= z) {
        across = fr_vec3_make(0.0, a.z, -a.y);
    } else if (y <= z) {
        across = fr_vec3_make(-a.z, 0.0, a.x);
    } else {
        across = fr_vec3_make(a.y, -a.x, 0.0);
    }
    return fr_vec3_unit(across, fr_vec3_make(1.0, 0.0, 0.0));
}

// ---------------------------------------------------------------------------------------------------------------
// Directions on an octahedron, whose lower half is folded out around the upper one

#define OCTAHEDRON_ONE 32767.0

static double sign_of(double value) { return value < 0.0 ? -1.0 : 1.0; }

static uint32_t pack_one(double value) { return (uint32_t)(uint16_t)(int16_t)floor(value * OCTAHEDRON_ONE + 0.5); }

static double unpack_one(uint32_t bits) {
    int32_t value = (int32_t)(bits & 0xffffu) - (bits & 0x8000u ? 0x10000 : 0);
    return (double)value / OCTAHEDRON_ONE;
}

uint32_t fr_direction_pack(fr_vec3 direction) {
    fr_vec3 d = fr_vec3_unit(direction, fr_vec3_make(0.0, 0.0, 0.0));
    double sum = fabs(d.x) + fabs(d.y) + fabs(d.z);
    if (sum == 0.0) { return FR_DIRECTION_NONE; }
    double u = d.x / sum, v = d.y / sum;
    if (d.z < 0.0) {
        double folded = (1.0 - fabs(v)) * sign_of(u);
        v = (1.0 - fabs(u)) * sign_of(v);
        u = folded;
    }
    return pack_one(u) | pack_one(v) << 16;
}

fr_vec3 fr_direction_unpack(uint32_t packed) {
    if (packed == FR_DIRECTION_NONE) { return fr_vec3_make(0.0, 0.0, 0.0); }
    double u = unpack_one(packed), v = unpack_one(packed >> 16), z = 1.0 - fabs(u) - fabs(v);
    if (z < 0.0) {
        double folded = (1.0 - fabs(v)) * sign_of(u);
        v = (1.0 - fabs(u)) * sign_of(v);
        u = folded;
    }
    return fr_vec3_unit(fr_vec3_make(u, v, z), fr_vec3_make(0.0, 0.0, 1.0));
}
