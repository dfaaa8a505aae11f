// Powers of ten to 128 bits, for reading and writing decimal numbers.
#ifndef FR_BASE_POWER_OF_TEN_H
#define FR_BASE_POWER_OF_TEN_H

#include <stdbool.h>
#include <stdint.h>

#define FR__MIN_POWER (-342)
#define FR__MAX_POWER 342

// 10^q = (high : low + r) * 2^(fr__power_exponent(q) - 127) with 0 <= r < 1, and the top bit of `high` set.
typedef struct fr__power {
    uint64_t high, low;
} fr__power;

// For q from FR__MIN_POWER to FR__MAX_POWER, at index q - FR__MIN_POWER.
extern const fr__power fr__powers[FR__MAX_POWER - FR__MIN_POWER + 1];

// The largest e with 2^e <= 10^q. 217706 / 2^16 is log2(10) closely enough for every q of the table.
static inline int fr__power_exponent(int q) { return (q * 217706) >> 16; }

// Whether r is 0: 5^q fits in 128 bits.
static inline bool fr__power_is_exact(int q) { return q >= 0 && q <= 55; }

#endif
