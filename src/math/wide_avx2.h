// The wide types in AVX2 registers. Included by wide.h.
#ifndef FUREAI_MATH_WIDE_AVX2_H
#define FUREAI_MATH_WIDE_AVX2_H

#include <immintrin.h>

typedef struct fr__f8 {
    __m256 v;
} fr__f8;

typedef struct fr__d4 {
    __m256d v;
} fr__d4;

typedef struct fr__m8 {
    __m256 v;
} fr__m8;

typedef struct fr__m4 {
    __m256d v;
} fr__m4;

// ---------------------------------------------------------------------------------------------------------------
// Eight floats

FR__WIDE fr__f8 fr__f8_load(const float *p) { return (fr__f8){_mm256_loadu_ps(p)}; }
FR__WIDE fr__f8 fr__f8_load_aligned(const float *p) { return (fr__f8){_mm256_load_ps(p)}; }
FR__WIDE void fr__f8_store(float *p, fr__f8 a) { _mm256_storeu_ps(p, a.v); }
FR__WIDE void fr__f8_store_aligned(float *p, fr__f8 a) { _mm256_store_ps(p, a.v); }
FR__WIDE fr__f8 fr__f8_splat(float s) { return (fr__f8){_mm256_set1_ps(s)}; }

FR__WIDE fr__f8 fr__f8_add(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_add_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_sub(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_sub_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_mul(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_mul_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_div(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_div_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_min(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_min_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_max(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_max_ps(a.v, b.v)}; }
FR__WIDE fr__f8 fr__f8_abs(fr__f8 a) { return (fr__f8){_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
FR__WIDE fr__f8 fr__f8_neg(fr__f8 a) { return (fr__f8){_mm256_xor_ps(_mm256_set1_ps(-0.0f), a.v)}; }
FR__WIDE fr__f8 fr__f8_sqrt(fr__f8 a) { return (fr__f8){_mm256_sqrt_ps(a.v)}; }

FR__WIDE fr__m8 fr__f8_lt(fr__f8 a, fr__f8 b) { return (fr__m8){_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
FR__WIDE fr__m8 fr__f8_le(fr__f8 a, fr__f8 b) { return (fr__m8){_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)}; }
FR__WIDE fr__m8 fr__f8_gt(fr__f8 a, fr__f8 b) { return (fr__m8){_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)}; }
FR__WIDE fr__m8 fr__f8_ge(fr__f8 a, fr__f8 b) { return (fr__m8){_mm256_cmp_ps(a.v, b.v, _CMP_GE_OQ)}; }
FR__WIDE fr__m8 fr__f8_eq(fr__f8 a, fr__f8 b) { return (fr__m8){_mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ)}; }

FR__WIDE fr__m8 fr__m8_and(fr__m8 a, fr__m8 b) { return (fr__m8){_mm256_and_ps(a.v, b.v)}; }
FR__WIDE fr__m8 fr__m8_or(fr__m8 a, fr__m8 b) { return (fr__m8){_mm256_or_ps(a.v, b.v)}; }
FR__WIDE fr__m8 fr__m8_and_not(fr__m8 a, fr__m8 b) { return (fr__m8){_mm256_andnot_ps(b.v, a.v)}; }
FR__WIDE int fr__m8_bits(fr__m8 a) { return _mm256_movemask_ps(a.v); }

FR__WIDE fr__m8 fr__m8_first(int n) {
    return (fr__m8){_mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)&fr__first_lanes[8 - n]))};
}

FR__WIDE fr__f8 fr__f8_select(fr__m8 m, fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_blendv_ps(b.v, a.v, m.v)}; }

FR__WIDE fr__f8 fr__f8_load_halves(const float *p, const float *q) {
    return (fr__f8){_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1)};
}

FR__WIDE fr__f8 fr__f8_load_twice(const float *p) {
    return (fr__f8){_mm256_broadcast_ps((const __m128 *)(const void *)p)};
}

FR__WIDE fr__f8 fr__f8_lows(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_permute2f128_ps(a.v, b.v, 0x20)}; }
FR__WIDE fr__f8 fr__f8_highs(fr__f8 a, fr__f8 b) { return (fr__f8){_mm256_permute2f128_ps(a.v, b.v, 0x31)}; }

