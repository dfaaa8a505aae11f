// Two triangles on a straight way: corners against faces, edges against edges.
#include "radar/columns.h"

#include <math.h>

// Parameters this much outside an edge or a face are on it: rounding of the view.
#define OUTSIDE 1e-12

static fr_vec3 corner_of(const fr__facet *f, int k, double pixel) {
    return fr_vec3_make(f->x[k] * pixel, f->y[k] * pixel, f->z[k]);
}

static void offer(fr__meeting *best, double way, double slack, fr_feature feature, fr_vec3 point, fr_vec3 normal) {
    if (!(way >= -slack)) { return; }
    if (way < 0.0) { way = 0.0; }
    if (!(way < best->way)) { return; }
    best->way = way;
    best->feature = feature;
    best->x = point.x;
    best->y = point.y;
    best->z = point.z;
    best->normal = normal.z < 0.0 ? fr_vec3_negate(normal) : normal;
}

// The depth of a triangle at (x, y); false where it is not there.
static bool depth_at(const fr_vec3 t[3], fr_vec3 normal, double x, double y, double *z) {
    double area = normal.z, least = -OUTSIDE * fabs(area);
    if (area == 0.0) { return false; }
    double sign = area > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = t[i], b = t[(i + 1) % 3];
        double part = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        if (!(sign * part >= least)) { return false; }
    }
    double low = fr__lesser(fr__lesser(t[0].z, t[1].z), t[2].z),
           high = fr__greater(fr__greater(t[0].z, t[1].z), t[2].z);
    double at = t[0].z - (normal.x * (x - t[0].x) + normal.y * (y - t[0].y)) / area;
    *z = fr__lesser(fr__greater(at, low), high);
    return true;
}

static void meet_corners(const fr_vec3 a[3], const fr_vec3 b[3], double slack, fr__meeting *best) {
    fr_vec3 normal_a = fr_vec3_cross(fr_vec3_sub(a[1], a[0]), fr_vec3_sub(a[2], a[0]));
    fr_vec3 normal_b = fr_vec3_cross(fr_vec3_sub(b[1], b[0]), fr_vec3_sub(b[2], b[0]));
    double z;
    for (int k = 0; k < 3; k++) {
        if (depth_at(b, normal_b, a[k].x, a[k].y, &z)) {
            offer(best, z - a[k].z, slack, FR_FEATURE_VERTEX_FACE, fr_vec3_make(a[k].x, a[k].y, z), normal_b);
        }
        if (depth_at(a, normal_a, b[k].x, b[k].y, &z)) {
            offer(best, b[k].z - z, slack, FR_FEATURE_FACE_VERTEX, b[k], normal_a);
        }
    }
}

static void meet_edges(fr_vec3 a0, fr_vec3 a1, fr_vec3 b0, fr_vec3 b1, double slack, fr__meeting *best) {
    fr_vec3 u = fr_vec3_sub(a1, a0), v = fr_vec3_sub(b1, b0), w = fr_vec3_sub(b0, a0);
    double across = u.x * v.y - u.y * v.x;
    double size = (fabs(u.x) + fabs(u.y)) * (fabs(v.x) + fabs(v.y));
    if (!(fabs(across) > 1e-14 * size)) { return; }
    double s = (w.x * v.y - w.y * v.x) / across, t = (w.x * u.y - w.y * u.x) / across;
    if (!(s >= -OUTSIDE && s <= 1.0 + OUTSIDE && t >= -OUTSIDE && t <= 1.0 + OUTSIDE)) { return; }
    double za = a0.z + s * u.z, zb = b0.z + t * v.z;
    fr_vec3 point = fr_vec3_make(b0.x + t * v.x, b0.y + t * v.y, zb);
    offer(best, zb - za, slack, FR_FEATURE_EDGE_EDGE, point, fr_vec3_cross(u, v));
}

fr__meeting fr__facets_meet(const fr__facet *mover, const fr__facet *other, double pixel, double slack) {
    fr__meeting best = {.way = INFINITY, .mover = mover, .other = other};
    fr_vec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corner_of(mover, k, pixel);
        b[k] = corner_of(other, k, pixel);
    }
    meet_corners(a, b, slack, &best);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            meet_edges(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3], slack, &best);
        }
    }
    best.x /= pixel;
    best.y /= pixel;
    return best;
}
