// Fureai math: vectors, quaternions, poses, rigid motions, boxes, intervals, exact predicates, own trigonometry.
//
// Right-handed, Y up, metres, radians; quaternions are active, unit, (w, x, y, z). Everything here gives the same bits
// on every machine: + - * / sqrt in one written order, no fused multiply-add, no libm trigonometry. The small inline
// functions keep that promise only where the caller compiles with -ffp-contract=off (or without fused instructions);
// the functions of the library always do.
#ifndef FUREAI_MATH_H
#define FUREAI_MATH_H

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FR_PI 3.14159265358979323846

// Limits of what fr_pose_check and fr_motion_check let through, chosen so that nothing computed from it overflows:
// coordinates of positions, pivots and travels; scales; lengths of turns.
#define FR_LENGTH_MAX 0x1p+300
#define FR_SCALE_MIN 0x1p-100
#define FR_SCALE_MAX 0x1p+100
#define FR_TURN_MAX 0x1p+20

// Degrees to radians and back, for what names end in _deg.
static inline double fr_radians(double angle_deg) { return angle_deg * (FR_PI / 180.0); }
static inline double fr_degrees(double angle) { return angle * (180.0 / FR_PI); }

// ---------------------------------------------------------------------------------------------------------------
// Vectors

typedef struct fr_vec2 {
    double x, y;
} fr_vec2;

typedef struct fr_vec3 {
    double x, y, z;
} fr_vec3;

// A vector as meshes and boxes store it.
typedef struct fr_vec3f {
    float x, y, z;
} fr_vec3f;

static inline fr_vec3 fr_vec3_make(double x, double y, double z) {
    fr_vec3 v = {x, y, z};
    return v;
}

