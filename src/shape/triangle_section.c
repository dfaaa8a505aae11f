// The intersection of two triangles. Every decision is a sign; only the positions of points are rounded.
//
// In the usual case the planes cross in a line. With the corners renumbered as for the test (triangle_triangle.h), the
// line meets a from P1 on the edge p0 p1 to P2 on p0 p2, and b from Q2 on q0 q2 to Q1 on q0 q1, both in this order, and
//     order(i, j) = sign of ((pi - p0) x (q0 - p0)) . (qj - p0)
// is the sign of Pi - Qj along the line. So what is shared goes from the later of P1, Q2 to the earlier of P2, Q1.
#include "shape/flat.h"
#include "shape/segment_triangle.h"
#include "shape/triangle_triangle.h"

// The sign of corner i in sides of the form 13 + s0 + 3 s1 + 9 s2.
static int side_of_corner(unsigned sides, long i) {
    static const unsigned power[3] = {1, 3, 9};
    return (int)(sides / power[i] % 3) - 1;
}

static bool has_both_sides(unsigned sides) {
    int lowest = 1, highest = -1;
    for (int i = 0; i < 3; i++) {
        int side = side_of_corner(sides, i);
        lowest = side < lowest ? side : lowest;
        highest = side > highest ? side : highest;
    }
    return lowest < 0 && highest > 0;
}

// Where the edge from `lone` to `other`, two corners of t with known sides, meets the plane of `plane`.
static fr_vec3 edge_point(const fr_vec3 *t, unsigned sides, const fr_vec3 *lone, const fr_vec3 *other,
                          const fr_vec3 plane[3]) {
    int side_lone = side_of_corner(sides, lone - t), side_other = side_of_corner(sides, other - t);
    if (side_other == 0) { return *other; }
    if (side_lone == 0) { return *lone; }
    fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(plane[1], plane[0]), fr_vec3_sub(plane[2], plane[0]));
    double at_lone = fabs(fr_vec3_dot(normal, fr_vec3_sub(*lone, plane[0])));
    double at_other = fabs(fr_vec3_dot(normal, fr_vec3_sub(*other, plane[0])));
    double sum = at_lone + at_other;
    return fr_vec3_lerp(*lone, *other, sum > 0.0 ? at_lone / sum : 0.5);
}

static void set_points(fr_section *out, int count) {
    static const fr_section_kind kind[4] = {FR_SECTION_APART, FR_SECTION_POINT, FR_SECTION_SEGMENT, FR_SECTION_POLYGON};
    out->count = count;
    out->kind = kind[count < 3 ? count : 3];
}

// The planes cross in a line, and neither triangle lies in the other's plane.
static void line_section(const fr_vec3 a[3], const fr_vec3 b[3], unsigned sides_a, unsigned sides_b, fr_section *out) {
    fr__facing f = fr__triangle_face(a, b, sides_a, sides_b);
    int order_11 = fr_orient3d(*f.p0, *f.p1, *f.q0, *f.q1);
    int order_22 = fr_orient3d(*f.p0, *f.p2, *f.q0, *f.q2);
    if (order_11 > 0 || order_22 < 0) { return; }
    bool low_is_p = fr_orient3d(*f.p0, *f.p1, *f.q0, *f.q2) >= 0;
    bool high_is_p = fr_orient3d(*f.p0, *f.p2, *f.q0, *f.q1) <= 0;

    // One point: two ends of different triangles are equal, or a triangle reaches the line with its lone corner only.
    bool one = low_is_p == high_is_p
                   ? (low_is_p ? side_of_corner(sides_a, f.p0 - a) : side_of_corner(sides_b, f.q0 - b)) == 0
                   : (low_is_p ? order_11 : order_22) == 0;
    out->points[0] = low_is_p ? edge_point(a, sides_a, f.p0, f.p1, b) : edge_point(b, sides_b, f.q0, f.q2, a);
    out->points[1] = high_is_p ? edge_point(a, sides_a, f.p0, f.p2, b) : edge_point(b, sides_b, f.q0, f.q1, a);
    if (one && !fr_vec3_equal(out->points[0], out->points[1])) {
        // One of the two may be a corner, which needs no rounding.
        bool second_is_corner =
            high_is_p ? side_of_corner(sides_a, f.p2 - a) == 0 : side_of_corner(sides_b, f.q1 - b) == 0;
        if (second_is_corner) { out->points[0] = out->points[1]; }
    }
    set_points(out, one ? 1 : 2);
    out->is_crossing = !one && has_both_sides(sides_a) && has_both_sides(sides_b);
}

// A segment against a triangle whose plane it leaves.
static void pierce_section(const fr__corners *thin, const fr_vec3 t[3], fr_section *out) {
    int side_0 = fr_orient3d(t[0], t[1], t[2], thin->point[0]);
    int side_1 = fr_orient3d(t[0], t[1], t[2], thin->point[1]);
    fr__pierce pierce = fr__segment_pierce(thin->point[0], thin->point[1], side_0, side_1, t);
    out->points[0] = pierce.point;
    out->is_crossing = pierce.inner;
    set_points(out, pierce.hit ? 1 : 0);
}

// All corners of one triangle lie in the other's plane: coplanar triangles, or one without a plane.
static void flat_section(const fr_vec3 a[3], const fr_vec3 b[3], fr_section *out) {
    fr__corners of_a = fr__corners_of_triangle(a), of_b = fr__corners_of_triangle(b);
    out->is_coplanar = fr__corners_are_coplanar(&of_a, &of_b);
    if (out->is_coplanar) {
        set_points(out, fr__flat_section(&of_a, &of_b, out->points));
    } else if (of_a.count == 3 && of_b.count == 2) {
        pierce_section(&of_b, a, out);
    } else if (of_b.count == 3 && of_a.count == 2) {
        pierce_section(&of_a, b, out);
    }
}

bool fr_triangle_section(const fr_vec3 a[3], const fr_vec3 b[3], fr_section *out) {
    *out = (fr_section){0};
    unsigned sides_a = fr__triangle_sides_exact(b, a), sides_b = fr__triangle_sides_exact(a, b);
    if (sides_a == FR__ALL_IN_PLANE || sides_b == FR__ALL_IN_PLANE) {
        flat_section(a, b, out);
    } else if (!fr__sides_are_one(sides_a) && !fr__sides_are_one(sides_b)) {
        line_section(a, b, sides_a, sides_b, out);
    }
    return out->kind != FR_SECTION_APART;
}
