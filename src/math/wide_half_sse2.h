// Halves of the wide types in SSE2 registers, which every x86-64 has. Included by wide.h.
#ifndef FUREAI_MATH_WIDE_HALF_SSE2_H
#define FUREAI_MATH_WIDE_HALF_SSE2_H

#include <immintrin.h>

typedef __m128 fr__f4;
typedef __m128d fr__d2;
typedef __m128 fr__m4_of_f4;
typedef __m128d fr__m2;

FR__WIDE fr__f4 fr__f4_load(const float *p) { return _mm_loadu_ps(p); }
FR__WIDE void fr__f4_store(float *p, fr__f4 a) { _mm_storeu_ps(p, a); }
FR__WIDE fr__f4 fr__f4_splat(float s) { return _mm_set1_ps(s); }
FR__WIDE fr__f4 fr__f4_add(fr__f4 a, fr__f4 b) { return _mm_add_ps(a, b); }
FR__WIDE fr__f4 fr__f4_sub(fr__f4 a, fr__f4 b) { return _mm_sub_ps(a, b); }
FR__WIDE fr__f4 fr__f4_mul(fr__f4 a, fr__f4 b) { return _mm_mul_ps(a, b); }
FR__WIDE fr__f4 fr__f4_div(fr__f4 a, fr__f4 b) { return _mm_div_ps(a, b); }
FR__WIDE fr__f4 fr__f4_min(fr__f4 a, fr__f4 b) { return _mm_min_ps(a, b); }
FR__WIDE fr__f4 fr__f4_max(fr__f4 a, fr__f4 b) { return _mm_max_ps(a, b); }
FR__WIDE fr__f4 fr__f4_abs(fr__f4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
FR__WIDE fr__f4 fr__f4_neg(fr__f4 a) { return _mm_xor_ps(_mm_set1_ps(-0.0f), a); }
FR__WIDE fr__f4 fr__f4_sqrt(fr__f4 a) { return _mm_sqrt_ps(a); }
FR__WIDE fr__m4_of_f4 fr__f4_lt(fr__f4 a, fr__f4 b) { return _mm_cmplt_ps(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_le(fr__f4 a, fr__f4 b) { return _mm_cmple_ps(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_eq(fr__f4 a, fr__f4 b) { return _mm_cmpeq_ps(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and(fr__m4_of_f4 a, fr__m4_of_f4 b) { return _mm_and_ps(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_or(fr__m4_of_f4 a, fr__m4_of_f4 b) { return _mm_or_ps(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and_not(fr__m4_of_f4 a, fr__m4_of_f4 b) { return _mm_andnot_ps(b, a); }
FR__WIDE int fr__f4m_bits(fr__m4_of_f4 a) { return _mm_movemask_ps(a); }
#define fr__f4_spread(a, k) _mm_shuffle_ps(a, a, 0x55 * (k))

FR__WIDE fr__m4_of_f4 fr__f4m_load(const int32_t *p) {
    return _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(const void *)p));
}

FR__WIDE fr__f4 fr__f4_select(fr__m4_of_f4 m, fr__f4 a, fr__f4 b) {
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}

FR__WIDE fr__d2 fr__d2_load(const double *p) { return _mm_loadu_pd(p); }
FR__WIDE void fr__d2_store(double *p, fr__d2 a) { _mm_storeu_pd(p, a); }
FR__WIDE fr__d2 fr__d2_splat(double s) { return _mm_set1_pd(s); }
FR__WIDE fr__d2 fr__d2_of_low(fr__f4 a) { return _mm_cvtps_pd(a); }
FR__WIDE fr__d2 fr__d2_of_high(fr__f4 a) { return _mm_cvtps_pd(_mm_movehl_ps(a, a)); }
FR__WIDE fr__d2 fr__d2_add(fr__d2 a, fr__d2 b) { return _mm_add_pd(a, b); }
FR__WIDE fr__d2 fr__d2_sub(fr__d2 a, fr__d2 b) { return _mm_sub_pd(a, b); }
FR__WIDE fr__d2 fr__d2_mul(fr__d2 a, fr__d2 b) { return _mm_mul_pd(a, b); }
FR__WIDE fr__d2 fr__d2_div(fr__d2 a, fr__d2 b) { return _mm_div_pd(a, b); }
FR__WIDE fr__d2 fr__d2_min(fr__d2 a, fr__d2 b) { return _mm_min_pd(a, b); }
FR__WIDE fr__d2 fr__d2_max(fr__d2 a, fr__d2 b) { return _mm_max_pd(a, b); }
FR__WIDE fr__d2 fr__d2_abs(fr__d2 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
FR__WIDE fr__d2 fr__d2_neg(fr__d2 a) { return _mm_xor_pd(_mm_set1_pd(-0.0), a); }
FR__WIDE fr__d2 fr__d2_sqrt(fr__d2 a) { return _mm_sqrt_pd(a); }
FR__WIDE fr__m2 fr__d2_lt(fr__d2 a, fr__d2 b) { return _mm_cmplt_pd(a, b); }
FR__WIDE fr__m2 fr__d2_le(fr__d2 a, fr__d2 b) { return _mm_cmple_pd(a, b); }
FR__WIDE fr__m2 fr__d2_eq(fr__d2 a, fr__d2 b) { return _mm_cmpeq_pd(a, b); }
FR__WIDE fr__m2 fr__m2_and(fr__m2 a, fr__m2 b) { return _mm_and_pd(a, b); }
FR__WIDE fr__m2 fr__m2_or(fr__m2 a, fr__m2 b) { return _mm_or_pd(a, b); }
FR__WIDE fr__m2 fr__m2_and_not(fr__m2 a, fr__m2 b) { return _mm_andnot_pd(b, a); }
FR__WIDE int fr__m2_bits(fr__m2 a) { return _mm_movemask_pd(a); }

FR__WIDE fr__m2 fr__m2_load(const int32_t *p) {
    __m128i lanes = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return _mm_castsi128_pd(_mm_unpacklo_epi32(lanes, lanes));
}

FR__WIDE fr__d2 fr__d2_select(fr__m2 m, fr__d2 a, fr__d2 b) { return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)); }

// fr__d2_mix_IJ: lane I of a, lane J of b.
FR__WIDE fr__d2 fr__d2_mix_00(fr__d2 a, fr__d2 b) { return _mm_shuffle_pd(a, b, 0); }
FR__WIDE fr__d2 fr__d2_mix_10(fr__d2 a, fr__d2 b) { return _mm_shuffle_pd(a, b, 1); }
FR__WIDE fr__d2 fr__d2_mix_01(fr__d2 a, fr__d2 b) { return _mm_shuffle_pd(a, b, 2); }
FR__WIDE fr__d2 fr__d2_mix_11(fr__d2 a, fr__d2 b) { return _mm_shuffle_pd(a, b, 3); }

#endif
