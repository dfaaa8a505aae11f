// The wide types as two halves each, whatever a half is (wide_half_*.h). Included by wide.h.
#ifndef FUREAI_MATH_WIDE_PAIRS_H
#define FUREAI_MATH_WIDE_PAIRS_H

typedef struct fr__f8 {
    fr__f4 low, high;
} fr__f8;

typedef struct fr__d4 {
    fr__d2 low, high;
} fr__d4;

typedef struct fr__m8 {
    fr__m4_of_f4 low, high;
} fr__m8;

typedef struct fr__m4 {
    fr__m2 low, high;
} fr__m4;

// An operation on both halves: of one vector, of two, and one that yields a mask.
#define FR__PAIR_ONE(type, name, half)                                                                                 \
    FR__WIDE type name(type a) { return (type){half(a.low), half(a.high)}; }
#define FR__PAIR_TWO(type, name, half)                                                                                 \
    FR__WIDE type name(type a, type b) { return (type){half(a.low, b.low), half(a.high, b.high)}; }
#define FR__PAIR_COMPARE(type, mask, name, half)                                                                       \
    FR__WIDE mask name(type a, type b) { return (mask){half(a.low, b.low), half(a.high, b.high)}; }

// ---------------------------------------------------------------------------------------------------------------
// Eight floats

FR__WIDE fr__f8 fr__f8_load(const float *p) { return (fr__f8){fr__f4_load(p), fr__f4_load(p + 4)}; }
FR__WIDE fr__f8 fr__f8_load_aligned(const float *p) { return fr__f8_load(p); }

FR__WIDE void fr__f8_store(float *p, fr__f8 a) {
    fr__f4_store(p, a.low);
    fr__f4_store(p + 4, a.high);
}

FR__WIDE void fr__f8_store_aligned(float *p, fr__f8 a) { fr__f8_store(p, a); }
FR__WIDE fr__f8 fr__f8_splat(float s) { return (fr__f8){fr__f4_splat(s), fr__f4_splat(s)}; }

FR__PAIR_TWO(fr__f8, fr__f8_add, fr__f4_add)
FR__PAIR_TWO(fr__f8, fr__f8_sub, fr__f4_sub)
FR__PAIR_TWO(fr__f8, fr__f8_mul, fr__f4_mul)
FR__PAIR_TWO(fr__f8, fr__f8_div, fr__f4_div)
FR__PAIR_TWO(fr__f8, fr__f8_min, fr__f4_min)
FR__PAIR_TWO(fr__f8, fr__f8_max, fr__f4_max)
FR__PAIR_ONE(fr__f8, fr__f8_abs, fr__f4_abs)
FR__PAIR_ONE(fr__f8, fr__f8_neg, fr__f4_neg)
FR__PAIR_ONE(fr__f8, fr__f8_sqrt, fr__f4_sqrt)
FR__PAIR_COMPARE(fr__f8, fr__m8, fr__f8_lt, fr__f4_lt)
FR__PAIR_COMPARE(fr__f8, fr__m8, fr__f8_le, fr__f4_le)
FR__PAIR_COMPARE(fr__f8, fr__m8, fr__f8_eq, fr__f4_eq)
FR__WIDE fr__m8 fr__f8_gt(fr__f8 a, fr__f8 b) { return fr__f8_lt(b, a); }
FR__WIDE fr__m8 fr__f8_ge(fr__f8 a, fr__f8 b) { return fr__f8_le(b, a); }

FR__PAIR_TWO(fr__m8, fr__m8_and, fr__f4m_and)
FR__PAIR_TWO(fr__m8, fr__m8_or, fr__f4m_or)
FR__PAIR_TWO(fr__m8, fr__m8_and_not, fr__f4m_and_not)
FR__WIDE int fr__m8_bits(fr__m8 a) { return fr__f4m_bits(a.low) | fr__f4m_bits(a.high) << 4; }

FR__WIDE fr__m8 fr__m8_first(int n) {
    const int32_t *lanes = &fr__first_lanes[8 - n];
    return (fr__m8){fr__f4m_load(lanes), fr__f4m_load(lanes + 4)};
}

