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
