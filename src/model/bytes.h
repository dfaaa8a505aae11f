// Numbers in binary files, of either byte order, at any address.
#ifndef FUREAI_MODEL_BYTES_H
#define FUREAI_MODEL_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t fr__load_u16(const char *at, bool big_endian) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint16_t)(big_endian ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

static inline uint32_t fr__load_u32(const char *at, bool big_endian) {
    const unsigned char *b = (const unsigned char *)at;
    uint32_t little = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return big_endian ? __builtin_bswap32(little) : little;
}

static inline uint64_t fr__load_u64(const char *at, bool big_endian) {
    uint64_t first = fr__load_u32(at, big_endian), second = fr__load_u32(at + 4, big_endian);
    return big_endian ? first << 32 | second : second << 32 | first;
}

static inline float fr__load_float(const char *at, bool big_endian) {
    uint32_t bits = fr__load_u32(at, big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double fr__load_double(const char *at, bool big_endian) {
    uint64_t bits = fr__load_u64(at, big_endian);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void fr__store_u32(char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (char)(value >> (8 * i));
    }
}

static inline void fr__store_float(char *at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__store_u32(at, bits);
}

static inline void fr__store_double(char *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fr__store_u32(at, (uint32_t)bits);
    fr__store_u32(at + 4, (uint32_t)(bits >> 32));
}

#endif
