// The methods that the source compares sectors with: swept boxes, circles and spheres.
#include "sector/faithful/rivals.h"

// ---------------------------------------------------------------------------------------------------------------
// Bounds of a swing

fr_oriented_box fr_swing_box_at(const fr_swing *swing, double t) {
    double sine, cosine;
    fr_sincos(t * swing->angle, &sine, &cosine);
    fr_vec3 across = fr_vec3_cross(swing->axis, swing->arm);
    fr_vec3 arm = fr_vec3_add_scaled(fr_vec3_scale(cosine, swing->arm), sine, across);
    fr_oriented_box box = {.half = swing->half};
    box.axes.row[0] = fr_vec3_cross(arm, swing->axis);
    box.axes.row[1] = arm;
    box.axes.row[2] = swing->axis;
    box.center = fr_vec3_add_scaled(swing->pivot, swing->distance, arm);
    return box;
}

static fr_vec3 corner_of(const fr_oriented_box *box, int i) {
    fr_vec3 p = fr_vec3_add_scaled(box->center, i & 1 ? box->half.x : -box->half.x, box->axes.row[0]);
    p = fr_vec3_add_scaled(p, i & 2 ? box->half.y : -box->half.y, box->axes.row[1]);
    return fr_vec3_add_scaled(p, i & 4 ? box->half.z : -box->half.z, box->axes.row[2]);
}

static fr_bounds bounds_of_ends(const fr_swing *swing) {
    fr_vec3 corners[16];
    for (int end = 0; end < 2; end++) {
        fr_oriented_box box = fr_swing_box_at(swing, end);
        for (int i = 0; i < 8; i++) {
            corners[8 * end + i] = corner_of(&box, i);
        }
    }
    return fr_bounds_of_points(corners, 16);
}

// Every corner goes along an arc about the axis: its ends, and where it is farthest along a coordinate.
static fr_bounds bounds_of_arcs(const fr_swing *swing) {
    fr_bounds bounds = bounds_of_ends(swing);
    fr_oriented_box box = fr_swing_box_at(swing, 0.0);
    double sign = swing->angle < 0.0 ? -1.0 : 1.0, limit = fabs(swing->angle);
    for (int i = 0; i < 8; i++) {
        fr_vec3 d = fr_vec3_sub(corner_of(&box, i), swing->pivot);
        fr_vec3 across = fr_vec3_add_scaled(d, -fr_vec3_dot(d, swing->axis), swing->axis);
        fr_vec3 quarter = fr_vec3_scale(sign, fr_vec3_cross(swing->axis, across));
        const double a[3] = {across.x, across.y, across.z}, b[3] = {quarter.x, quarter.y, quarter.z};
        for (int k = 0; k < 6; k++) {
            double angle = fr_atan2(b[k / 2], a[k / 2]) + (k % 2 ? FR_PI : 0.0);
            if (angle < 0.0) { angle += 2.0 * FR_PI; }
            if (angle <= limit) {
                double sine, cosine;
                fr_sincos(angle, &sine, &cosine);
                fr_vec3 p = fr_vec3_add(swing->pivot, fr_vec3_sub(d, across));
                p = fr_vec3_add_scaled(fr_vec3_add_scaled(p, cosine, across), sine, quarter);
                bounds = fr_bounds_with_point(&bounds, p);
            }
        }
    }
    return bounds;
}

fr_bounds fr_sccd_bounds(const fr_swing *swing, fr_sccd_reading reading) {
    if (reading == FR_SCCD_TIGHT) { return bounds_of_arcs(swing); }
    fr_bounds ends = bounds_of_ends(swing);
    if (reading == FR_SCCD_ENDS) { return ends; }
    fr_vec3 size = fr_vec3_sub(ends.max, ends.min), middle = fr_swing_box_at(swing, 0.0).center;
    return (fr_bounds){fr_vec3_sub(middle, size), fr_vec3_add(middle, size)};
}

static fr_vec3 extent_of(const fr_oriented_box *b) {
    const fr_vec3 *a = b->axes.row;
    return fr_vec3_make(fabs(a[0].x) * b->half.x + fabs(a[1].x) * b->half.y + fabs(a[2].x) * b->half.z,
                        fabs(a[0].y) * b->half.x + fabs(a[1].y) * b->half.y + fabs(a[2].y) * b->half.z,
                        fabs(a[0].z) * b->half.x + fabs(a[1].z) * b->half.y + fabs(a[2].z) * b->half.z);
}

