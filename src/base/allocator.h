// What the files of this room share about memory.
#ifndef FR_BASE_ALLOCATOR_H
#define FR_BASE_ALLOCATOR_H

#include "fureai/base.h"

// The C library's heap, whatever the process default is.
fr_allocator fr__heap_allocator(void);

// Where a pointer to no elements may point: never NULL, never read or written.
extern unsigned char fr__nothing[64];

// How many bytes growth has copied so far in this process: what a full array or table held when it moved into a larger
// block. Tests look at it before and after a call. Safe from several threads.
uint64_t fr__copied_bytes(void);
void fr__copied_add(size_t bytes);

#endif
