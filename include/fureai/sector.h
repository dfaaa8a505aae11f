// Fureai sector: the swept volume of a turning body as a sector of a cylinder, and tests against it.
//
// A sector is a slice of a cylinder, solid or hollow: all points between two radii, within an angle and a thickness
// about an axis. One sector holds the whole sweep of a bat, a sword or a door in a step; it is built in a few dozen
// operations and tested in a dozen. It also serves by itself as a range: what is seen, what is within reach.
//
//     fr_screw swing = {.point = shoulder, .axis = {0, 1, 0}, .angle = 1.2};
//     fr_sector sector;
//     if (fr_sector_of_box(&bat, &swing, &sector, &error) == FR_OK && fr_sector_overlap_sphere(&sector, ball, 0.04)) {
//     ... }
//
// Everything is in one frame, the world's or any other; angles in radians. All sets are closed: touching counts. Pure
// functions of their arguments, on any thread, without allocating; the same bits on every machine. Lengths are 0 or of
// 1e-70 .. 1e70 in size. What is NaN is in no sector: a test returns false, a distance is NaN; builders return a
// status.
#ifndef FUREAI_SECTOR_H
#define FUREAI_SECTOR_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The sector

// The points at center + x bisector + y side + z axis with inner <= |(x, y)| <= outer, |z| <= half_thickness and an
// angle of at most half_angle between (x, y) and the bisector. (x, y) are a point's coordinates in the sector's plane.
typedef struct fr_sector {
    fr_vec3 center;        // on the axis, in the middle of the thickness
    fr_vec3 axis;          // unit; what is turned about
    fr_vec3 bisector;      // unit, perpendicular to the axis; the middle of the angle
    fr_vec3 side;          // axis x bisector
    double inner, outer;   // radii, 0 <= inner <= outer
    double half_thickness; // to each side along the axis, >= 0
    double half_angle;     // 0 .. pi; pi is a full turn
    double cosine, sine;   // of the half angle; of a full turn -1 and a tiny positive number
} fr_sector;

// Checks a sector of which a caller filled center, axis, bisector, radii, thickness and angle, and completes it: axis
// and bisector of any length > 0 are made unit, the bisector perpendicular to the axis, the rest is set.
// FR_ERROR_NOT_FINITE, or FR_ERROR_ARGUMENT for a zero axis, a bisector along the axis, a negative size, inner > outer,
// an angle outside 0 .. pi; then *sector is unchanged.
FR_API fr_status fr_sector_check(fr_sector *sector, fr_error *error);

// Coordinates along bisector, side and axis, from the center.
FR_API fr_vec3 fr_sector_local(const fr_sector *sector, fr_vec3 point);

// The largest n . p of all points p of the sector; n of any length. The half-space n . p >= k is met when this is >= k.
FR_API double fr_sector_support(const fr_sector *sector, fr_vec3 n);

// The smallest axis-aligned box that holds the sector, rounded outwards.
FR_API fr_bounds fr_sector_bounds(const fr_sector *sector);

// Half the angle times the difference of the radii's squares, times the thickness.
FR_API double fr_sector_volume(const fr_sector *sector);

// The sector as a solid: faces in `fill`, edges in `line` (1 pixel); no faces where fill.a is 0.
FR_API void fr_sector_draw(const fr_sector *sector, const fr_draw *draw, fr_color fill, fr_color line);

// ---------------------------------------------------------------------------------------------------------------
// Tests in space
//
// Distances are exact up to rounding: within 1e-13 of the size of the query (largest coordinate from the center,
// outer radius), and 0 where the sets meet. The tests of capsules, boxes and hulls count what lies within 1e-12 of that
// size as touching.

// Whether a point is in the sector; by comparisons alone, so on the border it may return either value within rounding.
FR_API bool fr_sector_contains(const fr_sector *sector, fr_vec3 point);

// The distance of a point, 0 inside; and the point of the sector where it is reached.
FR_API double fr_sector_distance(const fr_sector *sector, fr_vec3 point);
FR_API fr_vec3 fr_sector_closest(const fr_sector *sector, fr_vec3 point);

// Whether a ball and the sector share a point.
FR_API bool fr_sector_overlap_sphere(const fr_sector *sector, fr_vec3 center, double radius);

// The distance of a segment, which may be a point; and whether a capsule (all within `radius` of the segment) and the
// sector share a point: a cheap capsule around it decides first, see docs/sector.md.
FR_API double fr_sector_segment_distance(const fr_sector *sector, const fr_vec3 segment[2]);
FR_API bool fr_sector_overlap_capsule(const fr_sector *sector, const fr_vec3 segment[2], double radius);

