// An oracle in rational numbers (GMP): a triangle is cut to the plane and then to the three sides of another one, and
// the points that are left are counted and kept. And the nearest distance of two triangles, squared, by its definition.
#ifndef FUREAI_TEST_RATIONAL_SETS_H
#define FUREAI_TEST_RATIONAL_SETS_H

#include "fureai/math.h"

#include <gmp.h>

#define RATIONAL_MAX_POINTS 16

typedef struct rational_point {
    mpq_t c[3];
} rational_point;

typedef struct rational_polygon {
    rational_point point[RATIONAL_MAX_POINTS];
    int count;
} rational_polygon;

static inline void rational_init(rational_point *p) {
    for (int i = 0; i < 3; i++) {
        mpq_init(p->c[i]);
    }
}

static inline void rational_clear(rational_point *p) {
    for (int i = 0; i < 3; i++) {
        mpq_clear(p->c[i]);
    }
}

static inline void rational_set(rational_point *p, fr_vec3 v) {
    mpq_set_d(p->c[0], v.x);
    mpq_set_d(p->c[1], v.y);
    mpq_set_d(p->c[2], v.z);
}

static inline fr_vec3 rational_get(const rational_point *p) {
    return fr_vec3_make(mpq_get_d(p->c[0]), mpq_get_d(p->c[1]), mpq_get_d(p->c[2]));
}

static inline void rational_copy(rational_point *to, const rational_point *from) {
    for (int i = 0; i < 3; i++) {
        mpq_set(to->c[i], from->c[i]);
    }
}

static inline bool rational_equal(const rational_point *a, const rational_point *b) {
    return mpq_equal(a->c[0], b->c[0]) && mpq_equal(a->c[1], b->c[1]) && mpq_equal(a->c[2], b->c[2]);
}

static inline void rational_sub(rational_point *out, const rational_point *a, const rational_point *b) {
    for (int i = 0; i < 3; i++) {
        mpq_sub(out->c[i], a->c[i], b->c[i]);
    }
}

static inline void rational_dot(mpq_t out, const rational_point *a, const rational_point *b) {
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        mpq_mul(term, a->c[i], b->c[i]);
        mpq_add(out, out, term);
    }
    mpq_clear(term);
}

static inline void rational_cross(rational_point *out, const rational_point *a, const rational_point *b) {
    mpq_t left, right;
    mpq_init(left);
    mpq_init(right);
    for (int i = 0; i < 3; i++) {
        mpq_mul(left, a->c[(i + 1) % 3], b->c[(i + 2) % 3]);
        mpq_mul(right, a->c[(i + 2) % 3], b->c[(i + 1) % 3]);
        mpq_sub(out->c[i], left, right);
    }
    mpq_clear(left);
    mpq_clear(right);
}

static inline void rational_polygon_init(rational_polygon *p) {
    p->count = 0;
    for (int i = 0; i < RATIONAL_MAX_POINTS; i++) {
        rational_init(&p->point[i]);
    }
}

static inline void rational_polygon_clear(rational_polygon *p) {
    for (int i = 0; i < RATIONAL_MAX_POINTS; i++) {
        rational_clear(&p->point[i]);
    }
}

static inline void rational_polygon_add(rational_polygon *p, const rational_point *point) {
    for (int i = 0; i < p->count; i++) {
        if (rational_equal(&p->point[i], point)) { return; }
    }
    if (p->count < RATIONAL_MAX_POINTS) { rational_copy(&p->point[p->count++], point); }
}

// Keeps the part of `in`, whose points are in order around, with normal . (x - base) >= 0, or = 0 where `plane_only`.
static inline void rational_cut(const rational_polygon *in, const rational_point *normal, const rational_point *base,
                                bool plane_only, rational_polygon *out) {
    mpq_t side[RATIONAL_MAX_POINTS], t;
    rational_point d, cut;
    rational_init(&d);
    rational_init(&cut);
    mpq_init(t);
    out->count = 0;
    for (int i = 0; i < in->count; i++) {
        mpq_init(side[i]);
        rational_sub(&d, &in->point[i], base);
        rational_dot(side[i], normal, &d);
    }
    for (int i = 0; i < in->count; i++) {
        int j = (i + 1) % in->count, sign = mpq_sgn(side[i]);
        if (sign == 0 || (sign > 0 && !plane_only)) { rational_polygon_add(out, &in->point[i]); }
        if (sign * mpq_sgn(side[j]) >= 0) { continue; }
        mpq_sub(t, side[i], side[j]);
        mpq_div(t, side[i], t);
        rational_sub(&d, &in->point[j], &in->point[i]);
        for (int k = 0; k < 3; k++) {
            mpq_mul(d.c[k], d.c[k], t);
            mpq_add(cut.c[k], in->point[i].c[k], d.c[k]);
        }
        rational_polygon_add(out, &cut);
    }
    for (int i = 0; i < in->count; i++) {
        mpq_clear(side[i]);
    }
    mpq_clear(t);
    rational_clear(&d);
    rational_clear(&cut);
}