FR__WIDE fr__f8 fr__f8_swap(fr__f8 a) { return (fr__f8){_mm256_permute2f128_ps(a.v, a.v, 1)}; }

// A macro: the lane is part of the instruction.
#define fr__f8_spread(a, k) ((fr__f8){_mm256_permute_ps((a).v, 0x55 * (k))})

// ---------------------------------------------------------------------------------------------------------------
// Four doubles

FR__WIDE fr__d4 fr__d4_load(const double *p) { return (fr__d4){_mm256_loadu_pd(p)}; }
FR__WIDE fr__d4 fr__d4_load_aligned(const double *p) { return (fr__d4){_mm256_load_pd(p)}; }
FR__WIDE fr__d4 fr__d4_load_floats(const float *p) { return (fr__d4){_mm256_cvtps_pd(_mm_loadu_ps(p))}; }
FR__WIDE void fr__d4_store(double *p, fr__d4 a) { _mm256_storeu_pd(p, a.v); }
FR__WIDE void fr__d4_store_aligned(double *p, fr__d4 a) { _mm256_store_pd(p, a.v); }
FR__WIDE fr__d4 fr__d4_splat(double s) { return (fr__d4){_mm256_set1_pd(s)}; }
FR__WIDE fr__d4 fr__d4_of_low(fr__f8 a) { return (fr__d4){_mm256_cvtps_pd(_mm256_castps256_ps128(a.v))}; }
FR__WIDE fr__d4 fr__d4_of_high(fr__f8 a) { return (fr__d4){_mm256_cvtps_pd(_mm256_extractf128_ps(a.v, 1))}; }

FR__WIDE fr__d4 fr__d4_add(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_add_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_sub(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_sub_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_mul(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_mul_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_div(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_div_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_min(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_min_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_max(fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_max_pd(a.v, b.v)}; }
FR__WIDE fr__d4 fr__d4_abs(fr__d4 a) { return (fr__d4){_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)}; }
FR__WIDE fr__d4 fr__d4_neg(fr__d4 a) { return (fr__d4){_mm256_xor_pd(_mm256_set1_pd(-0.0), a.v)}; }
FR__WIDE fr__d4 fr__d4_sqrt(fr__d4 a) { return (fr__d4){_mm256_sqrt_pd(a.v)}; }

FR__WIDE fr__m4 fr__d4_lt(fr__d4 a, fr__d4 b) { return (fr__m4){_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)}; }
FR__WIDE fr__m4 fr__d4_le(fr__d4 a, fr__d4 b) { return (fr__m4){_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ)}; }
FR__WIDE fr__m4 fr__d4_gt(fr__d4 a, fr__d4 b) { return (fr__m4){_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)}; }
FR__WIDE fr__m4 fr__d4_ge(fr__d4 a, fr__d4 b) { return (fr__m4){_mm256_cmp_pd(a.v, b.v, _CMP_GE_OQ)}; }
FR__WIDE fr__m4 fr__d4_eq(fr__d4 a, fr__d4 b) { return (fr__m4){_mm256_cmp_pd(a.v, b.v, _CMP_EQ_OQ)}; }

FR__WIDE fr__m4 fr__m4_and(fr__m4 a, fr__m4 b) { return (fr__m4){_mm256_and_pd(a.v, b.v)}; }
FR__WIDE fr__m4 fr__m4_or(fr__m4 a, fr__m4 b) { return (fr__m4){_mm256_or_pd(a.v, b.v)}; }
FR__WIDE fr__m4 fr__m4_and_not(fr__m4 a, fr__m4 b) { return (fr__m4){_mm256_andnot_pd(b.v, a.v)}; }
FR__WIDE int fr__m4_bits(fr__m4 a) { return _mm256_movemask_pd(a.v); }

FR__WIDE fr__m4 fr__m4_first(int n) {
    __m128i lanes = _mm_loadu_si128((const __m128i *)(const void *)&fr__first_lanes[8 - n]);
    return (fr__m4){_mm256_castsi256_pd(_mm256_cvtepi32_epi64(lanes))};
}

