// A shortlist holds the first items of many in an order, in memory of the caller. It is a heap with the last of them on
// top, so that an item that comes after all of them is dropped at once. All offered items are counted.
#ifndef FUREAI_SPACE_SHORTLIST_H
#define FUREAI_SPACE_SHORTLIST_H

#include "fureai/space.h"

// Whether a comes before b in a strict order of all offered items.
typedef bool fr__before_fn(const void *a, const void *b);

#define FR__SHORTLIST_MAX_BYTES 128u

typedef struct fr__shortlist {
    unsigned char *items;
    size_t item_bytes; // up to FR__SHORTLIST_MAX_BYTES
    uint32_t capacity;
    uint32_t count;   // held
    uint32_t offered; // UINT32_MAX: that many or more
    fr__before_fn *before;
} fr__shortlist;

fr__shortlist fr__shortlist_make(void *items, size_t item_bytes, uint32_t capacity, fr__before_fn *before);

// Inserts an item if it is among the first.
void fr__shortlist_offer(fr__shortlist *list, const void *item);

// Sorts the held items. No more items may be offered.
void fr__shortlist_finish(fr__shortlist *list);

#endif
