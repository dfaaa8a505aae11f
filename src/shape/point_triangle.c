// The point of a triangle closest to a point: the foot on its plane where that is inside, else a point of an edge.
#include "fureai/shape.h"

typedef struct weights {
    double w[3];
} weights;

static fr_vec3 weighted(const fr_vec3 t[3], weights k) {
    return fr_vec3_add_scaled(fr_vec3_add_scaled(fr_vec3_scale(k.w[0], t[0]), k.w[1], t[1]), k.w[2], t[2]);
}

// The longest edge's first corner: the plane is spanned from there with the least rounding.
static int longest_edge(const fr_vec3 t[3]) {
    int longest = 0;
    double greatest = -1.0;
    for (int i = 0; i < 3; i++) {
        double length = fr_vec3_length_squared(fr_vec3_sub(t[(i + 1) % 3], t[i]));
        if (length > greatest) { greatest = length, longest = i; }
    }
    return longest;
}

// The weights of the point's foot on the plane; false when it is outside or there is no plane.
//
// With u along the longest edge and h the part of the other edge across it, the foot is u-part and h-part of the point.
// In a sliver h is known to e |edge| only and points a little out of its direction; the foot is then off across the
// sliver by x <= min(|h|, e D^2 / |h|) <= sqrt(e) D, but always inside the triangle. A foot that is off by x at
// distance d makes the distance wrong by x^2 / 2d, and by no more than the sliver is wide: e D in both cases.
static bool foot_weights(const fr_vec3 t[3], fr_vec3 point, weights *out) {
    int i = longest_edge(t), j = (i + 1) % 3, k = (i + 2) % 3;
    fr_vec3 u = fr_vec3_sub(t[j], t[i]), v = fr_vec3_sub(t[k], t[i]), p = fr_vec3_sub(point, t[i]);
    double u_squared = fr_vec3_length_squared(u);
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
    return true;
}

// How far p is from the point of t with these weights, squared.
static double distance_squared(const fr_vec3 t[3], weights k, fr_vec3 p) {
    return fr_vec3_length_squared(fr_vec3_sub(weighted(t, k), p));
}

// Takes from the smaller of two weights what rounding left their sum above 1 by; 1 less the larger one is exact.
static void keep_within_one(double *u, double *v) {
    double *larger = *u > *v ? u : v, *smaller = *u > *v ? v : u;
    if (*smaller > 1.0 - *larger) { *smaller = 1.0 - *larger; }
}

fr_triangle_point fr_triangle_closest(const fr_vec3 triangle[3], fr_vec3 point) {
    // About corner 0, so that what is far from the origin loses nothing.
    fr_vec3 t[3] = {{0.0, 0.0, 0.0}, fr_vec3_sub(triangle[1], triangle[0]), fr_vec3_sub(triangle[2], triangle[0])};
    fr_vec3 p = fr_vec3_sub(point, triangle[0]);
    weights best = {{1.0, 0.0, 0.0}}, foot;
    double smallest = distance_squared(t, best, p);
    if (foot_weights(t, p, &foot)) {
        best = foot;
        smallest = distance_squared(t, foot, p);
    }
    // The edges too: where rounding put the foot on the wrong side of one, or a sliver's foot is poor, they are nearer.
    for (int i = 0; i < 3; i++) {
        fr_vec3 edge[2] = {t[i], t[(i + 1) % 3]};
        double s = fr_segment_closest(edge, p, NULL);
        weights on_edge = {{0.0, 0.0, 0.0}};
        on_edge.w[i] = 1.0 - s;
        on_edge.w[(i + 1) % 3] = s;
        double distance = distance_squared(t, on_edge, p);
        if (distance < smallest) { smallest = distance, best = on_edge; }
    }
    fr_triangle_point closest = {weighted(triangle, best), best.w[1], best.w[2], sqrt(smallest)};
    keep_within_one(&closest.u, &closest.v);
    return closest;
}
