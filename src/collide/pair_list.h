// The list of triangle pairs that workers share: one writes it, all read it, while it grows.
//
// It stands in chunks that double, so nothing moves when it grows. The number of pairs written is published after the
// pairs themselves.
#ifndef FUREAI_COLLIDE_PAIR_LIST_H
#define FUREAI_COLLIDE_PAIR_LIST_H

#include "collide/candidate.h"

#include <stdatomic.h>

enum { FR__LIST_CHUNKS = 32, FR__LIST_FIRST = 4096 };

typedef struct fr__listed_candidate {
    uint32_t part_pair; // index in the plan
    fr__candidate candidate;
} fr__listed_candidate;

typedef struct fr__pair_list {
    fr__listed_candidate *chunks[FR__LIST_CHUNKS]; // chunk k holds FR__LIST_FIRST << k
    fr_allocator allocator;
    _Alignas(64) atomic_size_t written;
    _Alignas(64) atomic_size_t taken;
    atomic_bool has_writer; // a worker lists already
    atomic_bool is_whole;   // nothing more will be written
} fr__pair_list;

void fr__pair_list_make(fr__pair_list *list, const fr_allocator *allocator);
void fr__pair_list_free(fr__pair_list *list);

// Empties it for the next query; its memory stays.
void fr__pair_list_clear(fr__pair_list *list);

// Adds one pair; the writer only. False without memory.
bool fr__pair_list_put(fr__pair_list *list, fr__listed_candidate pair);

static inline size_t fr__pair_list_count(fr__pair_list *list) {
    return atomic_load_explicit(&list->written, memory_order_acquire);
}

// Pair i, which was written.
static inline fr__listed_candidate *fr__pair_list_at(fr__pair_list *list, size_t i) {
    size_t block = i / FR__LIST_FIRST + 1;
    int chunk = 63 - __builtin_clzll((unsigned long long)block);
    return &list->chunks[chunk][i - FR__LIST_FIRST * (((size_t)1 << chunk) - 1)];
}

#endif
