// The words of a tree hold 4 x 4 x 4 cells in space and 8 x 8 in the plane. Those about a change are made again; then
// every cell above them takes its colour from its children.
#include "plan/world_octree.h"

#include "octree/octree.h"

// A tree that is one word or smaller: cell by cell.
static void update_small(const fr__plan_bits *bits, fr_octree *out) {
    fr_octree_clear(out, FR_CELL_WHITE);
    for (uint32_t i = 0; i < bits->size * bits->size * bits->layers; i++) {
        int64_t x = i % bits->size, y = i / bits->size % bits->size, z = i / bits->size / bits->size;
        if ((bits->words[z * bits->size + y] >> x & 1) != 0) {
            fr_octree_fill(out, (const int64_t[3]){x, y, z}, (const int64_t[3]){x + 1, y + 1, z + 1}, FR_CELL_BLACK);
        }
    }
}

// A line of 4 x 4 x 4 cells along x.
static void update_line(const fr__plan_bits *bits, uint32_t brick_y, uint32_t brick_z, fr_octree *out) {
    uint32_t rows[16][(1u << FR_PLAN_MAX_DEPTH) / 32];
    const uint32_t *sixteen[16];
    for (uint32_t r = 0; r < 16; r++) {
        size_t row = (size_t)(4 * brick_z + r / 4) * bits->size + 4 * brick_y + r % 4;
        const uint64_t *words = bits->words + row * bits->row_words;
        for (uint32_t w = 0; w < bits->row_words; w++) {
            rows[r][2 * w] = (uint32_t)words[w];
            rows[r][2 * w + 1] = (uint32_t)(words[w] >> 32);
        }
        sixteen[r] = rows[r];
    }
    fr__octree_bricks_of_rows(out, brick_y, brick_z, sixteen);
}

// 8 x 8 cells in Morton order: bit x of a row goes to the place of x, the row to that of y.
static void update_square(const fr__plan_bits *bits, uint32_t x, uint32_t y, fr_octree *out) {
    static const uint8_t place[8] = {0, 2, 8, 10, 32, 34, 40, 42};
    uint64_t word = 0;
    for (uint32_t r = 0; r < 8; r++) {
        uint64_t b = bits->words[(size_t)(8 * y + r) * bits->row_words + x / 8] >> x % 8 * 8 & 255u;
        word |= ((b & 3) | (b >> 2 & 3) << 4 | (b >> 4 & 3) << 16 | (b >> 6) << 20) << place[r];
    }
    uint32_t index = fr__octree_index(out, x, y, 0);
    out->words[index] = word;
    fr__octree_close(out, 3, index);
}

static void update_words(const fr__plan_bits *bits, const int32_t low[3], const int32_t high[3], fr_octree *out) {
    if (out->dimension == 3) {
        for (int32_t z = low[2] / 4; z <= (high[2] - 1) / 4; z++) {
            for (int32_t y = low[1] / 4; y <= (high[1] - 1) / 4; y++) {
                update_line(bits, (uint32_t)y, (uint32_t)z, out);
            }
        }
        return;
    }
    for (int32_t y = low[1] / 8; y <= (high[1] - 1) / 8; y++) {
        for (int32_t x = low[0] / 8; x <= (high[0] - 1) / 8; x++) {
            update_square(bits, (uint32_t)x, (uint32_t)y, out);
        }
    }
}

void fr__plan_update_octree(const fr__plan_bits *bits, const int32_t low[3], const int32_t high[3], fr_octree *out) {
    if (low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2]) { return; }
    if (out->def.depth < out->word_level) {
        update_small(bits, out);
        return;
    }
    update_words(bits, low, high, out);
    for (uint32_t level = out->word_level + 1; level <= out->def.depth; level++) {
        for (int32_t z = low[2] >> level; z <= (high[2] - 1) >> level; z++) {
            for (int32_t y = low[1] >> level; y <= (high[1] - 1) >> level; y++) {
                for (int32_t x = low[0] >> level; x <= (high[0] - 1) >> level; x++) {
                    fr__octree_close(out, level, fr__octree_index(out, (uint32_t)x, (uint32_t)y, (uint32_t)z));
                }
            }
        }
    }
}
