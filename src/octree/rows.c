// Between the voxels of a tree in Morton order and in straight rows.
#include "octree/rows.h"

#include <string.h>

void fr__octree_bricks_of_rows(fr_octree *t, uint32_t brick_y, uint32_t brick_z, const uint32_t *const rows[16]) {
    uint32_t line = t->def.depth < 3 ? 1u : 1u << (t->def.depth - 2);
    uint32_t per_word = line < 8 ? line : 8;
    uint32_t at = fr__spread3(brick_y) << 1 | fr__spread3(brick_z) << 2;
    uint8_t *colors = t->colors[2];
    for (uint32_t w = 0; w * 8 < line; w++) {
        uint32_t any = 0, all = ~0u;
        for (int r = 0; r < 16; r++) {
            any |= rows[r][w];
            all &= rows[r][w];
        }
        for (uint32_t k = 0; any == 0 && k < per_word; k++) {
            colors[at | fr__spread3(8 * w + k)] = FR_CELL_WHITE;
        }
        for (uint32_t k = 0; any != 0 && k < per_word; k++) {
            uint32_t brick = at | fr__spread3(8 * w + k);
            if ((any >> 4 * k & 15u) == 0) {
                colors[brick] = FR_CELL_WHITE;
            } else if ((all >> 4 * k & 15u) == 15u) {
                colors[brick] = FR_CELL_BLACK;
            } else {
                uint64_t lines = 0;
                for (int r = 0; r < 16; r++) {
                    lines |= (uint64_t)(rows[r][w] >> 4 * k & 15u) << 4 * r;
                }
                t->words[brick] = fr__brick_of_lines(lines);
                colors[brick] = FR_CELL_GRAY;
            }
        }
    }
}

// Slab by slab; where a row is several words, one of them of all rows at a time.
static void bricks_of_slabs(fr_octree *t, const uint32_t *rows) {
    const fr__rows_kernel_table *kernel = fr__rows_kernel();
    uint32_t n = 1u << t->def.depth, words = fr__row_words(t->def.depth);
    uint32_t layers[4 << FR_OCTREE_MAX_DEPTH];
    for (uint32_t z = 0; z < n; z += 4) {
        const uint32_t *slab = rows + ((size_t)z << t->def.depth) * words;
        for (uint32_t w = 0; w < words; w++) {
            for (uint32_t i = 0; words > 1 && i < 4 * n; i++) {
                layers[i] = slab[(size_t)i * words + w];
            }
            kernel->bricks(t, z / 4, w, words > 1 ? layers : slab);
        }
    }
}

void fr__octree_from_rows(fr_octree *t, const uint32_t *rows) {
    uint32_t depth = t->def.depth, bricks = 1u << (depth - 2);
    if (depth >= 5) { bricks_of_slabs(t, rows); }
    for (uint32_t i = 0; i < bricks * bricks && depth < 5; i++) {
        uint32_t y = i % bricks, z = i / bricks;
        const uint32_t *sixteen[16];
        for (uint32_t r = 0; r < 16; r++) {
            sixteen[r] = rows + ((size_t)(4 * z + r / 4) << depth) + 4 * y + r % 4;
        }
        fr__octree_bricks_of_rows(t, y, z, sixteen);
    }
    fr__octree_close_above(t, 2);
}

typedef struct row_filler {
    const fr_octree *tree;
    uint32_t *rows;
    uint32_t words;
} row_filler;

static uint32_t *row_at(const row_filler *f, uint32_t y, uint32_t z) {
    return f->rows + (((size_t)z << f->tree->def.depth) + y) * f->words;
}

static void fill_black(const row_filler *f, const fr_cell *cell) {
    uint32_t size = 1u << cell->level;
    for (uint32_t z = cell->z; z < cell->z + size; z++) {
        for (uint32_t y = cell->y; y < cell->y + size; y++) {
            uint32_t *row = row_at(f, y, z);
            if (size < 32) {
                row[cell->x / 32] |= ((1u << size) - 1) << cell->x % 32;
            } else {
                memset(row + cell->x / 32, 0xff, size / 8);
            }
        }
    }
}

static void fill_brick(const row_filler *f, const fr_cell *cell, uint64_t word) {
    uint64_t lines = fr__lines_of_brick(word);
    for (uint32_t r = 0; r < 16; r++) {
        uint32_t *row = row_at(f, cell->y + r % 4, cell->z + r / 4);
        row[cell->x / 32] |= (uint32_t)(lines >> 4 * r & 15u) << cell->x % 32;
    }
}

static void fill_rows(const row_filler *f, const fr_cell *cell, uint32_t index) {
    fr_cell_color color = fr__octree_node(f->tree, cell->level, index);
    if (color == FR_CELL_WHITE) { return; }
    if (color == FR_CELL_BLACK) {
        fill_black(f, cell);
    } else if (cell->level == 2) {
        fill_brick(f, cell, f->tree->words[index]);
    } else {
        for (uint32_t c = 0; c < 8; c++) {
            fr_cell child = fr__cell_child(cell, c);
            fill_rows(f, &child, (index << 3) + c);
        }
    }
}

void fr__octree_to_rows(const fr_octree *t, uint32_t *rows) {
    row_filler f = {t, rows, fr__row_words(t->def.depth)};
    memset(rows, 0, fr__rows_count(t->def.depth) * sizeof *rows);
    fr_cell root = {0, 0, 0, t->def.depth, FR_CELL_WHITE};
    fill_rows(&f, &root, 0);
}
