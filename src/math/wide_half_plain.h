// Halves of the wide types in plain C, for processors without vectors known here. Included by wide.h.
#ifndef FUREAI_MATH_WIDE_HALF_PLAIN_H
#define FUREAI_MATH_WIDE_HALF_PLAIN_H

#include <math.h>

typedef struct fr__f4 {
    float v[4];
} fr__f4;

typedef struct fr__d2 {
    double v[2];
} fr__d2;

// Lane i is bit i.
typedef struct fr__m4_of_f4 {
    int bits;
} fr__m4_of_f4;

typedef struct fr__m2 {
    int bits;
} fr__m2;

// A function of one or two vectors, or a comparison, lane by lane: `x` and `y` are the lanes of a and b.
#define FR__PLAIN_ONE(type, scalar, lanes, name, expression)                                                           \
    FR__WIDE type name(type a) {                                                                                       \
        type result;                                                                                                   \
        for (int i = 0; i < lanes; i++) {                                                                              \
            scalar x = a.v[i];                                                                                         \
            result.v[i] = expression;                                                                                  \
        }                                                                                                              \
        return result;                                                                                                 \
    }
#define FR__PLAIN_TWO(type, scalar, lanes, name, expression)                                                           \
    FR__WIDE type name(type a, type b) {                                                                               \
        type result;                                                                                                   \
        for (int i = 0; i < lanes; i++) {                                                                              \
            scalar x = a.v[i], y = b.v[i];                                                                             \
            result.v[i] = expression;                                                                                  \
        }                                                                                                              \
        return result;                                                                                                 \
    }
#define FR__PLAIN_COMPARE(type, mask, lanes, name, operator)                                                           \
    FR__WIDE mask name(type a, type b) {                                                                               \
        mask result = {0};                                                                                             \
        for (int i = 0; i < lanes; i++) {                                                                              \
            result.bits |= (a.v[i] operator b.v[i]) << i;                                                              \
        }                                                                                                              \
        return result;                                                                                                 \
    }
#define FR__PLAIN_VECTOR(type, scalar, mask, lanes, prefix, mask_prefix)                                               \
    FR__WIDE type prefix##_load(const scalar *p) {                                                                     \
        type result;                                                                                                   \
        memcpy(result.v, p, sizeof result.v);                                                                          \
        return result;                                                                                                 \
    }                                                                                                                  \
    FR__WIDE void prefix##_store(scalar *p, type a) { memcpy(p, a.v, sizeof a.v); }                                    \
    FR__WIDE type prefix##_splat(scalar s) {                                                                           \
        type result;                                                                                                   \
        for (int i = 0; i < lanes; i++) {                                                                              \
            result.v[i] = s;                                                                                           \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_add, x + y)                                                            \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_sub, x - y)                                                            \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_mul, x *y)                                                             \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_div, x / y)                                                            \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_min, x < y ? x : y)                                                    \
    FR__PLAIN_TWO(type, scalar, lanes, prefix##_max, x > y ? x : y)                                                    \
    FR__PLAIN_ONE(type, scalar, lanes, prefix##_neg, -x)                                                               \
    FR__PLAIN_COMPARE(type, mask, lanes, prefix##_lt, <)                                                               \
    FR__PLAIN_COMPARE(type, mask, lanes, prefix##_le, <=)                                                              \
    FR__PLAIN_COMPARE(type, mask, lanes, prefix##_eq, ==)                                                              \
    FR__WIDE mask mask_prefix##_and(mask a, mask b) { return (mask){a.bits & b.bits}; }                                \
    FR__WIDE mask mask_prefix##_or(mask a, mask b) { return (mask){a.bits | b.bits}; }                                 \
    FR__WIDE mask mask_prefix##_and_not(mask a, mask b) { return (mask){a.bits & ~b.bits}; }                           \
    FR__WIDE int mask_prefix##_bits(mask a) { return a.bits; }                                                         \
    FR__WIDE mask mask_prefix##_load(const int32_t *p) {                                                               \
        mask result = {0};                                                                                             \
        for (int i = 0; i < lanes; i++) {                                                                              \
            result.bits |= (p[i] != 0) << i;                                                                           \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    FR__WIDE type prefix##_select(mask m, type a, type b) {                                                            \
        type result;                                                                                                   \
        for (int i = 0; i < lanes; i++) {                                                                              \
            result.v[i] = (m.bits >> i & 1) ? a.v[i] : b.v[i];                                                         \
        }                                                                                                              \
        return result;                                                                                                 \
    }

FR__PLAIN_VECTOR(fr__f4, float, fr__m4_of_f4, 4, fr__f4, fr__f4m)
FR__PLAIN_VECTOR(fr__d2, double, fr__m2, 2, fr__d2, fr__m2)
FR__PLAIN_ONE(fr__f4, float, 4, fr__f4_abs, fabsf(x))
FR__PLAIN_ONE(fr__d2, double, 2, fr__d2_abs, fabs(x))
FR__PLAIN_ONE(fr__f4, float, 4, fr__f4_sqrt, sqrtf(x))
FR__PLAIN_ONE(fr__d2, double, 2, fr__d2_sqrt, sqrt(x))

#define fr__f4_spread(a, k) fr__f4_splat((a).v[k])

FR__WIDE fr__d2 fr__d2_of_low(fr__f4 a) { return (fr__d2){{(double)a.v[0], (double)a.v[1]}}; }
FR__WIDE fr__d2 fr__d2_of_high(fr__f4 a) { return (fr__d2){{(double)a.v[2], (double)a.v[3]}}; }

// fr__d2_mix_IJ: lane I of a, lane J of b.
FR__WIDE fr__d2 fr__d2_mix_00(fr__d2 a, fr__d2 b) { return (fr__d2){{a.v[0], b.v[0]}}; }
FR__WIDE fr__d2 fr__d2_mix_10(fr__d2 a, fr__d2 b) { return (fr__d2){{a.v[1], b.v[0]}}; }
FR__WIDE fr__d2 fr__d2_mix_01(fr__d2 a, fr__d2 b) { return (fr__d2){{a.v[0], b.v[1]}}; }
FR__WIDE fr__d2 fr__d2_mix_11(fr__d2 a, fr__d2 b) { return (fr__d2){{a.v[1], b.v[1]}}; }

#undef FR__PLAIN_ONE
#undef FR__PLAIN_TWO
#undef FR__PLAIN_COMPARE
#undef FR__PLAIN_VECTOR

#endif
