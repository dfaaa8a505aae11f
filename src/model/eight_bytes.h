// Eight bytes of text at once, the first one lowest. Where most of a file's bytes are spent on words, blanks and digits,
// this is what makes the readers fast; it needs no instruction set.
#ifndef FUREAI_MODEL_EIGHT_BYTES_H
#define FUREAI_MODEL_EIGHT_BYTES_H

#include <stdint.h>

#define FR__EIGHT_TOPS UINT64_C(0x8080808080808080)

// Compilers make one load of it.
static inline uint64_t fr__eight_load(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

// How many bytes come before the first one whose top bit is set in `marks`; 8 when none is.
static inline int fr__eight_count(uint64_t marks) {
    marks &= FR__EIGHT_TOPS;
    return marks != 0 ? __builtin_ctzll(marks) / 8 : 8;
}

// The top bit of each byte that is at most 0x20; its other bits mean nothing.
static inline uint64_t fr__eight_spaces(uint64_t bytes) {
    return ~(((bytes & ~FR__EIGHT_TOPS) + UINT64_C(0x5f5f5f5f5f5f5f5f)) | bytes);
}

// The top bit of the first byte that is no digit; what comes after it means nothing. `values` are the bytes with '0'
// taken off by exclusive or: a digit is at most 9, so that adding 0x76 neither sets its top bit nor carries.
static inline uint64_t fr__eight_others(uint64_t values) { return values | (values + UINT64_C(0x7676767676767676)); }

// The number that the first `count` (1 .. 8) of the values write in decimal: moved to the top, zeros in front of them;
// then pairs, fours and eights are added up.
static inline uint64_t fr__eight_decimal(uint64_t values, int count) {
    uint64_t eight = values << (8 * (8 - count));
    eight = (eight * 10 + (eight >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    eight = (eight * 100 + (eight >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (eight * 10000 + (eight >> 32)) & UINT64_C(0x00000000ffffffff);
}

#endif