static inline fr_vec3 fr_vec3_add(fr_vec3 a, fr_vec3 b) { return fr_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline fr_vec3 fr_vec3_sub(fr_vec3 a, fr_vec3 b) { return fr_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline fr_vec3 fr_vec3_scale(double s, fr_vec3 a) { return fr_vec3_make(s * a.x, s * a.y, s * a.z); }
static inline fr_vec3 fr_vec3_negate(fr_vec3 a) { return fr_vec3_make(-a.x, -a.y, -a.z); }

// a + s b
static inline fr_vec3 fr_vec3_add_scaled(fr_vec3 a, double s, fr_vec3 b) {
    return fr_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// (1 - t) a + t b: a at t = 0 and b at t = 1, both exactly.
static inline fr_vec3 fr_vec3_lerp(fr_vec3 a, fr_vec3 b, double t) {
    double s = 1.0 - t;
    return fr_vec3_make(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z);
}

static inline double fr_vec3_dot(fr_vec3 a, fr_vec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

static inline fr_vec3 fr_vec3_cross(fr_vec3 a, fr_vec3 b) {
    return fr_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double fr_vec3_length_squared(fr_vec3 a) { return fr_vec3_dot(a, a); }
static inline double fr_vec3_length(fr_vec3 a) { return sqrt(fr_vec3_dot(a, a)); }
static inline double fr_vec3_distance(fr_vec3 a, fr_vec3 b) { return fr_vec3_length(fr_vec3_sub(a, b)); }

static inline fr_vec3 fr_vec3_min(fr_vec3 a, fr_vec3 b) {
    return fr_vec3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline fr_vec3 fr_vec3_max(fr_vec3 a, fr_vec3 b) {
    return fr_vec3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

// The largest absolute coordinate.
static inline double fr_vec3_largest(fr_vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static inline bool fr_vec3_equal(fr_vec3 a, fr_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
static inline bool fr_vec3_is_finite(fr_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static inline fr_vec3 fr_vec3_from_floats(fr_vec3f a) { return fr_vec3_make((double)a.x, (double)a.y, (double)a.z); }

// The vector of length 1 along a, right from the smallest to the largest doubles; `fallback` when a is zero or not
// finite.
FR_API fr_vec3 fr_vec3_unit(fr_vec3 a, fr_vec3 fallback);

// A unit vector perpendicular to the unit vector a; the same for the same a.
FR_API fr_vec3 fr_vec3_perpendicular(fr_vec3 a);

// A direction in 4 bytes, right to 0.004 degrees (octahedral encoding): two numbers of 16 bits, the lower one first.
// Any length; FR_DIRECTION_NONE for what is zero or not finite.
#define FR_DIRECTION_NONE UINT32_C(0x80008000)
FR_API uint32_t fr_direction_pack(fr_vec3 direction);

// The unit vector that was packed, for any number; zero for FR_DIRECTION_NONE.
FR_API fr_vec3 fr_direction_unpack(uint32_t packed);

// ---------------------------------------------------------------------------------------------------------------
// Rotations

// A 3 x 3 matrix by rows: row[i] dotted with a vector is coordinate i of the product.
typedef struct fr_mat3 {
    fr_vec3 row[3];
} fr_mat3;

// A unit quaternion; turns vectors as R(q) v.
typedef struct fr_quat {
    double w, x, y, z;
} fr_quat;

FR_API fr_mat3 fr_mat3_identity(void);
FR_API fr_mat3 fr_mat3_multiply(fr_mat3 a, fr_mat3 b);
FR_API fr_mat3 fr_mat3_transpose(fr_mat3 a);
FR_API double fr_mat3_determinant(fr_mat3 a);

static inline fr_vec3 fr_mat3_apply(fr_mat3 a, fr_vec3 v) {
    return fr_vec3_make(fr_vec3_dot(a.row[0], v), fr_vec3_dot(a.row[1], v), fr_vec3_dot(a.row[2], v));
}

FR_API fr_quat fr_quat_identity(void);

// First b, then a: R(a b) = R(a) R(b).
FR_API fr_quat fr_quat_multiply(fr_quat a, fr_quat b);
FR_API fr_quat fr_quat_conjugate(fr_quat a);

// Turn by `angle`, up to FR_TURN_MAX, about `axis`, which need not be unit; the identity when that is zero or not
// finite.
FR_API fr_quat fr_quat_from_axis_angle(fr_vec3 axis, double angle);

// Turn by the rotation vector: axis times angle, several turns included; NaN for a length over FR_TURN_MAX.
FR_API fr_quat fr_quat_from_vector(fr_vec3 turn);

// The rotation vector of a, by the shorter turn: length at most pi, rounded.
FR_API fr_vec3 fr_quat_to_vector(fr_quat a);

// The matrix of a unit quaternion, each element in one written order: the R(q) of fr_pose_apply.
FR_API fr_mat3 fr_quat_to_mat3(fr_quat a);

// The unit quaternion, w >= 0, nearest to a rotation matrix.
FR_API fr_quat fr_quat_from_mat3(fr_mat3 a);

// The turn that takes unit vector `from` to unit vector `to` by the shorter turn; any perpendicular axis when opposite.
FR_API fr_quat fr_quat_between(fr_vec3 from, fr_vec3 to);

// Makes q unit. One that is already so within 4 ulp is kept bit for bit, so doing it twice changes nothing.
// FR_ERROR_NOT_FINITE, or FR_ERROR_ARGUMENT when |q| is outside 0.99 .. 1.01; then *q is unchanged.
FR_API fr_status fr_quat_normalize(fr_quat *q, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Pose

// Where a thing is: x = R(rotation) (scale v) + position.
typedef struct fr_pose {
    fr_quat rotation; // unit
    fr_vec3 position; // metres
    double scale;     // uniform, > 0
} fr_pose;

FR_API fr_pose fr_pose_identity(void);

// At a position, turned, at scale 1.
FR_API fr_pose fr_pose_make(fr_vec3 position, fr_quat rotation);

// The world position of a local point. By definition: every room's results are exact for these doubles. The scale
// times v first; then each row of fr_quat_to_mat3 as (m0 x + m1 y) + m2 z; then the position added.
FR_API fr_vec3 fr_pose_apply(const fr_pose *pose, fr_vec3 point_local);

// The same for `count` points, bit for bit. `out` may be `points_local`.
FR_API void fr_pose_apply_many(const fr_pose *pose, const fr_vec3 *points_local, size_t count, fr_vec3 *out);

// R(rotation) v: a direction, neither scaled nor moved.
FR_API fr_vec3 fr_pose_turn(const fr_pose *pose, fr_vec3 direction_local);

// First b, then a, rounded: near to, but never a stand-in for, two calls of fr_pose_apply.
FR_API fr_pose fr_pose_compose(const fr_pose *a, const fr_pose *b);

// The pose that undoes a, rounded.
FR_API fr_pose fr_pose_inverse(const fr_pose *a);

// An upper bound for the distance between fr_pose_apply(pose, v) and the same in real arithmetic, for every v with no
// coordinate larger than `largest`.
FR_API double fr_pose_rounding(const fr_pose *pose, double largest);

// Checks a pose a caller gave and makes its quaternion unit. A status and an unchanged pose when something is not
// finite, a coordinate is over FR_LENGTH_MAX, the scale is outside FR_SCALE_MIN .. FR_SCALE_MAX, or |rotation| is
// outside 0.99 .. 1.01.
FR_API fr_status fr_pose_check(fr_pose *pose, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Bounds and boxes

// An axis-aligned box (AABB) of doubles; empty when min > max, or one of them is NaN, on an axis.
typedef struct fr_bounds {
    fr_vec3 min, max;
} fr_bounds;

// An axis-aligned box (AABB) of floats, rounded outwards, as trees and the broad phase store it.
typedef struct fr_box {
    fr_vec3f min, max;
} fr_box;

FR_API fr_bounds fr_bounds_empty(void);
FR_API bool fr_bounds_is_empty(const fr_bounds *a);

// The smallest bounds that hold all points; NaN coordinates are passed over. Empty for none.
FR_API fr_bounds fr_bounds_of_points(const fr_vec3 *points, size_t count);
FR_API fr_bounds fr_bounds_union(const fr_bounds *a, const fr_bounds *b);

// The smallest bounds that hold a and a point; NaN coordinates are passed over.
FR_API fr_bounds fr_bounds_with_point(const fr_bounds *a, fr_vec3 point);

// Grown by `margin` >= 0 on all sides, rounded outwards. Empty stays empty.
FR_API fr_bounds fr_bounds_grow(const fr_bounds *a, double margin);

// Whether two closed boxes share a point. False with an empty one.
FR_API bool fr_bounds_overlap(const fr_bounds *a, const fr_bounds *b);
FR_API bool fr_bounds_contain_point(const fr_bounds *a, fr_vec3 point);
FR_API fr_vec3 fr_bounds_center(const fr_bounds *a);

// Largest float <= x and smallest float >= x; infinite beyond the floats' range; NaN stays NaN.
FR_API float fr_float_down(double x);
FR_API float fr_float_up(double x);

// The smallest box that holds the bounds moved by -origin.
FR_API fr_box fr_box_of_bounds(const fr_bounds *bounds, fr_vec3 origin);

static inline bool fr_box_overlap(const fr_box *a, const fr_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// ---------------------------------------------------------------------------------------------------------------
// Motion inside a step

// A rigid motion over t = 0 .. 1: x(t) = c + t travel + Rot(t turn)(x0 - c), in real arithmetic on the doubles
// x0 = fr_pose_apply(start, v) and c = fr_pose_apply(start, pivot_local).
typedef struct fr_motion {
    fr_pose start;       // pose at t = 0
    fr_vec3 pivot_local; // the point that goes straight, in local axes
    fr_vec3 travel;      // its displacement, in world axes
    fr_vec3 turn;        // axis times angle in world axes; any length, several turns included
} fr_motion;

// Stays where it is.
FR_API fr_motion fr_motion_still(const fr_pose *pose);

// From pose a to pose b by the shorter turn; the pivot goes straight. The scale is a's. For a half turn the axis is
// the one whose first coordinate that is not 0 is positive. fr_motion_pose(., 1) is b within 2^-46 radians and
// 2^-44 (|a.position| + |b.position| + scale |pivot_local|).
FR_API fr_motion fr_motion_between(const fr_pose *a, const fr_pose *b, fr_vec3 pivot_local);

// From pose a to pose b as one screw: the pivot is chosen on the screw's axis. Under 2^-25 radians the axis is too far
// away: the origin goes straight then, which differs from the screw by less than 2^-28 of its travel. The scale is a's.
FR_API fr_motion fr_motion_screw_between(const fr_pose *a, const fr_pose *b);

// For `duration` seconds at a velocity (of the pivot) and an angular velocity, both a second, in world axes.
FR_API fr_motion fr_motion_from_velocity(const fr_pose *start, fr_vec3 pivot_local, fr_vec3 velocity,
                                         fr_vec3 angular_velocity, double duration);

// The pose at t, rounded. At t = 0 it is `start`, bit for bit.
FR_API fr_pose fr_motion_pose(const fr_motion *motion, double t);

// x(t) of a local point, rounded.
FR_API fr_vec3 fr_motion_point(const fr_motion *motion, fr_vec3 point_local, double t);

// Bounds that hold the whole path of a local point over t0 .. t1 (0 <= t0 <= t1 <= 1), all rounding included; infinite
// where numbers are not finite or beyond the limits of fr_motion_check.
FR_API fr_bounds fr_motion_path_bounds(const fr_motion *motion, fr_vec3 point_local, double t0, double t1);

// Bounds that hold every point of a local box over t0 .. t1. Empty for an empty box.
FR_API fr_bounds fr_motion_box_bounds(const fr_motion *motion, const fr_bounds *box_local, double t0, double t1);

// Bounds that hold a local ball over t0 .. t1.
FR_API fr_bounds fr_motion_ball_bounds(const fr_motion *motion, fr_vec3 center_local, double radius_local, double t0,
                                       double t1);

// An upper bound, in metres a step, for the speed of every point within `reach_local` of the pivot.
FR_API double fr_motion_speed_bound(const fr_motion *motion, double reach_local);

// Checks a motion a caller gave, as fr_pose_check does; pivot and travel up to FR_LENGTH_MAX, turns up to FR_TURN_MAX.
FR_API fr_status fr_motion_check(fr_motion *motion, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Intervals: sets of reals that hold the true result whatever the rounding

// low <= high; infinite ends mean unbounded.
typedef struct fr_interval {
    double low, high;
} fr_interval;

// The numbers between two ends, given in either order; everything when one is NaN.
FR_API fr_interval fr_interval_make(double low, double high);
FR_API fr_interval fr_interval_add(fr_interval a, fr_interval b);
FR_API fr_interval fr_interval_sub(fr_interval a, fr_interval b);
FR_API fr_interval fr_interval_multiply(fr_interval a, fr_interval b);

// Everything when b holds zero.
FR_API fr_interval fr_interval_divide(fr_interval a, fr_interval b);
FR_API fr_interval fr_interval_square(fr_interval a);

// Of the part of a that is not negative; [0, 0] when there is none.
FR_API fr_interval fr_interval_sqrt(fr_interval a);
FR_API fr_interval fr_interval_sin(fr_interval a);
FR_API fr_interval fr_interval_cos(fr_interval a);
FR_API fr_interval fr_interval_union(fr_interval a, fr_interval b);
FR_API bool fr_interval_contains(fr_interval a, double x);
FR_API bool fr_interval_overlap(fr_interval a, fr_interval b);

// ---------------------------------------------------------------------------------------------------------------
// Exact predicates: the sign of the real-arithmetic value of the given doubles, -1, 0 or 1.
// Right when every coordinate is 0 or has an absolute value in FR_ORIENT2D_MIN .. FR_ORIENT_MAX (2-D) or
// FR_ORIENT3D_MIN .. FR_ORIENT_MAX (3-D): within that range nothing overflows and no bit is lost to underflow.
// Outside it, and for what is not finite, the result is still one of the three but may be wrong.

#define FR_ORIENT2D_MIN 0x1p-480
#define FR_ORIENT3D_MIN 0x1p-300
#define FR_ORIENT_MAX 0x1p+330

// On which side of the line from a to b lies c: 1 left (a, b, c turn counter-clockwise), -1 right, 0 on it.
FR_API int fr_orient2d(fr_vec2 a, fr_vec2 b, fr_vec2 c);

// The sign of (b - a) x (c - a) . (d - a): 1 when d sees a, b, c turn counter-clockwise, 0 when all four are coplanar.
FR_API int fr_orient3d(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d);

// ---------------------------------------------------------------------------------------------------------------
// Trigonometry with the same bits everywhere, within 1 ulp of the correctly rounded result on the range given

// |x| <= 2^20; NaN beyond that and for NaN.
FR_API double fr_sin(double x);
FR_API double fr_cos(double x);
FR_API void fr_sincos(double x, double *sine, double *cosine);

// All doubles; signs, zeros and infinities as in C.
FR_API double fr_atan2(double y, double x);

// -1 .. 1; NaN outside.
FR_API double fr_acos(double x);

// All doubles.
FR_API double fr_cbrt(double x);

// ---------------------------------------------------------------------------------------------------------------
// Instruction sets: kernels exist in several versions that give the same bits; one is chosen once

typedef enum fr_simd { FR_SIMD_BASELINE, FR_SIMD_AVX2 } fr_simd;

// The version in use: the best this machine and this build have.
FR_API fr_simd fr_simd_get(void);

// The best there is, and its name ("baseline", "avx2").
FR_API fr_simd fr_simd_best(void);
FR_API const char *fr_simd_name(fr_simd simd);

// Chooses a version, for tests and measurements; false, and nothing changed, when it is not there. Call it while no
// other call runs.
FR_API bool fr_simd_set(fr_simd simd);

#ifdef __cplusplus
}
#endif

#endif
