// The hash table of vertices by position.
#include "shape/place_table.h"

#include "shape/mesh.h"

#include <string.h>

bool fr__place_table_take(const fr_mesh_view *view, size_t count, const fr_allocator *allocator, fr__place_table *out) {
    *out = (fr__place_table){.view = view, .slot_count = 16, .allocator = *allocator};
    while (out->slot_count < 2 * count) {
        out->slot_count *= 2;
    }
    out->slots = fr_allocate(allocator, out->slot_count, sizeof *out->slots, _Alignof(uint32_t));
    if (out->slots == NULL) { return false; }
    memset(out->slots, 0xff, out->slot_count * sizeof *out->slots);
    return true;
}

void fr__place_table_release(fr__place_table *table) {
    fr_deallocate(&table->allocator, table->slots, table->slot_count, sizeof *table->slots);
}

static uint64_t place_hash(fr_vec3 p) {
    const double place[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 becomes 0
    return fr_hash(place, sizeof place, 0);
}

uint32_t fr__place_table_first(fr__place_table *table, uint32_t vertex) {
    fr_vec3 p = fr__mesh_position(table->view, vertex);
    size_t slot = (size_t)place_hash(p) & (table->slot_count - 1);
    while (table->slots[slot] != FR_NONE && !fr_vec3_equal(fr__mesh_position(table->view, table->slots[slot]), p)) {
        slot = (slot + 1) & (table->slot_count - 1);
    }
    if (table->slots[slot] == FR_NONE) { table->slots[slot] = vertex; }
    return table->slots[slot];
}
