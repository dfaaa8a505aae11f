// A hash set of pairs of triangles.
#include "collide/pair_set.h"

#include "collide/found.h"

#include <string.h>

enum { FIRST_PLACES = 256 };

#define NOTHING UINT64_MAX

void fr__pair_set_make(fr__pair_set *set, const fr_allocator *allocator) {
    set->places = fr_uint64_array_make(allocator);
    set->count = 0;
}

void fr__pair_set_free(fr__pair_set *set) { fr_uint64_array_destroy(&set->places); }

static void empty_places(fr__pair_set *set) {
    if (set->places.count > 0) { memset(set->places.data, 0xff, set->places.count * sizeof(uint64_t)); }
}

void fr__pair_set_clear(fr__pair_set *set) {
    if (set->count > 0) { empty_places(set); }
    set->count = 0;
}

void fr__pair_set_provide(fr__pair_set *set, size_t places) {
    if (places <= set->places.count) { return; }
    set->count = 0;
    set->places.count = 0;
    if (fr_uint64_array_push(&set->places, places) != NULL) { empty_places(set); }
}

// The hash of a pair is its first place; where that is taken it goes to the next free one.
static fr__pair_seen put(uint64_t *places, size_t size, uint64_t pair) {
    uint64_t mixed = pair * 0x9e3779b97f4a7c15u;
    for (size_t i = (size_t)(mixed >> 32) & (size - 1);; i = (i + 1) & (size - 1)) {
        if (places[i] == pair) { return FR__PAIR_SEEN; }
        if (places[i] == NOTHING) {
            places[i] = pair;
            return FR__PAIR_NEW;
        }
    }
}

// Twice the places, or the first ones.
static bool grow(fr__pair_set *set) {
    size_t before = set->places.count, size = before == 0 ? FIRST_PLACES : 2 * before;
    fr_uint64_array larger = fr_uint64_array_make(&set->places.allocator);
    if (fr_uint64_array_push(&larger, size) == NULL) { return false; }
    memset(larger.data, 0xff, size * sizeof(uint64_t));
    const uint64_t *old = set->places.data;
    for (size_t i = 0; i < before; i++) {
        if (old[i] != NOTHING) { (void)put(larger.data, size, old[i]); }
    }
    fr_uint64_array_destroy(&set->places);
    set->places = larger;
    return true;
}

fr__pair_seen fr__pair_set_add(fr__pair_set *set, uint32_t a, uint32_t b) {
    if (2 * (set->count + 1) > set->places.count && !grow(set)) { return FR__PAIR_NO_MEMORY; }
    fr__pair_seen seen = put(set->places.data, set->places.count, fr__pair_key(a, b));
    set->count += seen == FR__PAIR_NEW;
    return seen;
}
