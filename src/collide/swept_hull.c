// Whether the convex hulls of the paths of two triangles come within a distance.
//
// Paths that go straight have the hull of their ends. A corner that turns is at x0 + f / angle travel + sin f q -
// (1 - cos f) p when it has turned by f (arm.h). Along a direction n it has gone by
//     h(f) = f A + Q sin f - P (1 - cos f),    A = n . travel / angle, Q = n . q, P = n . p,
//     h'(f) = A + Q cos f - P sin f = A + R cos(f + psi),    R = |(Q, P)|, psi the angle of (Q, P).
// So its tops are where f + psi = acos(-A / R) + 2 pi k. From one top to the next it rises by 2 pi A, and the
// highest is the first or the last of them, or an end of the path. An error of f counts by its square there.
//
// The search: both hulls hold the hulls of some of their places, at first the ends of the paths. The distance of these
// is no less than that of the hulls, and along the direction of this distance the farthest places of both paths show
// how far the hulls are apart at least. Where that does not decide, these places join the others.
#include "collide/swept_hull.h"

#include "math/arm.h"

enum { MAX_PLACES = 64 };

// The hull of a path; all places about one origin.
typedef struct swept_hull {
    fr_vec3 places[MAX_PLACES]; // points of the hull: the ends of the path, and what the search adds
    size_t count;
    bool has_motion;
    fr__axis axis; // of the turn
    fr_vec3 travel;
    fr_vec3 start[3];
    fr__arm arm[3];  // of the corners
    double rounding; // no place is farther off: 51u f l of the arm, and a few u of the rest
} swept_hull;

static double larger(double a, double b) { return a > b ? a : b; }

// Where a corner is when it has turned by `angle`, or at the end of a path without a turn.
static fr_vec3 place_of(const swept_hull *hull, int corner, double angle) {
    double t = hull->axis.angle > 0.0 ? angle / hull->axis.angle : 1.0;
    fr_vec3 swing = fr__arm_displacement(&hull->arm[corner], fr__swing_at(hull->axis.angle, t));
    return fr_vec3_add(hull->start[corner], fr_vec3_add(fr_vec3_scale(t, hull->travel), swing));
}

static void make_hull(const fr_triangle_path *path, fr_vec3 origin, swept_hull *out) {
    out->count = 0;
    out->has_motion = path->motion != NULL;
    double reach = fr_vec3_largest(origin), swing = 0.0;
    for (int k = 0; k < 3; k++) {
        out->start[k] = fr_vec3_sub(path->start[k], origin);
        out->places[out->count++] = out->start[k];
        out->places[out->count++] = fr_vec3_sub(path->end[k], origin);
        reach = larger(reach, larger(fr_vec3_largest(path->start[k]), fr_vec3_largest(path->end[k])));
    }
    if (out->has_motion) {
        fr_vec3 pivot = fr_pose_apply(&path->motion->start, path->motion->pivot_local);
        reach = larger(reach, fr_vec3_largest(pivot));
        out->axis = fr__axis_of_turn(path->motion->turn);
        out->travel = path->motion->travel;
        for (int k = 0; k < 3; k++) {
            out->arm[k] = fr__arm_make(&out->axis, path->start[k], pivot);
            swing = larger(swing, out->axis.angle * out->arm[k].reach);
        }
        reach += 3.0 * fr_vec3_largest(out->travel);
    }
    out->rounding = 0x1p-46 * (reach + swing);

    // The next pose may be elsewhere than where the path ends.
    for (int k = 0; out->has_motion && k < 3; k++) {
        fr_vec3 end = place_of(out, k, out->axis.angle);
        if (fr_vec3_distance(end, out->places[2 * k + 1]) > out->rounding) { out->places[out->count++] = end; }
    }
}

