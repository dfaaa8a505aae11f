// The points of triangles closest to points, in lanes: the weights of fr_triangle_closest with the same bits
// (point_triangle.c says why they are found so).
#ifndef FUREAI_SHAPE_CLOSEST_LANES_H
#define FUREAI_SHAPE_CLOSEST_LANES_H

#include "shape/corner_lanes.h"

// Weights of the three corners.
typedef struct wide_weights {
    fr__d4 w[3];
} wide_weights;

// The closest points while they are found: about corner 0, with the squares of the edges' lengths.
typedef struct wide_closest {
    corners t1, t2, point;
    fr__d4 squared[3];
    wide_weights best;
    fr__d4 smallest; // the square of the distance at `best`
} wide_closest;

FR__WIDE corners select_corners(fr__m4 m, const corners *a, const corners *b) {
    return (corners){fr__d4_select(m, a->x, b->x), fr__d4_select(m, a->y, b->y), fr__d4_select(m, a->z, b->z)};
}

FR__WIDE corners scale_corners(fr__d4 s, const corners *a) {
    return (corners){fr__d4_mul(s, a->x), fr__d4_mul(s, a->y), fr__d4_mul(s, a->z)};
}

// Takes the candidate in the lanes of `may` where it is nearer.
FR__WIDE void offer_point(wide_closest *s, fr__m4 may, const corners *at, const wide_weights *weights) {
    corners apart = sub_corners(at, &s->point);
    fr__d4 distance = dot_corners(&apart, &apart);
    fr__m4 is_nearer = fr__m4_and(may, fr__d4_lt(distance, s->smallest));
    s->smallest = fr__d4_select(is_nearer, distance, s->smallest);
    for (int i = 0; i < 3; i++) {
        s->best.w[i] = fr__d4_select(is_nearer, weights->w[i], s->best.w[i]);
    }
}

// Takes the feet on the planes where these are inside. The result says in which lanes the foot is so far inside that no
// point of an edge is nearer.
FR__WIDE fr__m4 take_feet(wide_closest *s) {
    fr__d4 zero = fr__d4_splat(0.0), one = fr__d4_splat(1.0);
    corners none = {zero, zero, zero};
    // From the first corner i of the longest edge: j is at its other end, k beside it.
    fr__m4 is_1 = fr__d4_gt(s->squared[1], s->squared[0]);
    fr__d4 squared = fr__d4_select(is_1, s->squared[1], s->squared[0]);
    fr__m4 is_2 = fr__d4_gt(s->squared[2], squared);
    squared = fr__d4_select(is_2, s->squared[2], squared);
    corners i = select_corners(is_1, &s->t1, &none), j = select_corners(is_1, &s->t2, &s->t1);
    corners k = select_corners(is_1, &none, &s->t2);
    i = select_corners(is_2, &s->t2, &i);
    j = select_corners(is_2, &none, &j);
    k = select_corners(is_2, &s->t1, &k);
    corners u = sub_corners(&j, &i), v = sub_corners(&k, &i), p = sub_corners(&s->point, &i);

    fr__d4 v_along = fr__d4_div(dot_corners(&v, &u), squared), p_along = fr__d4_div(dot_corners(&p, &u), squared);
    corners h = add_corners(&v, fr__d4_neg(v_along), &u), across = add_corners(&p, fr__d4_neg(p_along), &u);
    fr__d4 h_squared = dot_corners(&h, &h), w_k = fr__d4_div(dot_corners(&across, &h), h_squared);
    fr__d4 w_j = fr__d4_sub(p_along, fr__d4_mul(w_k, v_along)), w_i = fr__d4_sub(fr__d4_sub(one, w_j), w_k);
    fr__m4 is_inside = fr__m4_and(fr__d4_gt(squared, zero), fr__d4_gt(h_squared, zero));
    is_inside = fr__m4_and(is_inside, fr__m4_and(fr__d4_ge(w_i, zero), fr__d4_ge(w_j, zero)));
    is_inside = fr__m4_and(is_inside, fr__d4_ge(w_k, zero));

    wide_weights foot = {{fr__d4_select(is_2, w_j, fr__d4_select(is_1, w_k, w_i)),
                          fr__d4_select(is_2, w_k, fr__d4_select(is_1, w_i, w_j)),
                          fr__d4_select(is_2, w_i, fr__d4_select(is_1, w_j, w_k))}};
    corners at = scale_corners(foot.w[1], &s->t1);
    at = add_corners(&at, foot.w[2], &s->t2);
    corners apart = sub_corners(&at, &s->point);
    s->smallest = fr__d4_select(is_inside, dot_corners(&apart, &apart), s->smallest);
    for (int n = 0; n < 3; n++) {
        s->best.w[n] = fr__d4_select(is_inside, foot.w[n], s->best.w[n]);
    }
    fr__d4 least = fr__d4_min(w_k, fr__d4_min(w_i, w_j)),
           reach = fr__d4_add(squared, dot_corners(&s->point, &s->point));
    fr__d4 inner = fr__d4_mul(fr__d4_mul(least, least), h_squared);
    return fr__m4_and(is_inside, fr__d4_gt(inner, fr__d4_mul(fr__d4_splat(0x1p-40), reach)));
}

