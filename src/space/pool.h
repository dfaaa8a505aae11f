// A pool of free memory blocks. Trees are built again and again at about the same sizes, and a warm step must not call
// the allocator.
#ifndef FUREAI_SPACE_POOL_H
#define FUREAI_SPACE_POOL_H

#include "fureai/base.h"

typedef struct fr__pool_block fr__pool_block;

typedef struct fr__pool {
    fr_allocator allocator;
    fr__pool_block *kept; // the free blocks
} fr__pool;

void fr__pool_make(fr__pool *pool, const fr_allocator *allocator);

// Returns all free blocks to the allocator.
void fr__pool_free(fr__pool *pool);

// The pool as an allocator, for one thread at a time and alignments up to 64. It is valid while the pool stays at its
// address.
fr_allocator fr__pool_allocator(fr__pool *pool);

#endif