// What triangle a (any) shares with triangle b (with an area), as points whose hull it is; 0 points: nothing.
static inline void rational_section(const fr_vec3 a[3], const fr_vec3 b[3], rational_polygon *out) {
    rational_polygon other;
    rational_point corner[3], u, v, normal, side;
    rational_polygon_init(&other);
    rational_point *all[7] = {&corner[0], &corner[1], &corner[2], &u, &v, &normal, &side};
    for (int i = 0; i < 7; i++) {
        rational_init(all[i]);
    }
    for (int i = 0; i < 3; i++) {
        rational_set(&corner[i], b[i]);
    }
    rational_sub(&u, &corner[1], &corner[0]);
    rational_sub(&v, &corner[2], &corner[0]);
    rational_cross(&normal, &u, &v);

    for (int i = 0; i < 3; i++) {
        rational_set(&u, a[i]);
        rational_polygon_add(&other, &u);
    }
    rational_cut(&other, &normal, &corner[0], true, out);
    for (int i = 0; i < 3; i++) {
        rational_polygon swap = *out;
        *out = other;
        other = swap;
        rational_sub(&u, &corner[(i + 1) % 3], &corner[i]);
        rational_cross(&side, &normal, &u);
        rational_cut(&other, &side, &corner[i], false, out);
    }
    for (int i = 0; i < 7; i++) {
        rational_clear(all[i]);
    }
    rational_polygon_clear(&other);
}

// The dimension of the hull of a polygon's points: -1 none, 0 one, 1 on a line, 2 otherwise.
static inline int rational_dimension(const rational_polygon *p) {
    int dimension = p->count == 0 ? -1 : p->count == 1 ? 0 : 1;
    rational_point u, v, n;
    rational_init(&u);
    rational_init(&v);
    rational_init(&n);
    for (int i = 2; i < p->count && dimension == 1; i++) {
        rational_sub(&u, &p->point[1], &p->point[0]);
        rational_sub(&v, &p->point[i], &p->point[0]);
        rational_cross(&n, &u, &v);
        if (mpq_sgn(n.c[0]) != 0 || mpq_sgn(n.c[1]) != 0 || mpq_sgn(n.c[2]) != 0) { dimension = 2; }
    }
    rational_clear(&u);
    rational_clear(&v);
    rational_clear(&n);
    return dimension;
}

// ---------------------------------------------------------------------------------------------------------------
// Distance, squared, in rational numbers

static inline void rational_offer(mpq_t nearest, const mpq_t candidate) {
    if (mpq_sgn(nearest) < 0 || mpq_cmp(candidate, nearest) < 0) { mpq_set(nearest, candidate); }
}

// Offers the squared distance of p to the segment a b.
static inline void rational_offer_point_segment(mpq_t nearest, fr_vec3 point, fr_vec3 from, fr_vec3 to) {
    rational_point p, a, u, d;
    rational_point *all[4] = {&p, &a, &u, &d};
    mpq_t along, length, distance;
    mpq_inits(along, length, distance, NULL);
    for (int i = 0; i < 4; i++) {
        rational_init(all[i]);
    }
    rational_set(&p, point);
    rational_set(&a, from);
    rational_set(&u, to);
    rational_sub(&u, &u, &a);
    rational_sub(&d, &p, &a);
    rational_dot(along, &d, &u);
    rational_dot(length, &u, &u);
    if (mpq_cmp(along, length) > 0) { mpq_set(along, length); }
    if (mpq_sgn(along) < 0 || mpq_sgn(length) == 0) { mpq_set_ui(along, 0, 1); }
    if (mpq_sgn(length) != 0) { mpq_div(along, along, length); }
    for (int i = 0; i < 3; i++) {
        mpq_mul(u.c[i], u.c[i], along);
        mpq_sub(d.c[i], d.c[i], u.c[i]);
    }
    rational_dot(distance, &d, &d);
    rational_offer(nearest, distance);
    for (int i = 0; i < 4; i++) {
        rational_clear(all[i]);
    }
    mpq_clears(along, length, distance, NULL);
}

// Offers (apart . n)^2 / n^2.
static inline void rational_offer_along(mpq_t nearest, const rational_point *apart, const rational_point *n,
                                        const mpq_t n_squared) {
    mpq_t d;
    mpq_init(d);
    rational_dot(d, apart, n);
    mpq_mul(d, d, d);
    mpq_div(d, d, n_squared);
    rational_offer(nearest, d);
    mpq_clear(d);
}

