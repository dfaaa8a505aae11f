// Sectors and their tests step by step as the source prints them.
#include "sector/faithful/thesis.h"

fr_sector fr_thesis_sector(const fr_swing *swing) {
    double half = 0.5 * swing->angle, d = swing->distance, inner = d - swing->half.y;
    if (fabs(half) > FR_PI) { half = half > 0.0 ? FR_PI : -FR_PI; }
    fr_sector s = {.center = swing->pivot,
                   .axis = swing->axis,
                   .inner = inner > 0.0 ? inner : 0.0,
                   .outer = d + swing->half.y,
                   .half_thickness = swing->half.z,
                   .half_angle = fabs(half)};
    double sine;
    fr_sincos(half, &sine, &s.cosine);
    s.sine = fabs(sine);
    s.bisector = fr_vec3_add_scaled(fr_vec3_scale(s.cosine, swing->arm), sine, fr_vec3_cross(swing->axis, swing->arm));
    s.side = fr_vec3_cross(s.axis, s.bisector);
    if (s.half_angle == FR_PI) {
        s.cosine = -1.0;
        s.sine = 1e-30;
    }
    return s;
}

static double square(double x) { return x * x; }
static double cross2(fr_vec2 a, fr_vec2 b) { return a.x * b.y - a.y * b.x; }
static double dot2(fr_vec2 a, fr_vec2 b) { return a.x * b.x + a.y * b.y; }
static fr_vec2 sub2(fr_vec2 a, fr_vec2 b) { return (fr_vec2){a.x - b.x, a.y - b.y}; }
static fr_vec2 at2(fr_vec2 a, double t, fr_vec2 v) { return (fr_vec2){a.x + t * v.x, a.y + t * v.y}; }
static double clamp(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

// ---------------------------------------------------------------------------------------------------------------
// Points, circles, balls

// (2.7): within the angle. As printed it divides by the distance from the axis.
static bool is_within_angle(const fr_sector *s, double x, double y, fr_thesis_form form) {
    double rho = sqrt(x * x + y * y);
    return form == FR_THESIS_PRINTED ? x / rho >= s->cosine : x >= s->cosine * rho;
}

static bool is_within_radii(const fr_sector *s, double x, double y) {
    double rho2 = x * x + y * y;
    return s->inner * s->inner <= rho2 && rho2 <= s->outer * s->outer;
}

bool fr_thesis_point(const fr_sector *s, fr_vec3 p, fr_thesis_form form) {
    return fabs(p.z) <= s->half_thickness && is_within_radii(s, p.x, p.y) && is_within_angle(s, p.x, p.y, form);
}

// (2.41) .. (2.46): squared distance of a point from a segment.
static double point_segment2(fr_vec2 q, fr_vec2 s, fr_vec2 e) {
    fr_vec2 v = sub2(e, s), d = sub2(q, s);
    double vv = dot2(v, v), t = vv > 0.0 ? clamp(dot2(d, v) / vv, 0.0, 1.0) : 0.0;
    fr_vec2 r = sub2(d, (fr_vec2){t * v.x, t * v.y});
    return dot2(r, r);
}

// (2.9), (2.10): an end of a radial edge.
static fr_vec2 edge_point(const fr_sector *s, double radius, double side) {
    return (fr_vec2){radius * s->cosine, side * radius * s->sine};
}

static bool is_near_edges(const fr_sector *s, fr_vec2 c, double radius) {
    double g = point_segment2(c, edge_point(s, s->inner, 1.0), edge_point(s, s->outer, 1.0));
    double h = point_segment2(c, edge_point(s, s->inner, -1.0), edge_point(s, s->outer, -1.0));
    return g <= radius * radius || h <= radius * radius;
}

bool fr_thesis_circle(const fr_sector *s, fr_vec2 c, double radius, fr_thesis_form form) {
    double rho2 = dot2(c, c);
    bool is_within = is_within_angle(s, c.x, c.y, form), is_reached = rho2 <= square(s->outer + radius);
    bool is_beyond_hole = rho2 >= square(s->inner - radius);
    if (form == FR_THESIS_CORRECTED) {
        if (!is_within) { return is_near_edges(s, c, radius); }
        return is_reached && (radius >= s->inner || is_beyond_hole);
    }
    // As printed a circle that closes the hole is lost, and the edges count only when the center is not within the
    // radii.
    if (is_within && is_reached && is_beyond_hole) { return true; }
    return !is_within_radii(s, c.x, c.y) && is_near_edges(s, c, radius);
}

bool fr_thesis_sphere(const fr_sector *s, fr_vec3 p, double radius, fr_thesis_form form) {
    double over = fabs(p.z) - s->half_thickness;
    if (over > radius) { return false; }
    double layer = over <= 0.0 ? radius : sqrt(radius * radius - over * over);
    return fr_thesis_circle(s, (fr_vec2){p.x, p.y}, layer, form);
}

// ---------------------------------------------------------------------------------------------------------------
// Rectangles

bool fr_thesis_crossing(fr_vec2 e, fr_vec2 f, fr_vec2 g, fr_vec2 h, fr_thesis_form form, fr_vec2 *point) {
    fr_vec2 d1 = sub2(f, e), d2 = sub2(h, g), w = sub2(g, e);
    double below = cross2(d1, d2);
    double below_s = form == FR_THESIS_PRINTED ? d1.x * d2.y - (g.y - f.y) * d2.x : below;
    if (below == 0.0 || below_s == 0.0) { return false; }
    double s = cross2(w, d2) / below_s, t = cross2(w, d1) / below;
    if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) { return false; }
    *point = at2(e, s, d1);
    return true;
}