// Whether an axis-aligned box (false for an empty one), an oriented box or a triangle shares a point with the sector.
FR_API bool fr_sector_overlap_bounds(const fr_sector *sector, const fr_bounds *box);
FR_API bool fr_sector_overlap_box(const fr_sector *sector, const fr_oriented_box *box);
FR_API bool fr_sector_overlap_triangle(const fr_sector *sector, const fr_vec3 triangle[3]);

// The distances of a box and of a triangle.
FR_API double fr_sector_box_distance(const fr_sector *sector, const fr_oriented_box *box);
FR_API double fr_sector_triangle_distance(const fr_sector *sector, const fr_vec3 triangle[3]);

// The distance of the hull of up to FR_HULL_MAX_POINTS points with its radius, and whether it is 0. NaN, and false, for
// no point or more.
FR_API double fr_sector_convex_distance(const fr_sector *sector, const fr_convex *set);
FR_API bool fr_sector_overlap_convex(const fr_sector *sector, const fr_convex *set);

typedef enum fr_sector_meeting {
    FR_SECTORS_APART, // proven
    FR_SECTORS_MEET,  // proven
    FR_SECTORS_NEAR   // within the tolerance of each other, and not proven either way
} fr_sector_meeting;

// Whether two sectors share a point. With parallel axes (within 1e-12) the result is never NEAR and needs no tolerance;
// otherwise b is cut into slices between an inner and an outer prism, halved until one decides or they differ by less
// than `tolerance` (metres; 1e-3 of the outer radius is a good one; raised to 1e-9 of it). Two bodies that sweep
// sectors which meet may still pass at different times.
FR_API fr_sector_meeting fr_sector_overlap_sector(const fr_sector *a, const fr_sector *b, double tolerance);

// ---------------------------------------------------------------------------------------------------------------
// Tests in the sector's plane: points are (x, y) along bisector and side, and the thickness plays no part

FR_API double fr_sector_plane_distance(const fr_sector *sector, fr_vec2 point);
FR_API double fr_sector_plane_segment_distance(const fr_sector *sector, const fr_vec2 segment[2]);

FR_API bool fr_sector_plane_overlap_circle(const fr_sector *sector, fr_vec2 center, double radius);
FR_API bool fr_sector_plane_overlap_capsule(const fr_sector *sector, const fr_vec2 segment[2], double radius);

#define FR_SECTOR_MAX_POLYGON 64

// A convex polygon of 1 .. FR_SECTOR_MAX_POLYGON corners, either way round; a rectangle has four. False for others.
FR_API bool fr_sector_plane_overlap_polygon(const fr_sector *sector, const fr_vec2 *corners, size_t count);

// ---------------------------------------------------------------------------------------------------------------
// How a body turns

// A turn about a line, sliding along it meanwhile, both evenly: at t = 0 .. 1 turned by t angle and moved by t slide.
typedef struct fr_screw {
    fr_vec3 point; // on the line
    fr_vec3 axis;  // unit, along the line
    double angle;  // radians, either sign; several turns are one full turn swept
    double slide;  // metres along the axis; 0 for a plain turn
} fr_screw;

// Checks a screw a caller gave; an axis of any length > 0 is made unit. FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT for a
// zero axis, FR_ERROR_LIMIT for an angle over FR_TURN_MAX; then *screw is unchanged. Builders check by themselves.
FR_API fr_status fr_screw_check(fr_screw *screw, fr_error *error);

// The screw that takes pose a to pose b by the shorter turn (at most half a turn: two poses show no more). False
// for a turn under 1e-6 radians, which is a translation to all purposes: *out is unchanged.
FR_API bool fr_screw_between(const fr_pose *a, const fr_pose *b, fr_screw *out);

// Where a point is at t.
FR_API fr_vec3 fr_screw_apply(const fr_screw *screw, fr_vec3 point, double t);

// ---------------------------------------------------------------------------------------------------------------
// Sectors that hold a sweep
//
// None misses anything: every point of the body is in the sector all the time, roundings counted in. On failure (what
// fr_screw_check refuses, a body that is not finite, without points or of negative size, or of no triangles) the sector
// is unchanged. The axis may pass through the body: then the sector is a full disc.

// Of the hull of any number of points with its radius: a ball is one point, a capsule two. O(n^2) at worst.
FR_API fr_status fr_sector_of_convex(const fr_convex *body, const fr_screw *screw, fr_sector *out, fr_error *error);

