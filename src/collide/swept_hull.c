// Whether the hulls of two paths of triangles come within a distance.
//
// A corner at a distance r from the axis of a turn leaves the chord between its ends by at most r angle^2 / 8 (the
// error of linear interpolation; Kitamura's hull of the end positions alone can miss). The end that is given may stray
// from where the path ends; at each time the face is then in the hull, grown by the larger of the corners' bulges and
// strays. fr_gjk is right within 1e-7 of the size of both, for which 1e-6 has room.
#include "collide/swept_hull.h"

#include "math/arm.h"

typedef struct swept_hull {
    fr_vec3 points[6];
    double growth;
} swept_hull;

static double larger(double a, double b) { return a > b ? a : b; }

static void make_hull(const fr_triangle_path *path, fr_vec3 origin, swept_hull *out) {
    out->growth = 0.0;
    for (int k = 0; k < 3; k++) {
        out->points[k] = fr_vec3_sub(path->start[k], origin);
        out->points[3 + k] = fr_vec3_sub(path->end[k], origin);
    }
    if (path->motion == NULL) { return; }
    fr__axis axis = fr__axis_of_turn(path->motion->turn);
    fr_vec3 pivot = fr_pose_apply(&path->motion->start, path->motion->pivot_local);
    for (int k = 0; k < 3; k++) {
        fr__arm arm = fr__arm_make(&axis, path->start[k], pivot);
        fr_vec3 displacement =
            fr_vec3_add(path->motion->travel, fr__arm_displacement(&arm, fr__swing_at(axis.angle, 1.0)));
        double stray = fr_vec3_distance(fr_vec3_add(path->start[k], displacement), path->end[k]);
        double bulge = fr_vec3_length(arm.across) * axis.angle * axis.angle / 8.0;
        out->growth = larger(out->growth, (stray + bulge) * (1.0 + 0x1p-30));
    }
}

bool fr__swept_hulls_meet(const fr_triangle_path *a, const fr_triangle_path *b, double distance) {
    swept_hull hull_a, hull_b;
    fr_vec3 origin = a->start[0], no_guess = {0.0, 0.0, 0.0};
    make_hull(a, origin, &hull_a);
    make_hull(b, origin, &hull_b);
    double size = 0.0, reach = fr_vec3_largest(origin);
    for (int k = 0; k < 6; k++) {
        size = larger(size, larger(fr_vec3_largest(hull_a.points[k]), fr_vec3_largest(hull_b.points[k])));
    }
    fr_convex convex_a = {hull_a.points, 6, 0.0}, convex_b = {hull_b.points, 6, 0.0};
    double apart = fr_gjk(&convex_a, &convex_b, no_guess).gap;
    return !(apart > hull_a.growth + hull_b.growth + distance + 1e-6 * size + 0x1p-38 * reach);
}
