// Rounding outwards without touching the processor's rounding mode: steps to the neighbouring double, and sums and
// products that are never above (down) or never below (up) the real result.
#ifndef FUREAI_MATH_OUTWARD_H
#define FUREAI_MATH_OUTWARD_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// u: one operation + - * / sqrt returns the real result times (1 + d), |d| <= u, unless it under- or overflows.
#define FR__UNIT_ROUNDOFF 0x1p-53

// The next double below x; minus infinity and NaN stay.
static inline double fr__below(double x) {
    if (!(x > -INFINITY)) { return x; }
    if (x == 0.0) { return -0x1p-1074; }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0.0 ? UINT64_MAX : 1; // the bits of a double count its magnitude; adding UINT64_MAX takes one away
    memcpy(&x, &bits, sizeof bits);
    return x;
}

// The next double above x; infinity and NaN stay.
static inline double fr__above(double x) { return -fr__below(-x); }

// a + b, rounded down. The rounding error of the sum is a double too (Knuth's two-sum), so an exact sum is kept.
static inline double fr__add_down(double a, double b) {
    double sum = a + b;
    if (isinf(sum)) { return sum > 0.0 && !isinf(a) && !isinf(b) ? DBL_MAX : sum; }
    double b_part = sum - a;
    double error = (a - (sum - b_part)) + (b - b_part);
    // Near DBL_MAX the two-sum itself may overflow: an error that is not known counts as inexact.
    return error >= 0.0 ? sum : fr__below(sum);
}

// a + b, rounded up.
static inline double fr__add_up(double a, double b) { return -fr__add_down(-a, -b); }

// a * b, rounded down; 0 when a factor is 0, even if the other is infinite.
static inline double fr__multiply_down(double a, double b) {
    if (a == 0.0 || b == 0.0) { return 0.0; }
    double product = a * b;
    if (isinf(product) && (isinf(a) || isinf(b))) { return product; }
    if (product == 0.0) { return (a > 0.0) == (b > 0.0) ? 0.0 : -0x1p-1074; }
    return fr__below(product);
}

// a * b, rounded up; 0 when a factor is 0, even if the other is infinite.
static inline double fr__multiply_up(double a, double b) { return -fr__multiply_down(-a, b); }

#endif
