// A list of names that finds a name in constant time.
#include "names.h"

#include <string.h>

fr__names fr__names_make(const fr_allocator *allocator) {
    return (fr__names){fr__span_array_make(allocator), fr_uint32_array_make(allocator)};
}

void fr__names_free(fr__names *names) {
    fr__span_array_destroy(&names->spans);
    fr_uint32_array_destroy(&names->slots);
}

uint32_t fr__names_append(fr__names *names, fr__span name) {
    size_t number = names->spans.count;
    if (number >= FR_NONE) { return FR_NONE; }
    fr__span *place = fr__span_array_push(&names->spans, 1);
    if (place == NULL) { return FR_NONE; }
    *place = name;
    return (uint32_t)number;
}

// The slot that holds `name`, or the free one where it belongs. There is always a free slot.
static uint32_t *find_slot(const fr__names *names, fr__span name) {
    uint32_t *slots = names->slots.data;
    size_t mask = names->slots.count - 1;
    size_t i = (size_t)fr_hash(name.begin, name.length, 0) & mask;
    for (;; i = (i + 1) & mask) {
        if (slots[i] == FR_NONE) { return &slots[i]; }
        fr__span other = fr__names_get(names, slots[i]);
        if (other.length == name.length && memcmp(other.begin, name.begin, name.length) == 0) { return &slots[i]; }
    }
}

// Twice the slots, a power of two; false, and nothing changed, without memory. The table is half full at most then, and
// 7/8 where there is none.
static bool grow(fr__names *names) {
    fr_uint32_array slots = fr_uint32_array_make(&names->slots.allocator);
    size_t count = names->slots.count > 0 ? 2 * names->slots.count : 16;
    if (!fr_uint32_array_reserve(&slots, count)) { return false; }
    slots.count = count;
    memset(slots.data, 0xff, count * sizeof(uint32_t));
    fr_uint32_array_destroy(&names->slots);
    names->slots = slots;
    for (size_t i = 0; i < names->spans.count; i++) {
        *find_slot(names, fr__names_get(names, (uint32_t)i)) = (uint32_t)i;
    }
    return true;
}

uint32_t fr__names_find_or_append(fr__names *names, fr__span name) {
    size_t needed = names->spans.count + 1, slots = names->slots.count;
    if (2 * needed > slots && !grow(names) && 8 * needed > 7 * slots) { return FR_NONE; }
    uint32_t *slot = find_slot(names, name);
    if (*slot == FR_NONE) { *slot = fr__names_append(names, name); }
    return *slot;
}

uint32_t fr__names_find(const fr__names *names, fr__span name) {
    return names->slots.count > 0 ? *find_slot(names, name) : FR_NONE;
}
