// The product of two 64-bit numbers in 128 bits, for random numbers and hashes.
#ifndef FR_BASE_MULTIPLY_H
#define FR_BASE_MULTIPLY_H

#include <stdint.h>

typedef struct fr__product {
    uint64_t low;
    uint64_t high;
} fr__product;

// By the schoolbook, in halves: for compilers without a 128-bit type, and to test the other one against.
static inline fr__product fr__multiply_in_halves(uint64_t a, uint64_t b) {
    uint64_t a_low = a & 0xFFFFFFFFu, a_high = a >> 32;
    uint64_t b_low = b & 0xFFFFFFFFu, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t cross = a_high * b_low + (low >> 32);
    uint64_t middle = a_low * b_high + (cross & 0xFFFFFFFFu);
    return (fr__product){
        .low = (middle << 32) | (low & 0xFFFFFFFFu),
        .high = a_high * b_high + (cross >> 32) + (middle >> 32),
    };
}

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 fr__uint128;

static inline fr__product fr__multiply(uint64_t a, uint64_t b) {
    fr__uint128 product = (fr__uint128)a * b;
    return (fr__product){.low = (uint64_t)product, .high = (uint64_t)(product >> 64)};
}

#else

static inline fr__product fr__multiply(uint64_t a, uint64_t b) { return fr__multiply_in_halves(a, b); }

#endif

#endif
