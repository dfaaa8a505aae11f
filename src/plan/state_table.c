// Numbers for the states of a lattice that a search meets: a hash table by cell and orientation.
#include "plan/state_table.h"

#include "base/allocator.h"

#include <string.h>

#define FIRST_CAPACITY 1024u
#define MAX_CAPACITY ((size_t)1 << 31)

fr__state_table fr__state_table_make(const fr_allocator *allocator) {
    return (fr__state_table){.allocator = *allocator};
}

void fr__state_table_free(fr__state_table *t) {
    if (t->slots != NULL) { fr_deallocate(&t->allocator, t->slots, t->capacity, sizeof *t->slots); }
    *t = fr__state_table_make(&t->allocator);
}

void fr__state_table_clear(fr__state_table *t) {
    if (t->count > 0) { memset(t->slots, 0xff, t->capacity * sizeof *t->slots); }
    t->count = 0;
}

bool fr__state_table_grow(fr__state_table *t) {
    size_t capacity = t->capacity == 0 ? FIRST_CAPACITY : 2 * t->capacity;
    if (capacity > MAX_CAPACITY) { return false; }
    fr__state_slot *slots = fr_allocate(&t->allocator, capacity, sizeof *slots, 64);
    if (slots == NULL) { return false; }
    memset(slots, 0xff, capacity * sizeof *slots);
    fr__state_table larger = *t;
    larger.slots = slots;
    larger.capacity = capacity;
    larger.shift = 64 - (uint32_t)__builtin_ctzll(capacity);
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].index != FR__STATE_NONE) { *fr__state_slot_of(&larger, t->slots[i].key) = t->slots[i]; }
    }
    fr__copied_add(t->count * sizeof *t->slots);
    if (t->slots != NULL) { fr_deallocate(&t->allocator, t->slots, t->capacity, sizeof *t->slots); }
    *t = larger;
    return true;
}