// Where on edges that begin at `start`, run along `u` and are `squared` long, squared, the points are nearest: 0 .. 1.
FR__WIDE fr__d4 nearest_on_edges(const corners *from_start, const corners *u, fr__d4 squared) {
    fr__d4 zero = fr__d4_splat(0.0), one = fr__d4_splat(1.0), along = dot_corners(from_start, u);
    fr__d4 inside = fr__d4_select(fr__d4_lt(along, squared), fr__d4_div(along, squared), one);
    return fr__d4_select(fr__d4_gt(along, zero), inside, zero);
}

FR__WIDE void take_edges(wide_closest *s, fr__m4 may) {
    fr__d4 zero = fr__d4_splat(0.0), one = fr__d4_splat(1.0);
    corners u1 = sub_corners(&s->t2, &s->t1), u2 = {fr__d4_neg(s->t2.x), fr__d4_neg(s->t2.y), fr__d4_neg(s->t2.z)};
    corners from_1 = sub_corners(&s->point, &s->t1), from_2 = sub_corners(&s->point, &s->t2);
    fr__d4 s0 = nearest_on_edges(&s->point, &s->t1, s->squared[0]), r0 = fr__d4_sub(one, s0);
    fr__d4 s1 = nearest_on_edges(&from_1, &u1, s->squared[1]), r1 = fr__d4_sub(one, s1);
    fr__d4 s2 = nearest_on_edges(&from_2, &u2, s->squared[2]), r2 = fr__d4_sub(one, s2);
    corners on_0 = scale_corners(s0, &s->t1), on_1 = scale_corners(r1, &s->t1), on_2 = scale_corners(r2, &s->t2);
    on_1 = add_corners(&on_1, s1, &s->t2);
    offer_point(s, may, &on_0, &(wide_weights){{r0, s0, zero}});
    offer_point(s, may, &on_1, &(wide_weights){{zero, r1, s1}});
    offer_point(s, may, &on_2, &(wide_weights){{s2, zero, r2}});
}

// The weights of corners 1 and 2 of the points of the triangles that are closest to the points. The corners come one
// after another, each with the triangles in lanes.
FR__WIDE void closest_weights(const corners triangles[3], const corners *points, fr__d4 *u, fr__d4 *v) {
    fr__d4 zero = fr__d4_splat(0.0), one = fr__d4_splat(1.0);
    wide_closest s;
    s.t1 = sub_corners(&triangles[1], &triangles[0]);
    s.t2 = sub_corners(&triangles[2], &triangles[0]);
    s.point = sub_corners(points, &triangles[0]);
    corners third = sub_corners(&s.t2, &s.t1);
    s.squared[0] = dot_corners(&s.t1, &s.t1);
    s.squared[1] = dot_corners(&third, &third);
    s.squared[2] = dot_corners(&s.t2, &s.t2);
    s.best = (wide_weights){{one, zero, zero}};
    s.smallest = dot_corners(&s.point, &s.point);
    fr__m4 is_clear = take_feet(&s);
    if (fr__m4_bits(is_clear) != 15) { take_edges(&s, fr__m4_and_not(fr__d4_eq(one, one), is_clear)); }

    // The smaller one of two weights loses what rounding left their sum above 1 by.
    *u = s.best.w[1];
    *v = s.best.w[2];
    fr__m4 is_larger = fr__d4_gt(*u, *v);
    fr__d4 room_u = fr__d4_sub(one, *v), room_v = fr__d4_sub(one, *u);
    fr__d4 u_within = fr__d4_select(fr__d4_gt(*u, room_u), room_u, *u);
    fr__d4 v_within = fr__d4_select(fr__d4_gt(*v, room_v), room_v, *v);
    *u = fr__d4_select(is_larger, *u, u_within);
    *v = fr__d4_select(is_larger, v_within, *v);
}

#endif
