// Zeroed memory from an allocator.
#ifndef FR_CLASH_ZEROED_H
#define FR_CLASH_ZEROED_H

#include "fureai/base.h"

#include <string.h>

// `count` elements of `size` bytes, all zero, or NULL when there is no memory. fr_deallocate gives them back.
static inline void *fr__zeroed(const fr_allocator *allocator, size_t count, size_t size) {
    void *memory = fr_allocate(allocator, count, size, 16);
    if (memory != NULL) { memset(memory, 0, count * size); }
    return memory;
}

#endif
