// The pool that lends the memory of trees again.
#include "space/pool.h"

#define ALIGN 64u

// The header in front of a block of memory; it links the free blocks.
struct fr__pool_block {
    size_t bytes; // of the memory behind the header
    fr__pool_block *next;
};

_Static_assert(sizeof(fr__pool_block) <= ALIGN, "the head of a block fits in front of an aligned address");

static void give_back(const fr__pool *pool, fr__pool_block *block) {
    fr_deallocate(&pool->allocator, block, ALIGN + block->bytes, 1);
}

// Takes the smallest free block that is large enough, unless it would waste too much.
static fr__pool_block *take_kept(fr__pool *pool, size_t bytes) {
    fr__pool_block **best = NULL;
    for (fr__pool_block **at = &pool->kept; *at != NULL; at = &(*at)->next) {
        size_t has = (*at)->bytes;
        if (has >= bytes && has / 4 <= bytes && (best == NULL || has < (*best)->bytes)) { best = at; }
    }
    if (best == NULL) { return NULL; }
    fr__pool_block *block = *best;
    *best = block->next;
    return block;
}

// Allocates half as much again as is wanted: the next tree over as many boxes is seldom larger than that.
static void *pool_alloc(size_t size, size_t align, void *user) {
    fr__pool *pool = user;
    FR_ASSERT(align <= ALIGN);
    (void)align;
    fr__pool_block *block = take_kept(pool, size);
    if (block == NULL) {
        size_t bytes = size <= PTRDIFF_MAX / 4 ? size + size / 2 : size;
        block = fr_allocate(&pool->allocator, ALIGN + bytes, 1, ALIGN);
        if (block == NULL) { return NULL; }
        block->bytes = bytes;
    }
    return (unsigned char *)block + ALIGN;
}

// The pool holds at most as many free blocks as two trees and their builder use.
static void pool_free(void *pointer, size_t size, void *user) {
    fr__pool *pool = user;
    (void)size;
    fr__pool_block *block = (fr__pool_block *)(void *)((unsigned char *)pointer - ALIGN);
    block->next = pool->kept;
    pool->kept = block;
    uint32_t count = 0;
    for (fr__pool_block **at = &pool->kept; *at != NULL; at = &(*at)->next) {
        if (++count <= 32) { continue; }
        fr__pool_block *oldest = *at;
        *at = oldest->next;
        give_back(pool, oldest);
        return;
    }
}

void fr__pool_make(fr__pool *pool, const fr_allocator *allocator) {
    pool->allocator = *allocator;
    pool->kept = NULL;
}

void fr__pool_free(fr__pool *pool) {
    while (pool->kept != NULL) {
        fr__pool_block *block = pool->kept;
        pool->kept = block->next;
        give_back(pool, block);
    }
}

fr_allocator fr__pool_allocator(fr__pool *pool) {
    fr_allocator allocator = {pool_alloc, pool_free, pool};
    return allocator;
}
