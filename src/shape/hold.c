// Crossing. Over a time h a corner at x with the velocity v is within m(h) = E + B h^2 / 2 of x + h v: E is the error
// of a prediction, B the largest bend. An edge passes through a face while five determinants of differences of corners
// keep their signs: the heights of both ends over the face, and how the edge passes each edge of the face. On the
// predicted corners each is a cubic c0 + c1 h + c2 h^2 + c3 h^3, here with the sign that makes c0 > 0. A movement M of
// the corners changes a determinant of u, v, w by 2 M S + 4 M^2 (|u| + |v| + |w|) + 8 M^3 at most, with
// S = |u| |v| + |v| |w| + |w| |u|, and M <= d / 3 S makes this less than the determinant d: the first term is 2/3 d,
// the second at most 4/27 d and the third 8/729 d, since d <= |u| |v| |w| and S^2 >= 3 d (|u| + ...). So the sign holds
// while
//     c0 + c1 h + c2 h^2 + c3 h^3 >= 3 S m(h),
// S taken for the longest that the predicted differences become; being linear in h they are so at one of the ends. The
// left side is no less than c0 + c1 h - (max(0, -c2) + H max(0, -c3)) h^2 for h <= H. Where an end of the crossing
// comes near, the root of this comes near to it quadratically. Two errors more cover what the determinants are rounded.
//
// Near. Between two moments a corner is within B H^2 / 8 of the chord between its places. Let P(s) be the point of the
// triangle of chords with the weights w0 + s dw, from those of a witness at one end to those at the other: with dx the
// displacements of the corners it is (1 - s) P(0) + s P(1) - s (1 - s) sum dw dx. So two witnesses that are within a
// distance at both ends prove that the triangles are within it in between, up to a quarter of the difference of both
// sums and the bend of the paths.
#include "shape/hold.h"

#include "shape/triangle_triangle.h"

// A step is shortened by this, which covers the roundings of its computation.
#define HOLD_SAFE (1.0 - 0x1p-40)

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

fr__pair_moment fr__moment_at(const fr__moving_pair *pair, double t) {
    fr__pair_moment now;
    now.t = t;
    fr__swept_at(&pair->a, t, &now.a);
    fr__swept_at(&pair->b, t, &now.b);
    return now;
}

// ---------------------------------------------------------------------------------------------------------------
// Crossing

// The predicted difference of two corners: at + h rate.
typedef struct difference {
    fr_vec3 at, rate;
    double length; // the longest it becomes
} difference;

// What a hold depends on besides the corners.
typedef struct hold_bounds {
    double limit, error, bend;
} hold_bounds;

static difference between(const fr__moving *from, int i, const fr__moving *to, int j, double limit) {
    difference d = {fr_vec3_sub(to->at[j], from->at[i]), fr_vec3_sub(to->velocity[j], from->velocity[i]), 0.0};
    double first = fr_vec3_length_squared(d.at), last = fr_vec3_length_squared(fr_vec3_add_scaled(d.at, limit, d.rate));
    d.length = sqrt(first > last ? first : last);
    return d;
}

// How long c0 + c1 h - q h^2 stays at or above 0, for c0 > 0.
static double time_to_root(double c0, double c1, double q) {
    double root = sqrt(c1 * c1 + 4.0 * q * c0);
    if (c1 < 0.0) { return 2.0 * c0 / (root - c1); }
    return q > 0.0 ? (c1 + root) / (2.0 * q) : (double)INFINITY;
}

// The cross product of two predicted differences: at + h mixed + h^2 changing.
typedef struct predicted_cross {
    fr_vec3 at, mixed, changing;
} predicted_cross;

static predicted_cross cross_of(const difference *v, const difference *w) {
    predicted_cross c = {fr_vec3_cross(v->at, w->at),
                         fr_vec3_add(fr_vec3_cross(v->rate, w->at), fr_vec3_cross(v->at, w->rate)),
                         fr_vec3_cross(v->rate, w->rate)};
    return c;
}

// For how long the determinant of three differences keeps its sign; the last two by their cross product.
static double sign_hold(const difference *u, const difference *v, const difference *w, const predicted_cross *vw,
                        const hold_bounds *s) {
    double c0 = fr_vec3_dot(u->at, vw->at), c1 = fr_vec3_dot(u->rate, vw->at) + fr_vec3_dot(u->at, vw->mixed);
    double c2 = fr_vec3_dot(u->at, vw->changing) + fr_vec3_dot(u->rate, vw->mixed);
    double c3 = fr_vec3_dot(u->rate, vw->changing);
    if (c0 < 0.0) { c0 = -c0, c1 = -c1, c2 = -c2, c3 = -c3; }
    double size = u->length * v->length + v->length * w->length + w->length * u->length;
    double left = c0 - 9.0 * size * s->error;
    if (!(left > 0.0)) { return 0.0; }
    double q = (c2 < 0.0 ? -c2 : 0.0) + (c3 < 0.0 ? -c3 * s->limit : 0.0) + 1.5 * size * s->bend;
    return time_to_root(left, c1, q) * HOLD_SAFE;
}

