// The distance of two convex sets (Gilbert, Johnson, Keerthi 1988). The difference set holds w = q - p for p in a and q
// in b; its point v closest to the origin is the shortest vector from a to b. A simplex of up to four w closes in on
// it: find the closest point v of the simplex, drop the corners that it does not need, add the w that lies least along
// v.
//
// Termination: the smallest of all w along v, over |v|, is a lower bound of the distance, and |v| is an upper one. v is
// the result when the bounds agree to 1e-14 of the sets' reach, when a w repeats, or when v no longer gets shorter
// (only rounding is left). The closest point of a triangle comes from fr_triangle_closest, which is sound for slivers,
// so the simplex needs no check of its own.
#include "fureai/shape.h"

#define MAX_ITERATIONS 128
#define CLOSE_ENOUGH 1e-14
// How often v may fail to get shorter in doubles: a corner without progress can lead to one with progress.
#define MAX_STALLS 3

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

// The farthest point along a direction, relative to `center`, a point of the sets, so that sets far from the origin
// lose no digits.
static size_t farthest(const fr_convex *set, fr_vec3 center, fr_vec3 direction) {
    size_t best = 0;
    double greatest = fr_vec3_dot(fr_vec3_sub(set->points[0], center), direction);
    for (size_t i = 1; i < set->count; i++) {
        double along = fr_vec3_dot(fr_vec3_sub(set->points[i], center), direction);
        if (along > greatest) { greatest = along, best = i; }
    }
    return best;
}

// The w that lies least along v.
static support support_against(const fr_convex *a, const fr_convex *b, fr_vec3 v) {
    support s;
    s.ia = farthest(a, a->points[0], v);
    s.ib = farthest(b, a->points[0], fr_vec3_negate(v));
    s.w = fr_vec3_sub(b->points[s.ib], a->points[s.ia]);
    return s;
}

static bool has_corner(const simplex *s, const support *c) {
    for (int i = 0; i < s->count; i++) {
        if (s->corner[i].ia == c->ia && s->corner[i].ib == c->ib) { return true; }
    }
    return false;
}

// v made perpendicular to the segment or triangle it is on. It is so but for rounding of the size e reach, and that
// turns a v that is short, of sets that almost touch, far enough for a known corner to seem the next one: the search
// would end too early, up to 1e-8 of the reach off.
static fr_vec3 made_perpendicular(const simplex *s) {
    fr_vec3 v = s->v, u = fr_vec3_sub(s->corner[1].w, s->corner[0].w);
    if (s->count == 2) {
        double along = fr_vec3_dot(v, u), length = fr_vec3_length_squared(u);
        return length > 0.0 ? fr_vec3_add_scaled(v, -along / length, u) : v;
    }
    if (s->count != 3) { return v; }
    fr_vec3 n = fr_vec3_cross(u, fr_vec3_sub(s->corner[2].w, s->corner[0].w));
    double along = fr_vec3_dot(v, n), length = fr_vec3_length_squared(n);
    return length > 0.0 ? fr_vec3_scale(along / length, n) : v;
}

