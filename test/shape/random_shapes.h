// Random points and triangles for the tests of this folder.
#ifndef FUREAI_TEST_RANDOM_SHAPES_H
#define FUREAI_TEST_RANDOM_SHAPES_H

#include "fureai/shape.h"

static inline fr_vec3 random_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    double z = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, z);
}

static inline fr_vec3 random_whole_point(fr_random *random, int reach) {
    uint64_t span = (uint64_t)(2 * reach + 1);
    double x = (double)fr_random_below(random, span) - reach, y = (double)fr_random_below(random, span) - reach;
    double z = (double)fr_random_below(random, span) - reach;
    return fr_vec3_make(x, y, z);
}

// A triangle of one of the kinds that give tests trouble: plain, small, sliver, nearly or wholly a segment, a point.
static inline void random_triangle(fr_random *random, double reach, fr_vec3 t[3]) {
    for (int i = 0; i < 3; i++) {
        t[i] = random_point(random, reach);
    }
    uint64_t kind = fr_random_below(random, 8);
    double thin = kind == 4 ? 1e-5 : kind == 5 ? 1e-10 : 0.0;
    if (kind == 3) {
        for (int i = 1; i < 3; i++) {
            t[i] = fr_vec3_lerp(t[0], t[i], 1e-3);
        }
    } else if (kind >= 4 && kind <= 6) {
        fr_vec3 on_edge = fr_vec3_lerp(t[0], t[1], fr_random_between(random, -0.5, 1.5));
        t[2] = fr_vec3_add_scaled(on_edge, thin, t[2]);
    } else if (kind == 7 && fr_random_below(random, 4) == 0) {
        t[1] = t[2] = t[0];
    }
}

// The largest distance between two of the points.
static inline double spread_of(const fr_vec3 *points, int count) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            largest = fmax(largest, fr_vec3_distance(points[i], points[j]));
        }
    }
    return largest;
}

#endif
