// Reading decimal numbers.
//
// A number is w * 10^q with w a whole number of up to 19 digits. Where w and 10^|q| are doubles themselves, one
// multiplication or division rounds right (Clinger). Otherwise w is multiplied by the 128-bit power of ten below 10^q
// (Eisel, Lemire): the true value lies in a gap of 2^-128 of the product above it, so its rounding is known unless a
// point halfway between two floats lies in that gap too. That is left to whole numbers of any length, as is a number of
// more than 19 digits when w and w + 1 round differently.
#include "base/number.h"

#include "base/big_number.h"
#include "base/power_of_ten.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define MAX_DIGITS 19

// Digits that the exact comparison looks at; a point halfway between two doubles has at most 767.
#define EXACT_DIGITS 800

// A number as it stands in the text.
typedef struct decimal {
    uint64_t digits;  // the first MAX_DIGITS significant digits
    int64_t exponent; // the value is (digits + a fraction if `more`) * 10^exponent
    bool negative;
    bool more; // there are further digits; then all of them, and the point, stand in [first, last)
    const char *first;
    const char *last;
} decimal;

// What distinguishes float from double: bits after the leading one, exponent of the smallest subnormal, and the bits of
// infinity.
typedef struct width {
    int fraction_bits;
    int min_exponent;
    uint64_t infinity;
} width;

static const width double_width = {52, -1074, UINT64_C(0x7ff) << 52};
static const width float_width = {23, -149, UINT64_C(0xff) << 23};

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#define MAX_EXACT_POWER 22

// 10^-22 .. 10^22, each the nearest double.
static const double near_powers[] = {1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11,
                                     1e-10, 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,
                                     1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13,
                                     1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,  1e22};

// ---------------------------------------------------------------------------------------------------------------
// Text to digits and exponent

static inline bool is_digit(const char *at, const char *end) { return at < end && (unsigned char)(*at - '0') < 10; }

