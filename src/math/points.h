// Many points at once: the batch forms of fr_pose_apply and of bounds, with kernels per instruction set.
#ifndef FUREAI_MATH_POINTS_H
#define FUREAI_MATH_POINTS_H

#include "math/frame.h"
#include "math/simd.h"

typedef struct fr__points_table {
    // out[i] = fr__frame_apply(frame, points_local[i]), bit for bit. `out` may be `points_local`.
    void (*transform)(const fr__frame *frame, const fr_vec3 *points_local, size_t count, fr_vec3 *out);

    // The same for the points of a mesh, each float taken as a double.
    void (*transform_floats)(const fr__frame *frame, const fr_vec3f *points_local, size_t count, fr_vec3 *out);

    // The bounds of the points; NaN coordinates are passed over, and no points have empty bounds. Of zeros of both
    // signs on the same side the first in this order wins: points 0, 4, 8, ... then 1, 5, 9, ... then 2, ..., 3, ...
    fr_bounds (*bounds)(const fr_vec3 *points, size_t count);

    // The bounds of fr__frame_apply(frame, p), or of fr__frame_apply(frame, fr__frame_apply(inner, p)) where `inner` is
    // not NULL. Points are finite.
    fr_bounds (*placed_bounds)(const fr__frame *inner, const fr__frame *frame, const fr_vec3 *points, size_t count);
} fr__points_table;

FR__KERNEL_TABLE(fr__points_table, fr__points_kernels)

static inline void fr__points_transform(const fr__frame *frame, const fr_vec3 *points_local, size_t count,
                                        fr_vec3 *out) {
    fr__points_kernels()->transform(frame, points_local, count, out);
}

static inline void fr__points_transform_floats(const fr__frame *frame, const fr_vec3f *points_local, size_t count,
                                               fr_vec3 *out) {
    fr__points_kernels()->transform_floats(frame, points_local, count, out);
}

static inline fr_bounds fr__points_bounds(const fr_vec3 *points, size_t count) {
    return fr__points_kernels()->bounds(points, count);
}

static inline fr_bounds fr__points_placed_bounds(const fr__frame *inner, const fr__frame *frame, const fr_vec3 *points,
                                                 size_t count) {
    return fr__points_kernels()->placed_bounds(inner, frame, points, count);
}

#endif
