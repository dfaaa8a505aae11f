// A shortlist holds the first items of many in an order, in memory of the caller. It is a heap with the last of them on
// top, so that an item that comes after all of them is dropped at once. All offered items are counted.
#ifndef FUREAI_SPACE_SHORTLIST_H
#define FUREAI_SPACE_SHORTLIST_H

#include "fureai/base_order.h"

// FR__SHORTLIST_TYPE(hit_list, hit, hit_is_before) makes the type hit_list, to be initialised with items and capacity,
// and its functions:
//     void hit_list_offer(hit_list *list, const hit *item); // inserts an item if it is among the first
//     void hit_list_finish(hit_list *list);                 // sorts the held items; none may be offered any more
// The order is a strict order of all offered items.
#define FR__SHORTLIST_TYPE(name, type, is_before)                                                                      \
    typedef struct name {                                                                                              \
        type *items;                                                                                                   \
        uint32_t capacity;                                                                                             \
        uint32_t count;   /* held */                                                                                   \
        uint32_t offered; /* UINT32_MAX: that many or more */                                                          \
    } name;                                                                                                            \
                                                                                                                       \
    FR_INLINE bool name##_is_after(const type *a, const type *b) { return is_before(b, a); }                           \
    FR_HEAP_TYPE(name##_heap, type, 2, name##_is_after);                                                               \
    FR_SORT_TYPE(name##_sort, type, is_before);                                                                        \
                                                                                                                       \
    FR_INLINE void name##_offer(name *list, const type *item) {                                                        \
        if (list->offered < UINT32_MAX) { list->offered++; }                                                           \
        if (list->count < list->capacity) {                                                                            \
            list->items[list->count] = *item;                                                                          \
            name##_heap_sift_up(list->items, list->count++);                                                           \
        } else if (list->capacity > 0 && is_before(item, &list->items[0])) {                                           \
            list->items[0] = *item;                                                                                    \
            name##_heap_sift_down(list->items, list->count, 0);                                                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_finish(name *list) { name##_sort(list->items, list->count); }                                \
    typedef type name##_item /* takes the semicolon after the macro */

#endif
