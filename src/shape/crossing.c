// Proofs by clear signs that moving triangles meet.
#include "shape/crossing.h"

// The sign of (b - a) x (c - a) . (d - a), or 0 where errors of the corners leave it open.
//
// With D the largest distance between two corners, each difference is wrong by up to 2E, so the determinant by
// 6 E D^2 + 12 E^2 D + 8 E^3 <= 6.2 E D^2 while E <= D / 64, and its own rounding by 8 * 2^-53 times the sum of six
// products, 48 * 2^-53 D^3 <= 5.4 E D^2. For a larger E no determinant, at most D^3, exceeds the bound of 64 E D^2.
static int clear_side(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d, double bound) {
    double determinant = fr_vec3_dot(fr_vec3_cross(fr_vec3_sub(b, a), fr_vec3_sub(c, a)), fr_vec3_sub(d, a));
    return (determinant > bound) - (determinant < -bound);
}

// 64 E D^2, D^2 rounded up, from the distances to the first corner.
static double bound_of(const fr_vec3 *a, int count_a, const fr_vec3 *b, int count_b, double error) {
    double greatest = 0.0;
    for (int i = 0; i < count_a + count_b; i++) {
        fr_vec3 from_first = fr_vec3_sub(i < count_a ? a[i] : b[i - count_a], a[0]);
        double squared = fr_vec3_length_squared(from_first);
        greatest = squared > greatest ? squared : greatest;
    }
    return 256.0 * (1.0 + 0x1p-40) * error * greatest;
}

// An edge passes through a face when its ends are on different sides and it passes all three edges in the same sense.
static bool pierces(fr_vec3 p, fr_vec3 q, const fr_vec3 face[3], double bound) {
    int first = clear_side(p, q, face[0], face[1], bound);
    return first != 0 && clear_side(p, q, face[1], face[2], bound) == first &&
           clear_side(p, q, face[2], face[0], bound) == first;
}

static bool some_edge_pierces(const fr_vec3 t[3], const fr_vec3 face[3], double bound) {
    int side[3];
    for (int i = 0; i < 3; i++) {
        side[i] = clear_side(face[0], face[1], face[2], t[i], bound);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        if (side[i] * side[j] < 0 && pierces(t[i], t[j], face, bound)) { return true; }
    }
    return false;
}

bool fr__triangles_cross(const fr_vec3 a[3], const fr_vec3 b[3], double error) {
    double bound = bound_of(a, 3, b, 3, error);
    return some_edge_pierces(a, b, bound) || some_edge_pierces(b, a, bound);
}

// The volume of the four corners is a continuous function of time: a clear change of its sign means that they were in
// one plane. What is left to show is that the two sets met then.

// By then the point Q of the face that was closest to P has moved by up to M, as P has: they are within d + 2M of each
// other in the plane, and P is inside the face where Q is farther than that from the border. Q's weights stay; its
// distance to an edge is its weight times twice the area over that edge. The area vector, of edges as long as l, has
// lost at most 2M l + 2M l + 4M^2.
bool fr__vertex_passes_face(const fr__passage *p) {
    const fr_vec3 *f = p->b_before, *g = p->b_after;
    int before = clear_side(f[0], f[1], f[2], p->a_before[0], bound_of(f, 3, p->a_before, 1, p->error));
    int after = clear_side(g[0], g[1], g[2], p->a_after[0], bound_of(g, 3, p->a_after, 1, p->error));
    if (before * after >= 0) { return false; }

    fr_triangle_point q = fr_triangle_closest(f, p->a_before[0]);
    fr_vec3 u = fr_vec3_sub(f[1], f[0]), v = fr_vec3_sub(f[2], f[0]);
    double smallest = fmin(fmin(q.u, q.v), 1.0 - q.u - q.v), moved = p->moved + 2.0 * p->error;
    double longest = fmax(fmax(fr_vec3_length(u), fr_vec3_length(v)), fr_vec3_distance(f[1], f[2])) + 2.0 * moved;
    double area = fr_vec3_length(fr_vec3_cross(u, v)) - 4.0 * moved * longest - 4.0 * moved * moved;
    double apart = q.distance + 2.0 * moved;
    return (smallest - 0x1p-40) * area > apart * longest * (1.0 + 0x1p-20) && area > 0.0;
}

// By then the points P and Q that were closest are within d + 2M of each other, all in one plane. The lines cross
// there, no farther from either than (d + 2M) / sine of their angle along the edges: within both edges where P and Q
// are farther than that from the ends.
bool fr__edge_passes_edge(const fr__passage *p) {
    const fr_vec3 *a = p->a_before, *b = p->b_before, *c = p->a_after, *d = p->b_after;
    int before = clear_side(a[0], a[1], b[0], b[1], bound_of(a, 2, b, 2, p->error));
    int after = clear_side(c[0], c[1], d[0], d[1], bound_of(c, 2, d, 2, p->error));
    if (before * after >= 0) { return false; }

    fr_vec3 on_a, on_b, u = fr_vec3_sub(a[1], a[0]), v = fr_vec3_sub(b[1], b[0]);
    double moved = p->moved + 2.0 * p->error, apart = fr_segment_distance(a, b, &on_a, &on_b) + 2.0 * moved;
    double s = fr_segment_closest(a, on_b, NULL), t = fr_segment_closest(b, on_a, NULL);
    double smallest = fmin(fmin(s, 1.0 - s), fmin(t, 1.0 - t)) - 0x1p-40;
    double longest = fmax(fr_vec3_length(u), fr_vec3_length(v)) + 2.0 * moved;
    double area = fr_vec3_length(fr_vec3_cross(u, v)) - 4.0 * moved * longest - 4.0 * moved * moved;
    return smallest * area > apart * longest * (1.0 + 0x1p-20) && area > 0.0;
}
