// Bounds of the paths of many points on one motion: what depends on the motion and the time alone is computed once.
#ifndef FUREAI_MATH_PATH_BOUNDS_H
#define FUREAI_MATH_PATH_BOUNDS_H

#include "math/arm.h"

// A turn in pieces of at most this angle; one in more than FR__PIECES_MAX pieces is taken to reach everywhere.
#define FR__PIECE_ANGLE 0.5
#define FR__PIECES_MAX 24

typedef struct fr__turn_moment {
    double t;
    double sine, cosine, versine; // of the angle turned
} fr__turn_moment;

// A motion over t0 .. t1.
typedef struct fr__sweep {
    fr__axis axis;
    fr_vec3 pivot, travel;
    double t_end;     // t1
    double angle_end; // angle turned at t1, the largest
    int piece_count;  // 0: more than FR__PIECES_MAX; then the moments are t0 and t1
    fr__turn_moment moment[FR__PIECES_MAX + 1];
    double bend[FR__PIECES_MAX]; // (angle of the piece)^2 / 8, rounded up
} fr__sweep;

// 0 <= t0 <= t1 <= 1.
void fr__sweep_make(fr__sweep *sweep, const fr_motion *motion, double t0, double t1);

// The bounds of fr_motion_path_bounds, bit for bit, for the point that is at x0 = fr_pose_apply(start, v) when t = 0.
fr_bounds fr__sweep_point(const fr__sweep *sweep, fr_vec3 x0);

#endif
