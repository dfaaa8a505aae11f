// The order in which the marks of a drawing are painted, from back to front.
#include "base/drawing_flat.h"

#include "fureai/base_order.h"

#include <math.h>

enum { COMPARED_MAX = 100000, PAIRS_MAX = 1000000 };
static const uint64_t box_tests_max = 50000000;

typedef struct sort_key {
    double first, second; // the greater comes first
    uint32_t index;       // the smaller comes first where both are equal: the order of drawing
} sort_key;

static bool key_is_before(const sort_key *a, const sort_key *b) {
    if (a->first != b->first) { return a->first > b->first; }
    return a->second != b->second ? a->second > b->second : a->index < b->index;
}

FR_SORT_TYPE(sort_keys, sort_key, key_is_before);

// By the farthest corner, then by the average: an edge never has a farther end than its faces, so that with its lift
// it comes after them.
static sort_key depth_key(const fr__drawing_flat *flat, uint32_t index) {
    sort_key key = {.first = -INFINITY, .index = index};
    for (unsigned i = 0; i < flat->count; ++i) {
        key.first = fmax(key.first, flat->corners[i].depth);
        key.second += flat->corners[i].depth / flat->count;
    }
    // A label that is half hidden says nothing: texts come after everything else.
    if (flat->is_text) { key.first -= 100.0; }
    return key;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs that overlap

typedef struct pair {
    uint32_t front, behind;
} pair;

static bool pair_is_before(const pair *a, const pair *b) {
    return a->front != b->front ? a->front < b->front : a->behind < b->behind;
}

FR_SORT_TYPE(sort_pairs, pair, pair_is_before);

// Finds the overlapping pairs by a sweep from left to right. False when there is no memory; finds no pairs at all when
// they are too many.
static bool find_pairs(const fr__drawing_flat *flats, sort_key *keys, size_t count, fr_array *pairs) {
    uint64_t box_tests = 0;
    for (size_t i = 0; i < count; ++i) {
        keys[i] = (sort_key){.first = -flats[i].left, .index = (uint32_t)i};
    }
    sort_keys(keys, count);
    for (size_t i = 0; i < count; ++i) {
        const fr__drawing_flat *a = &flats[keys[i].index];
        for (size_t j = i + 1; j < count && flats[keys[j].index].left <= a->right; ++j) {
            if (++box_tests > box_tests_max || pairs->count > PAIRS_MAX) {
                pairs->count = 0;
                return true;
            }
            int order = fr__drawing_flat_compare(a, &flats[keys[j].index]);
            if (order == 0) { continue; }
            pair *found = fr_array_push(pairs, 1);
            if (found == NULL) { return false; }
            *found = (pair){.front = keys[order > 0 ? j : i].index, .behind = keys[order > 0 ? i : j].index};
        }
    }
    sort_pairs(pairs->data, pairs->count);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The order that respects the pairs

// The state of a walk that puts before each mark all that is behind it.
typedef struct order_walk {
    const pair *pairs;
    uint32_t *first_pair; // of each mark, and the end of the last
    uint32_t *next_pair;  // to look at, of each mark that was begun
    uint32_t *stack;      // marks that wait for what is behind them
    bool *begun;
    uint32_t *order;
    size_t order_count;
} order_walk;

static void walk_from(order_walk *w, uint32_t mark) {
    size_t depth = 0;
    if (w->begun[mark]) { return; }
    w->begun[mark] = true;
    w->stack[depth++] = mark;
    while (depth > 0) {
        uint32_t top = w->stack[depth - 1];
        if (w->next_pair[top] == w->first_pair[top + 1]) {
            w->order[w->order_count++] = top;
            --depth;
            continue;
        }
        uint32_t behind = w->pairs[w->next_pair[top]++].behind;
        // One that was begun is painted already, or waits in a circle that must be broken somewhere.
        if (w->begun[behind]) { continue; }
        w->begun[behind] = true;
        w->stack[depth++] = behind;
    }
}

// Where each mark's pairs begin in the sorted list.
static void index_pairs(order_walk *w, const fr_array *pairs, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i <= count; ++i) {
        while (at < pairs->count && w->pairs[at].front < i) {
            ++at;
        }
        w->first_pair[i] = (uint32_t)at;
        if (i < count) { w->next_pair[i] = (uint32_t)at; }
    }
}

// Rearranges `order`, which is sorted by depth. False when there is no memory.
static bool respect_pairs(const fr_array *pairs, const sort_key *keys, size_t count, uint32_t *order,
                          const fr_allocator *allocator) {
    fr_arena *arena = NULL;
    if (fr_arena_create(0, allocator, &arena, NULL) != FR_OK) { return false; }
    order_walk w = {.pairs = pairs->data, .order = order};
    w.first_pair = fr_arena_alloc(arena, count + 1, sizeof *w.first_pair, _Alignof(uint32_t));
    w.next_pair = fr_arena_alloc(arena, count, sizeof *w.next_pair, _Alignof(uint32_t));
    w.stack = fr_arena_alloc(arena, count, sizeof *w.stack, _Alignof(uint32_t));
    w.begun = fr_arena_alloc(arena, count, sizeof *w.begun, _Alignof(bool));
    bool has_memory = w.first_pair != NULL && w.next_pair != NULL && w.stack != NULL && w.begun != NULL;
    if (has_memory) {
        index_pairs(&w, pairs, count);
        for (size_t i = 0; i < count; ++i) {
            w.begun[i] = false;
        }
        for (size_t i = 0; i < count; ++i) {
            walk_from(&w, keys[i].index);
        }
    }
    fr_arena_destroy(arena);
    return has_memory;
}

// Compares what overlaps and rearranges. `keys` are sorted by depth.
static bool refine(const fr_drawing_view *view, const fr_drawing_camera *camera, const sort_key *keys, uint32_t *order,
                   const fr_allocator *allocator) {
    size_t count = view->count;
    fr_array pairs = fr_array_make(sizeof(pair), allocator);
    fr__drawing_flat *flats = fr_allocate(allocator, count, sizeof *flats, _Alignof(fr__drawing_flat));
    sort_key *sweep = fr_allocate(allocator, count, sizeof *sweep, _Alignof(sort_key));
    bool has_memory = flats != NULL && sweep != NULL;
    if (has_memory) {
        for (size_t i = 0; i < count; ++i) {
            flats[i] = fr__drawing_flat_make(view, &view->marks[i], camera);
        }
        has_memory = find_pairs(flats, sweep, count, &pairs);
    }
    if (has_memory && pairs.count > 0) { has_memory = respect_pairs(&pairs, keys, count, order, allocator); }
    fr_deallocate(allocator, sweep, count, sizeof *sweep);
    fr_deallocate(allocator, flats, count, sizeof *flats);
    fr_array_destroy(&pairs);
    return has_memory;
}

fr_status fr_drawing_order(const fr_drawing *drawing, const fr_drawing_camera *camera, uint32_t *order,
                           fr_error *error) {
    fr_drawing_view view = fr_drawing_get(drawing);
    const fr_allocator *allocator = fr__drawing_allocator(drawing);
    sort_key *keys = fr_allocate(allocator, view.count + 1, sizeof *keys, _Alignof(sort_key));
    bool has_memory = keys != NULL;
    if (has_memory) {
        for (size_t i = 0; i < view.count; ++i) {
            fr__drawing_flat flat = fr__drawing_flat_make(&view, &view.marks[i], camera);
            keys[i] = depth_key(&flat, (uint32_t)i);
        }
        sort_keys(keys, view.count);
        for (size_t i = 0; i < view.count; ++i) {
            order[i] = keys[i].index;
        }
        if (view.count > 1 && view.count <= COMPARED_MAX) {
            has_memory = refine(&view, camera, keys, order, allocator);
        }
    }
    fr_deallocate(allocator, keys, view.count + 1, sizeof *keys);
    return has_memory ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the picture");
}
