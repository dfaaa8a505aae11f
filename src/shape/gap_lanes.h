// The closest points of two triangles that do not overlap, by all their features at once: nine pairs of edges, three in
// lanes, and the corners of each over the face of the other.
#ifndef FUREAI_SHAPE_GAP_LANES_H
#define FUREAI_SHAPE_GAP_LANES_H

#include "shape/corner_lanes.h"
#include "shape/gap.h"

// For each of three edges, the nearest edge of the other triangle: edge j, with the closest points at s and t.
typedef struct near_edges {
    fr__d4 squared, s, t, j;
} near_edges;

static inline fr__d4 clamp_unit(fr__d4 s) { return fr__d4_min(fr__d4_max(s, fr__d4_splat(0.0)), fr__d4_splat(1.0)); }

// Tries the edge from b0 along v. For nearly parallel ones s is inaccurate, but both points are points of the segments.
// An invalid quotient, of edges that are points, counts as 0.
static inline void offer_edge(const corners *a, const corners *u, fr__d4 uu, fr_vec3 b0, fr_vec3 v, double j,
                              near_edges *best) {
    corners other = splat_corner(b0), direction = splat_corner(v), apart = sub_corners(&other, a);
    fr__d4 zero = fr__d4_splat(0.0), vv = fr__d4_splat(fr_vec3_dot(v, v)), uv = dot_corners(u, &direction);
    fr__d4 ua = dot_corners(u, &apart), va = dot_corners(&direction, &apart);
    fr__d4 across = fr__d4_sub(fr__d4_mul(uu, vv), fr__d4_mul(uv, uv));
    fr__d4 s = fr__d4_div(fr__d4_sub(fr__d4_mul(ua, vv), fr__d4_mul(va, uv)), across);
    s = fr__d4_select(fr__d4_gt(across, zero), clamp_unit(s), zero);

    // t follows s; where it leaves the segment, or that is a point, s follows t.
    fr__d4 free = fr__d4_div(fr__d4_sub(fr__d4_mul(s, uv), va), vv);
    fr__m4 is_within = fr__m4_and(fr__d4_ge(free, zero), fr__d4_le(free, fr__d4_splat(1.0)));
    fr__d4 t = fr__d4_select(fr__d4_gt(vv, zero), clamp_unit(free), zero);
    fr__d4 follows = fr__d4_div(add_scaled(ua, t, uv), uu);
    follows = fr__d4_select(fr__d4_gt(uu, zero), clamp_unit(follows), zero);
    s = fr__d4_select(is_within, s, follows);

    corners on_a = add_corners(a, s, u), on_b = add_corners(&other, t, &direction), d = sub_corners(&on_b, &on_a);
    fr__d4 squared = dot_corners(&d, &d);
    fr__m4 is_nearer = fr__d4_lt(squared, best->squared);
    best->squared = fr__d4_select(is_nearer, squared, best->squared);
    best->s = fr__d4_select(is_nearer, s, best->s);
    best->t = fr__d4_select(is_nearer, t, best->t);
    best->j = fr__d4_select(is_nearer, fr__d4_splat(j), best->j);
}

static inline int least_of_three(const double v[3]) {
    int k = v[1] < v[0] ? 1 : 0;
    return v[2] < v[k] ? 2 : k;
}

static inline void gap_of_edges(const corners *lanes_a, const fr_vec3 a[3], const fr_vec3 b[3], fr__gap *gap) {
    static const int next[3] = {1, 2, 0};
    corners ends = load_corners(&a[1], &a[2], &a[0]), u = sub_corners(&ends, lanes_a);
    fr__d4 uu = dot_corners(&u, &u), zero = fr__d4_splat(0.0);
    near_edges best = {fr__d4_splat((double)INFINITY), zero, zero, zero};
    for (int j = 0; j < 3; j++) {
        offer_edge(lanes_a, &u, uu, b[j], fr_vec3_sub(b[next[j]], b[j]), (double)j, &best);
    }
    _Alignas(32) double squared[4], s[4], t[4], of_b[4];
    fr__d4_store_aligned(squared, best.squared);
    fr__d4_store_aligned(s, best.s);
    fr__d4_store_aligned(t, best.t);
    fr__d4_store_aligned(of_b, best.j);
    int i = least_of_three(squared), j = (int)of_b[i];
    gap->on_a = fr_vec3_add_scaled(a[i], s[i], fr_vec3_sub(a[next[i]], a[i]));
    gap->on_b = fr_vec3_add_scaled(b[j], t[i], fr_vec3_sub(b[next[j]], b[j]));
    gap->squared = squared[i];
    gap->feature = FR_FEATURE_EDGE_EDGE;
    gap->i = i;
    gap->j = j;
    gap->support_a = s[i] > 0.0 && s[i] < 1.0 ? FR__EDGE : FR__CORNER;
    gap->support_b = t[i] > 0.0 && t[i] < 1.0 ? FR__EDGE : FR__CORNER;
}