FR__WIDE fr__f8 fr__f8_select(fr__m8 m, fr__f8 a, fr__f8 b) {
    return (fr__f8){fr__f4_select(m.low, a.low, b.low), fr__f4_select(m.high, a.high, b.high)};
}

FR__WIDE fr__f8 fr__f8_load_halves(const float *p, const float *q) { return (fr__f8){fr__f4_load(p), fr__f4_load(q)}; }

FR__WIDE fr__f8 fr__f8_load_twice(const float *p) { return fr__f8_load_halves(p, p); }

FR__WIDE fr__f8 fr__f8_lows(fr__f8 a, fr__f8 b) { return (fr__f8){a.low, b.low}; }
FR__WIDE fr__f8 fr__f8_highs(fr__f8 a, fr__f8 b) { return (fr__f8){a.high, b.high}; }
FR__WIDE fr__f8 fr__f8_swap(fr__f8 a) { return (fr__f8){a.high, a.low}; }
#define fr__f8_spread(a, k) ((fr__f8){fr__f4_spread((a).low, k), fr__f4_spread((a).high, k)})

// ---------------------------------------------------------------------------------------------------------------
// Four doubles

FR__WIDE fr__d4 fr__d4_load(const double *p) { return (fr__d4){fr__d2_load(p), fr__d2_load(p + 2)}; }
FR__WIDE fr__d4 fr__d4_load_aligned(const double *p) { return fr__d4_load(p); }

FR__WIDE void fr__d4_store(double *p, fr__d4 a) {
    fr__d2_store(p, a.low);
    fr__d2_store(p + 2, a.high);
}

FR__WIDE void fr__d4_store_aligned(double *p, fr__d4 a) { fr__d4_store(p, a); }
FR__WIDE fr__d4 fr__d4_splat(double s) { return (fr__d4){fr__d2_splat(s), fr__d2_splat(s)}; }
FR__WIDE fr__d4 fr__d4_of_low(fr__f8 a) { return (fr__d4){fr__d2_of_low(a.low), fr__d2_of_high(a.low)}; }
FR__WIDE fr__d4 fr__d4_of_high(fr__f8 a) { return (fr__d4){fr__d2_of_low(a.high), fr__d2_of_high(a.high)}; }

FR__WIDE fr__d4 fr__d4_load_floats(const float *p) {
    fr__f4 a = fr__f4_load(p);
    return (fr__d4){fr__d2_of_low(a), fr__d2_of_high(a)};
}

FR__PAIR_TWO(fr__d4, fr__d4_add, fr__d2_add)
FR__PAIR_TWO(fr__d4, fr__d4_sub, fr__d2_sub)
FR__PAIR_TWO(fr__d4, fr__d4_mul, fr__d2_mul)
FR__PAIR_TWO(fr__d4, fr__d4_div, fr__d2_div)
FR__PAIR_TWO(fr__d4, fr__d4_min, fr__d2_min)
FR__PAIR_TWO(fr__d4, fr__d4_max, fr__d2_max)
FR__PAIR_ONE(fr__d4, fr__d4_abs, fr__d2_abs)
FR__PAIR_ONE(fr__d4, fr__d4_neg, fr__d2_neg)
FR__PAIR_ONE(fr__d4, fr__d4_sqrt, fr__d2_sqrt)
FR__PAIR_COMPARE(fr__d4, fr__m4, fr__d4_lt, fr__d2_lt)
FR__PAIR_COMPARE(fr__d4, fr__m4, fr__d4_le, fr__d2_le)
FR__PAIR_COMPARE(fr__d4, fr__m4, fr__d4_eq, fr__d2_eq)
FR__WIDE fr__m4 fr__d4_gt(fr__d4 a, fr__d4 b) { return fr__d4_lt(b, a); }
FR__WIDE fr__m4 fr__d4_ge(fr__d4 a, fr__d4 b) { return fr__d4_le(b, a); }

