// Matrices and unit quaternions.
#include "math/frame.h"

fr_mat3 fr_mat3_identity(void) {
    fr_mat3 m = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    return m;
}

fr_mat3 fr_mat3_transpose(fr_mat3 a) {
    fr_mat3 m = {{{a.row[0].x, a.row[1].x, a.row[2].x},
                  {a.row[0].y, a.row[1].y, a.row[2].y},
                  {a.row[0].z, a.row[1].z, a.row[2].z}}};
    return m;
}

fr_mat3 fr_mat3_multiply(fr_mat3 a, fr_mat3 b) {
    fr_mat3 columns = fr_mat3_transpose(b);
    fr_mat3 m;
    for (int i = 0; i < 3; i++) {
        // Row i of the product: the rows of b's transpose are b's columns.
        m.row[i] = fr_mat3_apply(columns, a.row[i]);
    }
    return m;
}

double fr_mat3_determinant(fr_mat3 a) { return fr_vec3_dot(a.row[0], fr_vec3_cross(a.row[1], a.row[2])); }

fr_quat fr_quat_identity(void) {
    fr_quat q = {1.0, 0.0, 0.0, 0.0};
    return q;
}

// The order makes a times its own conjugate exactly real: the terms cancel in pairs.
fr_quat fr_quat_multiply(fr_quat a, fr_quat b) {
    fr_quat q = {(a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z), (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                 (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z), (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x)};
    return q;
}

fr_quat fr_quat_conjugate(fr_quat a) {
    fr_quat q = {a.w, -a.x, -a.y, -a.z};
    return q;
}

// Relative error at most (1 + u)^3 - 1.
static double quat_length_squared(fr_quat q) { return (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z); }

static fr_quat quat_over(fr_quat q, double length) {
    fr_quat unit = {q.w / length, q.x / length, q.y / length, q.z / length};
    return unit;
}

// Of q and -q, which turn alike, the one whose first coordinate that is not 0 is positive. Adding 0 makes -0 to 0, so
// that both give the same bits.
static fr_quat quat_upper(fr_quat q) {
    double first = q.w != 0.0 ? q.w : q.x != 0.0 ? q.x : q.y != 0.0 ? q.y : q.z;
    double sign = first < 0.0 ? -1.0 : 1.0;
    fr_quat upper = {sign * q.w + 0.0, sign * q.x + 0.0, sign * q.y + 0.0, sign * q.z + 0.0};
    return upper;
}

// Doing it twice changes nothing, with u = 2^-53:
// - The computed n2 has a relative error of 3u, its root 2.5u, the quotients 3.5u. So the new |q| is within 3.5u of 1,
//   its square within 7u, and the n2 computed from it within 10u < 20u: it is kept.
// - A quaternion with |q| within 4 ulp (8u) of 1 has n2 within 16u, computed within 19u < 20u: it is kept.
// - What is kept has | |q|^2 - 1 | <= 23u (all up to terms of order u^2).
fr_status fr_quat_normalize(fr_quat *q, fr_error *error) {
    if (!(isfinite(q->w) && isfinite(q->x) && isfinite(q->y) && isfinite(q->z))) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a rotation has a number that is not finite");
    }
    double n2 = quat_length_squared(*q);
    if (!(n2 >= 0.99 * 0.99 && n2 <= 1.01 * 1.01)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a rotation's quaternion has length %g instead of 1", sqrt(n2));
    }
    if (fabs(n2 - 1.0) > 20.0 * 0x1p-53) { *q = quat_over(*q, sqrt(n2)); }
    return FR_OK;
}

fr_quat fr_quat_from_axis_angle(fr_vec3 axis, double angle) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 unit = fr_vec3_unit(axis, zero);
    if (fr_vec3_equal(unit, zero)) { return fr_quat_identity(); }

    double sine, cosine;
    fr_sincos(0.5 * angle, &sine, &cosine);
    fr_quat q = {cosine, sine * unit.x, sine * unit.y, sine * unit.z};
    return q;
}

fr_quat fr_quat_from_vector(fr_vec3 turn) {
    // Below this angle a the first terms are the result: cos(a/2) > 1 - 2^-57, and sin(a/2) is a/2 up to 2^-58 of it.
    if (fr_vec3_largest(turn) < 0x1p-28) {
        fr_quat small = {1.0, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z};
        return small;
    }
    double angle = fr_vec3_length(turn);
    double sine = (double)NAN, cosine = (double)NAN;
    if (angle <= FR_TURN_MAX) { fr_sincos(0.5 * angle, &sine, &cosine); }
    double factor = sine / angle;
    fr_quat q = {cosine, factor * turn.x, factor * turn.y, factor * turn.z};
    return q;
}

