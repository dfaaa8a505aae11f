// CRC-32 as gzip and PNG have it.
#ifndef FUREAI_MODEL_CHECKSUM_H
#define FUREAI_MODEL_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct fr__checksum {
    uint32_t table[8][256];
    uint32_t state;
} fr__checksum;

void fr__checksum_init(fr__checksum *sum);
void fr__checksum_add(fr__checksum *sum, const void *bytes, size_t size);

// The sum of what was added since the last call.
uint32_t fr__checksum_take(fr__checksum *sum);

#endif