// The largest coordinate.
static double largest_of(const fr__pair_moment *now) {
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        largest = larger(largest, larger(fr_vec3_largest(now->a.at[i]), fr_vec3_largest(now->b.at[i])));
    }
    return largest;
}

// The approximate determinant of u, v, w; the proof comes later.
static double volume(fr_vec3 u, fr_vec3 v, fr_vec3 w) { return fr_vec3_dot(u, fr_vec3_cross(v, w)); }

// Whether the edge from p to q seems to pass through the face between its edges.
static bool seems_inside(fr_vec3 p, fr_vec3 q, const fr_vec3 face[3]) {
    fr_vec3 along = fr_vec3_sub(q, p), to[3];
    for (int i = 0; i < 3; i++) {
        to[i] = fr_vec3_sub(face[i], p);
    }
    double x = volume(along, to[0], to[1]), y = volume(along, to[1], to[2]), z = volume(along, to[2], to[0]);
    return (x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0);
}

// A face that edges may pass through: its edges from corner 0, and their cross product.
typedef struct moving_face {
    const fr__moving *corners;
    difference u, v;
    predicted_cross uv;
} moving_face;

static void make_face(const fr__moving *corners, double limit, moving_face *out) {
    out->corners = corners;
    out->u = between(corners, 0, corners, 1, limit);
    out->v = between(corners, 0, corners, 2, limit);
    out->uv = cross_of(&out->u, &out->v);
}

// For how long the edge from corner i to corner j of t passes through the face. What shows that it is no longer than
// `known` ends the search: the result is then no longer than that.
static double edge_hold(const fr__moving *t, int i, int j, const moving_face *f, const hold_bounds *s, double known) {
    const fr__moving *face = f->corners;
    difference p = between(face, 0, t, i, s->limit);
    double hold = sign_hold(&p, &f->u, &f->v, &f->uv, s);
    if (!(hold > known)) { return hold; }
    difference q = between(face, 0, t, j, s->limit);
    hold = smaller(hold, sign_hold(&q, &f->u, &f->v, &f->uv, s));
    if (!(hold > known)) { return hold; }
    difference edge = between(t, i, t, j, s->limit), to[3];
    to[0] = (difference){fr_vec3_negate(p.at), fr_vec3_negate(p.rate), p.length};
    to[1] = between(t, i, face, 1, s->limit);
    to[2] = between(t, i, face, 2, s->limit);
    for (int k = 0; k < 3 && hold > known; k++) {
        const difference *v = &to[k], *w = &to[(k + 1) % 3];
        predicted_cross vw = cross_of(v, w);
        hold = smaller(hold, sign_hold(&edge, v, w, &vw, s));
    }
    return hold;
}

// The longest hold of an edge of t, or `known` where that is longer.
static double longest_hold(const fr__moving *t, const fr__moving *face, const hold_bounds *s, double known) {
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(face->at[1], face->at[0]), fr_vec3_sub(face->at[2], face->at[0]));
    double height[3], longest = known;
    for (int i = 0; i < 3; i++) {
        height[i] = fr_vec3_dot(n, fr_vec3_sub(t->at[i], face->at[0]));
    }
    moving_face f;
    bool has_face = false;
    for (int i = 0; i < 3 && longest < s->limit; i++) {
        int j = (i + 1) % 3;
        if (!(height[i] * height[j] < 0.0) || !seems_inside(t->at[i], t->at[j], face->at)) { continue; }
        if (!has_face) { make_face(face, s->limit, &f); }
        has_face = true;
        longest = larger(longest, edge_hold(t, i, j, &f, s, longest));
    }
    return longest;
}

double fr__crossing_hold(const fr__moving_pair *pair, const fr__pair_moment *now, double limit) {
    hold_bounds s = {limit, pair->error, larger(pair->a.bend, pair->b.bend)};
    double hold = longest_hold(&now->a, &now->b, &s, 0.0);
    if (hold < limit) { hold = longest_hold(&now->b, &now->a, &s, hold); }
    return hold < limit ? hold : limit;
}

// ---------------------------------------------------------------------------------------------------------------
// Near

