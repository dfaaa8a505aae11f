// The list of results of the judge of a step, which all workers add to.
#include "collide/result_list.h"

void fr__result_list_make(fr__result_list *list, const fr_allocator *allocator) {
    for (int k = 0; k < FR__RESULT_CHUNKS; k++) {
        atomic_init(&list->chunks[k], NULL);
    }
    atomic_init(&list->count, 0);
    list->allocator = *allocator;
}

void fr__result_list_free(fr__result_list *list) {
    for (int k = 0; k < FR__RESULT_CHUNKS; k++) {
        fr_deallocate(&list->allocator, atomic_load(&list->chunks[k]), (size_t)FR__RESULT_FIRST << k,
                      sizeof(fr_time_output));
        atomic_store(&list->chunks[k], NULL);
    }
}

void fr__result_list_clear(fr__result_list *list) { atomic_store(&list->count, 0); }

static int chunk_of(uint32_t i) { return 31 - __builtin_clz(i / FR__RESULT_FIRST + 1); }

static size_t place_in(uint32_t i, int chunk) { return i - FR__RESULT_FIRST * (((size_t)1 << chunk) - 1); }

// Two workers may make the same chunk at once; one of them gives its own back.
static fr_time_output *chunk_at(fr__result_list *list, int k) {
    fr_time_output *chunk = atomic_load_explicit(&list->chunks[k], memory_order_acquire);
    if (chunk != NULL) { return chunk; }
    size_t count = (size_t)FR__RESULT_FIRST << k;
    fr_time_output *made = fr_allocate(&list->allocator, count, sizeof *made, 64);
    if (made == NULL) { return NULL; }
    if (atomic_compare_exchange_strong(&list->chunks[k], &chunk, made)) { return made; }
    fr_deallocate(&list->allocator, made, count, sizeof *made);
    return chunk;
}

void fr__result_list_provide(fr__result_list *list, size_t count) {
    if (count == 0 || count >= UINT32_MAX) { return; }
    int last = chunk_of((uint32_t)count - 1);
    for (int k = 0; k <= last && k < FR__RESULT_CHUNKS; k++) {
        (void)chunk_at(list, k);
    }
}

uint32_t fr__result_list_add(fr__result_list *list, const fr_time_output *result) {
    uint32_t i = atomic_fetch_add_explicit(&list->count, 1, memory_order_relaxed);
    int k = chunk_of(i);
    fr_time_output *chunk = k < FR__RESULT_CHUNKS ? chunk_at(list, k) : NULL;
    if (chunk == NULL) { return FR_NONE; }
    chunk[place_in(i, k)] = *result;
    return i;
}

fr_time_output *fr__result_list_at(fr__result_list *list, uint32_t i) {
    int k = chunk_of(i);
    return atomic_load_explicit(&list->chunks[k], memory_order_relaxed) + place_in(i, k);
}
