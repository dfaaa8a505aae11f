// A hash table of pairs of faces, each with the bound that is known of it.
#include "radar/pairs.h"

#include <string.h>

// The table begins so long.
#define FIRST_SLOTS 256

typedef fr__pair_slot slot;

fr__pairs fr__pairs_make(const fr_allocator *allocator) {
    return (fr__pairs){.slots = fr__pair_slot_array_make(allocator)};
}

void fr__pairs_free(fr__pairs *pairs) { fr__pair_slot_array_destroy(&pairs->slots); }

void fr__pairs_clear(fr__pairs *pairs) {
    if (pairs->count > 0) { memset(pairs->slots.data, 0, pairs->slots.count * sizeof(slot)); }
    pairs->count = 0;
}

static size_t place_of(uint32_t a, uint32_t b, size_t size) {
    uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (size - 1);
}

static slot *slot_of(slot *slots, size_t size, uint32_t a, uint32_t b) {
    size_t at = place_of(a, b, size);
    while (slots[at].is_used && (slots[at].a != a || slots[at].b != b)) {
        at = (at + 1) & (size - 1);
    }
    return &slots[at];
}

// Twice as many slots: those that are there move behind themselves, and back in order.
static bool grow(fr__pairs *pairs) {
    size_t old = pairs->slots.count, size = old > 0 ? 2 * old : FIRST_SLOTS;
    if (fr__pair_slot_array_push(&pairs->slots, size) == NULL) { return false; }
    slot *slots = pairs->slots.data, *kept = slots + size;
    memmove(kept, slots, old * sizeof *slots);
    memset(slots, 0, size * sizeof *slots);
    for (size_t i = 0; i < old; i++) {
        if (kept[i].is_used) { *slot_of(slots, size, kept[i].a, kept[i].b) = kept[i]; }
    }
    pairs->slots.count = size;
    return true;
}

double *fr__pairs_find(fr__pairs *pairs, uint32_t a, uint32_t b, bool *is_new) {
    if (2 * pairs->count >= pairs->slots.count && !grow(pairs)) { return NULL; }
    slot *found = slot_of(pairs->slots.data, pairs->slots.count, a, b);
    *is_new = !found->is_used;
    if (*is_new) {
        *found = (slot){a, b, 0.0, true};
        pairs->count++;
    }
    return &found->number;
}
