// How long an edge of one of two triangles is proven to pass through the other, three determinants at once.
//
// Over a time h a corner at x with the velocity v is within m(h) = E + B h^2 / 2 of x + h v: E is the error of a
// prediction, B the largest bend. An edge passes through a face while five determinants of differences of corners keep
// their signs: the heights of both ends over the face, and how the edge passes each edge of the face. On the predicted
// corners each is a cubic c0 + c1 h + c2 h^2 + c3 h^3, here with the sign that makes c0 > 0. A movement M of the
// corners changes a determinant of u, v, w by 2 M S + 4 M^2 (|u| + |v| + |w|) + 8 M^3 at most, with S = |u| |v| + |v|
// |w| + |w| |u|, and M <= d / 3 S makes this less than the determinant d: the first term is 2/3 d, the second at most
// 4/27 d and the third 8/729 d, since d <= |u| |v| |w| and S^2 >= 3 d (|u| + ...). So the sign holds while
//     c0 + c1 h + c2 h^2 + c3 h^3 >= 3 S m(h),
// S taken for the longest that the predicted differences become; being linear in h they are so at one of the ends. The
// left side is no less than c0 + c1 h - (max(0, -c2) + H max(0, -c3)) h^2 for h <= H. Where an end of the crossing
// comes near, the root of this comes near to it quadratically. Two errors more cover what the determinants are rounded.
#ifndef FUREAI_SHAPE_HOLD_LANES_H
#define FUREAI_SHAPE_HOLD_LANES_H

#include "shape/advance.h"
#include "shape/path_lanes.h"

// A step is shortened by this, which covers the roundings of its computation.
#define HOLD_SAFE (1.0 - 0x1p-40)

static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

// A triangle at a time of the step, in lanes and corner by corner.
typedef struct moving_triangle {
    corner_state lanes; // without the acceleration
    fr__moving corners;
} moving_triangle;

// Both triangles at a time of the step.
typedef struct pair_moment {
    moving_triangle a, b;
    double t;
} pair_moment;

static inline void triangle_at(const fr__swept *s, const corner_paths *path, double t, moving_triangle *out) {
    corner_state lanes;
    place_at(s, path, t, &lanes);
    out->lanes.at = lanes.at;
    out->lanes.velocity = lanes.velocity;
    store_corners(&lanes.at, out->corners.at);
    store_corners(&lanes.velocity, out->corners.velocity);
}

// The predicted differences of corners, in lanes: at + h rate.
typedef struct differences {
    corners at, rate;
    fr__d4 length; // the longest they become
} differences;

FR__WIDE differences between(const corners *from, const corners *from_rate, const corners *to, const corners *to_rate,
                             fr__d4 limit) {
    differences d = {sub_corners(to, from), sub_corners(to_rate, from_rate), limit};
    corners last = add_corners(&d.at, limit, &d.rate);
    d.length = fr__d4_sqrt(fr__d4_max(dot_corners(&d.at, &d.at), dot_corners(&last, &last)));
    return d;
}

// The difference of two corners, in all lanes.
FR__WIDE differences between_two(const fr__moving *from, int i, const fr__moving *to, int j, fr__d4 limit) {
    corners a = splat_corner(from->at[i]), a_rate = splat_corner(from->velocity[i]);
    corners b = splat_corner(to->at[j]), b_rate = splat_corner(to->velocity[j]);
    return between(&a, &a_rate, &b, &b_rate, limit);
}

// The cross products of predicted differences: at + h mixed + h^2 changing.
typedef struct predicted_cross {
    corners at, mixed, changing;
} predicted_cross;

FR__WIDE predicted_cross cross_of(const differences *v, const differences *w) {
    corners first = cross_corners(&v->rate, &w->at), second = cross_corners(&v->at, &w->rate);
    predicted_cross c = {cross_corners(&v->at, &w->at),
                         {fr__d4_add(first.x, second.x), fr__d4_add(first.y, second.y), fr__d4_add(first.z, second.z)},
                         cross_corners(&v->rate, &w->rate)};
    return c;
}

// What a hold depends on besides the corners.
typedef struct hold_bounds {
    double limit, error, bend;
} hold_bounds;

