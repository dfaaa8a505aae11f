// Numbers of pairs of faces that are kept: a pair that several columns hold is decided once.
#ifndef FUREAI_RADAR_PAIRS_H
#define FUREAI_RADAR_PAIRS_H

#include "fureai/base.h"

// A pair and its number.
typedef struct fr__pair_slot {
    uint32_t a, b;
    double number;
    bool is_used;
} fr__pair_slot;

FR_ARRAY_TYPE(fr__pair_slot_array, fr__pair_slot);

typedef struct fr__pairs {
    fr__pair_slot_array slots; // a table by hash, a power of two long; at most half of it is used
    size_t count;
} fr__pairs;

fr__pairs fr__pairs_make(const fr_allocator *allocator);
void fr__pairs_free(fr__pairs *pairs);
void fr__pairs_clear(fr__pairs *pairs);

// The number of a pair, with `is_new` where it was not there before; valid until the next call. NULL: no memory.
double *fr__pairs_find(fr__pairs *pairs, uint32_t a, uint32_t b, bool *is_new);

#endif
