// Numbers for the states of a lattice that a search meets, in the order it meets them.
#ifndef FUREAI_PLAN_STATE_TABLE_H
#define FUREAI_PLAN_STATE_TABLE_H

#include "fureai/base.h"

#define FR__STATE_NONE UINT32_MAX

typedef struct fr__state_slot {
    uint64_t key;
    uint32_t index; // FR__STATE_NONE: empty
} fr__state_slot;

typedef struct fr__state_table {
    fr__state_slot *slots; // open addressing, half full at most, and 7/8 where no memory is left for more
    size_t capacity;       // a power of two, or 0
    uint32_t count;
    uint32_t shift; // 64 - log2 capacity
    fr_allocator allocator;
} fr__state_table;

fr__state_table fr__state_table_make(const fr_allocator *allocator);
void fr__state_table_free(fr__state_table *table);

// Forgets all states, reuses memory.
void fr__state_table_clear(fr__state_table *table);

// Twice the slots; false, and nothing changed, without memory.
bool fr__state_table_grow(fr__state_table *table);

static inline fr__state_slot *fr__state_slot_of(const fr__state_table *t, uint64_t key) {
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> t->shift);
    while (t->slots[at].index != FR__STATE_NONE && t->slots[at].key != key) {
        at = (at + 1) & (t->capacity - 1);
    }
    return &t->slots[at];
}

// The number of a state, or FR__STATE_NONE.
static inline uint32_t fr__state_find(const fr__state_table *t, uint64_t key) {
    return t->capacity == 0 ? FR__STATE_NONE : fr__state_slot_of(t, key)->index;
}

// The number of a state, the next one where it was not met before; FR__STATE_NONE without memory.
static inline uint32_t fr__state_add(fr__state_table *t, uint64_t key, bool *is_new) {
    if (2 * (size_t)t->count >= t->capacity && !fr__state_table_grow(t)) {
        if (8 * ((size_t)t->count + 1) > 7 * t->capacity) { return FR__STATE_NONE; }
    }
    fr__state_slot *slot = fr__state_slot_of(t, key);
    *is_new = slot->index == FR__STATE_NONE;
    if (*is_new) {
        slot->key = key;
        slot->index = t->count++;
    }
    return slot->index;
}

#endif