// (2.36) .. (2.39): where a segment crosses a circle about the axis, within the angle; as printed roots beyond the ends
// are moved to them.
static bool circle_crossing(const fr_sector *s, fr_vec2 e, fr_vec2 f, double radius, fr_thesis_form form) {
    fr_vec2 v = sub2(f, e);
    double a = dot2(v, v), b = dot2(v, e), c = dot2(e, e) - radius * radius, discriminant = b * b - a * c;
    if (!(a > 0.0) || discriminant < 0.0) { return false; }
    for (int k = -1; k <= 1; k += 2) {
        double t = (-b + k * sqrt(discriminant)) / a;
        if (form == FR_THESIS_PRINTED) { t = clamp(t, 0.0, 1.0); }
        fr_vec2 p = at2(e, t, v);
        if (t >= 0.0 && t <= 1.0 && is_within_angle(s, p.x, p.y, form)) { return true; }
    }
    return false;
}

// (2.40)
static bool is_in_rectangle(const fr_vec2 corners[4], fr_vec2 p) {
    int left = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        double z = cross2(sub2(corners[(i + 1) % 4], corners[i]), sub2(p, corners[i]));
        left += z >= 0.0;
        right += z <= 0.0;
    }
    return left == 4 || right == 4;
}

bool fr_thesis_rectangle(const fr_sector *s, const fr_vec2 corners[4], fr_thesis_form form) {
    for (int i = 0; i < 4; i++) {
        fr_vec2 e = corners[i], f = corners[(i + 1) % 4], p;
        for (int k = -1; k <= 1; k += 2) {
            fr_vec2 g = edge_point(s, s->inner, k), h = edge_point(s, s->outer, k);
            if (fr_thesis_crossing(e, f, g, h, form, &p)) { return true; }
        }
        if (circle_crossing(s, e, f, s->inner, form) || circle_crossing(s, e, f, s->outer, form)) { return true; }
    }
    fr_vec2 middle = {0.5 * (s->inner + s->outer), 0.0};
    fr_vec3 in_sector = {middle.x, middle.y, 0.0}, in_rectangle = {corners[0].x, corners[0].y, 0.0};
    if (form == FR_THESIS_PRINTED) {
        // The two references are exchanged: each point is looked for in its own figure, and found.
        return fr_thesis_point(s, in_sector, form) || is_in_rectangle(corners, corners[0]);
    }
    return is_in_rectangle(corners, middle) || fr_thesis_point(s, in_rectangle, form);
}

// ---------------------------------------------------------------------------------------------------------------
// Capsules in the plane

// Numbers t from low to high; none when low > high.
typedef struct plane_range {
    double low, high;
} plane_range;

