// Eight bytes of text at once, the first one lowest. Where most of a file's bytes are spent on words and blanks,
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

#endif
