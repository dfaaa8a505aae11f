// Three corners at once: the helpers of kernels that compare two triangles.
#ifndef FUREAI_SHAPE_CORNER_LANES_H
#define FUREAI_SHAPE_CORNER_LANES_H

#include "fureai/math.h"
#include "math/wide.h"

// A vector of each corner, the last one twice.
typedef struct corners {
    fr__d4 x, y, z;
} corners;

static inline corners load_corners(const fr_vec3 *p0, const fr_vec3 *p1, const fr_vec3 *p2) {
    corners c;
    fr__d4_gather(&p0->x, &p1->x, &p2->x, &p2->x, &c.x, &c.y, &c.z);
    return c;
}

static inline void store_corners(const corners *c, fr_vec3 out[4]) {
    fr__d4 r[3];
    fr__d4_to_points(c->x, c->y, c->z, &r[0], &r[1], &r[2]);
    for (int i = 0; i < 3; i++) {
        fr__d4_store((double *)out + 4 * i, r[i]);
    }
}

// The same vector for all corners.
static inline corners splat_corner(fr_vec3 p) {
    return (corners){fr__d4_splat(p.x), fr__d4_splat(p.y), fr__d4_splat(p.z)};
}

// a + s b, lane by lane.
static inline fr__d4 add_scaled(fr__d4 a, fr__d4 s, fr__d4 b) { return fr__d4_add(a, fr__d4_mul(s, b)); }

static inline corners add_corners(const corners *a, fr__d4 s, const corners *b) {
    return (corners){add_scaled(a->x, s, b->x), add_scaled(a->y, s, b->y), add_scaled(a->z, s, b->z)};
}

static inline corners sub_corners(const corners *a, const corners *b) {
    return (corners){fr__d4_sub(a->x, b->x), fr__d4_sub(a->y, b->y), fr__d4_sub(a->z, b->z)};
}

static inline fr__d4 dot_corners(const corners *a, const corners *b) {
    return fr__d4_add(fr__d4_add(fr__d4_mul(a->x, b->x), fr__d4_mul(a->y, b->y)), fr__d4_mul(a->z, b->z));
}

static inline corners cross_corners(const corners *a, const corners *b) {
    return (corners){fr__d4_sub(fr__d4_mul(a->y, b->z), fr__d4_mul(a->z, b->y)),
                     fr__d4_sub(fr__d4_mul(a->z, b->x), fr__d4_mul(a->x, b->z)),
                     fr__d4_sub(fr__d4_mul(a->x, b->y), fr__d4_mul(a->y, b->x))};
}

// The largest coordinate of each.
static inline fr__d4 largest_coordinates(const corners *c) {
    return fr__d4_max(fr__d4_max(fr__d4_abs(c->x), fr__d4_abs(c->y)), fr__d4_abs(c->z));
}

#endif
