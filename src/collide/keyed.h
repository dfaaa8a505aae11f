// Keys with values, and the sort that puts them in order.
#ifndef FUREAI_COLLIDE_KEYED_H
#define FUREAI_COLLIDE_KEYED_H

#include <stddef.h>
#include <stdint.h>

typedef struct fr__keyed {
    uint64_t key, value;
} fr__keyed;

// Two numbers as one that sorts by the first, then by the second.
static inline uint64_t fr__two_in_one(uint32_t first, uint32_t second) { return (uint64_t)first << 32 | second; }
static inline uint32_t fr__first_of(uint64_t both) { return (uint32_t)(both >> 32); }
static inline uint32_t fr__second_of(uint64_t both) { return (uint32_t)both; }

// Sorts by key; equal keys keep their order. `scratch` has room for as many. O(n) for each byte in which keys differ.
void fr__keyed_sort(fr__keyed *records, size_t count, fr__keyed *scratch);

#endif
