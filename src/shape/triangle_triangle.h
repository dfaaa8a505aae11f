// The cheap part of fr_triangle_overlap, inline: plain doubles with derived error bounds. It decides nearly always;
// where rounding leaves a sign open it returns FR__UNSURE, and fr__triangle_overlap_exact decides.
//
// The test is that of Devillers and Guigue (2002): only signs of determinants, no constructed point.
//   1. The signs of a's corners against b's plane: all on one side, apart. The same for b's corners.
//   2. In each triangle one corner p0 (q0) is alone on its side of the other's plane. With the corners renumbered so
//      that both lone corners are on the positive side, the line of the two planes meets a between the edges p0 p1 and
//      p0 p2 and b between q0 q1 and q0 q2, and two more determinants order the four meeting points.
//
// The bound of the shared signs. orient_filter.h shows for one point w, relative to the plane's first corner, that the
// determinant errs by less than FR__ORIENT3D_BOUND (size . |w|). Three points share one bound here: size . W with W the
// largest |w| on each axis, which is at least as large for each of them. The argument about underflow stands, since it
// only needs a bound that is not below the single one.
#ifndef FUREAI_SHAPE_TRIANGLE_TRIANGLE_H
#define FUREAI_SHAPE_TRIANGLE_TRIANGLE_H

#include "fureai/shape.h"
#include "math/orient_filter.h"

// The result of the cheap part.
typedef enum fr__overlap_verdict { FR__NO, FR__YES, FR__UNSURE } fr__overlap_verdict;

// The products that a normal is made of, and the sum of their sizes.
typedef struct fr__plane_products {
    fr_vec3 normal, size;
} fr__plane_products;

static inline fr__plane_products fr__plane_products_of(fr_vec3 u, fr_vec3 v) {
    double yz = u.y * v.z, zy = u.z * v.y;
    double zx = u.z * v.x, xz = u.x * v.z;
    double xy = u.x * v.y, yx = u.y * v.x;
    fr__plane_products plane = {{yz - zy, zx - xz, xy - yx},
                                {fabs(yz) + fabs(zy), fabs(zx) + fabs(xz), fabs(xy) + fabs(yx)}};
    return plane;
}

static inline double fr__largest_of_three(double a, double b, double c) {
    double ab = a > b ? a : b;
    return ab > c ? ab : c;
}

