// Pseudo-random numbers that are the same on every machine.
#include "base/multiply.h"
#include "fureai/base.h"

#include <float.h>

static uint64_t rotate_left(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

// splitmix64 (Steele, Lea, Flood 2014): spreads a seed over the state, as the authors of xoshiro advise. Four values in
// a row are never all zero, the one state xoshiro must not have.
static uint64_t split_mix(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

fr_random fr_random_seed(uint64_t seed) {
    fr_random random;
    for (int i = 0; i < 4; ++i) {
        random.state[i] = split_mix(&seed);
    }
    return random;
}

// xoshiro256++ 1.0 (Blackman, Vigna 2019).
uint64_t fr_random_bits(fr_random *random) {
    uint64_t *s = random->state;
    uint64_t bits = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return bits;
}

double fr_random_unit(fr_random *random) { return (double)(fr_random_bits(random) >> 11) * 0x1p-53; }

double fr_random_between(fr_random *random, double low, double high) {
    FR_ASSERT(-DBL_MAX <= low && low <= high && high <= DBL_MAX);

    // The width of the widest intervals is infinite; halves of the ends never overflow.
    double unit = fr_random_unit(random);
    double width = high - low;
    double x = width <= DBL_MAX ? low + unit * width : 2.0 * (0.5 * low + unit * (0.5 * high - 0.5 * low));

    // A width that was rounded up can carry the sum over the end.
    return x < low ? low : (x > high ? high : x);
}

double fr_random_normal(fr_random *random) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += fr_random_unit(random);
    }
    return sum;
}

uint64_t fr_random_below(fr_random *random, uint64_t count) {
    if (count == 0) { return 0; }

    // Lemire 2019: the high half of bits * count is the result. Each result has floor(2^64 / count) values of bits or
    // one more; the 2^64 mod count values too many are those whose low half is below that remainder.
    fr__product product = fr__multiply(fr_random_bits(random), count);
    if (product.low < count) {
        uint64_t remainder = (0u - count) % count;
        while (product.low < remainder) {
            product = fr__multiply(fr_random_bits(random), count);
        }
    }
    return product.high;
}
