// The store of blocks that workers put what they find into.
#include "collide/found_pool.h"

void fr__found_pool_make(fr__found_pool *pool, const fr_allocator *allocator) {
    atomic_init(&pool->store, NULL);
    atomic_init(&pool->made, 0);
    pool->block_count = 0;
    pool->allocator = *allocator;
}

void fr__found_pool_free(fr__found_pool *pool) {
    fr__found_block *block = atomic_load(&pool->store);
    while (block != NULL) {
        fr__found_block *next = atomic_load_explicit(&block->next, memory_order_relaxed);
        fr_deallocate(&pool->allocator, block, 1, sizeof *block);
        block = next;
    }
    atomic_store(&pool->store, NULL);
}

// While a query runs nothing is put back, so a block that is at the top was there all the time: comparing the
// pointer is enough. The `next` of a block that another worker takes meanwhile may be read, and is then not used.
static fr__found_block *take(fr__found_pool *pool) {
    fr__found_block *block = atomic_load_explicit(&pool->store, memory_order_acquire), *next;
    do {
        if (block == NULL) { break; }
        next = atomic_load_explicit(&block->next, memory_order_relaxed);
    } while (
        !atomic_compare_exchange_weak_explicit(&pool->store, &block, next, memory_order_acquire, memory_order_acquire));
    if (block != NULL) { return block; }
    block = fr_allocate(&pool->allocator, 1, sizeof *block, 64);
    if (block != NULL) { atomic_fetch_add_explicit(&pool->made, 1, memory_order_relaxed); }
    return block;
}

bool fr__found_list_grow(fr__found_pool *pool, fr__found_list *list) {
    fr__found_block *block = take(pool);
    if (block == NULL) { return false; }
    atomic_store_explicit(&block->next, *list, memory_order_relaxed);
    block->count = 0;
    *list = block;
    return true;
}

static void put_back(fr__found_pool *pool, fr__found_block *block) {
    atomic_store_explicit(&block->next, atomic_load_explicit(&pool->store, memory_order_relaxed), memory_order_relaxed);
    atomic_store_explicit(&pool->store, block, memory_order_release);
}

void fr__found_list_give_back(fr__found_pool *pool, fr__found_list *list) {
    while (*list != NULL) {
        fr__found_block *block = *list;
        *list = atomic_load_explicit(&block->next, memory_order_relaxed);
        put_back(pool, block);
    }
    pool->block_count += atomic_exchange_explicit(&pool->made, 0, memory_order_relaxed);
}

void fr__found_pool_provide(fr__found_pool *pool, size_t count, size_t workers) {
    if (workers < 2) { return; }
    size_t wanted = count / FR__FOUND_A_BLOCK + workers + 1;
    while (pool->block_count < wanted) {
        fr__found_block *block = fr_allocate(&pool->allocator, 1, sizeof *block, 64);
        if (block == NULL) { return; }
        put_back(pool, block);
        pool->block_count++;
    }
}
