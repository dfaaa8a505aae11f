// The first stage of the exact predicates, inline: a determinant in plain doubles that is believed only where its size
// exceeds all that rounding can have done to it. Hot loops call it and turn to fr__orient*_exact when it returns 0.
//
// The bound. Let e = 2^-53. Every operation rounds its result by a factor 1 + d, |d| <= e. The 3-D determinant is a sum
// of six products of three differences. In the computed value each of the six carries at most eight such factors:
// three differences, two multiplications, the minor's subtraction and two additions. Hence
//     |computed - true| <= ((1 + e)^8 - 1) P,
// with P the sum of the absolute products, and P <= (1 - e)^-8 times the P computed in the same order. So
//     8 e (1 + 2^-10) P_computed
// holds with room for the terms in e^2 and for the rounding of the bound itself. In 2-D there are two products with
// four factors each: 4 e (1 + 2^-10) P_computed.
//
// Underflow. With coordinates 0 or at least FR_ORIENT3D_MIN = 2^-300, every coordinate is a multiple of g = 2^-352, and
// so is every difference, rounded or not; every product of three is a multiple of g^3 = 2^-1056, which doubles can
// hold: no operation above rounds by more than its factor. Only the bound itself may fall among the subnormals. If
// P < 2^53 g^3 = 2^-1003, then no difference that counts was rounded (a rounded one is at least 2^53 g) and no product
// or sum either, so the computed sign is right whatever the bound. Otherwise the bound is above 2^-1053 and rounded by
// less than 2^-21 of itself, for which 2^-10 has room. In 2-D: FR_ORIENT2D_MIN = 2^-480, g = 2^-532, g^2 = 2^-1064,
// P >= 2^-1011, the bound is above 2^-1062 and rounded by less than 2^-12 of itself.
//
// Overflow. Coordinates up to FR_ORIENT_MAX = 2^330 have differences up to 2^331 and a P up to 6 * 2^993.
#ifndef FUREAI_MATH_ORIENT_FILTER_H
#define FUREAI_MATH_ORIENT_FILTER_H

#include "fureai/math.h"

#define FR__ORIENT2D_BOUND (0x1p-51 * (1.0 + 0x1p-10))
#define FR__ORIENT3D_BOUND (0x1p-50 * (1.0 + 0x1p-10))

// The sign of a determinant that is known within `bound`; 0 where that leaves it open.
static inline int fr__sign_beyond(double determinant, double bound) {
    return (determinant > bound) - (determinant < -bound);
}

// The sign that fr_orient2d returns, or 0: not sure.
static inline int fr__orient2d_filter(fr_vec2 a, fr_vec2 b, fr_vec2 c) {
    double left = (b.x - a.x) * (c.y - a.y);
    double right = (b.y - a.y) * (c.x - a.x);
    return fr__sign_beyond(left - right, FR__ORIENT2D_BOUND * (fabs(left) + fabs(right)));
}

// The sign that fr_orient3d returns, or 0: not sure. What depends on a, b and c alone comes first, so that a compiler
// that inlines several calls with one triangle computes it once.
static inline int fr__orient3d_filter(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d) {
    fr_vec3 u = fr_vec3_sub(b, a), v = fr_vec3_sub(c, a);
    double yz = u.y * v.z, zy = u.z * v.y;
    double zx = u.z * v.x, xz = u.x * v.z;
    double xy = u.x * v.y, yx = u.y * v.x;
    fr_vec3 normal = {yz - zy, zx - xz, xy - yx};
    fr_vec3 size = {fabs(yz) + fabs(zy), fabs(zx) + fabs(xz), fabs(xy) + fabs(yx)};

    fr_vec3 w = fr_vec3_sub(d, a);
    double determinant = fr_vec3_dot(normal, w);
    double permanent = (size.x * fabs(w.x) + size.y * fabs(w.y)) + size.z * fabs(w.z);
    return fr__sign_beyond(determinant, FR__ORIENT3D_BOUND * permanent);
}

// The later stages: always right over the range, slower.
int fr__orient2d_exact(fr_vec2 a, fr_vec2 b, fr_vec2 c);
int fr__orient3d_exact(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d);

#endif
