// Motions in voxels, and the one map back to the reference.
#include "octree/move.h"

#include <string.h>

fr_octree_motion fr_octree_motion_identity(void) {
    fr_octree_motion m = {fr_mat3_identity(), {0.0, 0.0, 0.0}, 0};
    return m;
}

// Kitamura eq. 5.1, about a unit axis.
static fr_mat3 turn_matrix(fr_vec3 n, double angle) {
    double s, c;
    fr_sincos(angle, &s, &c);
    double k = 1.0 - c;
    fr_mat3 r = {{{(n.x * n.x - 1.0) * k + 1.0, n.x * n.y * k - n.z * s, n.x * n.z * k + n.y * s},
                  {n.y * n.x * k + n.z * s, (n.y * n.y - 1.0) * k + 1.0, n.y * n.z * k - n.x * s},
                  {n.z * n.x * k - n.y * s, n.z * n.y * k + n.x * s, (n.z * n.z - 1.0) * k + 1.0}}};
    return r;
}

fr_octree_motion fr_octree_motion_turn(fr_vec3 travel, fr_vec3 axis, double angle) {
    fr_octree_motion m = fr_octree_motion_identity();
    fr_vec3 n = fr_vec3_unit(axis, fr_vec3_make(0.0, 0.0, 0.0));
    if (fr_vec3_largest(n) > 0.0) { m.rotation = turn_matrix(n, angle); }
    m.travel = travel;
    return m;
}

fr_octree_motion fr_octree_motion_step(fr_vec3 travel, fr_vec3 turn_deg) {
    fr_octree_motion m = fr_octree_motion_identity();
    fr_mat3 x = turn_matrix(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(turn_deg.x));
    fr_mat3 y = turn_matrix(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(turn_deg.y));
    fr_mat3 z = turn_matrix(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(turn_deg.z));
    m.rotation = fr_mat3_multiply(z, fr_mat3_multiply(y, x));
    m.travel = travel;
    return m;
}

// The rows made unit and perpendicular, one after another.
static fr_mat3 orthonormal(fr_mat3 r) {
    fr_vec3 a = fr_vec3_unit(r.row[0], fr_vec3_make(1.0, 0.0, 0.0));
    fr_vec3 b = fr_vec3_add_scaled(r.row[1], -fr_vec3_dot(a, r.row[1]), a);
    b = fr_vec3_unit(b, fr_vec3_perpendicular(a));
    fr_mat3 out = {{a, b, fr_vec3_cross(a, b)}};
    return out;
}

void fr_octree_motion_compose(fr_octree_motion *so_far, const fr_octree_motion *step) {
    so_far->travel = fr_vec3_add(fr_mat3_apply(step->rotation, so_far->travel), step->travel);
    so_far->rotation = fr_mat3_multiply(step->rotation, so_far->rotation);
    so_far->compositions++;
    if (so_far->compositions >= 1000) {
        so_far->rotation = orthonormal(so_far->rotation);
        so_far->compositions = 0;
    }
}

