// Writing decimal numbers.
//
// For a number of digits the nearest decimal comes from one product with a 128-bit power of ten; whether it is good
// enough is found by trying the reader, so what is written reads back to the same bits by construction. Float tries 6
// to 9 digits, double 15 to 17: every decimal of 6 or 15 digits survives being read, and 9 or 17 distinguish all
// neighbours.
#include "base/number.h"

#include "base/power_of_ten.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static const uint64_t whole_powers[] = {1u,
                                        10u,
                                        100u,
                                        1000u,
                                        10000u,
                                        100000u,
                                        1000000u,
                                        10000000u,
                                        100000000u,
                                        1000000000u,
                                        10000000000u,
                                        100000000000u,
                                        1000000000000u,
                                        10000000000000u,
                                        100000000000000u,
                                        1000000000000000u,
                                        10000000000000000u,
                                        100000000000000000u};

// A positive number as fraction * 2^exponent, the top bit of fraction set.
typedef struct binary {
    uint64_t fraction;
    int exponent;
} binary;

static binary binary_of(double value) {
    int exponent;
    double fraction = frexp(value, &exponent);
    return (binary){(uint64_t)(fraction * 0x1p63) << 1, exponent - 64};
}

// value * 10^power to the nearest whole number, which is below 2^60; now and then its neighbour.
static uint64_t scaled(binary value, int power) {
    fr__power ten = fr__powers[power - FR__MIN_POWER];
    wide low = (wide)value.fraction * ten.low;
    wide high = (wide)value.fraction * ten.high + (uint64_t)(low >> 64);
    int shift = -(value.exponent + fr__power_exponent(power) + 1);
    uint64_t top = (uint64_t)(high >> 64);
    return shift > 63 ? 0 : (top >> shift) + ((top >> (shift - 1)) & 1);
}

// The power of ten of the leading digit, from the binary exponent: the estimate is right or one too small.
static int leading_power(binary value) {
    int power = ((value.exponent + 63) * 78913) >> 18;
    if (power > 307) { return 308; }
    return scaled(value, 16 - power) >= whole_powers[17] ? power + 1 : power;
}

size_t fr_number_write_whole(uint64_t value, char text[FR_NUMBER_BYTES]) {
    char reversed[FR_NUMBER_BYTES];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (size_t i = 0; i < length; i++) {
        text[i] = reversed[length - 1 - i];
    }
    return length;
}

// Digits from left to right, padded with zeros in front to `count`.
static void put_digits(uint64_t digits, int count, char *text) {
    for (int i = count - 1; i >= 0; i--) {
        text[i] = (char)('0' + digits % 10);
        digits /= 10;
    }
}

// digits (count of them) with the point after the first one, times 10^power; with an exponent when there would be more
// than `most` digits before the point or 5 zeros after it.
static size_t put_number(uint64_t digits, int count, int power, int most, bool negative, char *text) {
    while (digits % 10 == 0 && count > 1) {
        digits /= 10;
        count--;
    }
    char *at = text;
    if (negative) { *at++ = '-'; }
    if (power >= 0 && power < most) {
        int before = power + 1;
        int taken = count < before ? count : before;
        char all[FR_NUMBER_BYTES];
        put_digits(digits, count, all);
        memcpy(at, all, (size_t)taken);
        memset(at + taken, '0', (size_t)(before - taken));
        at += before;
        if (count > before) {
            *at++ = '.';
            memcpy(at, all + before, (size_t)(count - before));
            at += count - before;
        }
    } else if (power < 0 && power >= -5) {
        memcpy(at, "0.0000", 6);
        at += 1 - power;
        put_digits(digits, count, at);
        at += count;
    } else {
        put_digits(digits, count, at + 1);
        at[0] = at[1];
        at[1] = '.';
        at += count > 1 ? count + 1 : 1;
        *at++ = 'e';
        if (power < 0) { *at++ = '-'; }
        at += fr_number_write_whole((uint64_t)(power < 0 ? -power : power), at);
    }
    return (size_t)(at - text);
}

static size_t put_zero(bool negative, char *text) {
    memcpy(text, "-0", 2);
    if (!negative) { text[0] = '0'; }
    return negative ? 2 : 1;
}

size_t fr_number_write(double value, char text[FR_NUMBER_BYTES]) {
    bool negative = signbit(value) != 0;
    double size = fabs(value);
    if (size == 0.0) { return put_zero(negative, text); }
    binary split = binary_of(size);
    int leading = leading_power(split);
    // A subnormal has fewer bits, and may need fewer digits.
    for (int count = size < DBL_MIN ? 1 : 15;; count++) {
        int power = leading;
        uint64_t digits = scaled(split, count - 1 - leading);
        if (digits >= whole_powers[count]) {
            digits /= 10;
            power++;
        }
        if (count == 17 || fr__number_compose_double(digits, power - count + 1) == size) {
            return put_number(digits, count, power, 17, negative, text);
        }
    }
}

size_t fr_number_write_float(float value, char text[FR_NUMBER_BYTES]) {
    bool negative = signbit(value) != 0;
    float size = fabsf(value);
    if (size == 0.0f) { return put_zero(negative, text); }
    binary split = binary_of((double)size);
    int leading = leading_power(split);
    for (int count = size < FLT_MIN ? 1 : 6;; count++) {
        int power = leading;
        uint64_t digits = scaled(split, count - 1 - leading);
        if (digits >= whole_powers[count]) {
            digits /= 10;
            power++;
        }
        if (count == 9 || fr__number_compose_float(digits, power - count + 1) == size) {
            return put_number(digits, count, power, 9, negative, text);
        }
    }
}