// The corner nearest to a face among those whose foot is inside it, if it is nearer than `squared`, its foot, and the
// square of its distance; -1: none.
static inline int corner_over_face(const corners *lanes, const fr_vec3 p[3], const fr_vec3 face[3], double *squared,
                                   fr_vec3 *foot) {
    fr_vec3 u = fr_vec3_sub(face[1], face[0]), v = fr_vec3_sub(face[2], face[0]), n = fr_vec3_cross(u, v);
    double nn = fr_vec3_dot(n, n);
    if (!(nn > 0.0 && nn < (double)INFINITY)) { return -1; }
    corners first = splat_corner(face[0]), w = sub_corners(lanes, &first), normal = splat_corner(n);
    corners by_v = splat_corner(fr_vec3_cross(n, u)), by_u = splat_corner(fr_vec3_cross(v, n));
    fr__d4 height = dot_corners(&w, &normal), along_v = dot_corners(&w, &by_v), along_u = dot_corners(&w, &by_u);
    fr__d4 zero = fr__d4_splat(0.0);
    fr__m4 inside = fr__m4_and(fr__d4_ge(along_u, zero), fr__d4_ge(along_v, zero));
    inside = fr__m4_and(inside, fr__d4_le(fr__d4_add(along_u, along_v), fr__d4_splat(nn)));
    if (fr__m4_bits(inside) == 0) { return -1; }
    fr__d4 high = fr__d4_select(inside, fr__d4_abs(height), fr__d4_splat((double)INFINITY));
    _Alignas(32) double heights[4], sizes[4];
    fr__d4_store_aligned(heights, height);
    fr__d4_store_aligned(sizes, high);
    int k = least_of_three(sizes);
    double scaled = heights[k] / nn;
    if (!(scaled * heights[k] <= *squared)) { return -1; }
    *foot = fr_vec3_add_scaled(p[k], -scaled, n);
    *squared = fr_vec3_length_squared(fr_vec3_sub(p[k], *foot));
    return k;
}

// Whether the corners beside the two edges lie beyond the slab across their closest points: no other points are closer
// then.
static inline bool is_closest(const fr_vec3 a[3], const fr_vec3 b[3], const fr__gap *gap) {
    static const int opposite[3] = {2, 0, 1};
    fr_vec3 between = fr_vec3_sub(gap->on_b, gap->on_a);
    return fr_vec3_dot(fr_vec3_sub(a[opposite[gap->i]], gap->on_a), between) <= 0.0 &&
           fr_vec3_dot(fr_vec3_sub(b[opposite[gap->j]], gap->on_b), between) >= 0.0;
}

// The closest points of triangles near the origin, with the lanes of their corners.
static inline void gap_of_lanes(const corners *lanes_a, const fr_vec3 a[3], const corners *lanes_b, const fr_vec3 b[3],
                                fr__gap *gap) {
    gap_of_edges(lanes_a, a, b, gap);
    if (is_closest(a, b, gap)) { return; }
    fr_vec3 foot;
    int k = corner_over_face(lanes_b, b, a, &gap->squared, &foot);
    if (k >= 0) { *gap = (fr__gap){foot, b[k], gap->squared, FR_FEATURE_FACE_VERTEX, 0, k, FR__FACE, FR__CORNER}; }
    k = corner_over_face(lanes_a, a, b, &gap->squared, &foot);
    if (k >= 0) { *gap = (fr__gap){a[k], foot, gap->squared, FR_FEATURE_VERTEX_FACE, k, 0, FR__CORNER, FR__FACE}; }
}

#endif
