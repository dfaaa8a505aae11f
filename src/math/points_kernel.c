// Four points at once. Every lane does the operations of fr__frame_apply in its order, so the bits are the same.
#include "math/points.h"
#include "math/wide.h"

// Three vectors that hold x, y and z of four points.
typedef struct points4 {
    fr__d4 x, y, z;
} points4;

// A frame with every number in all lanes.
typedef struct points_frame {
    points4 row[3];
    points4 position;
    fr__d4 scale;
} points_frame;

FR__WIDE points4 splat_vector(fr_vec3 v) { return (points4){fr__d4_splat(v.x), fr__d4_splat(v.y), fr__d4_splat(v.z)}; }

FR__WIDE points_frame splat_frame(const fr__frame *frame) {
    points_frame wide;
    for (int i = 0; i < 3; i++) {
        wide.row[i] = splat_vector(frame->rotation.row[i]);
    }
    wide.position = splat_vector(frame->position);
    wide.scale = fr__d4_splat(frame->scale);
    return wide;
}

// (m0 x + m1 y) + m2 z, then the position.
FR__WIDE fr__d4 apply_row(points4 row, points4 p, fr__d4 position) {
    fr__d4 xy = fr__d4_add(fr__d4_mul(row.x, p.x), fr__d4_mul(row.y, p.y));
    return fr__d4_add(fr__d4_add(xy, fr__d4_mul(row.z, p.z)), position);
}

FR__WIDE points4 apply_frame(const points_frame *frame, points4 p) {
    points4 scaled = {fr__d4_mul(frame->scale, p.x), fr__d4_mul(frame->scale, p.y), fr__d4_mul(frame->scale, p.z)};
    return (points4){apply_row(frame->row[0], scaled, frame->position.x),
                     apply_row(frame->row[1], scaled, frame->position.y),
                     apply_row(frame->row[2], scaled, frame->position.z)};
}

FR__WIDE void store_points(points4 p, double *to) {
    fr__d4 r0, r1, r2;
    fr__d4_to_points(p.x, p.y, p.z, &r0, &r1, &r2);
    fr__d4_store(to, r0);
    fr__d4_store(to + 4, r1);
    fr__d4_store(to + 8, r2);
}

static void transform(const fr__frame *frame, const fr_vec3 *points_local, size_t count, fr_vec3 *out) {
    points_frame wide = splat_frame(frame);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *from = (const double *)(points_local + i);
        points4 p;
        fr__d4_from_points(fr__d4_load(from), fr__d4_load(from + 4), fr__d4_load(from + 8), &p.x, &p.y, &p.z);
        store_points(apply_frame(&wide, p), (double *)(out + i));
    }
    for (; i < count; i++) {
        out[i] = fr__frame_apply(frame, points_local[i]);
    }
}

static void transform_floats(const fr__frame *frame, const fr_vec3f *points_local, size_t count, fr_vec3 *out) {
    points_frame wide = splat_frame(frame);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float *from = (const float *)(points_local + i);
        points4 p;
        fr__d4_from_points(fr__d4_load_floats(from), fr__d4_load_floats(from + 4), fr__d4_load_floats(from + 8), &p.x,
                           &p.y, &p.z);
        store_points(apply_frame(&wide, p), (double *)(out + i));
    }
    for (; i < count; i++) {
        out[i] = fr__frame_apply(frame, fr_vec3_from_floats(points_local[i]));
    }
}

// Bounds of one column of points (every fourth), so far.
static void grow(fr_bounds *bounds, fr_vec3 point) {
    bounds->min = fr_vec3_min(point, bounds->min);
    bounds->max = fr_vec3_max(point, bounds->max);
}

// The registers hold x y z x | y z x y | z x y z of four points; minima and maxima need no sorting into columns first.
static fr_bounds bounds_of(const fr_vec3 *points, size_t count) {
    const fr_bounds empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    fr__d4 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = fr__d4_splat(INFINITY);
        high[k] = fr__d4_splat(-INFINITY);
    }
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 3; k++) {
            fr__d4 r = fr__d4_load((const double *)(points + i) + 4 * k);
            low[k] = fr__d4_min(r, low[k]);
            high[k] = fr__d4_max(r, high[k]);
        }
    }

    fr_vec3 column_low[4], column_high[4];
    for (int k = 0; k < 3; k++) {
        fr__d4_store((double *)column_low + 4 * k, low[k]);
        fr__d4_store((double *)column_high + 4 * k, high[k]);
    }
    fr_bounds bounds = empty;
    for (size_t column = 0; column < 4; column++) {
        fr_bounds part = {column_low[column], column_high[column]};
        if (i + column < count) { grow(&part, points[i + column]); }
        bounds.min = fr_vec3_min(part.min, bounds.min);
        bounds.max = fr_vec3_max(part.max, bounds.max);
    }
    return bounds;
}

// The least or greatest of four lanes.
static double least_of(fr__d4 lanes) {
    double v[4];
    fr__d4_store(v, lanes);
    double a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
    return a < b ? a : b;
}

static double greatest_of(fr__d4 lanes) { return -least_of(fr__d4_neg(lanes)); }

static fr_bounds placed_bounds(const fr__frame *inner, const fr__frame *frame, const fr_vec3 *points, size_t count) {
    points_frame within = splat_frame(inner != NULL ? inner : frame), wide = splat_frame(frame);
    points4 low = splat_vector(fr_vec3_make(INFINITY, INFINITY, INFINITY));
    points4 high = splat_vector(fr_vec3_make(-INFINITY, -INFINITY, -INFINITY));
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *from = (const double *)(points + i);
        points4 p;
        fr__d4_from_points(fr__d4_load(from), fr__d4_load(from + 4), fr__d4_load(from + 8), &p.x, &p.y, &p.z);
        if (inner != NULL) { p = apply_frame(&within, p); }
        p = apply_frame(&wide, p);
        low = (points4){fr__d4_min(p.x, low.x), fr__d4_min(p.y, low.y), fr__d4_min(p.z, low.z)};
        high = (points4){fr__d4_max(p.x, high.x), fr__d4_max(p.y, high.y), fr__d4_max(p.z, high.z)};
    }
    fr_bounds bounds = {fr_vec3_make(least_of(low.x), least_of(low.y), least_of(low.z)),
                        fr_vec3_make(greatest_of(high.x), greatest_of(high.y), greatest_of(high.z))};
    for (; i < count; i++) {
        fr_vec3 p = inner != NULL ? fr__frame_apply(inner, points[i]) : points[i];
        grow(&bounds, fr__frame_apply(frame, p));
    }
    return bounds;
}

const fr__points_table FR_KERNEL_NAME(fr__points_kernels) = {transform, transform_floats, bounds_of, placed_bounds};
