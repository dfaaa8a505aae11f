// Whole numbers of up to 4224 bits, for the decimal numbers that 128 bits cannot decide. By value, no allocation.
#ifndef FR_BASE_BIG_NUMBER_H
#define FR_BASE_BIG_NUMBER_H

#include <stdint.h>

// The largest numbers met are 801 decimal digits times 2^1075, and 54 bits times 10^1126: 3740 bits.
#define FR__BIG_LIMBS 66

typedef struct fr__big {
    uint64_t limbs[FR__BIG_LIMBS]; // least significant first
    int count;                     // limbs in use; the last one is not 0; 0 for the number 0
} fr__big;

// The number `value`.
fr__big fr__big_make(uint64_t value);

// big = big * factor + term.
void fr__big_multiply_add(fr__big *big, uint64_t factor, uint64_t term);

// big = big * 5^power; power >= 0.
void fr__big_multiply_power_of_five(fr__big *big, int power);

// big = big * 2^bits; bits >= 0.
void fr__big_shift_left(fr__big *big, int bits);

// -1, 0 or 1 as a is less than, equal to or greater than b.
int fr__big_compare(const fr__big *a, const fr__big *b);

#endif
