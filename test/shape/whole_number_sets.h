// An oracle for triangles with whole-number corners, unlike the library's test in every step: two sets share a point
// when their Minkowski difference, here nine points, holds the origin; and by Caratheodory's theorem it does when one
// of its subsets of up to four points does. All in 128-bit whole numbers, exact for corners up to 2^20 apart.
#ifndef FUREAI_TEST_WHOLE_NUMBER_SETS_H
#define FUREAI_TEST_WHOLE_NUMBER_SETS_H

#include "fureai/math.h"

#define DIFFERENCE_COUNT 9

typedef struct whole_point {
    int64_t x, y, z;
} whole_point;

static inline int whole_sign(__int128 x) { return (x > 0) - (x < 0); }

static inline whole_point whole_cross(whole_point a, whole_point b) {
    whole_point c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static inline __int128 whole_dot(whole_point a, whole_point b) {
    return (__int128)a.x * b.x + (__int128)a.y * b.y + (__int128)a.z * b.z;
}

static inline int whole_determinant(whole_point a, whole_point b, whole_point c) {
    return whole_sign(whole_dot(whole_cross(a, b), c));
}

static inline bool whole_is_zero(whole_point a) { return a.x == 0 && a.y == 0 && a.z == 0; }

// Whether the origin lies between two points.
static inline bool whole_pair_holds_origin(whole_point a, whole_point b) {
    return whole_is_zero(whole_cross(a, b)) && whole_dot(a, b) <= 0;
}

// Whether the origin lies in a triangle: in its plane, and the edges turn one way about it.
static inline bool whole_triple_holds_origin(whole_point a, whole_point b, whole_point c) {
    if (whole_determinant(a, b, c) != 0) { return false; }
    whole_point ab = whole_cross(a, b), bc = whole_cross(b, c), ca = whole_cross(c, a);
    if (whole_is_zero(ab) && whole_is_zero(bc) && whole_is_zero(ca)) { return false; }
    return whole_dot(ab, bc) >= 0 && whole_dot(bc, ca) >= 0 && whole_dot(ca, ab) >= 0;
}

// Whether it lies in a tetrahedron: its four barycentric coordinates, times one factor, agree in sign.
static inline bool whole_four_hold_origin(whole_point a, whole_point b, whole_point c, whole_point d) {
    int s[4] = {whole_determinant(b, c, d), -whole_determinant(a, c, d), whole_determinant(a, b, d),
                -whole_determinant(a, b, c)};
    int positive = 0, negative = 0;
    for (int i = 0; i < 4; i++) {
        positive += s[i] > 0;
        negative += s[i] < 0;
    }
    return positive + negative > 0 && (positive == 0 || negative == 0);
}

static inline bool whole_points_hold_origin(const whole_point *w, int count) {
    for (int i = 0; i < count; i++) {
        if (whole_is_zero(w[i])) { return true; }
        for (int j = 0; j < i; j++) {
            if (whole_pair_holds_origin(w[i], w[j])) { return true; }
            for (int k = 0; k < j; k++) {
                if (whole_triple_holds_origin(w[i], w[j], w[k])) { return true; }
                for (int l = 0; l < k; l++) {
                    if (whole_four_hold_origin(w[i], w[j], w[k], w[l])) { return true; }
                }
            }
        }
    }
    return false;
}

// Whether two sets of up to three corners each, all whole numbers, share a point.
static inline bool whole_sets_overlap(const fr_vec3 *a, int a_count, const fr_vec3 *b, int b_count) {
    whole_point difference[DIFFERENCE_COUNT];
    int count = 0;
    for (int i = 0; i < a_count; i++) {
        for (int j = 0; j < b_count; j++) {
            whole_point d = {(int64_t)(a[i].x - b[j].x), (int64_t)(a[i].y - b[j].y), (int64_t)(a[i].z - b[j].z)};
            difference[count++] = d;
        }
    }
    return whole_points_hold_origin(difference, count);
}

#endif
