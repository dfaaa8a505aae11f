// Memory that is kept for the next taker: trees are built again and again at about the same sizes, and a warm step
// must not ask the allocator.
#ifndef FUREAI_SPACE_POOL_H
#define FUREAI_SPACE_POOL_H

#include "fureai/base.h"

typedef struct fr__pool_block fr__pool_block;

typedef struct fr__pool {
    fr_allocator allocator;
    fr__pool_block *kept; // given back and not yet taken again
} fr__pool;

void fr__pool_make(fr__pool *pool, const fr_allocator *allocator);

// Gives everything that is kept back to the allocator.
void fr__pool_free(fr__pool *pool);

// The pool as an allocator, for one thread at a time and alignments up to 64; valid while the pool stays where it is.
fr_allocator fr__pool_allocator(fr__pool *pool);

#endif
