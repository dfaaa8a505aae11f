// The border of a mesh, found by cancelling directed edges.
#include "shape/mesh_border.h"

#include "shape/mesh.h"
#include "shape/place_table.h"

#include <string.h>

// The working list of directed edges: at first those of all triangles, then those that remain.
typedef struct edge_list {
    uint32_t *edges; // 2 an edge
    size_t count;
    const fr_control *control;
    bool is_stopped;
} edge_list;

// False from the moment on when the caller wants the call to end.
static bool goes_on(edge_list *list, size_t item) {
    list->is_stopped = list->is_stopped || fr__is_stopped(list->control, item);
    return !list->is_stopped;
}

// Keys of vertices for matching: by number, or by place.
typedef struct vertex_keys {
    const uint32_t *key; // NULL: the number itself
} vertex_keys;

static uint32_t key_of(vertex_keys keys, uint32_t vertex) { return keys.key == NULL ? vertex : keys.key[vertex]; }

static uint32_t low_key(vertex_keys keys, const uint32_t edge[2]) {
    uint32_t from = key_of(keys, edge[0]), to = key_of(keys, edge[1]);
    return from < to ? from : to;
}

static uint32_t high_key(vertex_keys keys, const uint32_t edge[2]) {
    uint32_t from = key_of(keys, edge[0]), to = key_of(keys, edge[1]);
    return from > to ? from : to;
}

// ---------------------------------------------------------------------------------------------------------------
// Cancelling

// Up to this many edges with one lower key are compared all with all.
#define SMALL_BUCKET 64u

typedef uint32_t key_fn(vertex_keys keys, const uint32_t edge[2]);

// A stable counting sort into `sorted`; returns the size of the largest bucket. Afterwards first[k] is where the bucket
// of key k ends. `first` has key_count + 1 places.
static uint32_t sort_edges(edge_list *list, vertex_keys keys, key_fn *key, uint32_t key_count, uint32_t *first,
                           uint32_t *sorted) {
    uint32_t largest = 0;
    memset(first, 0, ((size_t)key_count + 1) * sizeof *first);
    for (size_t i = 0; i < list->count && goes_on(list, i); i++) {
        first[key(keys, list->edges + 2 * i) + 1]++;
    }
    for (uint32_t k = 0; k < key_count; k++) {
        largest = first[k + 1] > largest ? first[k + 1] : largest;
        first[k + 1] += first[k];
    }
    for (size_t i = 0; i < list->count && goes_on(list, i); i++) {
        const uint32_t *edge = list->edges + 2 * i;
        size_t place = first[key(keys, edge)]++;
        sorted[2 * place] = edge[0];
        sorted[2 * place + 1] = edge[1];
    }
    return largest;
}

// Cancels the edges of one bucket, which share their lower key, and returns how many are left. In a bucket sorted by
// the higher key too, equal edges are neighbours, and the remaining ones all have the direction of the last one.
static size_t cancel_bucket(vertex_keys keys, uint32_t *edges, size_t count, bool is_sorted) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t edge[2] = {edges[2 * i], edges[2 * i + 1]};
        uint32_t from = key_of(keys, edge[0]), to = key_of(keys, edge[1]);
        if (from == to) {
            continue; // it has no part in a border
        }
        size_t j = is_sorted && left > 0 ? left - 1 : 0;
        while (j < left && !(key_of(keys, edges[2 * j]) == to && key_of(keys, edges[2 * j + 1]) == from)) {
            j++;
        }
        if (j < left) {
            left--;
            edges[2 * j] = edges[2 * left];
            edges[2 * j + 1] = edges[2 * left + 1];
        } else {
            edges[2 * left] = edge[0];
            edges[2 * left + 1] = edge[1];
            left++;
        }
    }
    return left;
}

