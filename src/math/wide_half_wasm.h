// Halves of the wide types in SIMD-128 registers of WebAssembly. Included by wide.h.
#ifndef FUREAI_MATH_WIDE_HALF_WASM_H
#define FUREAI_MATH_WIDE_HALF_WASM_H

#include <wasm_simd128.h>

typedef v128_t fr__f4;
typedef v128_t fr__d2;
typedef v128_t fr__m4_of_f4;
typedef v128_t fr__m2;

FR__WIDE fr__f4 fr__f4_load(const float *p) { return wasm_v128_load(p); }
FR__WIDE void fr__f4_store(float *p, fr__f4 a) { wasm_v128_store(p, a); }
FR__WIDE fr__f4 fr__f4_splat(float s) { return wasm_f32x4_splat(s); }
FR__WIDE fr__f4 fr__f4_add(fr__f4 a, fr__f4 b) { return wasm_f32x4_add(a, b); }
FR__WIDE fr__f4 fr__f4_sub(fr__f4 a, fr__f4 b) { return wasm_f32x4_sub(a, b); }
FR__WIDE fr__f4 fr__f4_mul(fr__f4 a, fr__f4 b) { return wasm_f32x4_mul(a, b); }
FR__WIDE fr__f4 fr__f4_div(fr__f4 a, fr__f4 b) { return wasm_f32x4_div(a, b); }
// pmin(x, y) is y < x ? y : x, and pmax(x, y) is x < y ? y : x.
FR__WIDE fr__f4 fr__f4_min(fr__f4 a, fr__f4 b) { return wasm_f32x4_pmin(b, a); }
FR__WIDE fr__f4 fr__f4_max(fr__f4 a, fr__f4 b) { return wasm_f32x4_pmax(b, a); }
FR__WIDE fr__f4 fr__f4_abs(fr__f4 a) { return wasm_f32x4_abs(a); }
FR__WIDE fr__f4 fr__f4_neg(fr__f4 a) { return wasm_f32x4_neg(a); }
FR__WIDE fr__f4 fr__f4_sqrt(fr__f4 a) { return wasm_f32x4_sqrt(a); }
FR__WIDE fr__m4_of_f4 fr__f4_lt(fr__f4 a, fr__f4 b) { return wasm_f32x4_lt(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_le(fr__f4 a, fr__f4 b) { return wasm_f32x4_le(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_eq(fr__f4 a, fr__f4 b) { return wasm_f32x4_eq(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and(fr__m4_of_f4 a, fr__m4_of_f4 b) { return wasm_v128_and(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_or(fr__m4_of_f4 a, fr__m4_of_f4 b) { return wasm_v128_or(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and_not(fr__m4_of_f4 a, fr__m4_of_f4 b) { return wasm_v128_andnot(a, b); }
FR__WIDE int fr__f4m_bits(fr__m4_of_f4 a) { return (int)wasm_i32x4_bitmask(a); }
#define fr__f4_spread(a, k) wasm_i32x4_shuffle(a, a, k, k, k, k)

FR__WIDE fr__m4_of_f4 fr__f4m_load(const int32_t *p) { return wasm_v128_load(p); }
FR__WIDE fr__f4 fr__f4_select(fr__m4_of_f4 m, fr__f4 a, fr__f4 b) { return wasm_v128_bitselect(a, b, m); }

FR__WIDE fr__d2 fr__d2_load(const double *p) { return wasm_v128_load(p); }
FR__WIDE void fr__d2_store(double *p, fr__d2 a) { wasm_v128_store(p, a); }
FR__WIDE fr__d2 fr__d2_splat(double s) { return wasm_f64x2_splat(s); }
FR__WIDE fr__d2 fr__d2_of_low(fr__f4 a) { return wasm_f64x2_promote_low_f32x4(a); }
FR__WIDE fr__d2 fr__d2_of_high(fr__f4 a) { return wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(a, a, 1, 1)); }
FR__WIDE fr__d2 fr__d2_add(fr__d2 a, fr__d2 b) { return wasm_f64x2_add(a, b); }
FR__WIDE fr__d2 fr__d2_sub(fr__d2 a, fr__d2 b) { return wasm_f64x2_sub(a, b); }
FR__WIDE fr__d2 fr__d2_mul(fr__d2 a, fr__d2 b) { return wasm_f64x2_mul(a, b); }
FR__WIDE fr__d2 fr__d2_div(fr__d2 a, fr__d2 b) { return wasm_f64x2_div(a, b); }
FR__WIDE fr__d2 fr__d2_min(fr__d2 a, fr__d2 b) { return wasm_f64x2_pmin(b, a); }
FR__WIDE fr__d2 fr__d2_max(fr__d2 a, fr__d2 b) { return wasm_f64x2_pmax(b, a); }
FR__WIDE fr__d2 fr__d2_abs(fr__d2 a) { return wasm_f64x2_abs(a); }
FR__WIDE fr__d2 fr__d2_neg(fr__d2 a) { return wasm_f64x2_neg(a); }
FR__WIDE fr__d2 fr__d2_sqrt(fr__d2 a) { return wasm_f64x2_sqrt(a); }
FR__WIDE fr__m2 fr__d2_lt(fr__d2 a, fr__d2 b) { return wasm_f64x2_lt(a, b); }
FR__WIDE fr__m2 fr__d2_le(fr__d2 a, fr__d2 b) { return wasm_f64x2_le(a, b); }
FR__WIDE fr__m2 fr__d2_eq(fr__d2 a, fr__d2 b) { return wasm_f64x2_eq(a, b); }
FR__WIDE fr__m2 fr__m2_and(fr__m2 a, fr__m2 b) { return wasm_v128_and(a, b); }
FR__WIDE fr__m2 fr__m2_or(fr__m2 a, fr__m2 b) { return wasm_v128_or(a, b); }
FR__WIDE fr__m2 fr__m2_and_not(fr__m2 a, fr__m2 b) { return wasm_v128_andnot(a, b); }
FR__WIDE int fr__m2_bits(fr__m2 a) { return (int)wasm_i64x2_bitmask(a); }

FR__WIDE fr__m2 fr__m2_load(const int32_t *p) { return wasm_i64x2_load32x2(p); }
FR__WIDE fr__d2 fr__d2_select(fr__m2 m, fr__d2 a, fr__d2 b) { return wasm_v128_bitselect(a, b, m); }

// fr__d2_mix_IJ: lane I of a, lane J of b.
FR__WIDE fr__d2 fr__d2_mix_00(fr__d2 a, fr__d2 b) { return wasm_i64x2_shuffle(a, b, 0, 2); }
FR__WIDE fr__d2 fr__d2_mix_10(fr__d2 a, fr__d2 b) { return wasm_i64x2_shuffle(a, b, 1, 2); }
FR__WIDE fr__d2 fr__d2_mix_01(fr__d2 a, fr__d2 b) { return wasm_i64x2_shuffle(a, b, 0, 3); }
FR__WIDE fr__d2 fr__d2_mix_11(fr__d2 a, fr__d2 b) { return wasm_i64x2_shuffle(a, b, 1, 3); }

#endif
