// Polygons in a plane: area, cutting one to a convex other, the area two triangles share.
#include "fureai/shape.h"

double fr_polygon_area(const fr_vec2 *points, size_t count) {
    double sum = 0.0;
    for (size_t i = 2; i < count; i++) {
        // About point 0, so that what is far from the origin loses nothing.
        double px = points[i - 1].x - points[0].x, py = points[i - 1].y - points[0].y;
        double qx = points[i].x - points[0].x, qy = points[i].y - points[0].y;
        sum += px * qy - py * qx;
    }
    return 0.5 * sum;
}

fr_vec3 fr_polygon_area_vector(const fr_vec3 *points, size_t count) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (size_t i = 2; i < count; i++) {
        fr_vec3 p = fr_vec3_sub(points[i - 1], points[0]), q = fr_vec3_sub(points[i], points[0]);
        sum = fr_vec3_add(sum, fr_vec3_cross(p, q));
    }
    return fr_vec3_scale(0.5, sum);
}

static double side_value(fr_vec2 a, fr_vec2 b, fr_vec2 p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static fr_vec2 cut_point(fr_vec2 p, fr_vec2 q, double at_p, double at_q) {
    double t = at_p / (at_p - at_q), s = 1.0 - t;
    fr_vec2 cut = {s * p.x + t * q.x, s * p.y + t * q.y};
    return cut;
}

// Keeps what is left of the line a b. Returns the count, SIZE_MAX when it does not fit.
static size_t cut_to_side(const fr_vec2 *in, size_t count, fr_vec2 a, fr_vec2 b, fr_vec2 *out, size_t capacity) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        fr_vec2 p = in[i], q = in[i + 1 < count ? i + 1 : 0];
        double at_p = side_value(a, b, p), at_q = side_value(a, b, q);
        if (at_p >= 0.0) {
            if (kept == capacity) { return SIZE_MAX; }
            out[kept++] = p;
        }
        if ((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0)) {
            if (kept == capacity) { return SIZE_MAX; }
            out[kept++] = cut_point(p, q, at_p, at_q);
        }
    }
    return kept;
}

size_t fr_polygon_clip(const fr_vec2 *subject, size_t subject_count, const fr_vec2 *clip, size_t clip_count,
                       fr_vec2 *out, fr_vec2 *scratch, size_t capacity) {
    if (subject_count < 3 || clip_count < 3) { return 0; }
    const fr_vec2 *in = subject;
    size_t count = subject_count;
    for (size_t i = 0; i < clip_count && count >= 3; i++) {
        // The last cut lands in `out`.
        fr_vec2 *to = (clip_count - i) % 2 == 1 ? out : scratch;
        count = cut_to_side(in, count, clip[i], clip[i + 1 < clip_count ? i + 1 : 0], to, capacity);
        if (count == SIZE_MAX) { return SIZE_MAX; }
        in = to;
    }
    return count < 3 ? 0 : count;
}

double fr_triangle_overlap_area(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 normal) {
    fr_vec3 fallback = {0.0, 0.0, 1.0};
    fr_vec3 n = fr_vec3_unit(normal, fallback), x = fr_vec3_perpendicular(n), y = fr_vec3_cross(n, x);
    fr_vec2 flat_a[3], flat_b[3], out[9], scratch[9]; // three cuts make at most half as many again each: 4, 6, 9
    for (int i = 0; i < 3; i++) {
        fr_vec3 p = fr_vec3_sub(a[i], a[0]), q = fr_vec3_sub(b[i], a[0]);
        flat_a[i] = (fr_vec2){fr_vec3_dot(p, x), fr_vec3_dot(p, y)};
        flat_b[i] = (fr_vec2){fr_vec3_dot(q, x), fr_vec3_dot(q, y)};
    }
    double area_b = fr_polygon_area(flat_b, 3);
    if (!(area_b != 0.0)) { return 0.0; }
    if (area_b < 0.0) {
        fr_vec2 p = flat_b[1];
        flat_b[1] = flat_b[2];
        flat_b[2] = p;
    }
    return fabs(fr_polygon_area(out, fr_polygon_clip(flat_a, 3, flat_b, 3, out, scratch, 9)));
}