// Leaves in `list` the edges that nothing cancels. Few edges meet at a vertex, as a rule; where many do (a fan of
// thousands), edges are sorted by both keys so that the time stays linear.
static fr_status cancel_edges(edge_list *list, vertex_keys keys, uint32_t key_count, uint32_t *first,
                              uint32_t *sorted) {
    bool is_crowded = sort_edges(list, keys, low_key, key_count, first, sorted) > SMALL_BUCKET;
    if (is_crowded && !list->is_stopped) {
        sort_edges(list, keys, high_key, key_count, first, sorted);
        memcpy(list->edges, sorted, list->count * 2 * sizeof(uint32_t));
        sort_edges(list, keys, low_key, key_count, first, sorted);
    }
    // Edges that were left while they were sorted are in no order.
    if (list->is_stopped) { return FR_ERROR_STOPPED; }
    list->count = 0;
    for (uint32_t k = 0; k < key_count; k++) {
        if (!goes_on(list, k)) { return FR_ERROR_STOPPED; }
        size_t begin = k == 0 ? 0 : first[k - 1];
        size_t left = cancel_bucket(keys, sorted + 2 * begin, first[k] - begin, is_crowded);
        if (left > 0) { memcpy(list->edges + 2 * list->count, sorted + 2 * begin, left * 2 * sizeof(uint32_t)); }
        list->count += left;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

// The keys of the vertices of the edges left: the first vertex met at the same place. Other keys are FR_NONE.
static fr_status key_places(const fr_mesh_view *view, edge_list *list, const fr_allocator *allocator, uint32_t *key) {
    size_t limit = view->vertex_count < 2 * list->count ? view->vertex_count : 2 * list->count;
    fr__place_table table;
    if (!fr__place_table_take(view, limit, allocator, &table)) { return FR_ERROR_MEMORY; }
    memset(key, 0xff, view->vertex_count * sizeof *key);
    for (size_t i = 0; i < 2 * list->count && goes_on(list, i); i++) {
        uint32_t vertex = list->edges[i];
        if (key[vertex] == FR_NONE) { key[vertex] = fr__place_table_first(&table, vertex); }
    }
    fr__place_table_release(&table);
    return list->is_stopped ? FR_ERROR_STOPPED : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The border

static void list_edges(const fr_mesh_view *view, edge_list *list) {
    list->count = 3 * (size_t)view->triangle_count;
    for (size_t t = 0; t < view->triangle_count && goes_on(list, t); t++) {
        const uint32_t *corners = view->triangles + 3 * t;
        for (size_t k = 0; k < 3; k++) {
            list->edges[6 * t + 2 * k] = corners[k];
            list->edges[6 * t + 2 * k + 1] = corners[(k + 1) % 3];
        }
    }
}

static fr_status keep_border(const edge_list *list, const fr_allocator *allocator, fr__mesh_border *out) {
    if (list->count == 0) { return FR_OK; }
    out->edges = fr_allocate(allocator, list->count, 2 * sizeof(uint32_t), _Alignof(uint32_t));
    if (out->edges == NULL) { return FR_ERROR_MEMORY; }
    memcpy(out->edges, list->edges, list->count * 2 * sizeof(uint32_t));
    out->count = (uint32_t)list->count;
    out->capacity = list->count;
    return FR_OK;
}

fr_status fr__mesh_border_find(const fr_mesh_view *view, const fr_control *control, const fr_allocator *allocator,
                               fr__mesh_border *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    size_t edge_count = 3 * (size_t)view->triangle_count, vertex_count = view->vertex_count;
    edge_list list = {fr_allocate(allocator, edge_count, 2 * sizeof(uint32_t), _Alignof(uint32_t)), 0, control, false};
    uint32_t *sorted = fr_allocate(allocator, edge_count, 2 * sizeof(uint32_t), _Alignof(uint32_t));
    uint32_t *first = fr_allocate(allocator, vertex_count + 1, sizeof(uint32_t), _Alignof(uint32_t));
    uint32_t *key = fr_allocate(allocator, vertex_count, sizeof(uint32_t), _Alignof(uint32_t));
    bool taken = list.edges != NULL && sorted != NULL && first != NULL && key != NULL;
    fr_status status = taken ? FR_OK : FR_ERROR_MEMORY;
    if (status == FR_OK) {
        vertex_keys by_number = {NULL}, by_place = {key};
        list_edges(view, &list);
        status = list.is_stopped ? FR_ERROR_STOPPED : cancel_edges(&list, by_number, view->vertex_count, first, sorted);
        if (status == FR_OK && list.count > 0) { status = key_places(view, &list, allocator, key); }
        if (status == FR_OK && list.count > 0) {
            status = cancel_edges(&list, by_place, view->vertex_count, first, sorted);
        }
        if (status == FR_OK) { status = keep_border(&list, allocator, out); }
    }
    fr_deallocate(allocator, list.edges, edge_count, 2 * sizeof(uint32_t));
    fr_deallocate(allocator, sorted, edge_count, 2 * sizeof(uint32_t));
    fr_deallocate(allocator, first, vertex_count + 1, sizeof(uint32_t));
    fr_deallocate(allocator, key, vertex_count, sizeof(uint32_t));
    if (status == FR_OK) { return FR_OK; }
    const char *reason = status == FR_ERROR_MEMORY ? "out of memory for" : "stopped while finding";
    return fr_error_set(error, status, "%s the border of a mesh", reason);
}

void fr__mesh_border_release(fr__mesh_border *border, const fr_allocator *allocator) {
    fr_deallocate(allocator, border->edges, border->capacity, 2 * sizeof(uint32_t));
    memset(border, 0, sizeof *border);
}
