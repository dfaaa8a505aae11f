// The vertices of a skin, one after another: every number of a bone is blended in its own lane, in the order of the
// vertex's bones.
#include "math/wide.h"
#include "shape/skin.h"

#include <stddef.h>

// Four columns of a matrix; lane 3 is not used.
typedef struct bone_columns {
    fr__d4 x, y, z, shift;
} bone_columns;

// A vertex before it is moved.
typedef struct vertex {
    double x, y, z;
} vertex;

FR__WIDE vertex position_of(const fr__skin_work *work, size_t v) {
    if (work->positions_float != NULL) {
        const float *p = work->positions_float + 3 * v;
        return (vertex){(double)p[0], (double)p[1], (double)p[2]};
    }
    const double *p = work->positions_double + 3 * v;
    return (vertex){p[0], p[1], p[2]};
}

FR__WIDE void put_vertex(const fr__skin_work *work, size_t v, const double at[4]) {
    if (work->out.vertices != NULL) { work->out.vertices[v] = (fr_vec3){at[0], at[1], at[2]}; }
    if (work->out.vertices_float != NULL) {
        work->out.vertices_float[v] = (fr_vec3f){(float)at[0], (float)at[1], (float)at[2]};
    }
}

FR__WIDE void put_normal(const fr__skin_work *work, size_t v, fr_vec3 n) {
    double length = fr_vec3_length(n);
    double inverse = length > 0.0 && length < INFINITY ? 1.0 / length : 0.0;
    n = inverse > 0.0 ? fr_vec3_scale(inverse, n) : fr_vec3_make(0.0, 0.0, 0.0);
    work->out.normals[v] = (fr_vec3f){(float)n.x, (float)n.y, (float)n.z};
}

// The direction that a matrix turns a normal to, any length: the normal of what the matrix makes of two tangents.
FR__WIDE fr_vec3 turn_normal(const double x[4], const double y[4], const double z[4], const float n[3]) {
    fr_vec3 a = {x[0], x[1], x[2]}, b = {y[0], y[1], y[2]}, c = {z[0], z[1], z[2]};
    fr_vec3 sum = fr_vec3_scale((double)n[0], fr_vec3_cross(b, c));
    sum = fr_vec3_add_scaled(sum, (double)n[1], fr_vec3_cross(c, a));
    return fr_vec3_add_scaled(sum, (double)n[2], fr_vec3_cross(a, b));
}

// ---------------------------------------------------------------------------------------------------------------
// Bones

// One column of a product: (a.x x + a.y y) + a.z z.
FR__WIDE fr__d4 join_column(const bone_columns *a, double x, double y, double z) {
    fr__d4 xy = fr__d4_add(fr__d4_mul(a->x, fr__d4_splat(x)), fr__d4_mul(a->y, fr__d4_splat(y)));
    return fr__d4_add(xy, fr__d4_mul(a->z, fr__d4_splat(z)));
}

