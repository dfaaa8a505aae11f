// Fureai base: one sort, one heap, and one search in what is sorted, each made for a type by a macro.
//
// They allocate nothing, work in place, and are inlined together with their order: `bool is_before(const type *a, const
// type *b)`, a strict weak order. Where no two different elements are equal in it, the result is one and the same
// whatever order they came in. Elements that are equal come in an order that follows from their places alone.
#ifndef FUREAI_BASE_ORDER_H
#define FUREAI_BASE_ORDER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// A heap (priority queue)

// FR_HEAP_TYPE(open_heap, entry, 4, entry_is_before) makes the functions of a heap of `entry` in memory of the caller,
// with four children a place and the first of them at items[0]:
//     void open_heap_sift_up(entry *items, size_t at);                  // after items[at] was added or came forward
//     void open_heap_sift_down(entry *items, size_t count, size_t at);  // after items[at] went back
//     entry open_heap_pop(entry *items, size_t *count);                 // takes the first; there must be one
// Each costs O(log count). FR_HEAP_TYPE_BY(name, type, arity, context_type, is_before, moved) makes the same with a
// context as last argument of functions, order and `moved`; the latter is called as moved(const type *item, size_t at,
// context) whenever an item has a new place, or is FR_HEAP_UNPLACED.
#define FR_HEAP_UNPLACED(item, at, context) ((void)(item), (void)(at), (void)(context))

#define FR_HEAP_TYPE_BY(name, type, arity, context_type, is_before, moved)                                             \
    FR_INLINE void name##_sift_up(type *items, size_t at, context_type context) {                                      \
        type rising = items[at];                                                                                       \
        while (at > 0 && is_before(&rising, &items[(at - 1) / (arity)], context)) {                                    \
            items[at] = items[(at - 1) / (arity)];                                                                     \
            moved(&items[at], at, context);                                                                            \
            at = (at - 1) / (arity);                                                                                   \
        }                                                                                                              \
        items[at] = rising;                                                                                            \
        moved(&items[at], at, context);                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_sift_down(type *items, size_t count, size_t at, context_type context) {                      \
        type sinking = items[at];                                                                                      \
        for (size_t child = (arity)*at + 1; child < count; child = (arity)*at + 1) {                                   \
            size_t end = count - child < (arity) ? count : child + (arity), first = child;                             \
            for (size_t k = child + 1; k < end; k++) {                                                                 \
                if (is_before(&items[k], &items[first], context)) { first = k; }                                       \
            }                                                                                                          \
            if (!is_before(&items[first], &sinking, context)) { break; }                                               \
            items[at] = items[first];                                                                                  \
            moved(&items[at], at, context);                                                                            \
            at = first;                                                                                                \
        }                                                                                                              \
        items[at] = sinking;                                                                                           \
        moved(&items[at], at, context);                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE type name##_pop(type *items, size_t *count, context_type context) {                                      \
        type first = items[0];                                                                                         \
        *count -= 1;                                                                                                   \
        if (*count > 0) {                                                                                              \
            items[0] = items[*count];                                                                                  \
            name##_sift_down(items, *count, 0, context);                                                               \
        }                                                                                                              \
        return first;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    typedef type name##_item /* takes the semicolon after the macro */

#define FR_HEAP_TYPE(name, type, arity, is_before)                                                                     \
    FR_INLINE bool name##_order(const type *a, const type *b, int unused) {                                            \
        (void)unused;                                                                                                  \
        return is_before(a, b);                                                                                        \
    }                                                                                                                  \
    FR_HEAP_TYPE_BY(name##_by, type, arity, int, name##_order, FR_HEAP_UNPLACED);                                      \
    FR_INLINE void name##_sift_up(type *items, size_t at) { name##_by_sift_up(items, at, 0); }                         \
    FR_INLINE void name##_sift_down(type *items, size_t count, size_t at) {                                            \
        name##_by_sift_down(items, count, at, 0);                                                                      \
    }                                                                                                                  \
    FR_INLINE type name##_pop(type *items, size_t *count) { return name##_by_pop(items, count, 0); }                   \
    typedef type name##_item /* takes the semicolon after the macro */

// ---------------------------------------------------------------------------------------------------------------
// A sort

// Up to so many elements are sorted by insertion, and from so many on a pivot is the median of nine.
#define FR_SORT_FEW 20
#define FR_SORT_MANY 128
#define FR_SORT_WAITING 64 // ranges: each is at most half of the one that waits below it