FR__WIDE fr__d4 fr__d4_select(fr__m4 m, fr__d4 a, fr__d4 b) { return (fr__d4){_mm256_blendv_pd(b.v, a.v, m.v)}; }

// r0 = x0 y0 z0 x1, r1 = y1 z1 x2 y2, r2 = z2 x3 y3 z3. First the 16-byte halves are brought where the lanes of x, y
// and z can be picked from two registers each, then they are picked; and the reverse.
FR__WIDE void fr__d4_from_points(fr__d4 r0, fr__d4 r1, fr__d4 r2, fr__d4 *x, fr__d4 *y, fr__d4 *z) {
    __m256d xy = _mm256_blend_pd(r0.v, r1.v, 12);          // x0 y0 x2 y2
    __m256d zx = _mm256_permute2f128_pd(r0.v, r2.v, 0x21); // z0 x1 z2 x3
    __m256d yz = _mm256_blend_pd(r1.v, r2.v, 12);          // y1 z1 y3 z3
    x->v = _mm256_shuffle_pd(xy, zx, 10);
    y->v = _mm256_shuffle_pd(xy, yz, 5);
    z->v = _mm256_shuffle_pd(zx, yz, 10);
}

FR__WIDE void fr__d4_to_points(fr__d4 x, fr__d4 y, fr__d4 z, fr__d4 *r0, fr__d4 *r1, fr__d4 *r2) {
    __m256d xy = _mm256_shuffle_pd(x.v, y.v, 0);  // x0 y0 x2 y2
    __m256d zx = _mm256_shuffle_pd(z.v, x.v, 10); // z0 x1 z2 x3
    __m256d yz = _mm256_shuffle_pd(y.v, z.v, 15); // y1 z1 y3 z3
    r0->v = _mm256_permute2f128_pd(xy, zx, 0x20);
    r1->v = _mm256_blend_pd(yz, xy, 12);
    r2->v = _mm256_permute2f128_pd(zx, yz, 0x31);
}

FR__WIDE void fr__d4_transpose(fr__d4 r[4]) {
    __m256d low01 = _mm256_unpacklo_pd(r[0].v, r[1].v), high01 = _mm256_unpackhi_pd(r[0].v, r[1].v);
    __m256d low23 = _mm256_unpacklo_pd(r[2].v, r[3].v), high23 = _mm256_unpackhi_pd(r[2].v, r[3].v);
    r[0].v = _mm256_permute2f128_pd(low01, low23, 0x20);
    r[1].v = _mm256_permute2f128_pd(high01, high23, 0x20);
    r[2].v = _mm256_permute2f128_pd(low01, low23, 0x31);
    r[3].v = _mm256_permute2f128_pd(high01, high23, 0x31);
}

// The points as x0 y0 x2 y2, x1 y1 x3 y3 and z0 z1 z2 z3.
FR__WIDE void fr__d4_gather(const double *p0, const double *p1, const double *p2, const double *p3, fr__d4 *x,
                            fr__d4 *y, fr__d4 *z) {
    __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p0)), _mm_loadu_pd(p2), 1);
    __m256d odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p1)), _mm_loadu_pd(p3), 1);
    x->v = _mm256_unpacklo_pd(even, odd);
    y->v = _mm256_unpackhi_pd(even, odd);
    __m128d low = _mm_loadh_pd(_mm_load_sd(p0 + 2), p1 + 2), high = _mm_loadh_pd(_mm_load_sd(p2 + 2), p3 + 2);
    z->v = _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

FR__WIDE void fr__d4_gather_floats(const float *p0, const float *p1, const float *p2, const float *p3, fr__d4 *x,
                                   fr__d4 *y, fr__d4 *z) {
    *x = (fr__d4){_mm256_cvtps_pd(_mm_setr_ps(p0[0], p1[0], p2[0], p3[0]))};
    *y = (fr__d4){_mm256_cvtps_pd(_mm_setr_ps(p0[1], p1[1], p2[1], p3[1]))};
    *z = (fr__d4){_mm256_cvtps_pd(_mm_setr_ps(p0[2], p1[2], p2[2], p3[2]))};
}

#endif
