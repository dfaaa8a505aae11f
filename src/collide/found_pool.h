// Where workers put what they find: blocks that go from a shared store to the worker that needs one.
//
// Which worker finds how much changes from run to run. Blocks are taken by the worker that needs them, so what one
// query used is enough for the next one that finds no more, whichever worker finds it.
#ifndef FUREAI_COLLIDE_FOUND_POOL_H
#define FUREAI_COLLIDE_FOUND_POOL_H

#include "collide/found.h"
#include "fureai/base.h"

#include <stdatomic.h>

enum { FR__FOUND_A_BLOCK = 510 };

typedef struct fr__found_block {
    _Atomic(struct fr__found_block *) next; // atomic, since a worker that comes too late for a block still reads it
    size_t count;
    fr__found found[FR__FOUND_A_BLOCK];
} fr__found_block;

typedef struct fr__found_pool {
    _Atomic(fr__found_block *) store; // blocks that no worker holds; during a query they are only taken
    size_t block_count;               // all there are while no query runs
    atomic_size_t made;               // blocks allocated since the last give-back
    fr_allocator allocator;
} fr__found_pool;

// What one worker holds: the block it fills, before those that are full. NULL: none yet.
typedef fr__found_block *fr__found_list;

void fr__found_pool_make(fr__found_pool *pool, const fr_allocator *allocator);
void fr__found_pool_free(fr__found_pool *pool);

// Puts a fresh block before the list; any thread. False without memory.
bool fr__found_list_grow(fr__found_pool *pool, fr__found_list *list);

static inline bool fr__found_put(fr__found_pool *pool, fr__found_list *list, fr__found found) {
    if ((*list == NULL || (*list)->count == FR__FOUND_A_BLOCK) && !fr__found_list_grow(pool, list)) { return false; }
    (*list)->found[(*list)->count++] = found;
    return true;
}

// Gives a list's blocks back; one thread, while no query runs.
void fr__found_list_give_back(fr__found_pool *pool, fr__found_list *list);

// Makes sure that `count` records, spread in any manner over `workers`, need no allocation; one thread, while no query
// runs and all blocks are given back. What there is no memory for now is allocated when it is needed.
void fr__found_pool_provide(fr__found_pool *pool, size_t count, size_t workers);

#endif
