// A sector in its own frame: x along the bisector, y along the side, z along the axis, from the center. It is the
// product of a planar figure and an interval, so that squared distances add.
#ifndef FUREAI_SECTOR_PLANE_H
#define FUREAI_SECTOR_PLANE_H

#include "fureai/sector.h"

// What stands for the sine of a full turn's half angle: positive, so that nothing is to the wrong side of both edges.
#define FR__SECTOR_TINY 1e-30

static inline double fr__square(double x) { return x * x; }
static inline double fr__least(double a, double b) { return a < b ? a : b; }
static inline double fr__most(double a, double b) { return a > b ? a : b; }
static inline double fr__within(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

// How far x is outside low .. high; 0 inside; NaN stays.
static inline double fr__outside(double x, double low, double high) {
    double below = low - x, above = x - high;
    double most = below > above ? below : above;
    return most < 0.0 ? 0.0 : most;
}

static inline bool fr__sector_is_full(const fr_sector *s) { return s->sine <= FR__SECTOR_TINY && s->cosine < 0.0; }

static inline fr_vec3 fr__sector_local(const fr_sector *s, fr_vec3 point) {
    fr_vec3 d = fr_vec3_sub(point, s->center);
    return fr_vec3_make(fr_vec3_dot(s->bisector, d), fr_vec3_dot(s->side, d), fr_vec3_dot(s->axis, d));
}

static inline fr_vec3 fr__sector_world(const fr_sector *s, double x, double y, double z) {
    fr_vec3 p = fr_vec3_add_scaled(s->center, x, s->bisector);
    return fr_vec3_add_scaled(fr_vec3_add_scaled(p, y, s->side), z, s->axis);
}

// The squared distance of (x, y) from the planar figure. It is mirror symmetric, so one radial edge is enough. With phi
// the angle of the point, b = rho sin(half_angle - phi) is positive just where the point is within the angle, whatever
// the half angle up to pi: there the nearest point is on the same ray, elsewhere on the edge.
static inline double fr__plane_distance2(const fr_sector *s, double x, double y) {
    y = fabs(y);
    double b = x * s->sine - y * s->cosine;
    if (b > 0.0 || fr__sector_is_full(s)) { return fr__square(fr__outside(sqrt(x * x + y * y), s->inner, s->outer)); }
    return b * b + fr__square(fr__outside(x * s->cosine + y * s->sine, s->inner, s->outer));
}

static inline double fr__local_distance2(const fr_sector *s, fr_vec3 p) {
    return fr__plane_distance2(s, p.x, p.y) + fr__square(fr__outside(fabs(p.z), 0.0, s->half_thickness));
}

// How much a length may be off and still count as touching: of the size of what is queried.
static inline double fr__sector_size(const fr_sector *s) { return s->outer + s->half_thickness; }

// The least squared distance of the points of a segment, in the sector's frame; ends early at one that is no more than
// `enough`.
double fr__segment_distance2(const fr_sector *s, fr_vec3 a, fr_vec3 b, double enough);

// The same in the plane.
double fr__plane_segment_distance2(const fr_sector *s, fr_vec2 a, fr_vec2 b, double enough);

// A hull in the sector's frame, and the pairs of points that may be its edges.
typedef struct fr__polytope {
    const fr_vec3 *points;
    int count;
    const uint8_t (*edges)[2];
    int edge_count;
} fr__polytope;

#define FR__POLYTOPE_MAX_POINTS 16

// Whether the polytope and the sector share a point. At most FR__POLYTOPE_MAX_POINTS points.
bool fr__polytope_meets(const fr_sector *s, const fr__polytope *p);

// Whether a convex polygon, either way round, meets the planar figure within `slack`. `count` 1 .. FR__POLYGON_MAX.
bool fr__polygon_meets(const fr_sector *s, const fr_vec2 *corners, int count, double slack);

// The corners of the hull of points in the plane, counter-clockwise, into `out` of `count`; returns how many. `points`
// are sorted in place.
int fr__plane_hull(fr_vec2 *points, int count, fr_vec2 *out);

// The corners of a box, and its twelve edges as pairs of them.
void fr__box_corners(const fr_oriented_box *box, fr_vec3 corners[8]);
extern const uint8_t fr__box_edges[12][2];

// Whether an oriented box or a hull of points is finite and of no negative size.
bool fr__box_is_valid(const fr_oriented_box *box);

#endif
