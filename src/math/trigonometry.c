// Trigonometry that gives the same bits on every machine: only + - * / sqrt and bit operations, in one written order.
//
// Coefficients are those of the Taylor series, written as quotients the compiler rounds once; the numbers of terms are
// chosen so that the first one left out is below 2^-60 of the result. The parts of pi and the table of arctangents are
// the leading bits of the real values (computed with 400 bits), written as hexadecimal doubles.
#include "fureai/math.h"

#include "math/expansion.h"

#include <string.h>

#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW 0x1.1a62633145c07p-53
#define HALF_PI_HIGH 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

// One bit pattern for "not a number": the one that arithmetic makes differs between processors.
static double not_a_number(void) { return (double)NAN; }

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^n for a normal result, -1022 <= n <= 1023.
static double power_of_two(int n) { return double_of((uint64_t)(n + 1023) << 52); }

// ---------------------------------------------------------------------------------------------------------------
// Sine and cosine

#define TRIGONOMETRY_RANGE 0x1p+20

// x less the nearest multiple of pi/2, as high + low, and which multiple it was, modulo 4. |x| <= 2^20.
//
// pi/2 is cut into three parts of 33 bits and one of 53, together right to 2^-157. The multiple n has at most 20 bits,
// so n times each of the first three is exact. x - n part_0 is exact too: both are multiples of 2^-53 (where n is not
// 0, |x| > 0.78) and their difference is below 1. The two sums keep every bit. So the error is that of n part_3, below
// 2^-130, and of the sums of tails, below 2^-105 while high is of the order of 1; where high is small the tails are
// zero, since all numbers met are multiples of 2^-97. The double up to 2^20 that lies nearest to a multiple of pi/2
// (found by continued fractions) is 0x1.6c6cbc45dc8dep+5, 2^-60.5 away; so the relative error stays below 2^-60.
static fr__pair reduce(double x, int *quadrant) {
    static const double part[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
    const double to_integer = 0x1.8p+52; // adding it rounds to an integer, and leaves that in the lowest bits
    const double two_over_pi = 0x1.45f306dc9c883p-1;

    // Here n is 0, and the arithmetic below gives x with all of its bits.
    if (fabs(x) < 0.75) {
        *quadrant = 0;
        return (fr__pair){x, 0.0};
    }
    double shifted = x * two_over_pi + to_integer;
    *quadrant = (int)(bits_of(shifted) & 3);
    double n = shifted - to_integer;

    fr__pair a = fr__two_sum(x - n * part[0], -(n * part[1]));
    fr__pair b = fr__two_sum(a.high, -(n * part[2]));
    return fr__fast_two_sum(b.high, (a.low + b.low) - n * part[3]);
}

// sin(r.high + r.low) for |r| <= pi/4 + 2^-30. The first term left out is r^19 / 19! < 2^-63.
static double sine_kernel(fr__pair r) {
    const double s3 = -1.0 / 6.0, s5 = 1.0 / 120.0, s7 = -1.0 / 5040.0, s9 = 1.0 / 362880.0;
    const double s11 = -1.0 / 39916800.0, s13 = 1.0 / 6227020800.0, s15 = -1.0 / 1307674368000.0;
    const double s17 = 1.0 / 355687428096000.0;

    double x = r.high, z = x * x, z2 = z * z, z4 = z2 * z2;
    double rest = ((s5 + z * s7) + z2 * (s9 + z * s11)) + z4 * ((s13 + z * s15) + z2 * s17);
    double correction = (x * z) * (s3 + z * rest);
    return x + (correction + r.low * (1.0 - 0.5 * z));
}

// cos(r.high + r.low) for |r| <= pi/4 + 2^-30. The first term left out is r^20 / 20! < 2^-67.
static double cosine_kernel(fr__pair r) {
    const double c4 = 1.0 / 24.0, c6 = -1.0 / 720.0, c8 = 1.0 / 40320.0, c10 = -1.0 / 3628800.0;
    const double c12 = 1.0 / 479001600.0, c14 = -1.0 / 87178291200.0, c16 = 1.0 / 20922789888000.0;
    const double c18 = -1.0 / 6402373705728000.0;

    double x = r.high, z = x * x, z2 = z * z, z4 = z2 * z2;
    double rest = ((c6 + z * c8) + z2 * (c10 + z * c12)) + z4 * ((c14 + z * c16) + z2 * c18);
    fr__pair head = fr__fast_two_sum(1.0, -0.5 * z);
    return head.high + (head.low + (z2 * (c4 + z * rest) - x * r.low));
}

double fr_sin(double x) {
    double size = fabs(x);
    if (!(size <= TRIGONOMETRY_RANGE)) { return not_a_number(); }
    if (size < 0x1p-27) { return x; } // x - x^3 / 6 rounds to x; keeps the sign of zero

    int quadrant;
    fr__pair r = reduce(x, &quadrant);
    double value = (quadrant & 1) ? cosine_kernel(r) : sine_kernel(r);
    return (quadrant & 2) ? -value : value;
}

double fr_cos(double x) {
    if (!(fabs(x) <= TRIGONOMETRY_RANGE)) { return not_a_number(); }

    int quadrant;
    fr__pair r = reduce(x, &quadrant);
    double value = (quadrant & 1) ? sine_kernel(r) : cosine_kernel(r);
    return ((quadrant + 1) & 2) ? -value : value;
}

void fr_sincos(double x, double *sine, double *cosine) {
    double size = fabs(x);
    if (!(size <= TRIGONOMETRY_RANGE)) {
        *sine = *cosine = not_a_number();
        return;
    }

    int quadrant;
    fr__pair r = reduce(x, &quadrant);
    double s = size < 0x1p-27 ? x : sine_kernel(r);
    double c = cosine_kernel(r);
    double along = (quadrant & 1) ? c : s, across = (quadrant & 1) ? s : c;
    *sine = (quadrant & 2) ? -along : along;
    *cosine = ((quadrant + 1) & 2) ? -across : across;
}

// ---------------------------------------------------------------------------------------------------------------
// Arctangent and arccosine

// atan(k / 16), to 106 bits.
static const fr__pair arctangent_of_sixteenths[17] = {
    {0.0, 0.0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// (a - c b) / (b + c a) as high + low, right to about 2^-100, for c with at most 5 significant bits.
static fr__pair turned_quotient(fr__pair a, fr__pair b, double c) {
    fr__pair b_halves = fr__split(b.high), a_halves = fr__split(a.high);

    // c times a half is exact.
    fr__pair top = fr__two_difference(a.high, c * b_halves.high);
    fr__pair top_rest = fr__two_difference(top.high, c * b_halves.low);
    top.high = top_rest.high;
    top.low = (top.low + top_rest.low) + (a.low - c * b.low);

    fr__pair bottom = fr__fast_two_sum(b.high, c * a_halves.high);
    bottom.low += c * a_halves.low + (b.low + c * a.low);

    double inverse = 1.0 / bottom.high;
    double quotient = top.high * inverse;
    fr__pair back = fr__two_product(quotient, bottom.high);
    double remainder = (top.high - back.high) - back.low;
    remainder += top.low - quotient * bottom.low;
    return fr__fast_two_sum(quotient, remainder * inverse);
}

// base + sign atan(a / b) for 0 <= a <= b, 2^-500 < b < 2^500, base.high 0 or at least pi/2.
//
// With c = k/16 next to a/b, atan(a/b) = atan(c) + atan(u), u = (a - c b) / (b + c a), |u| <= 1/32, or 1/16 where
// k = 0. The series ends after u^15 / 15: what is left out is below 2^-68 u. u is known to 2^-100, so that all errors
// together are far below half an ulp and the result is almost always the nearest double.
static double arctangent_kernel(fr__pair a, fr__pair b, fr__pair base, double sign) {
    const double t3 = -1.0 / 3.0, t5 = 1.0 / 5.0, t7 = -1.0 / 7.0, t9 = 1.0 / 9.0, t11 = -1.0 / 11.0;
    const double t13 = 1.0 / 13.0, t15 = -1.0 / 15.0;

    double ratio = a.high / b.high;
    int k = ratio < 0.0625 ? 0 : (int)(16.0 * ratio + 0.5);
    fr__pair table = arctangent_of_sixteenths[k];
    fr__pair u = turned_quotient(a, b, (double)k / 16.0);

    double z = u.high * u.high, z2 = z * z;
    double rest = (t5 + z * t7) + z2 * ((t9 + z * t11) + z2 * (t13 + z * t15));
    double series = (u.high * z) * (t3 + z * rest);

    fr__pair near = fr__two_sum(table.high, u.high);
    double far = near.low + (series + (u.low + table.low));
    fr__pair sum = fr__two_sum(base.high, sign * near.high);
    return sum.high + (sum.low + (base.low + sign * far));
}

// Where the angle of (x, y) starts from and in which direction it grows: atan2 of |y| and x is base + sign atan(small /
// large).
static fr__pair arctangent_base(bool steep, bool backward, double *sign) {
    static const fr__pair none = {0.0, 0.0}, half = {HALF_PI_HIGH, HALF_PI_LOW}, whole = {PI_HIGH, PI_LOW};
    *sign = steep == backward ? 1.0 : -1.0;
    if (steep) { return half; }
    return backward ? whole : none;
}

double fr_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) { return not_a_number(); }

    double x_size = fabs(x), y_size = fabs(y), sign;
    bool steep = y_size > x_size;
    fr__pair base = arctangent_base(steep, signbit(x) != 0, &sign);
    fr__pair large = {steep ? y_size : x_size, 0.0};
    fr__pair small = {steep ? x_size : y_size, 0.0};

    // An infinite pair has the angle of (1, 1), and of a zero pair only the base counts.
    if (isinf(small.high)) { small.high = large.high = 1.0; }
    if (large.high == 0.0) { large.high = 1.0; }

    // A very flat angle is the quotient, or is lost beside the base; isinf(large) is such a case.
    if (small.high < 0x1p-64 * large.high) {
        double angle = base.high > 0.0 ? base.high : small.high / large.high;
        return copysign(angle, y);
    }

    // A power of two keeps the quotient and keeps the products below within range.
    double scale = large.high > 0x1p+500 ? 0x1p-600 : large.high < 0x1p-500 ? 0x1p+600 : 1.0;
    large.high *= scale;
    small.high *= scale;
    return copysign(arctangent_kernel(small, large, base, sign), y);
}

// acos(x) is the angle of (x, sqrt(1 - x^2)), the root taken to twice the precision.
double fr_acos(double x) {
    double size = fabs(x);
    if (!(size <= 1.0)) { return not_a_number(); }
    if (size == 1.0) { return x > 0.0 ? 0.0 : PI_HIGH; }

    fr__pair square = fr__two_product(x, x);
    fr__pair rest = fr__two_difference(1.0, square.high);
    fr__pair height_squared = fr__two_sum(rest.high, rest.low - square.low);
    double root = sqrt(height_squared.high);
    fr__pair back = fr__two_product(root, root);
    double remainder = ((height_squared.high - back.high) - back.low) + height_squared.low;
    fr__pair height = {root, remainder / (2.0 * root)};

    double sign;
    bool steep = root > size;
    fr__pair base = arctangent_base(steep, x < 0.0, &sign);
    fr__pair width = {size, 0.0};
    return steep ? arctangent_kernel(width, height, base, sign) : arctangent_kernel(height, width, base, sign);
}

// ---------------------------------------------------------------------------------------------------------------
// Cube root

// The cube root of m in [1, 8).
//
// The bits of a double read as an integer are nearly a logarithm, so a third of them, with two thirds of the exponent's
// bias put back, is nearly the root: within 3.2 % with the bias lowered as below (found by a scan). Two steps of
// Halley's rule, y (y^3 + 2 m) / (2 y^3 + m), whose relative error is 2/3 of the third power of the one before, leave
// less than 2^-46; a step of Newton's with the remainder m - y^3 taken to twice the precision leaves less than 2^-90.
static double cube_root_kernel(double m) {
    const uint64_t bias_put_back = UINT64_C(0x2a9f780000000000);
    double y = double_of(bits_of(m) / 3 + bias_put_back);
    for (int i = 0; i < 2; i++) {
        double cube = (y * y) * y;
        y = y * (cube + 2.0 * m) / (2.0 * cube + m);
    }

    fr__pair square = fr__two_product(y, y);
    fr__pair cube = fr__two_product(square.high, y);
    double remainder = (m - cube.high) - (cube.low + square.low * y);
    return y + remainder / (3.0 * square.high);
}

double fr_cbrt(double x) {
    if (isnan(x)) { return not_a_number(); }
    double size = fabs(x);
    if (size == 0.0 || isinf(size)) { return x; }

    // x = m 8^k with m in [1, 8); a subnormal x is made normal first.
    int scale = 0;
    if (size < 0x1p-1022) {
        size *= 0x1p+54;
        scale = -18;
    }
    int exponent = (int)(bits_of(size) >> 52) - 1023;
    int k = (exponent + 3 * 400) / 3 - 400;
    double m = double_of((bits_of(size) & UINT64_C(0x000fffffffffffff)) | (uint64_t)(exponent - 3 * k + 1023) << 52);
    return copysign(cube_root_kernel(m) * power_of_two(k + scale), x);
}
