// Vertices of a list of triangles that are at one place, made one.
#include "weld.h"

#include <string.h>

// A table of vertices by the bits of their positions: open addresses, at most half of them taken.
typedef struct weld {
    const char *positions;
    size_t bytes;      // of a position
    uint32_t *table;   // a vertex, FR_NONE where there is none
    size_t table_size; // a power of two
    uint32_t *first;   // of each vertex: the first at its place
    uint32_t count;    // of vertices
} weld;

// The place of a vertex in the table: that of the first at its place, else a free one.
static uint32_t *find_place(const weld *w, uint32_t vertex) {
    const char *position = w->positions + w->bytes * vertex;
    size_t at = (size_t)fr_hash(position, w->bytes, 0) & (w->table_size - 1);
    while (w->table[at] != FR_NONE && memcmp(w->positions + w->bytes * w->table[at], position, w->bytes) != 0) {
        at = (at + 1) & (w->table_size - 1);
    }
    return &w->table[at];
}

static fr_status find_first(weld *w, fr__work_meter *meter) {
    memset(w->table, 0xff, w->table_size * sizeof *w->table);
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t *place = find_place(w, i);
        if (*place == FR_NONE) { *place = i; }
        w->first[i] = *place;
        if (!fr__meter_on(meter, 4)) { return FR_ERROR_STOPPED; }
    }
    return FR_OK;
}

// Moves those that stay together; `first` has their new numbers then.
static void close_up(fr_array *positions, uint32_t *first) {
    char *data = positions->data;
    size_t bytes = positions->element_bytes, kept = 0;
    for (size_t i = 0; i < positions->count; i++) {
        if (first[i] != i) {
            first[i] = first[first[i]]; // came before, and has its new number
            continue;
        }
        if (kept != i) { memcpy(data + bytes * kept, data + bytes * i, bytes); }
        first[i] = (uint32_t)kept++;
    }
    positions->count = kept;
}

fr_status fr__weld(fr_array *positions, fr_uint32_array *corners, const fr_allocator *allocator,
                   fr__work_meter *meter) {
    weld w = {.positions = positions->data,
              .bytes = positions->element_bytes,
              .table_size = 1,
              .count = (uint32_t)positions->count};
    while (w.table_size < 2 * positions->count) {
        w.table_size *= 2;
    }
    w.table = fr_allocate(allocator, w.table_size, sizeof *w.table, _Alignof(uint32_t));
    w.first = fr_allocate(allocator, positions->count, sizeof *w.first, _Alignof(uint32_t));
    fr_status status = w.table != NULL && w.first != NULL ? find_first(&w, meter) : FR_ERROR_MEMORY;
    fr_deallocate(allocator, w.table, w.table_size, sizeof *w.table);
    if (status == FR_OK) {
        close_up(positions, w.first);
        for (size_t i = 0; i < corners->count; i++) {
            corners->data[i] = w.first[corners->data[i]];
        }
    }
    fr_deallocate(allocator, w.first, w.count, sizeof *w.first);
    return status;
}
