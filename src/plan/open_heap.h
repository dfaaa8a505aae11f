// The heap of open states of a search: four children a place, inlined into the searches.
#ifndef FUREAI_PLAN_OPEN_HEAP_H
#define FUREAI_PLAN_OPEN_HEAP_H

#include "fureai/base.h"

typedef struct fr__plan_heap_entry {
    double rank;
    uint32_t left; // what the heuristic says is left
    uint32_t node;
} fr__plan_heap_entry;

FR_ARRAY_TYPE(fr__plan_heap_array, fr__plan_heap_entry);

// Least rank first; of equal ones what is nearer to the goal, then what was met last.
static inline bool fr__plan_heap_is_before(const fr__plan_heap_entry *a, const fr__plan_heap_entry *b) {
    if (a->rank != b->rank) { return a->rank < b->rank; }
    if (a->left != b->left) { return a->left < b->left; }
    return a->node > b->node;
}

// False without memory.
static inline bool fr__plan_heap_push(fr__plan_heap_array *entries, fr__plan_heap_entry entry) {
    if (fr__plan_heap_array_push(entries, 1) == NULL) { return false; }
    fr__plan_heap_entry *heap = entries->data;
    size_t at = entries->count - 1;
    while (at > 0 && fr__plan_heap_is_before(&entry, &heap[(at - 1) / 4])) {
        heap[at] = heap[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    heap[at] = entry;
    return true;
}

// The first; there must be one.
static inline fr__plan_heap_entry fr__plan_heap_pop(fr__plan_heap_array *entries) {
    fr__plan_heap_entry *heap = entries->data, top = heap[0], last = heap[--entries->count];
    size_t count = entries->count, at = 0;
    for (;;) {
        size_t child = 4 * at + 1, end = child + 4 < count ? child + 4 : count, best = child;
        if (child >= count) { break; }
        for (size_t k = child + 1; k < end; k++) {
            if (fr__plan_heap_is_before(&heap[k], &heap[best])) { best = k; }
        }
        if (!fr__plan_heap_is_before(&heap[best], &last)) { break; }
        heap[at] = heap[best];
        at = best;
    }
    if (count > 0) { heap[at] = last; }
    return top;
}

#endif