fr_status fr_octree_motion_of_pose(const fr_octree *t, const fr_pose *pose, fr_octree_motion *out, fr_error *error) {
    if (pose->scale != 1.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a pose that moves cells has the scale 1");
    }
    // x' = R x + p about the middle c of the root: R (x - c) + c + (R c + p - c).
    double half = 0.5 * t->def.edge;
    fr_vec3 c = fr_vec3_add(t->def.min, fr_vec3_make(half, half, half));
    *out = fr_octree_motion_identity();
    out->rotation = fr_quat_to_mat3(pose->rotation);
    fr_vec3 travel = fr_vec3_sub(fr_pose_apply(pose, c), c);
    out->travel = fr_vec3_scale(1.0 / t->voxel, travel);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The map

static fr_status check_motion(const fr_octree_motion *m, fr_error *error) {
    const fr_mat3 *r = &m->rotation;
    bool is_finite = fr_vec3_is_finite(m->travel);
    bool is_rotation = fr_mat3_determinant(*r) > 0.0;
    for (int i = 0; i < 3; i++) {
        is_finite = is_finite && fr_vec3_is_finite(r->row[i]);
        for (int j = 0; j <= i; j++) {
            double wanted = i == j ? 1.0 : 0.0;
            is_rotation = is_rotation && fabs(fr_vec3_dot(r->row[i], r->row[j]) - wanted) <= 1e-6;
        }
    }
    if (!is_finite) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the motion is not finite"); }
    return is_rotation ? FR_OK : fr_error_set(error, FR_ERROR_ARGUMENT, "the rotation of the motion is none");
}

// To the nearest whole number, halves away from zero.
static int64_t nearest(double x) { return (int64_t)(x < 0.0 ? ceil(x - 0.5) : floor(x + 0.5)); }

// Section 6.2's 15 axes in the reference's frame: its own three, the images of the voxel's three, and their products.
void fr__map_make_axes(fr_octree_map *m) {
    double unit = ldexp(1.0, -m->shift);
    fr_vec3 own[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, moved[3], axis[16];
    for (int j = 0; j < 3; j++) {
        moved[j] = fr_vec3_make((double)m->a[0][j] * unit, (double)m->a[1][j] * unit, (double)m->a[2][j] * unit);
    }
    for (int j = 0; j < 3; j++) {
        axis[j] = own[j];
        axis[3 + j] = fr_vec3_unit(moved[j], own[j]);
    }
    for (int k = 0; k < 9; k++) {
        double cosine = fr_vec3_dot(own[k / 3], axis[3 + k % 3]);
        fr_vec3 product = fr_vec3_cross(own[k / 3], axis[3 + k % 3]);
        bool is_parallel = 1.0 - cosine * cosine < 1e-12;
        axis[6 + k] = is_parallel ? fr_vec3_make(0.0, 0.0, 0.0) : fr_vec3_unit(product, own[0]);
    }
    axis[15] = fr_vec3_make(0.0, 0.0, 0.0);

    double tolerance = fr__map_tolerance(m->rule);
    for (int l = 0; l < 16; l++) {
        const fr_vec3 *v = &axis[l];
        double r = 0.5 * ((fabs(v->x) + fabs(v->y)) + fabs(v->z));
        r += 0.5 *
             ((fabs(fr_vec3_dot(*v, moved[0])) + fabs(fr_vec3_dot(*v, moved[1]))) + fabs(fr_vec3_dot(*v, moved[2])));
        m->axis[0][l] = v->x;
        m->axis[1][l] = v->y;
        m->axis[2][l] = v->z;
        m->limit[l] = fr_vec3_largest(*v) > 0.0 ? r + tolerance : 1.0;
        for (int n = 0; n < 27; n++) {
            m->offset[n][l] = (v->x * (n % 3 - 1) + v->y * (n / 3 % 3 - 1)) + v->z * (n / 9 - 1);
        }
    }
}

fr_status fr__map_make_affine(uint32_t depth, const fr_octree_motion *motion, fr_octree_rule rule, fr_octree_map *m,
                              fr_error *error) {
    if (depth < 1 || depth > FR_QUADTREE_MAX_DEPTH || (uint32_t)rule > FR_OCTREE_CENTER_CLOSED) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the depth or the rule of the motion is outside its limits");
    }
    fr_status status = check_motion(motion, error);
    if (status != FR_OK) { return status; }
    m->depth = depth;
    m->rule = rule;
    m->shift = depth <= 8 ? 29 - (int)depth : 32;
    double n = ldexp(1.0, (int)depth), one = ldexp(1.0, m->shift);
    m->is_away = fr_vec3_largest(motion->travel) > n;
    if (m->is_away) { return FR_OK; }

    // u(x) = A x + b with A the transposed rotation and b = c - A (c + T), evaluated at x = (i, j, k) + 1/2.
    fr_mat3 a = fr_mat3_transpose(motion->rotation);
    fr_vec3 c = fr_vec3_make(0.5 * n, 0.5 * n, 0.5 * n);
    fr_vec3 b = fr_vec3_sub(c, fr_mat3_apply(a, fr_vec3_add(c, motion->travel)));
    const double whole[3] = {b.x, b.y, b.z};
    for (int r = 0; r < 3; r++) {
        const fr_vec3 *row = &a.row[r];
        m->a[r][0] = nearest(row->x * one);
        m->a[r][1] = nearest(row->y * one);
        m->a[r][2] = nearest(row->z * one);
        m->b[r] = nearest((whole[r] + 0.5 * ((row->x + row->y) + row->z)) * one);
    }
    return FR_OK;
}

fr_status fr_octree_map_make(uint32_t depth, const fr_octree_motion *motion, fr_octree_rule rule, fr_octree_map *m,
                             fr_error *error) {
    fr_status status = fr__map_make_affine(depth, motion, rule, m, error);
    if (status == FR_OK && !fr__rule_is_center(rule) && !m->is_away) { fr__map_make_axes(m); }
    return status;
}

bool fr_octree_map_meets(const fr_octree_map *m, const int32_t source[3], const int32_t target[3]) {
    if (m->is_away) { return false; }
    int neighbor = 0, place = 1;
    double g[3];
    for (int r = 0; r < 3; r++) {
        int64_t u = m->b[r] + m->a[r][0] * target[0] + m->a[r][1] * target[1] + m->a[r][2] * target[2];
        int64_t cell = u >> m->shift, off = source[r] - cell;
        if (off < -1 || off > 1) { return false; }
        bool is_border = m->rule == FR_OCTREE_CENTER_CLOSED && u == cell * ((int64_t)1 << m->shift);
        if (fr__rule_is_center(m->rule) && off != 0 && !(is_border && off == -1)) { return false; }
        g[r] = 0.5 - ldexp((double)(u - cell * ((int64_t)1 << m->shift)), -m->shift);
        neighbor += (int)(off + 1) * place;
        place *= 3;
    }
    if (neighbor == 13 || fr__rule_is_center(m->rule)) { return true; }
    for (int l = 0; l < 16; l++) {
        double p = (m->axis[0][l] * g[0] + m->axis[1][l] * g[1]) + m->axis[2][l] * g[2];
        if (!(fabs(p + m->offset[neighbor][l]) <= m->limit[l])) { return false; }
    }
    return true;
}
