// Vectors at random. One call a line: in which order arguments are found is a compiler's own business.
#ifndef FUREAI_TEST_RANDOM_VECTOR_H
#define FUREAI_TEST_RANDOM_VECTOR_H

#include "fureai/math.h"

// Anywhere in the box between two corners.
static inline fr_vec3 random_within(fr_random *random, fr_vec3 low, fr_vec3 high) {
    fr_vec3 v;
    v.z = fr_random_between(random, low.z, high.z);
    v.y = fr_random_between(random, low.y, high.y);
    v.x = fr_random_between(random, low.x, high.x);
    return v;
}

// Anywhere in the cube of that half edge about the origin.
static inline fr_vec3 random_about(fr_random *random, double half) {
    return random_within(random, fr_vec3_make(-half, -half, -half), fr_vec3_make(half, half, half));
}

// The same beside the z axis, at a height.
static inline fr_vec3 random_beside(fr_random *random, double half, double z) {
    fr_vec3 v = {0.0, 0.0, z};
    v.y = fr_random_between(random, -half, half);
    v.x = fr_random_between(random, -half, half);
    return v;
}

#endif