static plane_range both(plane_range a, plane_range b) {
    return (plane_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

// The t with p + q t >= 0.
static plane_range half_line(double p, double q) {
    if (q > 0.0) { return (plane_range){-p / q, INFINITY}; }
    if (q < 0.0) { return (plane_range){-INFINITY, -p / q}; }
    return p >= 0.0 ? (plane_range){-INFINITY, INFINITY} : (plane_range){INFINITY, -INFINITY};
}

// (2.15) .. (2.19): the one or two ranges of t within the radii; returns how many.
static int radial_ranges(const fr_sector *s, fr_vec2 a, fr_vec2 v, double radius, fr_thesis_form form,
                         plane_range out[2]) {
    double vv = dot2(v, v), b = dot2(a, v), aa = dot2(a, a);
    double outer = b * b - vv * (aa - square(s->outer + radius)), inner = b * b - vv * (aa - square(s->inner - radius));
    if (outer < 0.0) { return 0; }
    out[0] = (plane_range){(-b - sqrt(outer)) / vv, (-b + sqrt(outer)) / vv};
    if (inner < 0.0 || (form == FR_THESIS_CORRECTED && radius >= s->inner)) { return 1; }
    out[1] = (plane_range){(-b + sqrt(inner)) / vv, out[0].high};
    out[0].high = (-b - sqrt(inner)) / vv;
    return 2;
}

// (2.20): within the angle, for one of the radial ranges.
static bool angle_meets(const fr_sector *s, fr_vec2 a, fr_vec2 v, plane_range r, fr_thesis_form form) {
    fr_vec2 g = {s->cosine, s->sine}, h = {s->cosine, -s->sine};
    plane_range of_g = half_line(cross2(a, g), cross2(v, g)), of_h = half_line(-cross2(a, h), -cross2(v, h));
    plane_range inside = both(r, (plane_range){0.0, 1.0});
    if (s->cosine > 0.0) {
        inside = both(inside, both(of_g, of_h));

        // With no angle at all the ray behind the axis fulfils both.
        if (form == FR_THESIS_CORRECTED) { inside = both(inside, half_line(a.x, v.x)); }
        return inside.low <= inside.high;
    }
    plane_range first = both(inside, of_g), second = both(inside, of_h);
    return first.low <= first.high || second.low <= second.high;
}

// (2.47) .. (2.53): squared distance of two segments.
static double segment_segment2(fr_vec2 c, fr_vec2 d, fr_vec2 e, fr_vec2 f) {
    fr_vec2 l = sub2(d, c), m = sub2(f, e), w = sub2(e, c);
    double ll = dot2(l, l), mm = dot2(m, m), lm = dot2(l, m), below = lm * lm - ll * mm, t_l = 0.0, t_m = 0.0;
    if (fabs(below) > 1e-14 * ll * mm) {
        t_m = (dot2(m, w) * ll - dot2(l, w) * lm) / below;
        t_l = ll > 0.0 ? clamp(dot2(l, at2(w, t_m, m)) / ll, 0.0, 1.0) : 0.0;
    }
    t_m = mm > 0.0 ? dot2(m, sub2(at2(c, t_l, l), e)) / mm : 0.0;
    if (t_m < 0.0 || t_m > 1.0) {
        t_m = clamp(t_m, 0.0, 1.0);
        t_l = ll > 0.0 ? clamp(dot2(l, sub2(at2(e, t_m, m), c)) / ll, 0.0, 1.0) : 0.0;
    }
    fr_vec2 r = sub2(at2(c, t_l, l), at2(e, t_m, m));
    return dot2(r, r);
}

bool fr_thesis_flat_capsule(const fr_sector *s, const fr_vec2 segment[2], double radius, fr_thesis_form form) {
    fr_vec2 a = segment[0], v = sub2(segment[1], a);
    if (v.x == 0.0 && v.y == 0.0) { return fr_thesis_circle(s, a, radius, form); }
    plane_range ranges[2];
    int count = radial_ranges(s, a, v, radius, form, ranges);
    for (int i = 0; i < count; i++) {
        if (angle_meets(s, a, v, ranges[i], form)) { return true; }
    }
    double reach = radius * radius;
    return segment_segment2(a, segment[1], edge_point(s, s->inner, 1.0), edge_point(s, s->outer, 1.0)) <= reach ||
           segment_segment2(a, segment[1], edge_point(s, s->inner, -1.0), edge_point(s, s->outer, -1.0)) <= reach;
}

// ---------------------------------------------------------------------------------------------------------------
// Capsules in space

// (2.12): as printed its radicand may be negative.
static double layer(const fr_sector *s, double z, double radius, fr_thesis_form form) {
    double over = fabs(z) - s->half_thickness, left = radius * radius - over * over;
    if (over <= 0.0) { return radius; }
    return left > 0.0 || form == FR_THESIS_PRINTED ? sqrt(left) : 0.0;
}

bool fr_thesis_capsule(const fr_sector *s, const fr_vec3 segment[2], double radius, fr_thesis_form form) {
    bool is_printed = form == FR_THESIS_PRINTED, is_upside_down = segment[0].z < segment[1].z && !is_printed;
    fr_vec3 a = segment[is_upside_down], b = segment[!is_upside_down], v = fr_vec3_sub(b, a);
    double h = s->half_thickness, length = sqrt(v.x * v.x + v.y * v.y);
    if (a.z + radius < -h || b.z - radius > h) { return false; }
    bool reaches = a.z >= -h && b.z <= h;
    double of_a = layer(s, a.z, radius, form), of_b = layer(s, b.z, radius, form);
    double widest = reaches ? radius : (of_a > of_b ? of_a : of_b);
    if (length == 0.0) { return fr_thesis_circle(s, (fr_vec2){a.x, a.y}, widest, form); }
    if (v.z == 0.0 && !is_printed) {
        return fr_thesis_flat_capsule(s, (const fr_vec2[2]){{a.x, a.y}, {b.x, b.y}}, widest, form);
    }
    double w = radius * length / -v.z, size = sqrt(w * w + radius * radius);
    double high = h + (size > 0.0 ? radius * (w / size) : 0.0);
    double upper = a.z < high ? a.z : high, lower = b.z > -high ? b.z : -high;
    if (!is_printed) {
        upper = clamp(upper, b.z, a.z);
        lower = clamp(lower, b.z, a.z);
    }
    double t_upper = (upper - a.z) / v.z + (widest - layer(s, upper, radius, form)) / length;
    double t_lower = (lower - a.z) / v.z - (widest - layer(s, lower, radius, form)) / length;
    const fr_vec2 flat[2] = {{a.x + t_upper * v.x, a.y + t_upper * v.y}, {a.x + t_lower * v.x, a.y + t_lower * v.y}};
    return fr_thesis_flat_capsule(s, flat, widest, form);
}
