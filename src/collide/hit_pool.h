// Where workers put what they find: blocks that go from a shared store to the worker that needs one.
//
// Which worker finds how much changes from run to run. Blocks are taken by whoever needs them, so what one question
// used is enough for the next one that finds no more, whoever finds it.
#ifndef FUREAI_COLLIDE_HIT_POOL_H
#define FUREAI_COLLIDE_HIT_POOL_H

#include "collide/keyed.h"
#include "fureai/base.h"

#include <stdatomic.h>

enum { FR__HITS_A_BLOCK = 510 };

typedef struct fr__hit_block {
    _Atomic(struct fr__hit_block *) next; // atomic, since who comes too late for a block still looks at it
    size_t count;
    fr__keyed hits[FR__HITS_A_BLOCK];
} fr__hit_block;

typedef struct fr__hit_pool {
    _Atomic(fr__hit_block *) store; // blocks that nobody uses; during a question they are only taken
    size_t block_count;             // all there are while no question runs
    atomic_size_t made;             // blocks allocated since the last give-back
    fr_allocator allocator;
} fr__hit_pool;

// What one worker holds: the block it fills, before those that are full. NULL: none yet.
typedef fr__hit_block *fr__hit_list;

void fr__hit_pool_make(fr__hit_pool *pool, const fr_allocator *allocator);
void fr__hit_pool_free(fr__hit_pool *pool);

// Puts a fresh block before the list; any thread. False without memory.
bool fr__hit_list_grow(fr__hit_pool *pool, fr__hit_list *list);

static inline bool fr__hit_put(fr__hit_pool *pool, fr__hit_list *list, uint64_t key, uint64_t value) {
    if ((*list == NULL || (*list)->count == FR__HITS_A_BLOCK) && !fr__hit_list_grow(pool, list)) { return false; }
    (*list)->hits[(*list)->count++] = (fr__keyed){key, value};
    return true;
}

// Gives a list's blocks back; one thread, while no question runs.
void fr__hit_list_give_back(fr__hit_pool *pool, fr__hit_list *list);

// Sees to it that `count` hits, spread in any way over `workers`, need no allocation; one thread, while no question
// runs and all blocks are given back. What there is no memory for now is asked for again when it is needed.
void fr__hit_pool_provide(fr__hit_pool *pool, size_t count, size_t workers);

#endif