static fr_vec3 point_of(const fr__moving *m, double u, double v) {
    const fr_vec3 *t = m->at;
    fr_vec3 first = fr_vec3_scale(u, fr_vec3_sub(t[1], t[0])), second = fr_vec3_scale(v, fr_vec3_sub(t[2], t[0]));
    return fr_vec3_add(t[0], fr_vec3_add(first, second));
}

static fr__witness witness_by(const fr__pair_moment *now, double u_a, double v_a, double u_b, double v_b) {
    fr_vec3 on_a = point_of(&now->a, u_a, v_a), on_b = point_of(&now->b, u_b, v_b);
    fr__witness w = {u_a, v_a, u_b, v_b, fr_vec3_sub(on_b, on_a)};
    return w;
}

fr__witness fr__witness_of(const fr__pair_moment *now, fr_vec3 on_a, fr_vec3 on_b) {
    fr_triangle_point a = fr_triangle_closest(now->a.at, on_a), b = fr_triangle_closest(now->b.at, on_b);
    return witness_by(now, a.u, a.v, b.u, b.v);
}

// sum dw dx of one triangle; a common displacement of its corners cancels, since the weights add up to 1.
static fr_vec3 sum_of(const fr_vec3 from[3], const fr_vec3 to[3], double du, double dv) {
    fr_vec3 travel[3];
    for (int i = 0; i < 3; i++) {
        travel[i] = fr_vec3_sub(to[i], from[i]);
    }
    fr_vec3 first = fr_vec3_scale(du, fr_vec3_sub(travel[1], travel[0])),
            second = fr_vec3_scale(dv, fr_vec3_sub(travel[2], travel[0]));
    return fr_vec3_add(first, second);
}

static bool is_proven(const fr__moving_pair *pair, const fr__pair_moment *from, const fr__witness *w0,
                      const fr__pair_moment *to, const fr__witness *w1, double accept) {
    double first = fr_vec3_length(w0->apart), last = fr_vec3_length(w1->apart), length = to->t - from->t;
    fr_vec3 sum_a = sum_of(from->a.at, to->a.at, w1->u_a - w0->u_a, w1->v_a - w0->v_a);
    fr_vec3 sum_b = sum_of(from->b.at, to->b.at, w1->u_b - w0->u_b, w1->v_b - w0->v_b);
    double bulge = (pair->a.bend + pair->b.bend) * length * length / 8.0;
    double farthest = larger(first, last) + 0.25 * fr_vec3_distance(sum_a, sum_b) + bulge;
    return farthest * (1.0 + 0x1p-40) + pair->error <= accept;
}

// Witnesses at a later moment: one that keeps its place on a, or on b, whose sum is 0, then the closest points.
enum { TRIES = 3 };

static fr__witness try_witness(const fr__pair_moment *to, const fr__witness *before, int k) {
    if (k == 0) {
        fr_triangle_point near = fr_triangle_closest(to->b.at, point_of(&to->a, before->u_a, before->v_a));
        return witness_by(to, before->u_a, before->v_a, near.u, near.v);
    }
    if (k == 1) {
        fr_triangle_point near = fr_triangle_closest(to->a.at, point_of(&to->b, before->u_b, before->v_b));
        return witness_by(to, near.u, near.v, before->u_b, before->v_b);
    }
    fr_vec3 on_a, on_b;
    (void)fr_triangle_distance(to->a.at, to->b.at, &on_a, &on_b);
    return fr__witness_of(to, on_a, on_b);
}

fr__witness fr__witness_again(const fr__pair_moment *now, const fr__witness *before) {
    fr__witness best = *before;
    double nearest = (double)INFINITY;
    for (int k = 0; k < TRIES - 1; k++) {
        fr__witness next = try_witness(now, before, k);
        double squared = fr_vec3_length_squared(next.apart);
        if (squared < nearest) { best = next, nearest = squared; }
    }
    return best;
}

bool fr__stays_near(const fr__moving_pair *pair, const fr__pair_moment *from, const fr__pair_moment *to, double accept,
                    fr__witness *witness) {
    for (int k = 0; k < TRIES; k++) {
        fr__witness next = try_witness(to, witness, k);
        if (is_proven(pair, from, witness, to, &next, accept)) {
            *witness = next;
            return true;
        }
    }
    return false;
}

double fr__parted_by(const fr__pair_moment *now, fr_vec3 direction) {
    double high = -(double)INFINITY, low = (double)INFINITY, length = fr_vec3_length(direction);
    if (!(length > 0.0)) { return high; }
    for (int i = 0; i < 3; i++) {
        high = larger(high, fr_vec3_dot(direction, now->a.at[i]));
        low = smaller(low, fr_vec3_dot(direction, now->b.at[i]));
    }
    return (low - high) / length * (1.0 - 0x1p-40) - 0x1p-40 * largest_of(now);
}
