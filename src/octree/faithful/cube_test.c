// Tests of a turned cube against an upright one, by stages and by separating axes.
#include "octree/faithful/cube_test.h"

static double max_of(double a, double b) { return a > b ? a : b; }

// Which sides of the larger cube a point is beyond: two bits an axis.
static int outcode(double large, fr_vec3 p) {
    return (p.x < -large) | (p.x > large) << 1 | (p.y < -large) << 2 | (p.y > large) << 3 | (p.z < -large) << 4 |
           (p.z > large) << 5;
}

// Whether an edge goes through one of the sides that its ends are on different sides of.
static bool edge_crosses(double large, fr_vec3 a, fr_vec3 b, int differ) {
    const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    for (int side = 0; side < 6; side++) {
        if ((differ >> side & 1) == 0) { continue; }
        int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double t = ((side % 2 == 0 ? -large : large) - from[axis]) / (to[axis] - from[axis]);
        if (fabs(from[u] + t * (to[u] - from[u])) <= large && fabs(from[v] + t * (to[v] - from[v])) <= large) {
            return true;
        }
    }
    return false;
}

fr_cube_relation fr_cube_test_staged(double large, fr_vec3 middle, double small, const fr_mat3 *axes) {
    // Stage 1: the spheres about and in the smaller cube, by Arvo's distance of a point from a box.
    double x = max_of(0.0, fabs(middle.x) - large), y = max_of(0.0, fabs(middle.y) - large),
           z = max_of(0.0, fabs(middle.z) - large);
    double distance = x * x + y * y + z * z;
    if (distance > 3.0 * small * small) { return FR_CUBE_APART; }

    // Stage 2: all corners inside.
    const fr_vec3 *r = axes->row;
    fr_vec3 u = {small * r[0].x, small * r[1].x, small * r[2].x}, v = {small * r[0].y, small * r[1].y, small * r[2].y},
            w = {small * r[0].z, small * r[1].z, small * r[2].z};
    fr_vec3 corners[8];
    int codes[8], any = 0;
    bool is_one_inside = false;
    for (int k = 0; k < 8; k++) {
        fr_vec3 c = k & 1 ? fr_vec3_add(middle, u) : fr_vec3_sub(middle, u);
        c = k & 2 ? fr_vec3_add(c, v) : fr_vec3_sub(c, v);
        corners[k] = k & 4 ? fr_vec3_add(c, w) : fr_vec3_sub(c, w);
        codes[k] = outcode(large, corners[k]);
        any |= codes[k];
        is_one_inside = is_one_inside || codes[k] == 0;
    }
    if (any == 0) { return FR_CUBE_CONTAINED; }

    // Stage 3: the sphere in it, or a corner of it, inside.
    if (distance <= small * small || is_one_inside) { return FR_CUBE_PARTLY; }

    // Stage 4: a corner of the larger inside the smaller.
    fr_mat3 back = fr_mat3_transpose(*axes);
    for (int k = 0; k < 8; k++) {
        fr_vec3 p = {k & 1 ? large : -large, k & 2 ? large : -large, k & 4 ? large : -large};
        if (fr_vec3_largest(fr_mat3_apply(back, fr_vec3_sub(p, middle))) <= small) { return FR_CUBE_PARTLY; }
    }

    // Stage 5: edges of the smaller through sides of the larger.
    for (int k = 0; k < 8; k++) {
        for (int bit = 1; bit < 8; bit *= 2) {
            int other = k | bit;
            if (other == k || (codes[k] & codes[other]) != 0) { continue; }
            if (edge_crosses(large, corners[k], corners[other], codes[k] ^ codes[other])) { return FR_CUBE_PARTLY; }
        }
    }
    return FR_CUBE_APART;
}

fr_cube_relation fr_cube_test_axes(double large, fr_vec3 middle, double small, const fr_mat3 *axes) {
    const double d[3] = {middle.x, middle.y, middle.z};
    double q[3][3], a[3][3], reach[3];
    for (int i = 0; i < 3; i++) {
        q[i][0] = axes->row[i].x, q[i][1] = axes->row[i].y, q[i][2] = axes->row[i].z;
        for (int j = 0; j < 3; j++) {
            a[i][j] = fabs(q[i][j]);
        }
        reach[i] = small * (a[i][0] + a[i][1] + a[i][2]);
        if (fabs(d[i]) > large + reach[i]) { return FR_CUBE_APART; }
    }
    for (int j = 0; j < 3; j++) {
        double along = fabs(d[0] * q[0][j] + d[1] * q[1][j] + d[2] * q[2][j]);
        if (along > small + large * (a[0][j] + a[1][j] + a[2][j])) { return FR_CUBE_APART; }
    }
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            if (1.0 - q[i][j] * q[i][j] < 1e-12) { continue; }
            double along = fabs(d[i2] * q[i1][j] - d[i1] * q[i2][j]);
            if (along > large * (a[i1][j] + a[i2][j]) + small * (a[i][j1] + a[i][j2])) { return FR_CUBE_APART; }
        }
    }
    bool is_inside = true;
    for (int i = 0; i < 3; i++) {
        is_inside = is_inside && fabs(d[i]) + reach[i] <= large;
    }
    return is_inside ? FR_CUBE_CONTAINED : FR_CUBE_PARTLY;
}
