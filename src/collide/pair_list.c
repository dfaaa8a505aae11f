// The list of candidates that one worker writes while all read it.
#include "collide/pair_list.h"

#include <string.h>

void fr__pair_list_make(fr__pair_list *list, const fr_allocator *allocator) {
    memset(list->chunks, 0, sizeof list->chunks);
    list->allocator = *allocator;
    atomic_init(&list->written, 0);
    atomic_init(&list->taken, 0);
    atomic_init(&list->has_writer, false);
    atomic_init(&list->is_whole, false);
}

void fr__pair_list_free(fr__pair_list *list) {
    for (int k = 0; k < FR__LIST_CHUNKS; k++) {
        fr_deallocate(&list->allocator, list->chunks[k], (size_t)FR__LIST_FIRST << k, sizeof(fr__listed_candidate));
        list->chunks[k] = NULL;
    }
}

void fr__pair_list_clear(fr__pair_list *list) {
    atomic_store(&list->written, 0);
    atomic_store(&list->taken, 0);
    atomic_store(&list->has_writer, false);
    atomic_store(&list->is_whole, false);
}

bool fr__pair_list_put(fr__pair_list *list, fr__listed_candidate pair) {
    size_t i = atomic_load_explicit(&list->written, memory_order_relaxed);
    int chunk = 63 - __builtin_clzll((unsigned long long)(i / FR__LIST_FIRST + 1));
    if (chunk >= FR__LIST_CHUNKS) { return false; }
    if (list->chunks[chunk] == NULL) {
        list->chunks[chunk] = fr_allocate(&list->allocator, (size_t)FR__LIST_FIRST << chunk, sizeof pair, 64);
        if (list->chunks[chunk] == NULL) { return false; }
    }
    *fr__pair_list_at(list, i) = pair;
    atomic_store_explicit(&list->written, i + 1, memory_order_release);
    return true;
}
