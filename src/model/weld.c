// Vertices of a list of triangles that are at one place, made one.
#include "weld.h"

#include <string.h>

// A vertex that was met lately.
typedef struct recent_vertex {
    uint32_t vertex; // the first at its place; FR_NONE: none
    uint32_t hash;   // the lower half, so that the positions of others are not looked at
} recent_vertex;

// A table of vertices by the bits of their positions: open addresses, at most half of them taken. It begins small,
// since in most files a place has six vertices and more, and a table that fits a processor's cache is several times as
// fast.
typedef struct weld {
    const char *positions;
    size_t bytes;      // of a position
    uint32_t *table;   // a vertex, FR_NONE where there is none
    size_t table_size; // a power of two
    size_t taken;
    uint32_t *first; // of each vertex: the first at its place
    uint32_t count;  // of vertices
    const fr_allocator *allocator;
    recent_vertex *recent; // RECENT of them
} weld;

#define FIRST_SHARE 4 // vertices a place of the table at first
#define RECENT 8192   // vertices that were met last, by their hash: most come again soon, and these are at hand

static bool is_same(const weld *w, uint32_t a, uint32_t b) {
    return memcmp(w->positions + w->bytes * a, w->positions + w->bytes * b, w->bytes) == 0;
}

static uint64_t hash_of(const weld *w, uint32_t vertex) {
    return fr_hash(w->positions + w->bytes * vertex, w->bytes, 0);
}

// The place of a vertex in the table: that of the first at its place, else a free one.
static uint32_t *find_place(const weld *w, uint32_t vertex, uint64_t hash) {
    size_t at = (size_t)hash & (w->table_size - 1);
    while (w->table[at] != FR_NONE && !is_same(w, w->table[at], vertex)) {
        at = (at + 1) & (w->table_size - 1);
    }
    return &w->table[at];
}

static bool make_table(weld *w, size_t size) {
    w->table = fr_allocate(w->allocator, size, sizeof *w->table, _Alignof(uint32_t));
    w->table_size = w->table != NULL ? size : 0;
    if (w->table != NULL) { memset(w->table, 0xff, size * sizeof *w->table); }
    return w->table != NULL;
}

static bool grow_table(weld *w) {
    uint32_t *old = w->table;
    size_t size = w->table_size;
    bool good = make_table(w, 2 * size);
    for (size_t i = 0; i < size && good; i++) {
        if (old[i] != FR_NONE) { *find_place(w, old[i], hash_of(w, old[i])) = old[i]; }
    }
    fr_deallocate(w->allocator, old, size, sizeof *old);
    return good;
}

static fr_status find_first(weld *w, fr__work_meter *meter) {
    memset(w->recent, 0xff, RECENT * sizeof *w->recent);
    for (uint32_t i = 0; i < w->count; i++) {
        uint64_t hash = hash_of(w, i);
        recent_vertex *recent = &w->recent[(hash >> 32) % RECENT];
        bool is_recent = recent->hash == (uint32_t)hash && recent->vertex != FR_NONE && is_same(w, recent->vertex, i);
        if (!is_recent) {
            uint32_t *place = find_place(w, i, hash);
            bool is_new = *place == FR_NONE;
            if (is_new) { *place = i; }
            *recent = (recent_vertex){*place, (uint32_t)hash};
            w->taken += is_new ? 1 : 0;
            if (is_new && 2 * w->taken >= w->table_size && !grow_table(w)) { return FR_ERROR_MEMORY; }
        }
        w->first[i] = recent->vertex;
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
              .count = (uint32_t)positions->count,
              .allocator = allocator};
    size_t size = 16;
    while (size < positions->count / FIRST_SHARE) {
        size *= 2;
    }
    w.first = fr_allocate(allocator, positions->count, sizeof *w.first, _Alignof(uint32_t));
    w.recent = fr_allocate(allocator, RECENT, sizeof *w.recent, _Alignof(recent_vertex));
    bool has_room = w.first != NULL && w.recent != NULL && make_table(&w, size);
    fr_status status = has_room ? find_first(&w, meter) : FR_ERROR_MEMORY;
    fr_deallocate(allocator, w.recent, RECENT, sizeof *w.recent);
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
