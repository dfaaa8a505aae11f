// Polygons in a plane: area, and cutting one to a convex other.
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
    double t = at_p / (at_p - at_q);
    fr_vec2 cut = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
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
