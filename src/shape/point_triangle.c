// The point of a triangle closest to a point: the foot on its plane where that is inside, else a point of an edge.
#include "fureai/shape.h"

typedef struct weights {
    double w[3];
} weights;

static fr_vec3 weighted(const fr_vec3 t[3], weights k) {
    return fr_vec3_add_scaled(fr_vec3_add_scaled(fr_vec3_scale(k.w[0], t[0]), k.w[1], t[1]), k.w[2], t[2]);
}

// The longest edge's first corner: the plane is spanned from there with the least rounding.
static int longest_edge(const double squared[3]) {
    int longest = squared[1] > squared[0] ? 1 : 0;
    return squared[2] > squared[longest] ? 2 : longest;
}

// The weights of the point's foot on the plane; false when it is outside or there is no plane. `squared` are the
// lengths of the edges, squared. *is_clear: the foot is so far inside that no point of an edge is nearer, rounding
// included.
//
// With u along the longest edge and h the part of the other edge across it, the foot is u-part and h-part of the point.
// In a sliver h is known to e |edge| only and points a little out of its direction; the foot is then off across the
// sliver by x <= min(|h|, e D^2 / |h|) <= sqrt(e) D, but always inside the triangle. A foot that is off by x at
// distance d makes the distance wrong by x^2 / 2d, and by no more than the sliver is wide: e D in both cases.
static bool foot_weights(const fr_vec3 t[3], const double squared[3], fr_vec3 point, weights *out, bool *is_clear) {
    int i = longest_edge(squared), j = (i + 1) % 3, k = (i + 2) % 3;
    fr_vec3 u = fr_vec3_sub(t[j], t[i]), v = fr_vec3_sub(t[k], t[i]), p = fr_vec3_sub(point, t[i]);
    double u_squared = squared[i];
    if (!(u_squared > 0.0)) { return false; }
    double v_along = fr_vec3_dot(v, u) / u_squared, p_along = fr_vec3_dot(p, u) / u_squared;
    fr_vec3 h = fr_vec3_add_scaled(v, -v_along, u), across = fr_vec3_add_scaled(p, -p_along, u);
    double h_squared = fr_vec3_length_squared(h);
    if (!(h_squared > 0.0)) { return false; }

    double w_k = fr_vec3_dot(across, h) / h_squared, w_j = p_along - w_k * v_along, w_i = (1.0 - w_j) - w_k;
    if (!(w_i >= 0.0 && w_j >= 0.0 && w_k >= 0.0)) { return false; }
    out->w[i] = w_i;
    out->w[j] = w_j;
    out->w[k] = w_k;

    // The foot is farther than the least weight times |h|, the lowest altitude, from every edge.
    double least = w_i < w_j ? w_i : w_j;
    least = w_k < least ? w_k : least;
    *is_clear = least * least * h_squared > 0x1p-40 * (u_squared + fr_vec3_length_squared(point));
    return true;
}

// Takes from the smaller of two weights what rounding left their sum above 1 by; 1 less the larger one is exact.
static void keep_within_one(double *u, double *v) {
    double *larger = *u > *v ? u : v, *smaller = *u > *v ? v : u;
    if (*smaller > 1.0 - *larger) { *smaller = 1.0 - *larger; }
}

// Where on an edge that begins at `start`, runs along `u` and is `squared` long, squared, a point is nearest: 0 .. 1.
static double nearest_on_edge(fr_vec3 start, fr_vec3 u, double squared, fr_vec3 point) {
    double along = fr_vec3_dot(fr_vec3_sub(point, start), u);
    if (!(along > 0.0)) { return 0.0; }
    return along < squared ? along / squared : 1.0;
}

// The nearest points of the three edges, of which corner 0 is at the origin: keeps the nearest one.
static void offer_edges(const fr_vec3 t[3], const double squared[3], fr_vec3 p, weights *best, double *smallest) {
    double s0 = nearest_on_edge(t[0], t[1], squared[0], p);
    double s1 = nearest_on_edge(t[1], fr_vec3_sub(t[2], t[1]), squared[1], p);
    double s2 = nearest_on_edge(t[2], fr_vec3_negate(t[2]), squared[2], p);
    const weights on_edge[3] = {{{1.0 - s0, s0, 0.0}}, {{0.0, 1.0 - s1, s1}}, {{s2, 0.0, 1.0 - s2}}};
    const fr_vec3 point[3] = {fr_vec3_scale(s0, t[1]), fr_vec3_add_scaled(fr_vec3_scale(1.0 - s1, t[1]), s1, t[2]),
                              fr_vec3_scale(1.0 - s2, t[2])};
    for (int i = 0; i < 3; i++) {
        double distance = fr_vec3_length_squared(fr_vec3_sub(point[i], p));
        if (distance < *smallest) { *smallest = distance, *best = on_edge[i]; }
    }
}

fr_triangle_point fr_triangle_closest(const fr_vec3 triangle[3], fr_vec3 point) {
    // About corner 0, so that what is far from the origin loses nothing.
    fr_vec3 t[3] = {{0.0, 0.0, 0.0}, fr_vec3_sub(triangle[1], triangle[0]), fr_vec3_sub(triangle[2], triangle[0])};
    fr_vec3 p = fr_vec3_sub(point, triangle[0]);
    const double squared[3] = {fr_vec3_length_squared(t[1]), fr_vec3_length_squared(fr_vec3_sub(t[2], t[1])),
                               fr_vec3_length_squared(t[2])};
    weights best = {{1.0, 0.0, 0.0}}, foot;
    double smallest = fr_vec3_length_squared(p);
    bool is_clear = false;
    if (foot_weights(t, squared, p, &foot, &is_clear)) {
        best = foot;
        smallest = fr_vec3_length_squared(fr_vec3_sub(weighted(t, foot), p));
    }
    // The edges too: where rounding put the foot on the wrong side of one, or a sliver's foot is poor, they are nearer.
    if (!is_clear) { offer_edges(t, squared, p, &best, &smallest); }
    fr_triangle_point closest = {weighted(triangle, best), best.w[1], best.w[2], sqrt(smallest)};
    keep_within_one(&closest.u, &closest.v);
    return closest;
}
