// CRC-32, as gzip and PNG have it.
#include "checksum.h"

#include "bytes.h"

#define POLYNOMIAL UINT32_C(0xedb88320)

void fr__checksum_init(fr__checksum *sum) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) {
            value = (value >> 1) ^ ((value & 1) != 0 ? POLYNOMIAL : 0);
        }
        sum->table[0][i] = value;
    }
    // Row k is for a byte with k bytes after it, so that eight are taken at once.
    for (uint32_t i = 0; i < 256; i++) {
        for (int k = 1; k < 8; k++) {
            uint32_t before = sum->table[k - 1][i];
            sum->table[k][i] = (before >> 8) ^ sum->table[0][before & 255];
        }
    }
    sum->state = UINT32_MAX;
}

void fr__checksum_add(fr__checksum *sum, const void *bytes, size_t size) {
    const char *at = bytes;
    uint32_t state = sum->state;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t a = state ^ fr__load_u32(at, false), b = fr__load_u32(at + 4, false);
        state = sum->table[7][a & 255] ^ sum->table[6][a >> 8 & 255] ^ sum->table[5][a >> 16 & 255] ^
                sum->table[4][a >> 24] ^ sum->table[3][b & 255] ^ sum->table[2][b >> 8 & 255] ^
                sum->table[1][b >> 16 & 255] ^ sum->table[0][b >> 24];
    }
    for (; size > 0; size--, at++) {
        state = (state >> 8) ^ sum->table[0][(state ^ (unsigned char)*at) & 255];
    }
    sum->state = state;
}

uint32_t fr__checksum_take(fr__checksum *sum) {
    uint32_t result = ~sum->state;
    sum->state = UINT32_MAX;
    return result;
}
