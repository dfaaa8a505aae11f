// A matrix taken apart into translation, rotation and scale.
#include "decompose.h"

#include <math.h>

typedef struct columns {
    fr_vec3 c[3];
} columns;

static columns left_part(const double m[12]) {
    return (columns){{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}};
}

static fr_quat quat_of(const columns *turn) {
    const fr_vec3 *c = turn->c;
    fr_mat3 m = {{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
    return fr_quat_from_mat3(m);
}

static double determinant(const columns *m) { return fr_vec3_dot(m->c[0], fr_vec3_cross(m->c[1], m->c[2])); }

// Whether the columns stand at right angles to one another, but for rounding.
static bool are_square(const columns *m) {
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = m->c[i], b = m->c[(i + 1) % 3];
        double dot = fr_vec3_dot(a, b);
        if (dot * dot > 1e-24 * fr_vec3_dot(a, a) * fr_vec3_dot(b, b)) { return false; }
    }
    return true;
}

// The axes along which a symmetric matrix only scales, by Jacobi's turns.
static void find_axes(double s[3][3], columns *axes, double scale[3]) {
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 24; sweep++) {
        for (int k = 0; k < 3; k++) {
            int p = k, q = (k + 1) % 3;
            if (s[p][q] == 0.0) { continue; }
            double theta = (s[q][q] - s[p][p]) / (2.0 * s[p][q]);
            double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
            double c = 1.0 / sqrt(t * t + 1.0), d = t * c;
            for (int i = 0; i < 3; i++) {
                double a = s[i][p], b = s[i][q];
                s[i][p] = c * a - d * b;
                s[i][q] = d * a + c * b;
            }
            for (int i = 0; i < 3; i++) {
                double a = s[p][i], b = s[q][i];
                s[p][i] = c * a - d * b;
                s[q][i] = d * a + c * b;
                a = v[i][p];
                b = v[i][q];
                v[i][p] = c * a - d * b;
                v[i][q] = d * a + c * b;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        axes->c[i] = fr_vec3_make(v[0][i], v[1][i], v[2][i]);
        scale[i] = s[i][i] > 0.0 ? sqrt(s[i][i]) : 0.0;
    }
}

// A rotation times a stretch along turned axes.
static void split_sheared(const columns *m, fr_model_placement *placement) {
    double squares[3][3], scale[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            squares[i][k] = fr_vec3_dot(m->c[i], m->c[k]);
        }
    }
    columns axes;
    find_axes(squares, &axes, scale);
    if (determinant(&axes) < 0.0) { axes.c[2] = fr_vec3_scale(-1.0, axes.c[2]); }
    // The stretched axes, each back to its length: the turned axes. From both follows the rotation.
    double sign = determinant(m) < 0.0 ? -1.0 : 1.0;
    columns turned;
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = axes.c[i];
        fr_vec3 image = fr_vec3_add(fr_vec3_add(fr_vec3_scale(a.x, m->c[0]), fr_vec3_scale(a.y, m->c[1])),
                                    fr_vec3_scale(a.z, m->c[2]));
        turned.c[i] = fr_vec3_scale(sign / scale[i], image);
    }
    placement->scale_orientation = quat_of(&axes);
    placement->rotation = fr_quat_multiply(quat_of(&turned), fr_quat_conjugate(placement->scale_orientation));
    placement->scale = fr_vec3_make(sign * scale[0], sign * scale[1], sign * scale[2]);
}

fr_model_placement fr__decompose(const double matrix[12]) {
    fr_model_placement placement = {.translation = {matrix[3], matrix[7], matrix[11]},
                                    .scale = {1, 1, 1},
                                    .rotation = {1, 0, 0, 0},
                                    .scale_orientation = {1, 0, 0, 0}};
    columns m = left_part(matrix);
    double det = determinant(&m), sign = det < 0.0 ? -1.0 : 1.0;
    if (det != 0.0 && !are_square(&m)) {
        split_sheared(&m, &placement);
        return placement;
    }
    placement.scale = fr_vec3_make(fr_vec3_length(m.c[0]), fr_vec3_length(m.c[1]), sign * fr_vec3_length(m.c[2]));
    const double lengths[3] = {placement.scale.x, placement.scale.y, placement.scale.z};
    for (int i = 0; i < 3 && det != 0.0; i++) {
        m.c[i] = fr_vec3_scale(1.0 / lengths[i], m.c[i]);
    }
    if (det != 0.0) { placement.rotation = quat_of(&m); }
    return placement;
}