// FR_SORT_TYPE(sort_edges, edge, edge_is_before) makes
//     void sort_edges(edge *items, size_t count);
// O(count log count) for every input, O(count) where the items are sorted or all equal; 2 KB of stack and three
// elements. `items` may be NULL where there are none. FR_SORT_TYPE_BY(sort_cells, uint32_t, const grid *,
// cell_is_before) makes the same for an order that reads more than the elements, with the context as last argument of
// both: void sort_cells(uint32_t *items, size_t count, const grid *context).
//
// It is a quicksort. The pivot is the median of three or of the medians of nine elements; each element is moved to its
// side without a branch; what equals the pivot is put aside where many do. A range that comes from twice as many
// divisions as halvings would need is sorted by a heap. The larger side waits.
#define FR_SORT_TYPE_BY(name, type, context_type, is_before)                                                           \
    FR_INLINE bool name##_is_after(const type *a, const type *b, context_type context) {                               \
        return is_before(b, a, context);                                                                               \
    }                                                                                                                  \
    FR_HEAP_TYPE_BY(name##_heap, type, 2, context_type, name##_is_after, FR_HEAP_UNPLACED);                            \
                                                                                                                       \
    FR_INLINE void name##_swap(type *a, type *b) {                                                                     \
        type moved = *a;                                                                                               \
        *a = *b;                                                                                                       \
        *b = moved;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_insert_all(type *items, size_t count, context_type context) {                                \
        for (size_t i = 1; i < count; i++) {                                                                           \
            type inserted = items[i];                                                                                  \
            size_t place = i;                                                                                          \
            for (; place > 0 && is_before(&inserted, &items[place - 1], context); place--) {                           \
                items[place] = items[place - 1];                                                                       \
            }                                                                                                          \
            items[place] = inserted;                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_heap_all(type *items, size_t count, context_type context) {                                  \
        for (size_t i = count / 2; i > 0; i--) {                                                                       \
            name##_heap_sift_down(items, count, i - 1, context);                                                       \
        }                                                                                                              \
        for (size_t left = count; left > 1;) {                                                                         \
            type last = name##_heap_pop(items, &left, context);                                                        \
            items[left] = last;                                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_order_three(type *a, type *b, type *c, context_type context) {                               \
        if (is_before(b, a, context)) { name##_swap(a, b); }                                                           \
        if (is_before(c, b, context)) { name##_swap(b, c); }                                                           \
        if (is_before(b, a, context)) { name##_swap(a, b); }                                                           \
    }                                                                                                                  \
                                                                                                                       \
    /* Puts a pivot to items[0]. */                                                                                    \
    FR_INLINE void name##_choose(type *items, size_t count, context_type context) {                                    \
        size_t step = count / 8;                                                                                       \
        type *middle = items + 4 * step;                                                                               \
        if (count >= FR_SORT_MANY) {                                                                                   \
            name##_order_three(items, items + step, items + 2 * step, context);                                        \
            name##_order_three(items + 3 * step, middle, items + 5 * step, context);                                   \
            name##_order_three(items + 6 * step, items + 7 * step, items + count - 1, context);                        \
            name##_order_three(items + step, middle, items + 7 * step, context);                                       \
        } else {                                                                                                       \
            name##_order_three(items + 2 * step, middle, items + 6 * step, context);                                   \
        }                                                                                                              \
        name##_swap(items, middle);                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    /* Puts what is before the pivot items[0] before it, and returns where it is then. */                              \
    FR_INLINE size_t name##_divide(type *items, size_t count, context_type context) {                                  \
        type pivot = items[0];                                                                                         \
        size_t end = 1;                                                                                                \
        for (size_t i = 1; i < count; i++) {                                                                           \
            bool is_below = is_before(&items[i], &pivot, context);                                                     \
            type moved = items[end];                                                                                   \
            items[end] = items[i];                                                                                     \
            items[i] = moved;                                                                                          \
            end += is_below;                                                                                           \
        }                                                                                                              \
        items[0] = items[end - 1];                                                                                     \
        items[end - 1] = pivot;                                                                                        \
        return end - 1;                                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    /* Puts what is not after the pivot items[0] to the front, and returns how many these are. */                      \
    FR_INLINE size_t name##_divide_equal(type *items, size_t count, context_type context) {                            \
        type pivot = items[0];                                                                                         \
        size_t end = 1;                                                                                                \
        for (size_t i = 1; i < count; i++) {                                                                           \
            bool is_below = !is_before(&pivot, &items[i], context);                                                    \
            type moved = items[end];                                                                                   \
            items[end] = items[i];                                                                                     \
            items[i] = moved;                                                                                          \
            end += is_below;                                                                                           \
        }                                                                                                              \
        return end;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name(type *items, size_t count, context_type context) {                                             \
        struct {                                                                                                       \
            size_t first, count, divisions;                                                                            \
        } waiting[FR_SORT_WAITING], now = {0, count, 0};                                                               \
        size_t in_order = 1, depth = 0;                                                                                \
        while (in_order < count && !is_before(&items[in_order], &items[in_order - 1], context)) {                      \
            in_order++;                                                                                                \
        }                                                                                                              \
        if (in_order >= count) { return; }                                                                             \
        for (size_t left = count; left > 1; left /= 2) {                                                               \
            now.divisions += 2;                                                                                        \
        }                                                                                                              \
        for (;;) {                                                                                                     \
            type *range = items + now.first;                                                                           \
            if (now.count <= FR_SORT_FEW || now.divisions == 0) {                                                      \
                if (now.count <= FR_SORT_FEW) {                                                                        \
                    name##_insert_all(range, now.count, context);                                                      \
                } else {                                                                                               \
                    name##_heap_all(range, now.count, context);                                                        \
                }                                                                                                      \
                if (depth == 0) { return; }                                                                            \
                now = waiting[--depth];                                                                                \
                continue;                                                                                              \
            }                                                                                                          \
            now.divisions--;                                                                                           \
            name##_choose(range, now.count, context);                                                                  \
            if (now.first > 0 && !is_before(range - 1, range, context)) {                                              \
                size_t equal = name##_divide_equal(range, now.count, context);                                         \
                now.first += equal;                                                                                    \
                now.count -= equal;                                                                                    \
                continue;                                                                                              \
            }                                                                                                          \
            size_t below = name##_divide(range, now.count, context), above = now.count - below - 1;                    \
            waiting[depth] = now;                                                                                      \
            if (below < above) {                                                                                       \
                waiting[depth].first += below + 1;                                                                     \
                waiting[depth++].count = above;                                                                        \
                now.count = below;                                                                                     \
            } else {                                                                                                   \
                waiting[depth++].count = below;                                                                        \
                now.first += below + 1;                                                                                \
                now.count = above;                                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    typedef type name##_item /* takes the semicolon after the macro */

#define FR_SORT_TYPE(name, type, is_before)                                                                            \
    FR_INLINE bool name##_order(const type *a, const type *b, int unused) {                                            \
        (void)unused;                                                                                                  \
        return is_before(a, b);                                                                                        \
    }                                                                                                                  \
    FR_SORT_TYPE_BY(name##_by, type, int, name##_order);                                                               \
    FR_INLINE void name(type *items, size_t count) { name##_by(items, count, 0); }                                     \
    typedef type name##_item /* takes the semicolon after the macro */

// Sorts plain numbers, the lowest first. No double may be NaN.
FR_API void fr_sort_uint32(uint32_t *numbers, size_t count);
FR_API void fr_sort_uint64(uint64_t *numbers, size_t count);
FR_API void fr_sort_double(double *numbers, size_t count);

// ---------------------------------------------------------------------------------------------------------------
// A search

// FR_SEARCH_TYPE(find_edge, edge, uint64_t, edge_is_before_key) makes
//     size_t find_edge(const edge *items, size_t count, uint64_t key);
// the index of the first item that is not before the key; `count` where there is none. The items are sorted: those for
// which bool edge_is_before_key(const edge *item, uint64_t key) holds come first. O(log count).
#define FR_SEARCH_TYPE(name, type, key_type, is_before_key)                                                            \
    FR_INLINE size_t name(const type *items, size_t count, key_type key) {                                             \
        size_t first = 0;                                                                                              \
        while (count > 0) {                                                                                            \
            size_t half = count / 2;                                                                                   \
            bool is_behind = is_before_key(&items[first + half], key);                                                 \
            first = is_behind ? first + half + 1 : first;                                                              \
            count = is_behind ? count - half - 1 : half;                                                               \
        }                                                                                                              \
        return first;                                                                                                  \
    }                                                                                                                  \
    typedef type name##_item /* takes the semicolon after the macro */

#ifdef __cplusplus
}
#endif

#endif