fr_bounds fr_sccd_bounds_by_axes(const fr_swing *swing) {
    fr_oriented_box start = fr_swing_box_at(swing, 0.0), end = fr_swing_box_at(swing, 1.0);
    fr_vec3 a = extent_of(&start), b = extent_of(&end);
    return (fr_bounds){fr_vec3_min(fr_vec3_sub(start.center, a), fr_vec3_sub(end.center, b)),
                       fr_vec3_max(fr_vec3_add(start.center, a), fr_vec3_add(end.center, b))};
}

fr_swept_sphere fr_swept_sphere_of(const fr_swing *swing) {
    fr_oriented_box start = fr_swing_box_at(swing, 0.0), end = fr_swing_box_at(swing, 1.0);
    return (fr_swept_sphere){{start.center, end.center}, fr_vec3_length(swing->half)};
}

// ---------------------------------------------------------------------------------------------------------------
// Simple shapes

static double square(double x) { return x * x; }
static double clamp(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

bool fr_rival_circles(fr_vec2 a, double radius_a, fr_vec2 b, double radius_b) {
    return square(a.x - b.x) + square(a.y - b.y) <= square(radius_a + radius_b);
}

bool fr_rival_spheres(fr_vec3 a, double radius_a, fr_vec3 b, double radius_b) {
    return fr_vec3_length_squared(fr_vec3_sub(a, b)) <= square(radius_a + radius_b);
}

bool fr_rival_box_sphere(const fr_bounds *box, fr_vec3 c, double radius) {
    double x = c.x - clamp(c.x, box->min.x, box->max.x), y = c.y - clamp(c.y, box->min.y, box->max.y);
    double z = c.z - clamp(c.z, box->min.z, box->max.z);
    return x * x + y * y + z * z <= radius * radius;
}

bool fr_rival_flat_boxes(const fr_bounds *a, const fr_bounds *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y;
}

bool fr_rival_capsules(const fr_vec3 a[2], double radius_a, const fr_vec3 b[2], double radius_b) {
    return fr_segment_distance(a, b, NULL, NULL) <= radius_a + radius_b;
}

// Squared distance of two segments, after the source's (2.47) to (2.53).
static double segments2(const fr_vec2 p[2], const fr_vec2 q[2]) {
    fr_vec2 l = {p[1].x - p[0].x, p[1].y - p[0].y}, m = {q[1].x - q[0].x, q[1].y - q[0].y};
    fr_vec2 w = {q[0].x - p[0].x, q[0].y - p[0].y};
    double ll = l.x * l.x + l.y * l.y, mm = m.x * m.x + m.y * m.y, lm = l.x * m.x + l.y * m.y;
    double lw = l.x * w.x + l.y * w.y, mw = m.x * w.x + m.y * w.y, below = lm * lm - ll * mm;
    double t_m = fabs(below) > 1e-14 * ll * mm ? (mw * ll - lw * lm) / below : 0.0;
    double t_l = ll > 0.0 ? clamp((lw + t_m * lm) / ll, 0.0, 1.0) : 0.0;
    t_m = mm > 0.0 ? (t_l * lm - mw) / mm : 0.0;
    if (t_m < 0.0 || t_m > 1.0) {
        t_m = clamp(t_m, 0.0, 1.0);
        t_l = ll > 0.0 ? clamp((lw + t_m * lm) / ll, 0.0, 1.0) : 0.0;
    }
    return square(w.x + t_m * m.x - t_l * l.x) + square(w.y + t_m * m.y - t_l * l.y);
}

bool fr_rival_flat_capsules(const fr_vec2 a[2], double radius_a, const fr_vec2 b[2], double radius_b) {
    return segments2(a, b) <= square(radius_a + radius_b);
}

// Whether the corners of a and b are apart along a direction.
static bool is_apart(const fr_vec2 *a, const fr_vec2 *b, double nx, double ny) {
    double low[2], high[2];
    for (int k = 0; k < 2; k++) {
        const fr_vec2 *c = k == 0 ? a : b;
        low[k] = high[k] = nx * c[0].x + ny * c[0].y;
        for (int i = 1; i < 4; i++) {
            double at = nx * c[i].x + ny * c[i].y;
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    return low[0] > high[1] || low[1] > high[0];
}

bool fr_rival_rectangles(const fr_vec2 a[4], const fr_vec2 b[4]) {
    for (int k = 0; k < 2; k++) {
        const fr_vec2 *c = k == 0 ? a : b;
        for (int i = 0; i < 2; i++) {
            double nx = c[i + 1].x - c[i].x, ny = c[i + 1].y - c[i].y;
            if (is_apart(a, b, nx, ny)) { return false; }
        }
    }
    return true;
}
