// A pool of octree cells as the source stores them: divided, condensed, filled.
#include "octree/faithful/cell_pool.h"

bool fr_cell_pool_reset(fr_cell_pool *pool) {
    pool->cells.count = 0;
    pool->has_failed = false;
    fr_pool_cell *root = fr_pool_cell_array_push(&pool->cells, 1);
    if (root == NULL) {
        pool->has_failed = true;
        return false;
    }
    *root = (fr_pool_cell){FR_CELL_WHITE, 0};
    return true;
}

bool fr_cell_pool_divide(fr_cell_pool *pool, uint32_t cell) {
    uint32_t first = (uint32_t)pool->cells.count;
    fr_pool_cell *children = fr_pool_cell_array_push(&pool->cells, 8);
    if (children == NULL) {
        pool->has_failed = true;
        return false;
    }
    fr_pool_cell *own = fr_pool_at(pool, cell);
    for (int c = 0; c < 8; c++) {
        children[c] = (fr_pool_cell){own->color, 0};
    }
    *own = (fr_pool_cell){FR_CELL_GRAY, first};
    return true;
}

void fr_cell_pool_condense(fr_cell_pool *pool, uint32_t cell) {
    fr_pool_cell *own = fr_pool_at(pool, cell);
    const fr_pool_cell *children = fr_pool_at(pool, own->children);
    for (int c = 1; c < 8; c++) {
        if (children[c].color != children[0].color) { return; }
    }
    if (children[0].color != FR_CELL_GRAY) { own->color = children[0].color; }
}

void fr_cell_pool_condense_all(fr_cell_pool *pool, uint32_t cell) {
    if (fr_pool_at(pool, cell)->color != FR_CELL_GRAY) { return; }
    for (uint32_t c = 0; c < 8; c++) {
        fr_cell_pool_condense_all(pool, fr_pool_at(pool, cell)->children + c);
    }
    fr_cell_pool_condense(pool, cell);
}

bool fr_cell_pool_join(fr_cell_pool *to, uint32_t to_cell, const fr_cell_pool *from, uint32_t from_cell) {
    const fr_pool_cell *other = fr_pool_at(from, from_cell);
    if (other->color == FR_CELL_WHITE || fr_pool_at(to, to_cell)->color == FR_CELL_BLACK) { return true; }
    if (other->color == FR_CELL_BLACK) {
        fr_pool_at(to, to_cell)->color = FR_CELL_BLACK;
        return true;
    }
    if (fr_pool_at(to, to_cell)->color != FR_CELL_GRAY && !fr_cell_pool_divide(to, to_cell)) { return false; }
    for (uint32_t c = 0; c < 8; c++) {
        if (!fr_cell_pool_join(to, fr_pool_at(to, to_cell)->children + c, from, other->children + c)) { return false; }
    }
    return true;
}

static void fill_cell(const fr_cell_pool *pool, uint32_t cell, uint32_t level, const int64_t at[3], fr_octree *out) {
    const fr_pool_cell *own = fr_pool_at(pool, cell);
    int64_t size = (int64_t)1 << level;
    if (own->color == FR_CELL_WHITE) { return; }
    if (own->color == FR_CELL_BLACK) {
        const int64_t high[3] = {at[0] + size, at[1] + size, at[2] + size};
        fr_octree_fill(out, at, high, FR_CELL_BLACK);
        return;
    }
    for (uint32_t c = 0; c < 8; c++) {
        const int64_t low[3] = {at[0] + (c & 1 ? size / 2 : 0), at[1] + (c & 2 ? size / 2 : 0),
                                at[2] + (c & 4 ? size / 2 : 0)};
        fill_cell(pool, own->children + c, level - 1, low, out);
    }
}

void fr_cell_pool_fill(const fr_cell_pool *pool, fr_octree *out) {
    const int64_t at[3] = {0, 0, 0};
    fill_cell(pool, 0, fr_octree_get_def(out).depth, at, out);
}
