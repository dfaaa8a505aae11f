// Sets of reals that hold the true result whatever the rounding. An end that is infinite means "unbounded": the set
// holds finite numbers only, so 0 times an unbounded set is 0 at that end, and no operation can return NaN.
#include "math/outward.h"

#include "fureai/math.h"

static const fr_interval EVERYTHING = {-INFINITY, INFINITY};

// The ends as an interval that holds at least one real: an overflow to +infinity below means "beyond DBL_MAX".
static fr_interval ends(double low, double high) {
    fr_interval a = {low == INFINITY ? DBL_MAX : low, high == -INFINITY ? -DBL_MAX : high};
    return a;
}

fr_interval fr_interval_make(double low, double high) {
    if (isnan(low) || isnan(high)) { return EVERYTHING; }
    return low <= high ? ends(low, high) : ends(high, low);
}

fr_interval fr_interval_add(fr_interval a, fr_interval b) {
    return ends(fr__add_down(a.low, b.low), fr__add_up(a.high, b.high));
}

fr_interval fr_interval_sub(fr_interval a, fr_interval b) {
    return ends(fr__add_down(a.low, -b.high), fr__add_up(a.high, -b.low));
}

static double min4(double a, double b, double c, double d) { return fmin(fmin(a, b), fmin(c, d)); }
static double max4(double a, double b, double c, double d) { return fmax(fmax(a, b), fmax(c, d)); }

fr_interval fr_interval_multiply(fr_interval a, fr_interval b) {
    // A product is extreme at two of the ends.
    return ends(min4(fr__multiply_down(a.low, b.low), fr__multiply_down(a.low, b.high),
                     fr__multiply_down(a.high, b.low), fr__multiply_down(a.high, b.high)),
                max4(fr__multiply_up(a.low, b.low), fr__multiply_up(a.low, b.high), //
                     fr__multiply_up(a.high, b.low), fr__multiply_up(a.high, b.high)));
}

// a / b rounded down, b not 0. Over an unbounded end the quotient goes to 0; the quotients of the other ends bound
// what an unbounded a adds.
static double divide_down(double a, double b) {
    if (a == 0.0 || isinf(b)) { return 0.0; }
    double quotient = a / b;
    if (isinf(a)) { return quotient; }
    if (quotient == 0.0) { return (a > 0.0) == (b > 0.0) ? 0.0 : -0x1p-1074; }
    return fr__below(quotient);
}

static double divide_up(double a, double b) { return -divide_down(-a, b); }

fr_interval fr_interval_divide(fr_interval a, fr_interval b) {
    if (b.low <= 0.0 && b.high >= 0.0) { return EVERYTHING; }
    return ends(min4(divide_down(a.low, b.low), divide_down(a.low, b.high), //
                     divide_down(a.high, b.low), divide_down(a.high, b.high)),
                max4(divide_up(a.low, b.low), divide_up(a.low, b.high), //
                     divide_up(a.high, b.low), divide_up(a.high, b.high)));
}

fr_interval fr_interval_square(fr_interval a) {
    double low = fabs(a.low), high = fabs(a.high);
    double larger = low > high ? low : high, smaller = low > high ? high : low;
    bool holds_zero = a.low <= 0.0 && a.high >= 0.0;
    return ends(holds_zero ? 0.0 : fr__multiply_down(smaller, smaller), fr__multiply_up(larger, larger));
}

fr_interval fr_interval_sqrt(fr_interval a) {
    // The root of a positive double is never subnormal, so a step below it stays positive.
    double low = a.low > 0.0 ? fr__below(sqrt(a.low)) : 0.0;
    double high = a.high > 0.0 ? fr__above(sqrt(a.high)) : 0.0;
    return ends(low, high);
}

// Whether a point `phase` + 2 pi k, k whole, may lie in a: never a false no. The ends measured in turns are wrong by
// less than 8u times 1 + their size (difference, quotient, rounding of phase and pi), which the slack covers; a false
// yes needs an end within that of the crest, where the sine is the crest's within 2^-90.
static bool may_hold_crest(fr_interval a, double phase) {
    double low = (a.low - phase) / (2.0 * FR_PI), high = (a.high - phase) / (2.0 * FR_PI);
    double slack = 16.0 * FR__UNIT_ROUNDOFF * (1.0 + fabs(low) + fabs(high));
    return ceil(low - slack) <= floor(high + slack);
}

// The range of a sine-like function with values `at_low`, `at_high` at the ends of a, each within 1.5 ulp of the truth
// (1 ulp of the correctly rounded one): monotone but for its crests.
static fr_interval wave_range(double at_low, double at_high, bool has_top, bool has_bottom) {
    double least = at_low < at_high ? at_low : at_high;
    double most = at_low < at_high ? at_high : at_low;
    double low = has_bottom ? -1.0 : fr__below(fr__below(least));
    double high = has_top ? 1.0 : fr__above(fr__above(most));
    fr_interval range = {low < -1.0 ? -1.0 : low, high > 1.0 ? 1.0 : high};
    return range;
}

// Ends within the range of the own trigonometry, and less than a full turn apart.
static bool is_one_wave(fr_interval a) {
    return a.low >= -0x1p+20 && a.high <= 0x1p+20 && a.high - a.low < 2.0 * FR_PI;
}

fr_interval fr_interval_sin(fr_interval a) {
    if (!is_one_wave(a)) { return (fr_interval){-1.0, 1.0}; }
    return wave_range(fr_sin(a.low), fr_sin(a.high), may_hold_crest(a, 0.5 * FR_PI), may_hold_crest(a, -0.5 * FR_PI));
}

fr_interval fr_interval_cos(fr_interval a) {
    if (!is_one_wave(a)) { return (fr_interval){-1.0, 1.0}; }
    return wave_range(fr_cos(a.low), fr_cos(a.high), may_hold_crest(a, 0.0), may_hold_crest(a, FR_PI));
}

fr_interval fr_interval_union(fr_interval a, fr_interval b) {
    fr_interval both = {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return both;
}

bool fr_interval_contains(fr_interval a, double x) { return a.low <= x && x <= a.high; }

bool fr_interval_overlap(fr_interval a, fr_interval b) { return a.low <= b.high && b.low <= a.high; }