// The sides of the corners of p against the plane of t, as 13 + s0 + 3 s1 + 9 s2 with each sign -1, 0 or 1: a number in
// 0 .. 26. Sets *unsure where a sign is 0 because rounding leaves it open.
static inline unsigned fr__triangle_sides(const fr_vec3 t[3], const fr_vec3 p[3], bool *unsure) {
    fr__plane_products plane = fr__plane_products_of(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    fr_vec3 w0 = fr_vec3_sub(p[0], t[0]), w1 = fr_vec3_sub(p[1], t[0]), w2 = fr_vec3_sub(p[2], t[0]);
    fr_vec3 reach = {fr__largest_of_three(fabs(w0.x), fabs(w1.x), fabs(w2.x)),
                     fr__largest_of_three(fabs(w0.y), fabs(w1.y), fabs(w2.y)),
                     fr__largest_of_three(fabs(w0.z), fabs(w1.z), fabs(w2.z))};
    double bound = FR__ORIENT3D_BOUND * fr_vec3_dot(plane.size, reach);
    int s0 = fr__sign_beyond(fr_vec3_dot(plane.normal, w0), bound);
    int s1 = fr__sign_beyond(fr_vec3_dot(plane.normal, w1), bound);
    int s2 = fr__sign_beyond(fr_vec3_dot(plane.normal, w2), bound);
    *unsure = s0 * s1 * s2 == 0;
    return (unsigned)(13 + s0 + 3 * s1 + 9 * s2);
}

// All three corners in the plane.
#define FR__ALL_IN_PLANE 13u

// Whether three signs in that form say: all strictly on one side.
static inline bool fr__sides_are_one(unsigned sides) { return sides == 0 || sides == 26; }

// Which corner is alone on its side, plus 3 when its side is the negative one; from the sides of three corners that are
// not all equal. A corner in the plane counts for the side where it is needed: with the two others strictly on one side
// it is the lone one of the other side.
extern const unsigned char fr__lone_corner[27];

// The corners with the lone one first: entry 0 .. 2 in the given turn, 3 .. 5 in the opposite one.
extern const unsigned char fr__corner_order[6][3];

// The four corners after the two lone ones that stage 2 compares; p0 and q0 are on the positive side of each other's
// plane.
typedef struct fr__facing {
    const fr_vec3 *p0, *p1, *p2, *q0, *q1, *q2;
} fr__facing;

// Renumbers by the sides of a against b's plane and of b against a's. A lone corner on the negative side comes to the
// positive one by turning the other triangle over.
static inline fr__facing fr__triangle_face(const fr_vec3 a[3], const fr_vec3 b[3], unsigned sides_a, unsigned sides_b) {
    unsigned lone_a = fr__lone_corner[sides_a], lone_b = fr__lone_corner[sides_b];
    unsigned below_a = lone_a >= 3, below_b = lone_b >= 3;
    const unsigned char *p = fr__corner_order[lone_a - 3 * below_a + 3 * below_b];
    const unsigned char *q = fr__corner_order[lone_b - 3 * below_b + 3 * below_a];
    fr__facing facing = {&a[p[0]], &a[p[1]], &a[p[2]], &b[q[0]], &b[q[1]], &b[q[2]]};
    return facing;
}

// The sign of ((p - p0) x (q0 - p0)) . (q - p0), or 0: not sure. `lone` is q0 - p0.
static inline int fr__edge_order(fr_vec3 p0, fr_vec3 lone, fr_vec3 p, fr_vec3 q) {
    fr__plane_products plane = fr__plane_products_of(fr_vec3_sub(p, p0), lone);
    fr_vec3 w = fr_vec3_sub(q, p0);
    double size = (plane.size.x * fabs(w.x) + plane.size.y * fabs(w.y)) + plane.size.z * fabs(w.z);
    return fr__sign_beyond(fr_vec3_dot(plane.normal, w), FR__ORIENT3D_BOUND * size);
}

// Stage 2: the triangles meet when orient(p0, p1, q0, q1) <= 0 and orient(p0, p2, q2, q0) <= 0; both are the same
// determinant, the second with the opposite sign.
static inline fr__overlap_verdict fr__triangle_facing_overlap(const fr__facing *f) {
    fr_vec3 lone = fr_vec3_sub(*f->q0, *f->p0);
    int first = fr__edge_order(*f->p0, lone, *f->p1, *f->q1);
    int second = fr__edge_order(*f->p0, lone, *f->p2, *f->q2);
    if (first > 0 || second < 0) { return FR__NO; }
    return first * second != 0 ? FR__YES : FR__UNSURE;
}

// The whole cheap part.
static inline fr__overlap_verdict fr__triangle_overlap_filter(const fr_vec3 a[3], const fr_vec3 b[3]) {
    bool unsure_a, unsure_b;
    unsigned sides_a = fr__triangle_sides(b, a, &unsure_a);
    if (fr__sides_are_one(sides_a)) { return FR__NO; }
    unsigned sides_b = fr__triangle_sides(a, b, &unsure_b);
    if (fr__sides_are_one(sides_b)) { return FR__NO; }
    if (unsure_a || unsure_b) { return FR__UNSURE; }
    fr__facing facing = fr__triangle_face(a, b, sides_a, sides_b);
    return fr__triangle_facing_overlap(&facing);
}

// The same result by exact signs alone: correct for every pair, slower.
bool fr__triangle_overlap_exact(const fr_vec3 a[3], const fr_vec3 b[3]);

// fr_triangle_overlap, to inline.
static inline bool fr__triangle_overlap(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr__overlap_verdict verdict = fr__triangle_overlap_filter(a, b);
    return verdict != FR__UNSURE ? verdict == FR__YES : fr__triangle_overlap_exact(a, b);
}

// The exact sides of the corners of p against the plane of t, in the form of fr__triangle_sides.
unsigned fr__triangle_sides_exact(const fr_vec3 t[3], const fr_vec3 p[3]);

#endif