// How long c0 + c1 h - q h^2 stays at or above 0, for c0 > 0.
FR__WIDE fr__d4 time_to_root(fr__d4 c0, fr__d4 c1, fr__d4 q) {
    fr__d4 zero = fr__d4_splat(0.0), under_root = fr__d4_mul(fr__d4_mul(fr__d4_splat(4.0), q), c0);
    fr__d4 root = fr__d4_sqrt(fr__d4_add(fr__d4_mul(c1, c1), under_root));
    fr__m4 closes = fr__d4_lt(c1, zero), never = fr__m4_and_not(fr__d4_le(q, zero), closes);
    fr__d4 over = fr__d4_select(closes, fr__d4_add(c0, c0), fr__d4_add(c1, root));
    fr__d4 under = fr__d4_select(closes, fr__d4_sub(root, c1), fr__d4_add(q, q));
    return fr__d4_select(never, fr__d4_splat((double)INFINITY), fr__d4_div(over, under));
}

// For how long the determinants of three differences keep their signs; the last two by their cross products.
FR__WIDE fr__d4 sign_hold(const differences *u, const differences *v, const differences *w, const predicted_cross *vw,
                          const hold_bounds *s) {
    fr__d4 zero = fr__d4_splat(0.0);
    fr__d4 c0 = dot_corners(&u->at, &vw->at);
    fr__d4 c1 = fr__d4_add(dot_corners(&u->rate, &vw->at), dot_corners(&u->at, &vw->mixed));
    fr__d4 c2 = fr__d4_add(dot_corners(&u->at, &vw->changing), dot_corners(&u->rate, &vw->mixed));
    fr__d4 c3 = dot_corners(&u->rate, &vw->changing);
    fr__m4 is_negative = fr__d4_lt(c0, zero);
    c1 = fr__d4_select(is_negative, fr__d4_neg(c1), c1);
    c2 = fr__d4_select(is_negative, c2, fr__d4_neg(c2)); // less than 0, times -1
    c3 = fr__d4_select(is_negative, c3, fr__d4_neg(c3));
    fr__d4 uv = fr__d4_mul(u->length, v->length), size = add_scaled(uv, v->length, w->length);
    size = add_scaled(size, w->length, u->length);
    fr__d4 left = fr__d4_sub(fr__d4_abs(c0), fr__d4_mul(fr__d4_mul(fr__d4_splat(9.0), size), fr__d4_splat(s->error)));
    fr__d4 q = fr__d4_add(fr__d4_max(c2, zero), fr__d4_mul(fr__d4_max(c3, zero), fr__d4_splat(s->limit)));
    q = fr__d4_add(q, fr__d4_mul(fr__d4_mul(fr__d4_splat(1.5), size), fr__d4_splat(s->bend)));
    fr__d4 time = fr__d4_mul(time_to_root(left, c1, q), fr__d4_splat(HOLD_SAFE));
    return fr__d4_select(fr__d4_gt(left, zero), time, zero);
}

// The approximate determinants of u, v, w; the proof comes later.
FR__WIDE fr__d4 volumes(const corners *u, const corners *v, const corners *w) {
    corners across = cross_corners(v, w);
    return dot_corners(u, &across);
}

