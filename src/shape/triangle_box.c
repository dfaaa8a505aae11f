// A triangle against an upright box by the 13 axes on which two such sets can be apart (Akenine-Moller 2001): the box's
// three, the triangle's normal, and the nine crossings of their edges. Never apart by rounding.
//
// The bound. Let e = 2^-53 and M the largest coordinate of box and triangle. On the box's own axes coordinates are
// compared as they are: no error. For the others everything is taken from the box's rounded centre c; a rounded corner
// v = fl(x - c) is off by at most e |v| <= 2 e M from x - c, and the box about c needs half sizes h with c - h <= min
// and max <= c + h, for which h = fl(max(max - c, c - min)) (1 + 2^-51) suffices. Moving the triangle's corners by
// 2 e M each instead of the box by as much changes no gap by more, so it is enough to grow the box: with h + 8 e M the
// box meets the true triangle only if it meets the rounded one. What is left is the rounding of the axes' own sums:
//   an edge d = fl(v' - v) is off by e |d| <= 4 e M a coordinate, which moves the axis but for every axis, whatever it
//   is, the comparison is right up to the rounding of the products of that axis: three roundings of each of the terms
//   |d| (|v| + h), covered by 16 e times their sum;
//   a normal n is any direction too; n . v and n . h round by at most 4 e times the sum of their terms.
// An axis of any direction on which the grown sets are apart proves them apart, so only products are bounded.
#include "fureai/shape.h"

#define ROUNDING 0x1p-53

static bool is_apart_on_box_axes(const fr_vec3 t[3], const fr_bounds *box) {
    fr_vec3 low = fr_vec3_min(fr_vec3_min(t[0], t[1]), t[2]), high = fr_vec3_max(fr_vec3_max(t[0], t[1]), t[2]);
    return low.x > box->max.x || high.x < box->min.x || low.y > box->max.y || high.y < box->min.y ||
           low.z > box->max.z || high.z < box->min.z;
}

static double largest_of(double a, double b) { return a > b ? a : b; }

// Half a side, seen from the rounded centre, grown.
static double grown_half(double low, double high, double center, double growth) {
    return largest_of(high - center, center - low) * (1.0 + 0x1p-51) + growth;
}

// Whether three projections p, within `error`, lie beyond `reach` on one side. False where anything is NaN.
static bool is_beyond(double p0, double p1, double p2, double reach) {
    double low = p0 < p1 ? p0 : p1, high = p0 < p1 ? p1 : p0;
    low = p2 < low ? p2 : low;
    high = p2 > high ? p2 : high;
    return low > reach || high < -reach;
}

// The axis (0, -dz, dy), the cross product of the first box axis with an edge; the others by turning the coordinates.
// The corners of the triangle give y, z in pairs.
static bool is_apart_on_cross(double dy, double dz, const double y[3], const double z[3], double half_y,
                              double half_z) {
    double p0 = dy * z[0] - dz * y[0], p1 = dy * z[1] - dz * y[1], p2 = dy * z[2] - dz * y[2];
    double ady = fabs(dy), adz = fabs(dz);
    double reach = ady * half_z + adz * half_y;
    double largest_y = largest_of(largest_of(fabs(y[0]), fabs(y[1])), fabs(y[2]));
    double largest_z = largest_of(largest_of(fabs(z[0]), fabs(z[1])), fabs(z[2]));
    double error = 16.0 * ROUNDING * (ady * (largest_z + half_z) + adz * (largest_y + half_y));
    return is_beyond(p0, p1, p2, reach + error);
}

static bool is_apart_on_normal(const fr_vec3 v[3], fr_vec3 half) {
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(v[1], v[0]), fr_vec3_sub(v[2], v[0]));
    fr_vec3 size = {fabs(n.x), fabs(n.y), fabs(n.z)};
    fr_vec3 largest = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        fr_vec3 w = {fabs(v[i].x), fabs(v[i].y), fabs(v[i].z)};
        largest = fr_vec3_max(largest, w);
    }
    // The three corners are projected, not one: a rounded normal is not quite perpendicular to the triangle.
    double error = 16.0 * ROUNDING * fr_vec3_dot(size, fr_vec3_add(largest, half));
    return is_beyond(fr_vec3_dot(n, v[0]), fr_vec3_dot(n, v[1]), fr_vec3_dot(n, v[2]), fr_vec3_dot(size, half) + error);
}

bool fr_triangle_box_overlap(const fr_vec3 triangle[3], const fr_bounds *box) {
    if (fr_bounds_is_empty(box) || is_apart_on_box_axes(triangle, box)) { return false; }

    // Stage 2: everything about the box's centre, the box grown by what that rounds.
    fr_vec3 c = {0.5 * box->min.x + 0.5 * box->max.x, 0.5 * box->min.y + 0.5 * box->max.y,
                 0.5 * box->min.z + 0.5 * box->max.z};
    double largest = largest_of(fr_vec3_largest(box->min), fr_vec3_largest(box->max));
    for (int i = 0; i < 3; i++) {
        largest = largest_of(largest, fr_vec3_largest(triangle[i]));
    }
    double growth = 8.0 * ROUNDING * largest;
    fr_vec3 half = {grown_half(box->min.x, box->max.x, c.x, growth), grown_half(box->min.y, box->max.y, c.y, growth),
                    grown_half(box->min.z, box->max.z, c.z, growth)};
    fr_vec3 v[3] = {fr_vec3_sub(triangle[0], c), fr_vec3_sub(triangle[1], c), fr_vec3_sub(triangle[2], c)};
    if (is_apart_on_normal(v, half)) { return false; }

    // Stage 3: the nine crossings.
    double x[3] = {v[0].x, v[1].x, v[2].x}, y[3] = {v[0].y, v[1].y, v[2].y}, z[3] = {v[0].z, v[1].z, v[2].z};
    for (int i = 0; i < 3; i++) {
        fr_vec3 d = fr_vec3_sub(v[(i + 1) % 3], v[i]);
        if (is_apart_on_cross(d.y, d.z, y, z, half.y, half.z) || is_apart_on_cross(d.z, d.x, z, x, half.z, half.x) ||
            is_apart_on_cross(d.x, d.y, x, y, half.x, half.y)) {
            return false;
        }
    }
    return true;
}