// Offers the squared distance of the segments a and b.
static inline void rational_offer_segments(mpq_t nearest, const fr_vec3 a[2], const fr_vec3 b[2]) {
    rational_point u, v, n, apart, c;
    rational_point *all[5] = {&u, &v, &n, &apart, &c};
    mpq_t n_squared, s, t;
    mpq_inits(n_squared, s, t, NULL);
    for (int i = 0; i < 5; i++) {
        rational_init(all[i]);
    }
    rational_set(&c, a[0]);
    rational_set(&u, a[1]);
    rational_sub(&u, &u, &c);
    rational_set(&apart, b[0]);
    rational_set(&v, b[1]);
    rational_sub(&v, &v, &apart);
    rational_sub(&apart, &apart, &c);
    rational_cross(&n, &u, &v);
    rational_dot(n_squared, &n, &n);
    if (mpq_sgn(n_squared) != 0) {
        rational_cross(&c, &apart, &v);
        rational_dot(s, &c, &n);
        rational_cross(&c, &apart, &u);
        rational_dot(t, &c, &n);
        if (mpq_sgn(s) >= 0 && mpq_sgn(t) >= 0 && mpq_cmp(s, n_squared) <= 0 && mpq_cmp(t, n_squared) <= 0) {
            rational_offer_along(nearest, &apart, &n, n_squared);
        }
    }
    for (int i = 0; i < 2; i++) {
        rational_offer_point_segment(nearest, a[i], b[0], b[1]);
        rational_offer_point_segment(nearest, b[i], a[0], a[1]);
    }
    for (int i = 0; i < 5; i++) {
        rational_clear(all[i]);
    }
    mpq_clears(n_squared, s, t, NULL);
}

// Offers the squared distance of p to its foot on the triangle's plane where that is inside.
static inline void rational_offer_foot(mpq_t nearest, fr_vec3 point, const fr_vec3 t[3]) {
    rational_point c[3], p, u, v, n, side;
    rational_point *all[8] = {&c[0], &c[1], &c[2], &p, &u, &v, &n, &side};
    mpq_t n_squared, value;
    mpq_inits(n_squared, value, NULL);
    for (int i = 0; i < 8; i++) {
        rational_init(all[i]);
    }
    for (int i = 0; i < 3; i++) {
        rational_set(&c[i], t[i]);
    }
    rational_set(&p, point);
    rational_sub(&u, &c[1], &c[0]);
    rational_sub(&v, &c[2], &c[0]);
    rational_cross(&n, &u, &v);
    rational_dot(n_squared, &n, &n);
    bool inside = mpq_sgn(n_squared) != 0;
    for (int i = 0; i < 3 && inside; i++) {
        rational_sub(&u, &c[(i + 1) % 3], &c[i]);
        rational_sub(&v, &p, &c[i]);
        rational_cross(&side, &u, &v);
        rational_dot(value, &side, &n);
        inside = mpq_sgn(value) >= 0;
    }
    if (inside) { rational_offer_along(nearest, &v, &n, n_squared); }
    for (int i = 0; i < 8; i++) {
        rational_clear(all[i]);
    }
    mpq_clears(n_squared, value, NULL);
}

// The distance of a point and a triangle.
static inline double rational_point_triangle_distance(fr_vec3 p, const fr_vec3 t[3]) {
    mpq_t nearest;
    mpq_init(nearest);
    mpq_set_si(nearest, -1, 1);
    rational_offer_foot(nearest, p, t);
    for (int i = 0; i < 3; i++) {
        rational_offer_point_segment(nearest, p, t[i], t[(i + 1) % 3]);
    }
    double distance = sqrt(mpq_get_d(nearest));
    mpq_clear(nearest);
    return distance;
}

static inline double rational_segment_distance(const fr_vec3 a[2], const fr_vec3 b[2]) {
    mpq_t nearest;
    mpq_init(nearest);
    mpq_set_si(nearest, -1, 1);
    rational_offer_segments(nearest, a, b);
    double distance = sqrt(mpq_get_d(nearest));
    mpq_clear(nearest);
    return distance;
}

// The distance of two triangles that do not overlap.
static inline double rational_triangle_distance(const fr_vec3 a[3], const fr_vec3 b[3]) {
    mpq_t nearest;
    mpq_init(nearest);
    mpq_set_si(nearest, -1, 1);
    for (int i = 0; i < 3; i++) {
        rational_offer_foot(nearest, a[i], b);
        rational_offer_foot(nearest, b[i], a);
        for (int j = 0; j < 3; j++) {
            fr_vec3 p[2] = {a[i], a[(i + 1) % 3]}, q[2] = {b[j], b[(j + 1) % 3]};
            rational_offer_segments(nearest, p, q);
        }
    }
    double distance = sqrt(mpq_get_d(nearest));
    mpq_clear(nearest);
    return distance;
}

#endif