// The edges of t, each from corner i to the next one, that seem to pass through the face, in bits. Two heights over the
// face differ in sign for them, and the edge passes between the edges of the face.
FR__WIDE int edges_inside(const moving_triangle *t, const fr_vec3 face[3]) {
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(face[1], face[0]), fr_vec3_sub(face[2], face[0]));
    const corners p = t->lanes.at;
    corners normal = splat_corner(n), first = splat_corner(face[0]), over = sub_corners(&p, &first);
    _Alignas(32) double height[4];
    fr__d4_store_aligned(height, dot_corners(&normal, &over));
    int bits = (height[0] * height[1] < 0.0 ? 1 : 0) | (height[1] * height[2] < 0.0 ? 2 : 0) |
               (height[2] * height[0] < 0.0 ? 4 : 0);
    if (bits == 0) { return 0; }
    const fr_vec3 *at = t->corners.at;
    corners q = load_corners(&at[1], &at[2], &at[0]), along = sub_corners(&q, &p), to[3];
    for (int k = 0; k < 3; k++) {
        corners corner = splat_corner(face[k]);
        to[k] = sub_corners(&corner, &p);
    }
    fr__d4 x = volumes(&along, &to[0], &to[1]), y = volumes(&along, &to[1], &to[2]),
           z = volumes(&along, &to[2], &to[0]);
    fr__d4 zero = fr__d4_splat(0.0);
    fr__m4 up = fr__m4_and(fr__m4_and(fr__d4_gt(x, zero), fr__d4_gt(y, zero)), fr__d4_gt(z, zero));
    fr__m4 down = fr__m4_and(fr__m4_and(fr__d4_lt(x, zero), fr__d4_lt(y, zero)), fr__d4_lt(z, zero));
    return bits & fr__m4_bits(fr__m4_or(up, down));
}

static inline double smallest_of_three(fr__d4 numbers) {
    _Alignas(32) double of[4];
    fr__d4_store_aligned(of, numbers);
    return smaller(smaller(of[0], of[1]), of[2]);
}

// For how long the corners of t keep their sides of the face.
FR__WIDE fr__d4 height_hold(const moving_triangle *t, const fr__moving *face, const hold_bounds *s) {
    fr__d4 limit = fr__d4_splat(s->limit);
    differences u = between_two(face, 0, face, 1, limit), v = between_two(face, 0, face, 2, limit);
    predicted_cross uv = cross_of(&u, &v);
    corners first = splat_corner(face->at[0]), rate = splat_corner(face->velocity[0]);
    differences over = between(&first, &rate, &t->lanes.at, &t->lanes.velocity, limit);
    return sign_hold(&over, &u, &v, &uv, s);
}

// For how long the edge from corner i to corner j of t passes the edges of the face as it does.
FR__WIDE double side_hold(const fr__moving *t, int i, int j, const moving_triangle *face, const hold_bounds *s) {
    const fr_vec3 *at = face->corners.at, *velocity = face->corners.velocity;
    fr__d4 limit = fr__d4_splat(s->limit);
    corners next = load_corners(&at[1], &at[2], &at[0]);
    corners next_rate = load_corners(&velocity[1], &velocity[2], &velocity[0]);
    corners from = splat_corner(t->at[i]), rate = splat_corner(t->velocity[i]);
    differences edge = between_two(t, i, t, j, limit);
    differences v = between(&from, &rate, &face->lanes.at, &face->lanes.velocity, limit);
    differences w = between(&from, &rate, &next, &next_rate, limit);
    predicted_cross vw = cross_of(&v, &w);
    return smallest_of_three(sign_hold(&edge, &v, &w, &vw, s));
}

// The longest time for which an edge of t passes through the face, or `known` where that is longer.
static double longest_hold(const moving_triangle *t, const moving_triangle *face, const hold_bounds *s, double known) {
    static const int next[3] = {1, 2, 0};
    int inside = edges_inside(t, face->corners.at);
    if (inside == 0) { return known; }
    _Alignas(32) double height[4];
    fr__d4_store_aligned(height, height_hold(t, &face->corners, s));
    double longest = known;
    for (int i = 0; i < 3 && longest < s->limit; i++) {
        double hold = smaller(height[i], height[next[i]]);
        if ((inside >> i & 1) == 0 || !(hold > longest)) { continue; }
        longest = larger(smaller(hold, side_hold(&t->corners, i, next[i], face, s)), longest);
    }
    return longest;
}

// A time, up to `limit`, over which an edge of one triangle is proven to pass through the other from `now` on; 0
// without a proof. No set turns by more than a radian during `limit`.
static inline double crossing_hold(const fr__moving_pair *pair, const pair_moment *now, double limit) {
    hold_bounds s = {limit, pair->error, larger(pair->a.bend, pair->b.bend)};
    double hold = longest_hold(&now->a, &now->b, &s, 0.0);
    if (hold < limit) { hold = longest_hold(&now->b, &now->a, &s, hold); }
    return hold < limit ? hold : limit;
}

#endif
