// The heap behind a shortlist.
#include "space/shortlist.h"

#include <string.h>

fr__shortlist fr__shortlist_make(void *items, size_t item_bytes, uint32_t capacity, fr__before_fn *before) {
    FR_ASSERT(item_bytes <= FR__SHORTLIST_MAX_BYTES && (items != NULL || capacity == 0));
    fr__shortlist list = {items, item_bytes, capacity, 0, 0, before};
    return list;
}

static void *item_at(const fr__shortlist *list, size_t i) { return list->items + i * list->item_bytes; }

static void put(const fr__shortlist *list, size_t i, const void *item) {
    memcpy(item_at(list, i), item, list->item_bytes);
}

// Moves an item from a new place at the end up to where it belongs.
static void sift_up(const fr__shortlist *list, size_t i, const void *item) {
    while (i > 0 && list->before(item_at(list, (i - 1) / 2), item)) {
        put(list, i, item_at(list, (i - 1) / 2));
        i = (i - 1) / 2;
    }
    put(list, i, item);
}

// Moves an item from the top of the first `count` down to where it belongs.
static void sift_down(const fr__shortlist *list, size_t count, const void *item) {
    size_t i = 0;
    for (size_t child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && list->before(item_at(list, child), item_at(list, child + 1))) { child++; }
        if (!list->before(item, item_at(list, child))) { break; }
        put(list, i, item_at(list, child));
        i = child;
    }
    put(list, i, item);
}

void fr__shortlist_offer(fr__shortlist *list, const void *item) {
    if (list->offered < UINT32_MAX) { list->offered++; }
    if (list->count < list->capacity) {
        sift_up(list, list->count++, item);
    } else if (list->capacity > 0 && list->before(item, item_at(list, 0))) {
        sift_down(list, list->count, item);
    }
}

void fr__shortlist_finish(fr__shortlist *list) {
    for (size_t count = list->count; count > 1; count--) {
        unsigned char last[FR__SHORTLIST_MAX_BYTES];
        memcpy(last, item_at(list, count - 1), list->item_bytes);
        put(list, count - 1, item_at(list, 0));
        sift_down(list, count - 1, last);
    }
}
