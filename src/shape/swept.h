// One, two or three points that move over a step, prepared for their positions and velocities at any time.
//
// Everything is relative to an origin near both sets, and a turn is stored as the displacement that it makes
// (math/arm.h). So points far from the world's origin lose no more than the rounding of their own coordinates.
//
// The error. With u = 2^-53, g the largest coordinate of the given points (origin, starts, ends, pivot), d the largest
// of the travel, f the angle and l the largest sum of coordinates of start - pivot, one coordinate of x(t) - origin is
// wrong by
//   straight  start - origin 2ug, end - start 2ug, its product with t 2ug, the sum 2ug:                 8ug
//   turning   start - origin 2ug, t d 1ud, the swing 51ufl, two sums 2ud + 3ufl + 2ug:                  4ug + 3ud +
//   54ufl
// and one of x(t) + h x'(t), h <= 1 and h f <= 1, where the speed f (q cos - p sin) is wrong by f (30u + 26uf) l, by
// h times that more: 56ufl. The length of an error is at most sqrt(3) times that of a coordinate, and a product with a
// vector n rounds by 3u |n| |x|, |x| <= sqrt(3) (2g + d + fl). Together, per length of n:
//   straight  (14 + 11)ug                         turning  (7 + 11)ug + (6 + 6)ud + (191 + 6)ufl
// so u (32 g + 32 d + 200 f l) holds for both, with a reserve that the users of the bound rely on.
#ifndef FUREAI_SHAPE_SWEPT_H
#define FUREAI_SHAPE_SWEPT_H

#include "fureai/shape.h"
#include "math/arm.h"
#include "math/outward.h"
#include "math/simd.h"

// The motion of the points of one object: the part that does not depend on the points.
typedef struct fr__guide {
    fr__axis axis; // angle 0: every point goes straight
    fr_vec3 pivot, travel;
    bool is_motion; // false: each point has an end of its own
} fr__guide;

// Fewer than three points are filled up with the last one, so that every loop runs over three; with room for a fourth
// that kernels fill.
typedef struct fr__swept {
    int count;
    fr__axis axis;
    fr_vec3 start[4];   // relative to the origin
    fr_vec3 travel[4];  // the displacement at t = 1 without the turn
    fr_vec3 across[4];  // from the axis to the point
    fr_vec3 tangent[4]; // along its circle
    double slack;       // more than the length of `across` is wrong by
    double bend;        // the largest acceleration, angle^2 radius, rounded up
    double speed;       // the largest, rounded up
    double error;       // of a place or a prediction, and of its product with a unit vector
} fr__swept;

// Positions and velocities of three points at a time, with room for a fourth that kernels fill.
typedef struct fr__moving {
    fr_vec3 at[4], velocity[4];
} fr__moving;

fr__guide fr__guide_of(const fr_motion *motion);

// The points of a set as they are given.
typedef struct fr__swept_points {
    const fr_vec3 *start, *end; // `end` is read where each point has its own end
    int count;                  // 1 .. 3
    fr_vec3 origin;
    double largest; // the largest coordinate of the other set and of the origin
} fr__swept_points;

typedef struct fr__swept_make_kernel_table {
    void (*make)(fr__swept *swept, const fr__guide *guide, const fr__swept_points *points);
} fr__swept_make_kernel_table;

FR__KERNEL_TABLE(fr__swept_make_kernel_table, fr__swept_make_kernel)

// The radius of the circle of a point of a set that turns, rounded up.
static inline double fr__swept_radius(const fr__swept *s, int i) {
    return fr_vec3_length(s->across[i]) * (1.0 + 0x1p-40) + s->slack;
}

// The places at t, 0 <= t <= 1.
static inline void fr__swept_at(const fr__swept *s, double t, fr__moving *out) {
    if (s->axis.angle == 0.0) {
        for (int i = 0; i < 3; i++) {
            out->at[i] = fr_vec3_add_scaled(s->start[i], t, s->travel[i]);
            out->velocity[i] = s->travel[i];
        }
        return;
    }
    fr__swing swing = {0.0, 0.0};
    if (t > 0.0) { swing = fr__swing_at(s->axis.angle, t); }
    double cosine = 1.0 - swing.versine;
    for (int i = 0; i < 3; i++) {
        fr_vec3 turned =
            fr_vec3_sub(fr_vec3_scale(swing.sine, s->tangent[i]), fr_vec3_scale(swing.versine, s->across[i]));
        fr_vec3 along = fr_vec3_sub(fr_vec3_scale(cosine, s->tangent[i]), fr_vec3_scale(swing.sine, s->across[i]));
        out->at[i] = fr_vec3_add(s->start[i], fr_vec3_add_scaled(turned, t, s->travel[i]));
        out->velocity[i] = fr_vec3_add_scaled(s->travel[i], s->axis.angle, along);
    }
}

#endif
