// Memory for zlib from an allocator, which zlib gets as `opaque`.
#ifndef FR_FILE_ZLIB_MEMORY_H
#define FR_FILE_ZLIB_MEMORY_H

#include "fureai/base.h"

#include <zlib.h>

// zlib gives no sizes back: each block carries its own in front.
typedef struct fr__zlib_block {
    _Alignas(16) size_t size;
} fr__zlib_block;

static inline voidpf fr__zlib_take(voidpf opaque, uInt items, uInt size) {
    size_t bytes = (size_t)items * size + sizeof(fr__zlib_block);
    fr__zlib_block *head = fr_allocate(opaque, 1, bytes, _Alignof(fr__zlib_block));
    if (head == NULL) { return Z_NULL; }
    head->size = bytes;
    return head + 1;
}

static inline void fr__zlib_give(voidpf opaque, voidpf address) {
    if (address == Z_NULL) { return; }
    fr__zlib_block *head = (fr__zlib_block *)address - 1;
    fr_deallocate(opaque, head, 1, head->size);
}

#endif