// The angle at which a corner is farthest along a direction, ends of the path aside; false: it has no such top.
static bool top_of(const swept_hull *hull, int corner, fr_vec3 direction, double *angle) {
    const double two_pi = 6.283185307179586;
    double rise = fr_vec3_dot(direction, hull->travel) / hull->axis.angle;
    double across = fr_vec3_dot(direction, hull->arm[corner].across);
    double tangent = fr_vec3_dot(direction, hull->arm[corner].tangent);
    double swing = sqrt(across * across + tangent * tangent);
    if (!(swing > fabs(rise))) { return false; }
    double first = fr_acos(-rise / swing) - fr_atan2(across, tangent);
    first -= two_pi * floor(first / two_pi);
    if (first > hull->axis.angle) { return false; }
    *angle = rise > 0.0 ? first + two_pi * floor((hull->axis.angle - first) / two_pi) : first;
    if (*angle > hull->axis.angle) { *angle = hull->axis.angle; }
    return true;
}

// How far the hull reaches along a direction; *place is where, and *is_new whether it is none of the hull's places.
static double reach_along(const swept_hull *hull, fr_vec3 direction, fr_vec3 *place, bool *is_new) {
    double farthest = -INFINITY;
    for (size_t i = 0; i < hull->count; i++) {
        double along = fr_vec3_dot(direction, hull->places[i]);
        if (along > farthest) { farthest = along; }
    }
    *is_new = false;
    for (int k = 0; hull->has_motion && hull->axis.angle > 0.0 && k < 3; k++) {
        double angle;
        if (!top_of(hull, k, direction, &angle)) { continue; }
        fr_vec3 top = place_of(hull, k, angle);
        double along = fr_vec3_dot(direction, top);
        if (along > farthest) {
            farthest = along;
            *place = top;
            *is_new = true;
        }
    }
    return farthest;
}

// No two places are farther apart than twice this.
static double size_of(const swept_hull *hull) {
    double size = 0.0;
    for (size_t i = 1; i < hull->count; i++) {
        size = larger(size, fr_vec3_distance(hull->places[i], hull->places[0]));
    }
    return size;
}

// The tolerance of the exact test is raised to 32 of its errors, u (32 g + 32 d + 200 f l) of each path
// (shape/swept.h). With u = 2^-53 these are 2^-43 (g + d) + 2^-40.3 f l, and 64 roundings of a hull are no less: 2^-40
// (g + 3 d + f l).
bool fr__swept_hulls_meet(const fr_triangle_path *a, const fr_triangle_path *b, double margin, double tolerance) {
    swept_hull hull_a, hull_b;
    make_hull(a, a->start[0], &hull_a);
    make_hull(b, a->start[0], &hull_b);
    double rounding = hull_a.rounding + hull_b.rounding;
    double exact_tolerance = larger(tolerance, 64.0 * rounding);
    fr_vec3 axis = {0.0, 0.0, 0.0};
    while (hull_a.count < MAX_PLACES && hull_b.count < MAX_PLACES) {
        fr_convex inner_a = {hull_a.places, hull_a.count, 0.0}, inner_b = {hull_b.places, hull_b.count, 0.0};
        fr_convex_distance inner = fr_gjk(&inner_a, &inner_b, axis);
        double allowed = fr__swept_hull_tolerance(exact_tolerance, size_of(&hull_a) + size_of(&hull_b));
        if (inner.distance <= margin + allowed + 2.0 * rounding) { return true; }
        bool is_new_a, is_new_b;
        fr_vec3 place_a, place_b;
        double to_b = reach_along(&hull_a, inner.axis, &place_a, &is_new_a);
        double to_a = reach_along(&hull_b, fr_vec3_negate(inner.axis), &place_b, &is_new_b);
        if (-to_a - to_b > margin + exact_tolerance + rounding) { return false; }
        if (!is_new_a && !is_new_b) { return true; } // the search can show no more, and no plane shows them apart
        if (is_new_a) { hull_a.places[hull_a.count++] = place_a; }
        if (is_new_b) { hull_b.places[hull_b.count++] = place_b; }
        axis = inner.axis;
    }
    return true;
}
