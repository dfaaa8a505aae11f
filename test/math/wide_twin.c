#include "wide_twin.h"

#include "math/wide.h"

static void floats(const wide_input *in, wide_output *out) {
    _Alignas(32) float aligned[8];
    fr__f8 a = fr__f8_load(in->fa), b = fr__f8_load(in->fb);
    int i = 0;
    fr__f8_store(out->f[i++], fr__f8_add(a, b));
    fr__f8_store(out->f[i++], fr__f8_sub(a, b));
    fr__f8_store(out->f[i++], fr__f8_mul(a, b));
    fr__f8_store(out->f[i++], fr__f8_div(a, b));
    fr__f8_store(out->f[i++], fr__f8_min(a, b));
    fr__f8_store(out->f[i++], fr__f8_max(a, b));
    fr__f8_store(out->f[i++], fr__f8_abs(a));
    fr__f8_store(out->f[i++], fr__f8_neg(a));
    fr__f8_store(out->f[i++], fr__f8_sqrt(a));
    fr__f8_store(out->f[i++], fr__f8_select(fr__f8_le(a, b), a, b));
    fr__f8_store_aligned(aligned, fr__f8_splat(in->fa[3]));
    fr__f8_store(out->f[i++], fr__f8_load_aligned(aligned));
    fr__f8_store(out->f[i++], fr__f8_load_halves(in->fb + 1, in->fa + 3));
    fr__f8_store(out->f[i++], fr__f8_lows(a, b));
    fr__f8_store(out->f[i++], fr__f8_highs(a, b));
    fr__f8_store(out->f[i++], fr__f8_swap(a));
    fr__f8_store(out->f[i++], fr__f8_spread(a, 1));
    fr__f8_store(out->f[i++], fr__f8_spread(a, 3));
}

static void doubles(const wide_input *in, wide_output *out) {
    _Alignas(32) double aligned[4];
    fr__f8 f = fr__f8_load(in->fa);
    fr__d4 a = fr__d4_load(in->da), b = fr__d4_load(in->db);
    int i = 0;
    fr__d4_store(out->d[i++], fr__d4_add(a, b));
    fr__d4_store(out->d[i++], fr__d4_sub(a, b));
    fr__d4_store(out->d[i++], fr__d4_mul(a, b));
    fr__d4_store(out->d[i++], fr__d4_div(a, b));
    fr__d4_store(out->d[i++], fr__d4_min(a, b));
    fr__d4_store(out->d[i++], fr__d4_max(a, b));
    fr__d4_store(out->d[i++], fr__d4_abs(a));
    fr__d4_store(out->d[i++], fr__d4_neg(a));
    fr__d4_store(out->d[i++], fr__d4_sqrt(a));
    fr__d4_store(out->d[i++], fr__d4_select(fr__d4_lt(a, b), a, b));
    fr__d4_store_aligned(aligned, fr__d4_splat(in->da[2]));
    fr__d4_store(out->d[i++], fr__d4_load_aligned(aligned));
    fr__d4_store(out->d[i++], fr__d4_of_low(f));
    fr__d4_store(out->d[i++], fr__d4_of_high(f));

    fr__d4 r[3], x, y, z;
    for (int k = 0; k < 3; k++) {
        r[k] = fr__d4_load_floats(in->points_as_floats + 4 * k);
    }
    fr__d4_store(out->d[i++], r[1]);
    fr__d4_from_points(r[0], r[1], r[2], &x, &y, &z);
    fr__d4_store(out->d[i++], x);
    fr__d4_store(out->d[i++], y);
    fr__d4_store(out->d[i++], z);
    fr__d4_to_points(x, y, z, &r[0], &r[1], &r[2]);
    for (int k = 0; k < 3; k++) {
        fr__d4_store(out->d[i++], r[k]);
    }

    fr__d4 square[4] = {a, b, r[1], r[2]};
    fr__d4_transpose(square);
    for (int k = 0; k < 4; k++) {
        fr__d4_store(out->d[i++], square[k]);
    }

    const double points[7] = {in->da[0], in->da[1], in->da[2], in->da[3], in->db[0], in->db[1], in->db[2]};
    fr__d4_gather(points, points + 4, points + 2, points + 1, &x, &y, &z);
    fr__d4_store(out->d[i++], x);
    fr__d4_store(out->d[i++], y);
    fr__d4_store(out->d[i++], z);
    fr__d4_gather_floats(in->fa, in->fa + 3, in->fa + 5, in->fa + 1, &x, &y, &z);
    fr__d4_store(out->d[i++], x);
    fr__d4_store(out->d[i++], y);
    fr__d4_store(out->d[i++], z);
}

static void masks(const wide_input *in, wide_output *out) {
    fr__f8 a = fr__f8_load(in->fa), b = fr__f8_load(in->fb);
    fr__d4 c = fr__d4_load(in->da), d = fr__d4_load(in->db);
    fr__m8 less = fr__f8_lt(a, b), first = fr__m8_first(in->first);
    fr__m4 less4 = fr__d4_lt(c, d), first4 = fr__m4_first(in->first / 2);
    int i = 0;
    out->m[i++] = fr__m8_bits(less);
    out->m[i++] = fr__m8_bits(fr__f8_le(a, b));
    out->m[i++] = fr__m8_bits(fr__f8_gt(a, b));
    out->m[i++] = fr__m8_bits(fr__f8_ge(a, b));
    out->m[i++] = fr__m8_bits(fr__f8_eq(a, b));
    out->m[i++] = fr__m8_bits(first);
    out->m[i++] = fr__m8_bits(fr__m8_and(less, first));
    out->m[i++] = fr__m8_bits(fr__m8_or(less, first));
    out->m[i++] = fr__m8_bits(fr__m8_and_not(less, first));
    out->m[i++] = fr__m4_bits(less4);
    out->m[i++] = fr__m4_bits(fr__d4_le(c, d));
    out->m[i++] = fr__m4_bits(fr__d4_gt(c, d));
    out->m[i++] = fr__m4_bits(fr__d4_ge(c, d));
    out->m[i++] = fr__m4_bits(fr__d4_eq(c, d));
    out->m[i++] = fr__m4_bits(first4);
    out->m[i++] = fr__m4_bits(fr__m4_and(less4, first4));
    out->m[i++] = fr__m4_bits(fr__m4_or(less4, first4));
    out->m[i++] = fr__m4_bits(fr__m4_and_not(less4, first4));
}

void FR_KERNEL_NAME(wide_twin)(const wide_input *in, wide_output *out) {
    floats(in, out);
    doubles(in, out);
    masks(in, out);
}