// The part of a simplex given by up to three of its corners that holds the point closest to the origin; corners of
// weight zero are left out.
static simplex closest_of(const simplex *from, const int *corner, int count) {
    simplex part = {.count = 0};
    double weight[3] = {1.0, 0.0, 0.0};
    fr_vec3 origin = {0.0, 0.0, 0.0}, w[3] = {origin, origin, origin};
    for (int i = 0; i < count; i++) {
        w[i] = from->corner[corner[i]].w;
    }
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
    double shortest = INFINITY;
    for (int i = 0; i < 4; i++) {
        const int *f = face[i];
        fr_vec3 a = s->corner[f[0]].w, b = s->corner[f[1]].w, c = s->corner[f[2]].w;
        int inside = fr_orient3d(a, b, c, s->corner[i].w), of_origin = fr_orient3d(a, b, c, origin);
        if (inside != 0 && of_origin * inside >= 0) { continue; }
        simplex part = closest_of(s, f, 3);
        double length = fr_vec3_length_squared(part.v);
        if (length < shortest) { shortest = length, best = part; }
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

// The weights of the origin in four corners that hold it: each the volume of the other three with it. In a flat
// tetrahedron these are all rounding, but a face comes as near to the origin.
static simplex weigh_origin(const simplex *s) {
    static const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    simplex best = *s;
    double volume[4], sum = 0.0;
    for (int i = 0; i < 4; i++) {
        fr_vec3 a = s->corner[face[i][0]].w, b = s->corner[face[i][1]].w, c = s->corner[face[i][2]].w;
        volume[i] = fabs(fr_vec3_dot(fr_vec3_cross(a, b), c));
        sum += volume[i];
    }
    best.v = fr_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; i++) {
        best.weight[i] = sum > 0.0 ? volume[i] / sum : 0.25;
        best.v = fr_vec3_add_scaled(best.v, best.weight[i], s->corner[i].w);
    }
    for (int i = 0; i < 4; i++) {
        simplex part = closest_of(s, face[i], 3);
        if (fr_vec3_length_squared(part.v) < fr_vec3_length_squared(best.v)) { best = part; }
    }
    return best;
}

// Fills the result from the last simplex; a v of length up to `tolerance` means that the sets overlap.
static void finish(const simplex *s, const fr_convex *a, const fr_convex *b, double tolerance,
                   fr_convex_distance *out) {
    double length = fr_vec3_length(s->v);
    out->on_a = weighted_point(s, a, true);
    out->on_b = weighted_point(s, b, false);
    fr_vec3 zero = {0.0, 0.0, 0.0};
    if (!(length > tolerance)) {
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
    support nearest = support_against(a, b, out->axis);
    out->gap = fr_vec3_dot(nearest.w, out->axis) - (a->radius + b->radius);
    if (out->gap > out->distance) { out->gap = out->distance; }
}

// Finds the next corner; false when v is the result already.
static bool find_next(const simplex *s, const fr_convex *a, const fr_convex *b, double *reach, support *next) {
    *next = support_against(a, b, s->v);
    double size = fr_vec3_length(next->w), length = fr_vec3_length(s->v);
    *reach = size > *reach ? size : *reach;
    if (length * length - fr_vec3_dot(next->w, s->v) <= CLOSE_ENOUGH * *reach * length) { return false; }
    if (length <= CLOSE_ENOUGH * *reach) { return false; }
    if (!has_corner(s, next)) { return true; }
    *next = support_against(a, b, made_perpendicular(s));
    return !has_corner(s, next);
}

fr_convex_distance fr_gjk(const fr_convex *a, const fr_convex *b, fr_vec3 axis) {
    FR_ASSERT(a->count > 0 && b->count > 0);
    fr_convex_distance out = {.is_converged = true};
    simplex s = {.count = 1, .weight = {1.0, 0.0, 0.0, 0.0}};
    s.corner[0] = support_against(a, b, axis);
    s.v = s.corner[0].w;
    double reach = fr_vec3_length(s.v);
    support next;
    bool overlap = false;
    int stalls = 0;
    for (out.iterations = 1; find_next(&s, a, b, &reach, &next); out.iterations++) {
        if (out.iterations == MAX_ITERATIONS) {
            out.is_converged = false;
            break;
        }
        simplex grown = s;
        grown.corner[grown.count++] = next;
        simplex reduced = reduce(&grown);
        if (reduced.count == 4) {
            s = weigh_origin(&reduced);
            overlap = true;
            break;
        }
        double before = fr_vec3_length_squared(s.v), after = fr_vec3_length_squared(reduced.v);
        if (!(after < before) && (++stalls > MAX_STALLS || !(after <= before * (1.0 + 0x1p-50)))) { break; }
        s = reduced;
    }
    finish(&s, a, b, overlap ? INFINITY : CLOSE_ENOUGH * reach, &out);
    return out;
}