static void join(const double *inverse_binds, uint32_t count, double *bones) {
    for (uint32_t i = 0; i < count; i++) {
        double *bone = bones + (size_t)FR__SKIN_LINEAR_NUMBERS * i;
        const double *b = inverse_binds + (size_t)12 * i;
        bone_columns a = {fr__d4_load_aligned(bone), fr__d4_load_aligned(bone + 4), fr__d4_load_aligned(bone + 8),
                          fr__d4_load_aligned(bone + 12)};
        for (int k = 0; k < 4; k++) {
            fr__d4 column = join_column(&a, b[k], b[4 + k], b[8 + k]);
            fr__d4_store_aligned(bone + (ptrdiff_t)4 * k, k == 3 ? fr__d4_add(column, a.shift) : column);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Linear

FR__WIDE bone_columns load_columns(const double *bone, fr__d4 weight) {
    return (bone_columns){
        fr__d4_mul(weight, fr__d4_load_aligned(bone)), fr__d4_mul(weight, fr__d4_load_aligned(bone + 4)),
        fr__d4_mul(weight, fr__d4_load_aligned(bone + 8)), fr__d4_mul(weight, fr__d4_load_aligned(bone + 12))};
}

FR__WIDE void add_columns(bone_columns *sum, const bone_columns *more) {
    sum->x = fr__d4_add(sum->x, more->x);
    sum->y = fr__d4_add(sum->y, more->y);
    sum->z = fr__d4_add(sum->z, more->z);
    sum->shift = fr__d4_add(sum->shift, more->shift);
}

FR__WIDE void blend_linear(const fr__skin_work *work, uint32_t count) {
    for (size_t v = 0; v < work->vertex_count; v++) {
        const uint16_t *bones = work->bones + v * count;
        const float *weights = work->weights + v * count;
        const double *first = work->bones_now + (size_t)FR__SKIN_LINEAR_NUMBERS * bones[0];
        bone_columns sum = load_columns(first, fr__d4_splat((double)weights[0]));
        for (uint32_t k = 1; k < count; k++) {
            const double *bone = work->bones_now + (size_t)FR__SKIN_LINEAR_NUMBERS * bones[k];
            bone_columns more = load_columns(bone, fr__d4_splat((double)weights[k]));
            add_columns(&sum, &more);
        }
        vertex p = position_of(work, v);
        fr__d4 xy = fr__d4_add(fr__d4_mul(sum.x, fr__d4_splat(p.x)), fr__d4_mul(sum.y, fr__d4_splat(p.y)));
        fr__d4 xyz = fr__d4_add(xy, fr__d4_mul(sum.z, fr__d4_splat(p.z)));
        double at[4];
        fr__d4_store(at, fr__d4_add(xyz, sum.shift));
        put_vertex(work, v, at);
        if (work->normals == NULL) { continue; }
        double x[4], y[4], z[4];
        fr__d4_store(x, sum.x);
        fr__d4_store(y, sum.y);
        fr__d4_store(z, sum.z);
        put_normal(work, v, turn_normal(x, y, z, work->normals + 3 * v));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Dual quaternions

// The blended motion of a vertex.
typedef struct motion {
    fr__d4 real, dual, x, y, z;
} motion;

FR__WIDE motion load_motion(const double *bone, double weight, double side) {
    fr__d4 w = fr__d4_splat(weight), turned = fr__d4_splat(weight * side);
    return (motion){fr__d4_mul(turned, fr__d4_load_aligned(bone)), fr__d4_mul(turned, fr__d4_load_aligned(bone + 4)),
                    fr__d4_mul(w, fr__d4_load_aligned(bone + 8)), fr__d4_mul(w, fr__d4_load_aligned(bone + 12)),
                    fr__d4_mul(w, fr__d4_load_aligned(bone + 16))};
}

FR__WIDE void add_motion(motion *sum, const motion *more) {
    sum->real = fr__d4_add(sum->real, more->real);
    sum->dual = fr__d4_add(sum->dual, more->dual);
    sum->x = fr__d4_add(sum->x, more->x);
    sum->y = fr__d4_add(sum->y, more->y);
    sum->z = fr__d4_add(sum->z, more->z);
}

// q and -q are one turn: each bone takes the one that is nearer to the first bone's, so that no sum vanishes.
FR__WIDE double side_of(const double *first, const double *bone) {
    double dot = (first[0] * bone[0] + first[1] * bone[1]) + (first[2] * bone[2] + first[3] * bone[3]);
    return dot < 0.0 ? -1.0 : 1.0;
}

// R(q) v for a quaternion whose squared length is 1 / `inverse`: v + 2 u x (u x v + w v).
FR__WIDE fr_vec3 turn_by(const double q[4], double inverse, fr_vec3 v) {
    fr_vec3 u = {q[1], q[2], q[3]};
    fr_vec3 across = fr_vec3_cross(u, fr_vec3_add_scaled(fr_vec3_cross(u, v), q[0], v));
    return fr_vec3_add_scaled(v, 2.0 * inverse, across);
}

// The travel of a motion: twice the vector of dual times the conjugate of real, over the squared length.
FR__WIDE fr_vec3 travel_of(const double q[4], const double d[4], double inverse) {
    fr_vec3 u = {q[1], q[2], q[3]}, e = {d[1], d[2], d[3]};
    fr_vec3 sum = fr_vec3_add(fr_vec3_scale(q[0], e), fr_vec3_cross(u, e));
    return fr_vec3_scale(2.0 * inverse, fr_vec3_add_scaled(sum, -d[0], u));
}

FR__WIDE void finish_dual(const fr__skin_work *work, size_t v, const motion *sum) {
    double q[4], d[4], x[4], y[4], z[4];
    fr__d4_store(q, sum->real);
    fr__d4_store(d, sum->dual);
    fr__d4_store(x, sum->x);
    fr__d4_store(y, sum->y);
    fr__d4_store(z, sum->z);
    double inverse = 1.0 / ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    vertex p = position_of(work, v);
    fr_vec3 scaled = {(x[0] * p.x + y[0] * p.y) + z[0] * p.z, (x[1] * p.x + y[1] * p.y) + z[1] * p.z,
                      (x[2] * p.x + y[2] * p.y) + z[2] * p.z};
    fr_vec3 moved = fr_vec3_add(turn_by(q, inverse, scaled), travel_of(q, d, inverse));
    const double at[4] = {moved.x, moved.y, moved.z, 0.0};
    put_vertex(work, v, at);
    if (work->normals == NULL) { return; }
    put_normal(work, v, turn_by(q, inverse, turn_normal(x, y, z, work->normals + 3 * v)));
}

FR__WIDE void blend_dual(const fr__skin_work *work, uint32_t count) {
    for (size_t v = 0; v < work->vertex_count; v++) {
        const uint16_t *bones = work->bones + v * count;
        const float *weights = work->weights + v * count;
        const double *first = work->bones_now + (size_t)FR__SKIN_DUAL_NUMBERS * bones[0];
        motion sum = load_motion(first, (double)weights[0], 1.0);
        for (uint32_t k = 1; k < count; k++) {
            const double *bone = work->bones_now + (size_t)FR__SKIN_DUAL_NUMBERS * bones[k];
            motion more = load_motion(bone, (double)weights[k], side_of(first, bone));
            add_motion(&sum, &more);
        }
        finish_dual(work, v, &sum);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One loop for each number of bones

static void linear(const fr__skin_work *work) {
    switch (work->influence_count) {
    case 1: blend_linear(work, 1); break;
    case 2: blend_linear(work, 2); break;
    case 3: blend_linear(work, 3); break;
    case 4: blend_linear(work, 4); break;
    default: blend_linear(work, work->influence_count); break;
    }
}

static void dual(const fr__skin_work *work) {
    switch (work->influence_count) {
    case 1: blend_dual(work, 1); break;
    case 2: blend_dual(work, 2); break;
    case 4: blend_dual(work, 4); break;
    default: blend_dual(work, work->influence_count); break;
    }
}

const fr__skin_kernel_table FR_KERNEL_NAME(fr__skin_kernel) = {join, linear, dual};
