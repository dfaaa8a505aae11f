// The inside of a tree: a pyramid of colours over words of 64 voxels, all in Morton order.
//
// Cells of word_level and larger have a byte of colour; a word holds the 64 voxels of a cell of word_level (4 x 4 x 4,
// in a quadtree 8 x 8). A colour or a word means something only where its parent is gray: so a large cell of one colour
// is one byte, and nothing below it is written.
#ifndef FUREAI_OCTREE_OCTREE_H
#define FUREAI_OCTREE_OCTREE_H

#include "fureai/octree.h"

#include <string.h>

#define FR__OCTREE_LEVELS (FR_QUADTREE_MAX_DEPTH + 1)

struct fr_octree {
    fr_octree_def def;
    double voxel;        // edge of a voxel
    uint32_t dimension;  // 3 or 2
    uint32_t word_level; // 2 or 3
    uint64_t *words;     // one a cell of word_level; one word in all where the root is smaller than that
    size_t word_count;
    uint8_t *colors[FR__OCTREE_LEVELS]; // by level, from word_level to depth
    uint8_t *block;                     // all colours
    size_t block_bytes;
};

// Spreads the bits of a coordinate (up to 10 in 3-D, 16 in 2-D), so that they can be interleaved.
static inline uint32_t fr__spread3(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static inline uint32_t fr__spread2(uint32_t x) {
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static inline uint32_t fr__gather3(uint32_t m) {
    m &= 0x09249249u;
    m = (m | m >> 2) & 0x030c30c3u;
    m = (m | m >> 4) & 0x0300f00fu;
    m = (m | m >> 8) & 0x030000ffu;
    return (m | m >> 16) & 0x3ffu;
}

static inline uint32_t fr__morton3(uint32_t x, uint32_t y, uint32_t z) {
    return fr__spread3(x) | fr__spread3(y) << 1 | fr__spread3(z) << 2;
}

// The Morton index of a cell by its coordinates in cells of its level.
static inline uint32_t fr__octree_index(const fr_octree *t, uint32_t x, uint32_t y, uint32_t z) {
    return t->dimension == 3 ? fr__morton3(x, y, z) : fr__spread2(x) | fr__spread2(y) << 1;
}

static inline uint32_t fr__octree_children(const fr_octree *t) { return 1u << t->dimension; }

// The bits of a cell below word_level: where they begin in its word, and which they are there, moved to the bottom.
static inline uint32_t fr__octree_bit(const fr_octree *t, uint32_t level, uint32_t index) {
    uint32_t cells = 1u << t->dimension * (t->word_level - level);
    return (index & (cells - 1)) << t->dimension * level;
}

static inline uint64_t fr__octree_mask(const fr_octree *t, uint32_t level) {
    uint32_t bits = 1u << t->dimension * level;
    return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static inline fr_cell_color fr__color_of_bits(uint64_t bits, uint64_t mask) {
    return bits == 0 ? FR_CELL_WHITE : bits == mask ? FR_CELL_BLACK : FR_CELL_GRAY;
}

// The colour of a cell whose parent is gray (or that is the root).
static inline fr_cell_color fr__octree_node(const fr_octree *t, uint32_t level, uint32_t index) {
    if (level >= t->word_level) { return (fr_cell_color)t->colors[level][index]; }
    uint64_t mask = fr__octree_mask(t, level);
    uint64_t word = t->words[index >> t->dimension * (t->word_level - level)];
    return fr__color_of_bits(word >> fr__octree_bit(t, level, index) & mask, mask);
}

// Makes a cell white or black whose parent is gray.
static inline void fr__octree_set(fr_octree *t, uint32_t level, uint32_t index, fr_cell_color color) {
    if (level >= t->word_level) {
        t->colors[level][index] = (uint8_t)color;
        return;
    }
    uint64_t bits = fr__octree_mask(t, level) << fr__octree_bit(t, level, index);
    uint64_t *word = &t->words[index >> t->dimension * (t->word_level - level)];
    *word = color == FR_CELL_BLACK ? *word | bits : *word & ~bits;
}

// Makes a cell gray, its children of the colour it had, so that they can be set.
static inline void fr__octree_open(fr_octree *t, uint32_t level, uint32_t index) {
    if (level < t->word_level || t->colors[level][index] == FR_CELL_GRAY) { return; }
    uint8_t color = t->colors[level][index];
    if (level == t->word_level) {
        t->words[index] = color == FR_CELL_BLACK ? ~(uint64_t)0 : 0;
    } else {
        for (uint32_t c = 0; c < fr__octree_children(t); c++) {
            t->colors[level - 1][(index << t->dimension) + c] = color;
        }
    }
    t->colors[level][index] = FR_CELL_GRAY;
}

// The colour that the children's colours give, 8 (4) bytes from `first`.
static inline uint8_t fr__color_of_children(const uint8_t *first, uint32_t count) {
    for (uint32_t c = 1; c < count; c++) {
        if (first[c] != first[0]) { return FR_CELL_GRAY; }
    }
    return first[0];
}

// The same for eight children.
static inline uint8_t fr__color_of_eight(const uint8_t *first) {
    uint64_t eight;
    memcpy(&eight, first, sizeof eight);
    return eight == 0 ? FR_CELL_WHITE : eight == 0x0101010101010101u ? FR_CELL_BLACK : FR_CELL_GRAY;
}

// Colours a cell by its children, which are all set.
static inline void fr__octree_close(fr_octree *t, uint32_t level, uint32_t index) {
    if (level > t->word_level) {
        t->colors[level][index] =
            fr__color_of_children(t->colors[level - 1] + ((size_t)index << t->dimension), fr__octree_children(t));
    } else if (level == t->word_level) {
        t->colors[level][index] = (uint8_t)fr__color_of_bits(t->words[index], ~(uint64_t)0);
    }
}

// Colours all cells above `level` by theirs, which are all set. 3-D.
void fr__octree_close_above(fr_octree *t, uint32_t level);

// The place of a child: its low voxel.
static inline fr_cell fr__cell_child(const fr_cell *cell, uint32_t child) {
    uint32_t half = 1u << (cell->level - 1);
    return (fr_cell){cell->x + (child & 1) * half, cell->y + (child >> 1 & 1) * half, cell->z + (child >> 2) * half,
                     cell->level - 1, FR_CELL_WHITE};
}

static inline bool fr__octree_alike(const fr_octree *a, const fr_octree *b) {
    return a->dimension == b->dimension && a->def.depth == b->def.depth;
}

// ---------------------------------------------------------------------------------------------------------------
// Rows: the voxels of a 3-D tree in straight lines, bit x of the row (y, z), in words of 32 bits

static inline uint32_t fr__row_words(uint32_t depth) { return depth > 5 ? 1u << (depth - 5) : 1u; }

static inline size_t fr__rows_count(uint32_t depth) { return ((size_t)1 << 2 * depth) * fr__row_words(depth); }

// Exchanges the bits of a word whose index differs in two places: those of `mask` with those `by` above.
static inline uint64_t fr__delta_swap(uint64_t w, uint64_t mask, int by) {
    uint64_t moved = (w >> by ^ w) & mask;
    return w ^ moved ^ moved << by;
}

// From x + 4 y + 16 z to Morton order and back. Index bits x0 x1 y0 y1 z0 z1 become x0 y0 z0 x1 y1 z1 by exchanging
// places 1 and 2, 2 and 4, 3 and 4.
static inline uint64_t fr__brick_of_lines(uint64_t w) {
    w = fr__delta_swap(w, 0x0c0c0c0c0c0c0c0cu, 2);
    w = fr__delta_swap(w, 0x0000f0f00000f0f0u, 12);
    return fr__delta_swap(w, 0x0000ff000000ff00u, 8);
}

static inline uint64_t fr__lines_of_brick(uint64_t w) {
    w = fr__delta_swap(w, 0x0000ff000000ff00u, 8);
    w = fr__delta_swap(w, 0x0000f0f00000f0f0u, 12);
    return fr__delta_swap(w, 0x0c0c0c0c0c0c0c0cu, 2);
}

// The bricks of one line of them along x: 16 rows (z, y of a brick) of row words each, `stride` words apart. 3-D, depth
// 2 and more. Writes words and colours of bricks; levels above are closed later.
void fr__octree_bricks_of_rows(fr_octree *t, uint32_t brick_y, uint32_t brick_z, const uint32_t *const rows[16]);

// The whole tree of its rows; depth 2 and more.
void fr__octree_from_rows(fr_octree *t, const uint32_t *rows);

// The rows of a 3-D tree; all are written.
void fr__octree_to_rows(const fr_octree *t, uint32_t *rows);

#endif
