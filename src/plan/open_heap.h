// The heap of open states of a search: four children a place, inlined into the searches.
#ifndef FUREAI_PLAN_OPEN_HEAP_H
#define FUREAI_PLAN_OPEN_HEAP_H

#include "fureai/base_order.h"

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

FR_HEAP_TYPE(fr__plan_heap, fr__plan_heap_entry, 4, fr__plan_heap_is_before);

// False without memory.
static inline bool fr__plan_heap_push(fr__plan_heap_array *entries, fr__plan_heap_entry entry) {
    fr__plan_heap_entry *last = fr__plan_heap_array_push(entries, 1);
    if (last == NULL) { return false; }
    *last = entry;
    fr__plan_heap_sift_up(entries->data, entries->count - 1);
    return true;
}

#endif
