// The nearest pair of points so far, and the inner candidate of two segments.
#ifndef FUREAI_SHAPE_SEGMENT_H
#define FUREAI_SHAPE_SEGMENT_H

#include "fureai/shape.h"

typedef struct fr__segment_nearest {
    fr_vec3 on_a, on_b;
    double distance_squared;
} fr__segment_nearest;

static inline fr__segment_nearest fr__nearest_none(void) {
    fr__segment_nearest none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, INFINITY};
    return none;
}

static inline void fr__nearest_offer(fr__segment_nearest *nearest, fr_vec3 on_a, fr_vec3 on_b) {
    double distance_squared = fr_vec3_length_squared(fr_vec3_sub(on_b, on_a));
    if (distance_squared < nearest->distance_squared) {
        nearest->on_a = on_a;
        nearest->on_b = on_b;
        nearest->distance_squared = distance_squared;
    }
}

// The points of two segments closest to each other where these lie between the ends of both; false where they do not,
// by rounded arithmetic, and then an end of one is closest.
bool fr__segment_inner_pair(const fr_vec3 a[2], const fr_vec3 b[2], fr_vec3 *on_a, fr_vec3 *on_b);

#endif
