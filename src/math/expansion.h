// Exact sums and products of doubles as unevaluated sums, by + - * alone (no fused multiply-add).
//
// Every function below returns a value h = fl(a op b) and what rounding cut off, so that h + l is the exact result.
// They hold in round to nearest even, while nothing overflows and no l falls below the doubles' least positive number.
// Origins: two_sum Knuth and Moeller; the splitting Veltkamp, the product Dekker (both 1971).
#ifndef FUREAI_MATH_EXPANSION_H
#define FUREAI_MATH_EXPANSION_H

#include <float.h>

// Intermediate results must be rounded to double at every step; x87 arithmetic does not.
_Static_assert(FLT_EVAL_METHOD == 0, "Fureai needs arithmetic that rounds every operation to its type");

// The unevaluated sum high + low, with |low| <= ulp(high) / 2.
typedef struct fr__pair {
    double high, low;
} fr__pair;

// a + b for any order of magnitudes.
static inline fr__pair fr__two_sum(double a, double b) {
    double high = a + b;
    double b_seen = high - a;
    double a_seen = high - b_seen;
    fr__pair sum = {high, (a - a_seen) + (b - b_seen)};
    return sum;
}

// a + b where |a| >= |b|, or a = 0.
static inline fr__pair fr__fast_two_sum(double a, double b) {
    double high = a + b;
    fr__pair sum = {high, b - (high - a)};
    return sum;
}

// a - b for any order of magnitudes.
static inline fr__pair fr__two_difference(double a, double b) { return fr__two_sum(a, -b); }

// a as two halves of at most 26 significant bits each; the low one may be negative. |a| < 2^996.
static inline fr__pair fr__split(double a) {
    double c = 0x1.0000002p+27 * a; // 2^27 + 1
    double high = c - (c - a);
    fr__pair halves = {high, a - high};
    return halves;
}

// a b with b split already: worth it where one factor serves several products.
static inline fr__pair fr__two_product_split(double a, double b, fr__pair b_halves) {
    fr__pair a_halves = fr__split(a);
    double high = a * b;
    double rest = high - a_halves.high * b_halves.high;
    rest -= a_halves.low * b_halves.high;
    rest -= a_halves.high * b_halves.low;
    fr__pair product = {high, a_halves.low * b_halves.low - rest};
    return product;
}

static inline fr__pair fr__two_product(double a, double b) { return fr__two_product_split(a, b, fr__split(b)); }

#endif
