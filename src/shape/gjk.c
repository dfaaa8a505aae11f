// The distance of two convex sets (Gilbert, Johnson, Keerthi 1988). The difference set holds w = q - p for p in a and q in
// b; its point v closest to the origin is the shortest way from a to b. A simplex of up to four w closes in on it: find
// the closest point v of the simplex, drop the corners that it does not need, add the w that lies least along v.
//
// Ends: the least of all w along v, over |v|, is a lower bound of the distance, and |v| an upper one. When they agree to
// 1e-14 of the sets' reach, when a w comes again, or when v stops getting shorter (rounding is then all there is), v is
// the answer. The closest point of a triangle comes from fr_triangle_closest, which is sound for slivers, so the simplex
// needs no check of its own.
#include "fureai/shape.h"

#define MAX_ITERATIONS 128
#define CLOSE_ENOUGH 1e-14

typedef struct support {
    fr_vec3 w;     // on_b - on_a
    size_t ia, ib; // which points
} support;

typedef struct simplex {
    support corner[4];
    double weight[4];
    int count;
    fr_vec3 v; // the closest point to the origin
} simplex;

static size_t farthest(const fr_convex *set, fr_vec3 direction) {
    size_t best = 0;
    double most = fr_vec3_dot(set->points[0], direction);
    for (size_t i = 1; i < set->count; i++) {
        double along = fr_vec3_dot(set->points[i], direction);
        if (along > most) { most = along, best = i; }
    }
    return best;
}

// The w that lies least along v.
static support support_against(const fr_convex *a, const fr_convex *b, fr_vec3 v) {
    support s;
    s.ia = farthest(a, v);
    s.ib = farthest(b, fr_vec3_negate(v));
    s.w = fr_vec3_sub(b->points[s.ib], a->points[s.ia]);
    return s;
}

static bool has_corner(const simplex *s, const support *c) {
    for (int i = 0; i < s->count; i++) {
        if (s->corner[i].ia == c->ia && s->corner[i].ib == c->ib) { return true; }
    }
    return false;
}

// The part of a simplex given by up to three of its corners that holds the point closest to the origin; corners of
// weight zero are left out.
static simplex closest_of(const simplex *from, const int *corner, int count) {
    simplex part = {.count = 0};
    double weight[3] = {1.0, 0.0, 0.0};
    fr_vec3 origin = {0.0, 0.0, 0.0}, w[3] = {origin, origin, origin};
    for (int i = 0; i < count; i++) { w[i] = from->corner[corner[i]].w; }
    if (count == 2) {
        weight[1] = fr_segment_closest(w, origin, NULL);
        weight[0] = 1.0 - weight[1];
    } else if (count == 3) {
        fr_triangle_point p = fr_triangle_closest(w, origin);
        weight[1] = p.u;
        weight[2] = p.v;
        weight[0] = (1.0 - p.u) - p.v;
    }
    for (int i = 0; i < count; i++) {
        if (!(weight[i] > 0.0)) { continue; }
        part.v = fr_vec3_add_scaled(part.v, weight[i], w[i]);
        part.corner[part.count] = from->corner[corner[i]];
        part.weight[part.count++] = weight[i];
    }
    return part;
}

// Four corners: the closest point of the faces that turn towards the origin; all four corners where none does and the
// origin is inside.
static simplex closest_of_four(const simplex *s) {
    static const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    fr_vec3 origin = {0.0, 0.0, 0.0};
    simplex best = *s;
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        const int *f = face[i];
        fr_vec3 a = s->corner[f[0]].w, b = s->corner[f[1]].w, c = s->corner[f[2]].w;
        int inside = fr_orient3d(a, b, c, s->corner[i].w), of_origin = fr_orient3d(a, b, c, origin);
        if (inside != 0 && of_origin * inside >= 0) { continue; }
        simplex part = closest_of(s, f, 3);
        double length = fr_vec3_length_squared(part.v);
        if (length < least) { least = length, best = part; }
    }
    return best;
}