FR__PAIR_TWO(fr__m4, fr__m4_and, fr__m2_and)
FR__PAIR_TWO(fr__m4, fr__m4_or, fr__m2_or)
FR__PAIR_TWO(fr__m4, fr__m4_and_not, fr__m2_and_not)
FR__WIDE int fr__m4_bits(fr__m4 a) { return fr__m2_bits(a.low) | fr__m2_bits(a.high) << 2; }

FR__WIDE fr__m4 fr__m4_first(int n) {
    const int32_t *lanes = &fr__first_lanes[8 - n];
    return (fr__m4){fr__m2_load(lanes), fr__m2_load(lanes + 2)};
}

FR__WIDE fr__d4 fr__d4_select(fr__m4 m, fr__d4 a, fr__d4 b) {
    return (fr__d4){fr__d2_select(m.low, a.low, b.low), fr__d2_select(m.high, a.high, b.high)};
}

// r0 = x0 y0 z0 x1, r1 = y1 z1 x2 y2, r2 = z2 x3 y3 z3: two points lie in three halves.
FR__WIDE void fr__d4_from_points(fr__d4 r0, fr__d4 r1, fr__d4 r2, fr__d4 *x, fr__d4 *y, fr__d4 *z) {
    x->low = fr__d2_mix_01(r0.low, r0.high);
    y->low = fr__d2_mix_10(r0.low, r1.low);
    z->low = fr__d2_mix_01(r0.high, r1.low);
    x->high = fr__d2_mix_01(r1.high, r2.low);
    y->high = fr__d2_mix_10(r1.high, r2.high);
    z->high = fr__d2_mix_01(r2.low, r2.high);
}

FR__WIDE void fr__d4_to_points(fr__d4 x, fr__d4 y, fr__d4 z, fr__d4 *r0, fr__d4 *r1, fr__d4 *r2) {
    r0->low = fr__d2_mix_00(x.low, y.low);
    r0->high = fr__d2_mix_01(z.low, x.low);
    r1->low = fr__d2_mix_11(y.low, z.low);
    r1->high = fr__d2_mix_00(x.high, y.high);
    r2->low = fr__d2_mix_01(z.high, x.high);
    r2->high = fr__d2_mix_11(y.high, z.high);
}

FR__WIDE void fr__d4_transpose(fr__d4 r[4]) {
    fr__d4 r0 = {fr__d2_mix_00(r[0].low, r[1].low), fr__d2_mix_00(r[2].low, r[3].low)};
    fr__d4 r1 = {fr__d2_mix_11(r[0].low, r[1].low), fr__d2_mix_11(r[2].low, r[3].low)};
    fr__d4 r2 = {fr__d2_mix_00(r[0].high, r[1].high), fr__d2_mix_00(r[2].high, r[3].high)};
    fr__d4 r3 = {fr__d2_mix_11(r[0].high, r[1].high), fr__d2_mix_11(r[2].high, r[3].high)};
    r[0] = r0;
    r[1] = r1;
    r[2] = r2;
    r[3] = r3;
}

FR__WIDE void fr__d4_gather(const double *p0, const double *p1, const double *p2, const double *p3, fr__d4 *x,
                            fr__d4 *y, fr__d4 *z) {
    const double points[12] = {p0[0], p1[0], p2[0], p3[0], p0[1], p1[1], p2[1], p3[1], p0[2], p1[2], p2[2], p3[2]};
    *x = fr__d4_load(points);
    *y = fr__d4_load(points + 4);
    *z = fr__d4_load(points + 8);
}

FR__WIDE void fr__d4_gather_floats(const float *p0, const float *p1, const float *p2, const float *p3, fr__d4 *x,
                                   fr__d4 *y, fr__d4 *z) {
    const float points[12] = {p0[0], p1[0], p2[0], p3[0], p0[1], p1[1], p2[1], p3[1], p0[2], p1[2], p2[2], p3[2]};
    *x = fr__d4_load_floats(points);
    *y = fr__d4_load_floats(points + 4);
    *z = fr__d4_load_floats(points + 8);
}

#undef FR__PAIR_ONE
#undef FR__PAIR_TWO
#undef FR__PAIR_COMPARE

#endif
