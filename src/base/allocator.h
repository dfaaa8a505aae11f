// What the files of this room share about memory.
#ifndef FR_BASE_ALLOCATOR_H
#define FR_BASE_ALLOCATOR_H

#include "fureai/base.h"

// The C library's heap, whatever the process default is.
fr_allocator fr__heap_allocator(void);

// Where a pointer to no elements may point: never NULL, never read or written.
extern unsigned char fr__nothing[64];

#endif