// Of a box in any pose.
FR_API fr_status fr_sector_of_box(const fr_oriented_box *box, const fr_screw *screw, fr_sector *out, fr_error *error);

// Of the faces of a mesh, of any form: a ring about the axis keeps its hole. What a closed mesh encloses is not
// counted.
FR_API fr_status fr_sector_of_mesh(const fr_mesh *mesh, const fr_pose *pose, const fr_screw *screw, fr_sector *out,
                                   fr_error *error);

// Of the hull of points (where they are at the start, in the world) under any motion of a step. A motion that is no
// screw is taken as the nearest one, grown by how far it leaves it.
FR_API fr_status fr_sector_of_motion(const fr_convex *body_world, const fr_motion *motion, fr_sector *out,
                                     fr_error *error);

// How a box is cut into pieces with a sector each, and the turn into parts.
typedef struct fr_sector_cuts {
    uint32_t pieces[3]; // along the box's axes, each 1 .. 64
    uint32_t turns;     // parts of the turn, 1 .. 64
} fr_sector_cuts;

// Several sectors that hold the sweep together, more tightly: pieces[0] pieces[1] pieces[2] turns of them, in `out` of
// that size. FR_ERROR_LIMIT for cuts outside their limits.
FR_API fr_status fr_sectors_of_box(const fr_oriented_box *box, const fr_screw *screw, const fr_sector_cuts *cuts,
                                   fr_sector *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The swing: a box that turns about a line parallel to one of its axes, another one pointing straight away from it

typedef struct fr_swing {
    fr_vec3 pivot; // on the line, at the height of the box's middle
    fr_vec3 axis;  // unit: the line, and the box's z
    fr_vec3 arm;   // unit, perpendicular to the axis: from the pivot to the box's middle at the start, and the box's y
    double distance; // from the pivot to the box's middle, >= 0
    fr_vec3 half;    // half the box's sizes: across (x), along the arm (y), along the axis (z)
    double angle;    // radians, either sign; from a full turn on all is one ring
} fr_swing;

// Checks a swing a caller gave; axis and arm of any length > 0 are made unit, the arm perpendicular.
// FR_ERROR_NOT_FINITE; FR_ERROR_ARGUMENT for a zero axis, an arm along the axis, a negative size. Then *swing is
// unchanged.
FR_API fr_status fr_swing_check(fr_swing *swing, fr_error *error);

// The swing that a box under a screw makes; false, and *out unchanged, when it makes none: the axes are off by more
// than 1e-9, it slides, or it is not valid.
FR_API bool fr_swing_of_box(const fr_oriented_box *box, const fr_screw *screw, fr_swing *out);

// The sector that holds the sweep of a checked swing: between the min and the max distance of the box, the angle
// widened by its width. A full disc when the pivot is inside the box.
FR_API fr_sector fr_sector_of_swing(const fr_swing *swing);

// The box before the pivot, or the part of it behind: what one of them sweeps.
typedef struct fr_sweep_part {
    fr_sector frame;               // the sector that the box's middle line sweeps
    double width, reach;           // half the width; the far corner's distance from the axis
    double sum_cosine, sum_sine;   // of the far corner's angle and the half angle together
    double rest_cosine, rest_sine; // of the far corner's angle less the half angle
    bool is_wrapped;               // that sum is pi or more
    bool has_notch;                // the turn is so small that a notch stays between the far faces
} fr_sweep_part;

// The exact swept volume: all points that the box covers at some time. Made by fr_sweep_of_swing, to read only.
typedef struct fr_sweep {
    fr_sweep_part parts[2];
    int part_count; // 2 when the pivot is inside the box
} fr_sweep;

// The exact sweep of a checked swing, any angle, also with the pivot inside the box.
FR_API fr_sweep fr_sweep_of_swing(const fr_swing *swing);

// The distance of a point from the sweep, 0 inside; and whether a ball meets it. Within 1e-13 of the size.
FR_API double fr_sweep_distance(const fr_sweep *sweep, fr_vec3 point);
FR_API bool fr_sweep_overlap_sphere(const fr_sweep *sweep, fr_vec3 center, double radius);

// A sector and the box at both ends, which together hold the sweep closely: for shapes that fr_sweep has no test of.
typedef struct fr_cover {
    fr_sector sector;
    fr_oriented_box ends[2];
} fr_cover;

FR_API fr_cover fr_cover_of_swing(const fr_swing *swing);

// Whether the hull of up to FR_HULL_MAX_POINTS points with its radius meets a piece of the cover; and a sector.
FR_API bool fr_cover_overlap_convex(const fr_cover *cover, const fr_convex *set);
FR_API bool fr_cover_overlap_sector(const fr_cover *cover, const fr_sector *sector, double tolerance);

// ---------------------------------------------------------------------------------------------------------------
// First contact

typedef struct fr_screw_hit {
    bool is_hit;     // the rest is set for a hit only
    bool is_capped;  // the search stopped after 1000 steps: contact is not earlier, and may not be at all
    double time;     // 0 .. 1 of the screw, never late
    double angle;    // turned till then, with the screw's sign
    double distance; // at that time, at most the tolerance
    fr_vec3 point;   // of the other set, where the body comes nearest
    fr_vec3 normal;  // unit, from the body to the other; zero when they overlap at the start
    uint32_t steps;  // distances computed
} fr_screw_hit;

// When a convex body under a screw first comes within `tolerance` (> 0, metres; 1e-6 is a good one) of a convex set
// that stands still, by conservative advancement: steps that are proven to be free. Hulls of 1 .. FR_HULL_MAX_POINTS
// points with their radii; no hit for others, nor for what is not finite.
FR_API fr_screw_hit fr_screw_contact(const fr_convex *body, const fr_screw *screw, const fr_convex *other,
                                     double tolerance);

// The same for a box and a ball, faster.
FR_API fr_screw_hit fr_screw_box_sphere(const fr_oriented_box *box, const fr_screw *screw, fr_vec3 center,
                                        double radius, double tolerance);

// The first angle (with the screw's sign) at which a box that turns without sliding holds a point, in closed form; NaN
// when it never does. Within 1e-9 of the box's size.
FR_API double fr_screw_box_point(const fr_oriented_box *box, const fr_screw *screw, fr_vec3 point);

// ---------------------------------------------------------------------------------------------------------------
// Many at once

// Balls, coordinate by coordinate, each array of `count`.
typedef struct fr_spheres {
    const float *x, *y, *z;
    const float *radius; // >= 0; NULL: points
    size_t count;
} fr_spheres;

// Which balls meet a sector: bit i % 8 of bits[i / 8] is ball i, of (count + 7) / 8 bytes, the last bits 0. Returns how
// many. In floats and conservative: each radius is grown by 2e-6 times the size (outer radius, distance of the center
// from the origin and of the ball from the center), so none is missed and none farther away than twice that is
// reported. Balls with a NaN are passed over. Coordinates up to 1e18. `tasks` may be NULL.
FR_API size_t fr_sector_spheres(const fr_sector *sector, const fr_spheres *spheres, const fr_tasks *tasks,
                                uint8_t *bits);

// The same for an axis-aligned box (AABB): a cheaper cull, for comparison.
FR_API size_t fr_bounds_spheres(const fr_bounds *bounds, const fr_spheres *spheres, const fr_tasks *tasks,
                                uint8_t *bits);

// A ball within a sector that serves as a range: of a view, of an attack.
typedef struct fr_range_hit {
    uint32_t index;  // of the ball
    double distance; // of its center from the sector's center
    double angle;    // from the bisector about the axis, -pi .. pi; 0 on the axis
} fr_range_hit;

// The balls in range, exactly, in their order: writes the first `capacity` and returns how many there are. Up
// to 2^32 - 1 balls.
FR_API size_t fr_sector_range(const fr_sector *sector, const fr_spheres *spheres, fr_range_hit *hits, size_t capacity);

// What a box that goes on turning will hit.
typedef struct fr_prediction_input {
    fr_oriented_box box;
    fr_screw turn;      // of one frame
    uint32_t frames;    // how many ahead, >= 1; what is over a full turn adds nothing unless it slides
    fr_spheres spheres; // that stand still; up to 2^32 - 1
    double tolerance;   // metres, > 0; as of fr_screw_contact
} fr_prediction_input;

typedef struct fr_prediction {
    uint32_t index; // of the ball
    double frames;  // till contact, never late: 1.5 is in the middle of the second frame
    fr_vec3 point;  // of contact
} fr_prediction;

// Which balls will be hit and when, in the order of the balls: writes the first `capacity` to `out`, and to *count how
// many there are. A sector around the whole turn selects candidates. Statuses of fr_screw_check; FR_ERROR_ARGUMENT.
FR_API fr_status fr_predict(const fr_prediction_input *input, fr_prediction *out, size_t capacity, size_t *count,
                            fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
