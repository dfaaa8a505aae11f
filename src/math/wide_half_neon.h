// Halves of the wide types in NEON registers, which every aarch64 has. Included by wide.h.
#ifndef FUREAI_MATH_WIDE_HALF_NEON_H
#define FUREAI_MATH_WIDE_HALF_NEON_H

#include <arm_neon.h>

typedef float32x4_t fr__f4;
typedef float64x2_t fr__d2;
typedef uint32x4_t fr__m4_of_f4;
typedef uint64x2_t fr__m2;

FR__WIDE fr__f4 fr__f4_load(const float *p) { return vld1q_f32(p); }
FR__WIDE void fr__f4_store(float *p, fr__f4 a) { vst1q_f32(p, a); }
FR__WIDE fr__f4 fr__f4_splat(float s) { return vdupq_n_f32(s); }
FR__WIDE fr__f4 fr__f4_add(fr__f4 a, fr__f4 b) { return vaddq_f32(a, b); }
FR__WIDE fr__f4 fr__f4_sub(fr__f4 a, fr__f4 b) { return vsubq_f32(a, b); }
FR__WIDE fr__f4 fr__f4_mul(fr__f4 a, fr__f4 b) { return vmulq_f32(a, b); }
FR__WIDE fr__f4 fr__f4_div(fr__f4 a, fr__f4 b) { return vdivq_f32(a, b); }
FR__WIDE fr__f4 fr__f4_abs(fr__f4 a) { return vabsq_f32(a); }
FR__WIDE fr__f4 fr__f4_neg(fr__f4 a) { return vnegq_f32(a); }
FR__WIDE fr__f4 fr__f4_sqrt(fr__f4 a) { return vsqrtq_f32(a); }
FR__WIDE fr__m4_of_f4 fr__f4_lt(fr__f4 a, fr__f4 b) { return vcltq_f32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_le(fr__f4 a, fr__f4 b) { return vcleq_f32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4_eq(fr__f4 a, fr__f4 b) { return vceqq_f32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and(fr__m4_of_f4 a, fr__m4_of_f4 b) { return vandq_u32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_or(fr__m4_of_f4 a, fr__m4_of_f4 b) { return vorrq_u32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_and_not(fr__m4_of_f4 a, fr__m4_of_f4 b) { return vbicq_u32(a, b); }
FR__WIDE fr__m4_of_f4 fr__f4m_load(const int32_t *p) { return vreinterpretq_u32_s32(vld1q_s32(p)); }
FR__WIDE fr__f4 fr__f4_select(fr__m4_of_f4 m, fr__f4 a, fr__f4 b) { return vbslq_f32(m, a, b); }
#define fr__f4_spread(a, k) vdupq_laneq_f32(a, k)

FR__WIDE int fr__f4m_bits(fr__m4_of_f4 a) {
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return (int)vaddvq_u32(vandq_u32(a, vld1q_u32(bit)));
}

// vminq would order the zeros and keep a NaN of either side.
FR__WIDE fr__f4 fr__f4_min(fr__f4 a, fr__f4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
FR__WIDE fr__f4 fr__f4_max(fr__f4 a, fr__f4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }

FR__WIDE fr__d2 fr__d2_load(const double *p) { return vld1q_f64(p); }
FR__WIDE void fr__d2_store(double *p, fr__d2 a) { vst1q_f64(p, a); }
FR__WIDE fr__d2 fr__d2_splat(double s) { return vdupq_n_f64(s); }
FR__WIDE fr__d2 fr__d2_of_low(fr__f4 a) { return vcvt_f64_f32(vget_low_f32(a)); }
FR__WIDE fr__d2 fr__d2_of_high(fr__f4 a) { return vcvt_high_f64_f32(a); }
FR__WIDE fr__d2 fr__d2_add(fr__d2 a, fr__d2 b) { return vaddq_f64(a, b); }
FR__WIDE fr__d2 fr__d2_sub(fr__d2 a, fr__d2 b) { return vsubq_f64(a, b); }
FR__WIDE fr__d2 fr__d2_mul(fr__d2 a, fr__d2 b) { return vmulq_f64(a, b); }
FR__WIDE fr__d2 fr__d2_div(fr__d2 a, fr__d2 b) { return vdivq_f64(a, b); }
FR__WIDE fr__d2 fr__d2_min(fr__d2 a, fr__d2 b) { return vbslq_f64(vcltq_f64(a, b), a, b); }
FR__WIDE fr__d2 fr__d2_max(fr__d2 a, fr__d2 b) { return vbslq_f64(vcgtq_f64(a, b), a, b); }
FR__WIDE fr__d2 fr__d2_abs(fr__d2 a) { return vabsq_f64(a); }
FR__WIDE fr__d2 fr__d2_neg(fr__d2 a) { return vnegq_f64(a); }
FR__WIDE fr__d2 fr__d2_sqrt(fr__d2 a) { return vsqrtq_f64(a); }
FR__WIDE fr__m2 fr__d2_lt(fr__d2 a, fr__d2 b) { return vcltq_f64(a, b); }
FR__WIDE fr__m2 fr__d2_le(fr__d2 a, fr__d2 b) { return vcleq_f64(a, b); }
FR__WIDE fr__m2 fr__d2_eq(fr__d2 a, fr__d2 b) { return vceqq_f64(a, b); }
FR__WIDE fr__m2 fr__m2_and(fr__m2 a, fr__m2 b) { return vandq_u64(a, b); }
FR__WIDE fr__m2 fr__m2_or(fr__m2 a, fr__m2 b) { return vorrq_u64(a, b); }
FR__WIDE fr__m2 fr__m2_and_not(fr__m2 a, fr__m2 b) { return vbicq_u64(a, b); }
FR__WIDE fr__m2 fr__m2_load(const int32_t *p) { return vreinterpretq_u64_s64(vmovl_s32(vld1_s32(p))); }
FR__WIDE fr__d2 fr__d2_select(fr__m2 m, fr__d2 a, fr__d2 b) { return vbslq_f64(m, a, b); }

FR__WIDE int fr__m2_bits(fr__m2 a) { return (int)((vgetq_lane_u64(a, 0) & 1) | (vgetq_lane_u64(a, 1) & 2)); }

// fr__d2_mix_IJ: lane I of a, lane J of b.
FR__WIDE fr__d2 fr__d2_mix_00(fr__d2 a, fr__d2 b) { return vzip1q_f64(a, b); }
FR__WIDE fr__d2 fr__d2_mix_10(fr__d2 a, fr__d2 b) { return vextq_f64(a, b, 1); }
FR__WIDE fr__d2 fr__d2_mix_01(fr__d2 a, fr__d2 b) { return vcopyq_laneq_f64(a, 1, b, 1); }
FR__WIDE fr__d2 fr__d2_mix_11(fr__d2 a, fr__d2 b) { return vzip2q_f64(a, b); }

#endif
