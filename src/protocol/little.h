// Numbers of up to 8 bytes in a message, the lowest byte first.
#ifndef FUREAI_PROTOCOL_LITTLE_H
#define FUREAI_PROTOCOL_LITTLE_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t fr__get_little(const unsigned char *bytes, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

static inline void fr__put_little(unsigned char *bytes, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
}

#endif