fr_vec3 fr_quat_to_vector(fr_quat a) {
    fr_quat q = quat_upper(a); // the shortest arc: w >= 0, an angle up to pi
    fr_vec3 v = {q.x, q.y, q.z};

    // The angle is 2 atan2(|v|, w), well conditioned from 0 to pi; over |v| it is 2/w up to |v|^2 for a small one,
    // whose square may underflow.
    if (fr_vec3_largest(v) < 0x1p-28 * q.w) { return fr_vec3_scale(2.0 / q.w, v); }
    double sine = fr_vec3_length(v);
    return fr_vec3_scale(2.0 * fr_atan2(sine, q.w) / sine, v);
}

fr_mat3 fr_quat_to_mat3(fr_quat a) { return fr__rotation_matrix(a); }

// Shepperd's choice: 4 times the squares of the components are sums of the diagonal, and add up to 4; dividing by the
// largest never loses digits.
fr_quat fr_quat_from_mat3(fr_mat3 a) {
    double m00 = a.row[0].x, m11 = a.row[1].y, m22 = a.row[2].z;
    double w = 1.0 + (m00 + m11 + m22);
    double x = 1.0 + (m00 - m11 - m22);
    double y = 1.0 + (m11 - m00 - m22);
    double z = 1.0 + (m22 - m00 - m11);
    double wx = a.row[2].y - a.row[1].z, wy = a.row[0].z - a.row[2].x, wz = a.row[1].x - a.row[0].y;
    double xy = a.row[0].y + a.row[1].x, xz = a.row[0].z + a.row[2].x, yz = a.row[1].z + a.row[2].y;

    // Each is the quaternion times 4 times its largest component.
    fr_quat q;
    if (w >= x && w >= y && w >= z) {
        q = (fr_quat){w, wx, wy, wz};
    } else if (x >= y && x >= z) {
        q = (fr_quat){wx, x, xy, xz};
    } else if (y >= z) {
        q = (fr_quat){wy, xy, y, yz};
    } else {
        q = (fr_quat){wz, xz, yz, z};
    }
    return quat_upper(quat_over(q, sqrt(quat_length_squared(q))));
}

// The turn between vectors over 138 degrees apart, by the angle e that is missing to a half turn: `across`, the part
// of from + to perpendicular to `from`, has length sin e, and what the sum of the unit vectors loses to rounding is not
// divided by the length of the sum.
static fr_quat quat_between_opposite(fr_vec3 from, fr_vec3 across) {
    double sine = fr_vec3_length(across);
    if (sine < 0x1p-50) {
        // No direction is left but rounding: any perpendicular axis.
        fr_vec3 axis = fr_vec3_perpendicular(from);
        return (fr_quat){0.0, axis.x, axis.y, axis.z};
    }
    // Half the turn is pi/2 - e/2: its cosine is sin(e/2) = sin e / (2 cos(e/2)).
    double cosine = sqrt(1.0 - sine * sine);
    double half_cosine = sine / sqrt(2.0 * (1.0 + cosine));
    fr_vec3 axis = fr_vec3_unit(fr_vec3_cross(from, across), fr_vec3_perpendicular(from));
    fr_vec3 v = fr_vec3_scale(sqrt(1.0 - half_cosine * half_cosine), axis);
    fr_quat q = {half_cosine, v.x, v.y, v.z};
    (void)fr_quat_normalize(&q, NULL);
    return q;
}

fr_quat fr_quat_between(fr_vec3 from, fr_vec3 to) {
    fr_vec3 sum = fr_vec3_add(from, to);
    if (fr_vec3_length_squared(sum) < 0.5) {
        fr_vec3 across = fr_vec3_add_scaled(sum, -fr_vec3_dot(from, sum), from);
        return quat_between_opposite(from, across);
    }
    // Half the turn takes `from` to the unit vector between the two.
    fr_vec3 half = fr_vec3_unit(sum, from);
    fr_vec3 v = fr_vec3_cross(from, half);
    fr_quat q = {fr_vec3_dot(from, half), v.x, v.y, v.z};
    (void)fr_quat_normalize(&q, NULL);
    return q;
}