static simplex reduce(const simplex *s) {
    static const int all[3] = {0, 1, 2};
    return s->count == 4 ? closest_of_four(s) : closest_of(s, all, s->count);
}

static fr_vec3 weighted_point(const simplex *s, const fr_convex *set, bool is_a) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->count; i++) {
        sum = fr_vec3_add_scaled(sum, s->weight[i], set->points[is_a ? s->corner[i].ia : s->corner[i].ib]);
    }
    return sum;
}

// The barycentric weights of the origin in four corners: each the volume of the other three with it.
static void weigh_origin(simplex *s) {
    double volume[4], sum = 0.0;
    for (int i = 0; i < 4; i++) {
        fr_vec3 a = s->corner[(i + 1) % 4].w, b = s->corner[(i + 2) % 4].w, c = s->corner[(i + 3) % 4].w;
        volume[i] = fabs(fr_vec3_dot(fr_vec3_cross(a, b), c));
        sum += volume[i];
    }
    for (int i = 0; i < 4; i++) { s->weight[i] = sum > 0.0 ? volume[i] / sum : 0.25; }
}

static void finish(const simplex *s, const fr_convex *a, const fr_convex *b, double reach, fr_convex_distance *out) {
    double length = fr_vec3_length(s->v);
    out->on_a = weighted_point(s, a, true);
    out->on_b = weighted_point(s, b, false);
    fr_vec3 zero = {0.0, 0.0, 0.0};
    if (s->count == 4 || !(length > CLOSE_ENOUGH * reach)) {
        out->axis = zero;
        out->gap = out->distance = out->core_distance = 0.0;
        return;
    }
    out->axis = fr_vec3_scale(1.0 / length, s->v);
    out->core_distance = length;
    out->distance = length - (a->radius + b->radius);
    if (!(out->distance > 0.0)) { out->distance = 0.0; }
    out->on_a = fr_vec3_add_scaled(out->on_a, a->radius, out->axis);
    out->on_b = fr_vec3_add_scaled(out->on_b, -b->radius, out->axis);
    support least = support_against(a, b, out->axis);
    out->gap = fr_vec3_dot(least.w, out->axis) - (a->radius + b->radius);
}

fr_convex_distance fr_gjk(const fr_convex *a, const fr_convex *b, fr_vec3 axis) {
    FR_ASSERT(a->count > 0 && b->count > 0);
    fr_convex_distance out = {.converged = false};
    simplex s = {.count = 1, .weight = {1.0, 0.0, 0.0, 0.0}};
    s.corner[0] = support_against(a, b, axis);
    s.v = s.corner[0].w;
    double reach = fr_vec3_length(s.v), length_squared = fr_vec3_length_squared(s.v);

    for (out.iterations = 1; out.iterations < MAX_ITERATIONS; out.iterations++) {
        // Stage 1: is v the answer?
        double length = sqrt(length_squared);
        support next = support_against(a, b, s.v);
        double along = fr_vec3_dot(next.w, s.v), size = fr_vec3_length(next.w);
        reach = size > reach ? size : reach;
        bool closed = length_squared - along <= CLOSE_ENOUGH * reach * length;
        if (closed || length <= CLOSE_ENOUGH * reach || has_corner(&s, &next)) {
            out.converged = true;
            break;
        }

        // Stage 2: the closest point with the new corner; no shorter: the one before.
        simplex grown = s;
        grown.corner[grown.count++] = next;
        simplex reduced = reduce(&grown);
        if (reduced.count == 4) {
            weigh_origin(&reduced);
            s = reduced;
            out.converged = true;
            break;
        }
        double reduced_squared = fr_vec3_length_squared(reduced.v);
        if (!(reduced_squared < length_squared)) {
            out.converged = true;
            break;
        }
        s = reduced;
        length_squared = reduced_squared;
    }
    finish(&s, a, b, reach, &out);
    return out;
}
