// Octrees of linked cells, as the source has them.
#ifndef FUREAI_OCTREE_FAITHFUL_CELL_POOL_H
#define FUREAI_OCTREE_FAITHFUL_CELL_POOL_H

#include "fureai/octree.h"

// A cell: a colour, and where it is gray its eight children one after another.
typedef struct fr_pool_cell {
    uint32_t color;
    uint32_t children;
} fr_pool_cell;

FR_ARRAY_TYPE(fr_pool_cell_array, fr_pool_cell);

typedef struct fr_cell_pool {
    fr_pool_cell_array cells; // 0 is the root
    bool has_failed;
} fr_cell_pool;

// A white root alone.
bool fr_cell_pool_reset(fr_cell_pool *pool);

// Divides a cell; its children have its colour. False without memory.
bool fr_cell_pool_divide(fr_cell_pool *pool, uint32_t cell);

// Gray with eight children of one colour becomes that colour.
void fr_cell_pool_condense(fr_cell_pool *pool, uint32_t cell);
void fr_cell_pool_condense_all(fr_cell_pool *pool, uint32_t cell);

// Makes black in `to` what is black in `from`.
bool fr_cell_pool_join(fr_cell_pool *to, uint32_t to_cell, const fr_cell_pool *from, uint32_t from_cell);

// The same as an octree of a depth.
void fr_cell_pool_fill(const fr_cell_pool *pool, fr_octree *out);

static inline fr_pool_cell *fr_pool_at(const fr_cell_pool *pool, uint32_t cell) { return pool->cells.data + cell; }

#endif
