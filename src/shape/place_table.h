// Vertices of a mesh by their positions: an open-addressing hash table.
#ifndef FUREAI_SHAPE_PLACE_TABLE_H
#define FUREAI_SHAPE_PLACE_TABLE_H

#include "fureai/shape.h"

typedef struct fr__place_table {
    const fr_mesh_view *view;
    uint32_t *slots; // a vertex or FR_NONE
    size_t slot_count;
    fr_allocator allocator;
} fr__place_table;

// An empty table for up to `count` places; false: out of memory.
bool fr__place_table_take(const fr_mesh_view *view, size_t count, const fr_allocator *allocator, fr__place_table *out);
void fr__place_table_release(fr__place_table *table);

// The first looked-up vertex at the position of `vertex`, which may be itself. Positions compare by value: -0 equals 0.
uint32_t fr__place_table_first(fr__place_table *table, uint32_t vertex);

#endif
