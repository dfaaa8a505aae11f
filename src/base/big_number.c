// Whole numbers of many words, for the last decision of the number reader.
#include "base/big_number.h"

#include "fureai/base.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

fr__big fr__big_make(uint64_t value) {
    fr__big big = {.count = value != 0};
    big.limbs[0] = value;
    return big;
}

void fr__big_multiply_add(fr__big *big, uint64_t factor, uint64_t term) {
    uint64_t carry = term;
    for (int i = 0; i < big->count; i++) {
        wide product = (wide)big->limbs[i] * factor + carry;
        big->limbs[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0) {
        FR_ASSERT(big->count < FR__BIG_LIMBS);
        big->limbs[big->count++] = carry;
    }
}

void fr__big_multiply_power_of_five(fr__big *big, int power) {
    const uint64_t five_to_27 = 7450580596923828125u;
    for (; power >= 27; power -= 27) {
        fr__big_multiply_add(big, five_to_27, 0);
    }
    uint64_t rest = 1;
    for (; power > 0; power--) {
        rest *= 5;
    }
    fr__big_multiply_add(big, rest, 0);
}

void fr__big_shift_left(fr__big *big, int bits) {
    if (big->count == 0) { return; }
    int whole = bits / 64, part = bits % 64;
    FR_ASSERT(big->count + whole < FR__BIG_LIMBS);
    if (part != 0) { fr__big_multiply_add(big, UINT64_C(1) << part, 0); }
    memmove(big->limbs + whole, big->limbs, (size_t)big->count * sizeof(big->limbs[0]));
    memset(big->limbs, 0, (size_t)whole * sizeof(big->limbs[0]));
    big->count += whole;
}

int fr__big_compare(const fr__big *a, const fr__big *b) {
    if (a->count != b->count) { return a->count < b->count ? -1 : 1; }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i]) { return a->limbs[i] < b->limbs[i] ? -1 : 1; }
    }
    return 0;
}