// Eight bytes of text, the first one lowest, with '0' taken off by exclusive or; compilers make one load of it.
static inline uint64_t load_eight(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    uint64_t bytes = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                     (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
    return bytes ^ UINT64_C(0x3030303030303030);
}

// How many of the eight are digits, from the first on. A digit is at most 9, so that adding 0x76 neither sets its top
// bit nor carries; what comes after the first that is none means nothing.
static inline int count_digits(uint64_t eight) {
    uint64_t others = (eight | (eight + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
    return others != 0 ? __builtin_ctzll(others) / 8 : 8;
}

// The number that the first `count` (1 .. 8) write: moved to the top, zeros in front of them; then pairs, fours and
// eights are added up.
static inline uint64_t decimal_of(uint64_t eight, int count) {
    eight <<= 8 * (8 - count);
    eight = (eight * 10 + (eight >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    eight = (eight * 100 + (eight >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (eight * 10000 + (eight >> 32)) & UINT64_C(0x00000000ffffffff);
}

// Appends the digits at `at`, up to 8 at once: a file's numbers mostly have 6 to 8 digits after the point. Returns
// where they end.
static inline const char *append_digits(const char *at, const char *end, uint64_t *digits) {
    static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    while (end - at >= 8) {
        uint64_t eight = load_eight(at);
        int count = count_digits(eight);
        if (count == 0) { return at; }
        *digits = *digits * powers[count] + decimal_of(eight, count);
        at += count;
        if (count < 8) { return at; }
    }
    for (; is_digit(at, end); at++) {
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    }
    return at;
}

// Reads an exponent at 'e', when there is one; saturates far outside of every range.
static const char *read_exponent(const char *at, const char *end, int64_t *exponent) {
    const char *digit = at + 1;
    bool negative = false;
    if (digit < end && (*digit == '-' || *digit == '+')) { negative = *digit++ == '-'; }
    if (!is_digit(digit, end)) { return at; }
    int64_t value = 0;
    for (; is_digit(digit, end); digit++) {
        if (value < INT64_C(100000000000000000)) { value = value * 10 + (*digit - '0'); }
    }
    *exponent += negative ? -value : value;
    return digit;
}

// Takes the first 19 significant digits of a number that has more than 19 digits, zeros in front included.
static void cut_digits(decimal *number, int64_t exponent, int64_t digits_after_point) {
    const char *at = number->first;
    int64_t left = number->last - number->first - (memchr(at, '.', (size_t)(number->last - at)) != NULL);
    while (*at == '0' || *at == '.') {
        left -= *at++ == '0';
        if (left == 0) { break; }
    }
    uint64_t digits = 0;
    int taken = 0;
    for (; left > 0 && taken < MAX_DIGITS; at++) {
        if (*at == '.') { continue; }
        digits = digits * 10 + (uint64_t)(*at - '0');
        taken++;
        left--;
    }
    number->digits = digits;
    number->more = left > 0;
    number->exponent = exponent - digits_after_point + left;
}

// Reads a decimal at *at; false when there is none.
static inline bool read_decimal(const char **at, const char *end, decimal *number) {
    const char *p = *at;
    number->negative = false;
    if (p < end && (*p == '-' || *p == '+')) { number->negative = *p++ == '-'; }

    // The digits may overflow here; then there are more than 19 of them and they are read again.
    uint64_t digits = 0;
    number->first = p;
    for (; is_digit(p, end); p++) {
        digits = digits * 10 + (uint64_t)(*p - '0');
    }
    int64_t digit_count = p - number->first;
    int64_t digits_after_point = 0;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = append_digits(p, end, &digits);
        digits_after_point = p - fraction;
        digit_count += digits_after_point;
    }
    if (digit_count == 0) { return false; }
    number->last = p;

    int64_t exponent = 0;
    if (p < end && (*p | 0x20) == 'e') { p = read_exponent(p, end, &exponent); }
    *at = p;
    number->digits = digits;
    number->more = false;
    number->exponent = exponent - digits_after_point;
    if (digit_count > MAX_DIGITS) { cut_digits(number, exponent, digits_after_point); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Digits and exponent to bits

// A value between two neighbours of a width, before rounding: `below` * 2^exponent <= value.
typedef struct rounding {
    uint64_t below;
    int exponent;
    enum { ROUND_DOWN, ROUND_UP, ROUND_UNKNOWN } direction;
} rounding;

// The bits of below * 2^exponent: adding to the exponent's field carries a leading one, and a fraction that rounded up
// to the next power of two, into the right place.
static inline uint64_t bits_of(uint64_t below, int exponent, const width *w) {
    uint64_t bits = below + ((uint64_t)(exponent - w->min_exponent) << w->fraction_bits);
    return bits < w->infinity ? bits : w->infinity;
}

static inline uint64_t rounded(const rounding *r, const width *w) {
    return bits_of(r->below + (r->direction == ROUND_UP), r->exponent, w);
}

// Rounds digits * 10^q; digits > 0, q within the table.
static inline rounding round_product(uint64_t digits, int q, const width *w) {
    // Stage 1: the product of 64 and 128 bits, and its binary exponent: value >= top * 2^top_exponent.
    int zeros = __builtin_clzll(digits);
    uint64_t factor = digits << zeros;
    fr__power power = fr__powers[q - FR__MIN_POWER];
    wide low = (wide)factor * power.low;
    wide high = (wide)factor * power.high + (uint64_t)(low >> 64);
    uint64_t top = (uint64_t)(high >> 64), middle = (uint64_t)high, bottom = (uint64_t)low;
    int top_exponent = fr__power_exponent(q) + 1 - zeros;

    // Stage 2: how many bits of `top` lie below the last one that is kept.
    int leading = 63 - __builtin_clzll(top);
    int exponent = top_exponent + leading - w->fraction_bits;
    if (exponent < w->min_exponent) { exponent = w->min_exponent; }
    int shift = exponent - top_exponent;
    rounding result = {0, exponent, ROUND_DOWN};
    if (shift > 64) { return result; }
    result.below = shift < 64 ? top >> shift : 0;
    uint64_t cut = shift < 64 ? top & ((UINT64_C(1) << shift) - 1) : top;
    uint64_t half = UINT64_C(1) << (shift - 1);

    // Stage 3: on which side of the half. The true value exceeds the product by less than `factor` in its last place.
    bool exact = fr__power_is_exact(q);
    if (cut == half && (middle | bottom) == 0 && exact) {
        result.direction = (result.below & 1) != 0 ? ROUND_UP : ROUND_DOWN;
    } else if (cut >= half) {
        result.direction = ROUND_UP;
    } else if (cut == half - 1 && middle == UINT64_MAX && bottom + factor < bottom && !exact) {
        result.direction = ROUND_UNKNOWN;
    }
    return result;
}

// All digits of a decimal as one whole number, times 10^*ten. Digits beyond those that can matter become one last digit
// 1, which says that there is something.
static fr__big all_digits(const decimal *number, int *ten) {
    *ten = (int)number->exponent;
    if (!number->more) { return fr__big_make(number->digits); }
    fr__big digits = fr__big_make(0);
    int taken = 0;
    bool rest = false;
    for (const char *at = number->first; at < number->last; at++) {
        if (*at == '.' || (taken == 0 && *at == '0')) { continue; }
        if (taken < EXACT_DIGITS) {
            fr__big_multiply_add(&digits, 10, (uint64_t)(*at - '0'));
            taken++;
        } else if (*at != '0') {
            rest = true;
            break;
        }
    }
    *ten -= taken - MAX_DIGITS;
    if (rest) {
        fr__big_multiply_add(&digits, 10, 1);
        *ten -= 1;
    }
    return digits;
}

// Compares the decimal, all its digits, with (below + 1/2) * 2^exponent: both times the powers that make them whole.
static int compare_with_half(const decimal *number, const rounding *r) {
    int ten;
    fr__big digits = all_digits(number, &ten);
    fr__big half = fr__big_make(2 * r->below + 1);
    if (ten >= 0) {
        fr__big_multiply_power_of_five(&digits, ten);
    } else {
        fr__big_multiply_power_of_five(&half, -ten);
    }
    int two = r->exponent - 1 - ten;
    if (two >= 0) {
        fr__big_shift_left(&half, two);
    } else {
        fr__big_shift_left(&digits, -two);
    }
    return fr__big_compare(&digits, &half);
}

// The bits of a decimal in a width, without its sign.
static uint64_t convert(const decimal *number, const width *w) {
    if (number->digits == 0 || number->exponent < FR__MIN_POWER) { return 0; }
    if (number->exponent > 308) { return w->infinity; }
    int q = (int)number->exponent;
    rounding r = round_product(number->digits, q, w);
    if (number->more && r.direction != ROUND_UNKNOWN) {
        rounding next = round_product(number->digits + 1, q, w);
        if (next.direction == ROUND_UNKNOWN || rounded(&next, w) != rounded(&r, w)) { r.direction = ROUND_UNKNOWN; }
    }
    if (r.direction == ROUND_UNKNOWN) {
        int side = compare_with_half(number, &r);
        r.direction = side > 0 || (side == 0 && (r.below & 1) != 0) ? ROUND_UP : ROUND_DOWN;
    }
    return rounded(&r, w);
}

static inline double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float float_of(uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return value;
}

// Right by one rounding when digits and power are doubles; false when they are not.
static inline bool quick_double(uint64_t digits, int64_t exponent, double *value) {
    if (digits >> 53 != 0 || exponent < -MAX_EXACT_POWER || exponent > MAX_EXACT_POWER) { return false; }
    double whole = (double)(int64_t)digits;
    *value = exponent < 0 ? whole / exact_powers[-exponent] : whole * exact_powers[exponent];
    return true;
}

// A double within 2 units of its last place, rounded once more. It and the number lie on the same side of every point
// halfway between two floats, unless it is within 2 units of such a point: then its last 29 bits are near 0x10000000.
static inline bool quick_float(uint64_t digits, int64_t exponent, float *value) {
    if (digits >> 53 != 0 || exponent < -MAX_EXACT_POWER || exponent > MAX_EXACT_POWER) { return false; }
    double near_value = (double)(int64_t)digits * near_powers[exponent + MAX_EXACT_POWER];
    uint64_t bits;
    memcpy(&bits, &near_value, sizeof bits);
    if (((bits + 4 - 0x10000000) & 0x1fffffff) <= 8) { return false; }
    *value = (float)near_value;
    return true;
}

double fr__number_compose_double(uint64_t digits, int exponent) {
    double value;
    if (quick_double(digits, exponent, &value)) { return value; }
    decimal number = {.digits = digits, .exponent = exponent};
    return double_of(convert(&number, &double_width));
}

float fr__number_compose_float(uint64_t digits, int exponent) {
    float value;
    if (quick_float(digits, exponent, &value)) { return value; }
    decimal number = {.digits = digits, .exponent = exponent};
    return float_of(convert(&number, &float_width));
}

// ---------------------------------------------------------------------------------------------------------------
// The readers

// Why there is no number at `at`.
static fr_number_result no_number(const char *at, const char *end) {
    if (at < end && (*at == '-' || *at == '+')) { at++; }
    if (at >= end) { return FR_NUMBER_MISSING; }
    char letter = (char)(*at | 0x20);
    return letter == 'n' || letter == 'i' ? FR_NUMBER_NAMED : FR_NUMBER_MISSING;
}

fr_number_result fr_number_read(const char **at, const char *end, double *value) {
    decimal number;
    const char *p = *at;
    if (!read_decimal(&p, end, &number)) { return no_number(*at, end); }
    double result;
    if (number.more || !quick_double(number.digits, number.exponent, &result)) {
        uint64_t bits = convert(&number, &double_width);
        if (bits == double_width.infinity) { return FR_NUMBER_HUGE; }
        result = double_of(bits);
    }
    *at = p;
    *value = number.negative ? -result : result;
    return FR_NUMBER_OK;
}

fr_number_result fr_number_read_float(const char **at, const char *end, float *value) {
    decimal number;
    const char *p = *at;
    if (!read_decimal(&p, end, &number)) { return no_number(*at, end); }
    float result;
    if (number.more || !quick_float(number.digits, number.exponent, &result)) {
        uint64_t bits = convert(&number, &float_width);
        if (bits == float_width.infinity) { return FR_NUMBER_HUGE; }
        result = float_of(bits);
    }
    *at = p;
    *value = number.negative ? -result : result;
    return FR_NUMBER_OK;
}

// Digits of which there are too many to be sure that they fit.
static uint64_t saturate(const char *first, const char *last, uint64_t most) {
    uint64_t result = 0;
    for (; first < last; first++) {
        uint64_t digit = (uint64_t)(*first - '0');
        result = result > (most - digit) / 10 ? most : result * 10 + digit;
    }
    return result;
}

bool fr_number_read_whole(const char **at, const char *end, int64_t *value) {
    const char *p = *at;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) { negative = *p++ == '-'; }
    const char *first = p;
    uint64_t result = 0;
    for (; is_digit(p, end); p++) {
        result = result * 10 + (uint64_t)(*p - '0');
    }
    if (p == first) { return false; }
    if (p - first > 18) { result = saturate(first, p, UINT64_C(1) << 62); }
    *at = p;
    *value = negative ? -(int64_t)result : (int64_t)result;
    return true;
}
