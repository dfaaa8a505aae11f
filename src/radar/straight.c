// Straight motion: depth is the travel itself.
#include "radar/columns.h"
#include "radar/polygon.h"

#include <math.h>

// Pixels: sides of columns are moved outwards by this, for the rounding of cuts.
#define SIDE_SLACK 1e-9

// Parameters this much outside an edge or a face are on it: rounding of the view.
#define OUTSIDE 1e-12

static double slack_of(const fr__view *view) { return 1e-13 * (view->size + view->travel); }

// ---------------------------------------------------------------------------------------------------------------
// Cutting

static bool is_beside(const double v[3], const double ends[2]) {
    return (v[0] < ends[0] && v[1] < ends[0] && v[2] < ends[0]) || (v[0] > ends[1] && v[1] > ends[1] && v[2] > ends[1]);
}

static int cut_out(const fr__view *view, const fr__facet *f, const fr__column *c, fr__reach *out) {
    double side = view->widen > 0.0 ? SIDE_SLACK + view->widen / view->pixel : SIDE_SLACK;
    const double ends[2][2] = {{c->x0 - side, c->x1 + side}, {c->y0 - side, c->y1 + side}};
    if (is_beside(f->x, ends[0]) || is_beside(f->y, ends[1])) { return 0; }
    fr__polygon poly = fr__polygon_of(f);
    for (int axis = 1; axis >= 0; axis--) {
        fr__polygon_cut(&poly, axis, ends[axis][0], 1.0);
        if (poly.count == 0) { return 0; }
        fr__polygon_cut(&poly, axis, ends[axis][1], -1.0);
        if (poly.count == 0) { return 0; }
    }
    out->low = INFINITY;
    out->high = -INFINITY;
    for (int i = 0; i < poly.count; i++) {
        out->low = fr__lesser(out->low, poly.p[i][2]);
        out->high = fr__greater(out->high, poly.p[i][2]);
    }
    double deep = slack_of(view) + view->widen;
    out->low -= deep;
    out->high += deep;
    return 1;
}

static double gap_between(const fr__reach *mover, const fr__reach *other) {
    if (other->high < mover->low) { return INFINITY; }
    return other->low > mover->high ? other->low - mover->high : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

// The depth of a face on the line through (x, y); false where the line passes it by.
static bool depth_on_line(const fr__facet *f, double x, double y, double *z) {
    double area = (f->x[1] - f->x[0]) * (f->y[2] - f->y[0]) - (f->y[1] - f->y[0]) * (f->x[2] - f->x[0]);
    double sum = 0.0;
    if (area == 0.0) { return false; }
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        double part = ((f->x[b] - f->x[a]) * (y - f->y[a]) - (f->y[b] - f->y[a]) * (x - f->x[a])) / area;
        if (!(part >= 0.0)) { return false; }
        sum += part * f->z[i];
    }
    *z = sum;
    return true;
}

static double travel_on_line(const fr__view *view, const fr__facet *mover, const fr__facet *other, double x, double y) {
    double from, to;
    if (!depth_on_line(mover, x, y, &from) || !depth_on_line(other, x, y, &to)) { return INFINITY; }
    if (to < from - slack_of(view)) { return INFINITY; }
    return to > from ? to - from : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs: corners against faces, edges against edges

static fr_vec3 corner_of(const fr__facet *f, int k, double pixel) {
    return fr_vec3_make(f->x[k] * pixel, f->y[k] * pixel, f->z[k]);
}

static void offer(fr__meeting *best, double travel, double slack, fr_feature feature, fr_vec3 point, fr_vec3 normal) {
    if (!(travel >= -slack)) { return; }
    if (travel < 0.0) { travel = 0.0; }
    if (!(travel < best->travel)) { return; }
    best->travel = travel;
    best->feature = feature;
    best->point = point;
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

static fr__meeting meet(const fr__view *view, const fr__facet *mover, const fr__facet *other) {
    double pixel = view->pixel, slack = slack_of(view);
    fr__meeting best = {.travel = INFINITY, .mover = mover, .other = other};
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
    best.point.x /= pixel;
    best.point.y /= pixel;
    return best;
}

const fr__travel_table fr__straight_travel = {cut_out, gap_between, travel_on_line, meet, true};
