// Quadtrees that move. As in space every target pixel is pulled back to the reference; blocks of 64 and of 8 pixels are
// decided at once where all that their pixels may come from is of one colour.
#include "octree/plane_motion.h"

#include "octree/move.h"

#include <string.h>

// The blocks that are tested as one, and how many cells from the one their middle comes from their pixels may reach:
// the pixels' centres lie within sqrt 2 (size - 1) / 2 of the middle, a cell more where they are in it, one more for
// what a pixel overlaps, and one for rounding.
static const uint32_t block_level[FR__PLANE_BLOCKS] = {3, 6};
static const int32_t block_reach[FR__PLANE_BLOCKS] = {8, 48};

// ---------------------------------------------------------------------------------------------------------------
// The reference

static bool set_leaf(const fr_cell *cell, void *context) {
    const fr_octree_reference *r = context;
    uint32_t size = 1u << cell->level;
    for (uint32_t y = cell->y; y < cell->y + size; y++) {
        uint32_t *row = r->rows + (size_t)y * r->row_words;
        if (size < 32) {
            row[cell->x / 32] |= ((1u << size) - 1) << cell->x % 32;
        } else {
            memset(row + cell->x / 32, 0xff, size / 8);
        }
    }
    return true;
}

// Ors a row of bits, moved by `by` to either side, into itself.
static void spread_row(uint32_t *row, uint32_t words, int32_t by, uint32_t *copy) {
    int32_t whole = by / 32, bit = by % 32;
    memcpy(copy, row, words * sizeof *copy);
    for (int32_t w = 0; w < (int32_t)words; w++) {
        uint32_t up[2], down[2];
        for (int32_t k = 0; k < 2; k++) {
            int32_t below = w - whole - k, above = w + whole + k;
            up[k] = below >= 0 ? copy[below] : 0;
            down[k] = above < (int32_t)words ? copy[above] : 0;
        }
        row[w] |= up[0] << bit | down[0] >> bit;
        if (bit > 0) { row[w] |= up[1] >> (32 - bit) | down[1] << (32 - bit); }
    }
}

// Every pixel within `reach` of a set one, on both axes, is set. A spread by `done` and then by up to done + 1 more
// leaves no gap, at a border neither, beyond which nothing is kept. `copy` holds as much as the rows.
static void spread(uint32_t *rows, uint32_t n, uint32_t words, int32_t reach, uint32_t *copy) {
    for (int32_t done = 0, by; done < reach; done += by) {
        by = done + 1 < reach - done ? done + 1 : reach - done;
        for (uint32_t y = 0; y < n; y++) {
            spread_row(rows + (size_t)y * words, words, by, copy);
        }
        memcpy(copy, rows, (size_t)n * words * sizeof *copy);
        for (int32_t y = 0; y < (int32_t)n; y++) {
            uint32_t *row = rows + (size_t)y * words;
            for (int32_t from = y - by; from <= y + by; from += 2 * by) {
                if (from < 0 || from >= (int32_t)n) { continue; }
                for (uint32_t w = 0; w < words; w++) {
                    row[w] |= copy[(size_t)from * words + w];
                }
            }
        }
    }
}

bool fr__plane_reference_fill(fr_octree_reference *r, const fr_octree *quadtree) {
    uint32_t n = 1u << r->depth;
    r->row_words = fr__row_words(r->depth);
    r->row_count = (size_t)n * r->row_words;
    r->rows = fr_allocate(&r->allocator, r->row_count, sizeof *r->rows, 64);
    uint32_t *copy = fr_allocate(&r->allocator, r->row_count, sizeof *copy, 64);
    bool has_room = r->rows != NULL && copy != NULL;
    if (has_room) {
        memset(r->rows, 0, r->row_count * sizeof *r->rows);
        fr_octree_leaves(quadtree, FR_CELL_BLACK, set_leaf, r);
        fr__reference_bound(r);
    }
    for (int k = 0; k < 2 * FR__PLANE_BLOCKS && has_room; k++) {
        bool is_white = k % 2 == 1;
        uint32_t *near = fr_allocate(&r->allocator, r->row_count, sizeof *near, 64);
        r->plane_near[k / 2][k % 2] = near;
        has_room = near != NULL;
        for (size_t i = 0; i < r->row_count && has_room; i++) {
            near[i] = is_white ? ~r->rows[i] : r->rows[i];
        }
        if (has_room) { spread(near, n, r->row_words, block_reach[k / 2], copy); }
    }
    fr_deallocate(&r->allocator, copy, r->row_count, sizeof *copy);
    return has_room;
}

void fr__plane_reference_free(const fr_octree_reference *r) {
    for (int k = 0; k < 2 * FR__PLANE_BLOCKS; k++) {
        uint32_t *near = r->plane_near[k / 2][k % 2];
        fr_deallocate(&r->allocator, near, r->row_count, sizeof *near);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

typedef struct plane_job {
    const fr_octree_reference *reference;
    const fr_octree_map *map;
    fr_octree *out;
    uint64_t mixed;
} plane_job;

static bool bit_at(const uint32_t *rows, uint32_t words, int64_t x, int64_t y) {
    return (rows[(size_t)y * words + (size_t)(x >> 5)] >> (x & 31) & 1u) != 0;
}

static bool is_black(const fr_octree_reference *r, int64_t x, int64_t y) {
    int64_t n = (int64_t)1 << r->depth;
    return x >= 0 && y >= 0 && x < n && y < n && bit_at(r->rows, r->row_words, x, y);
}

// A block by the cell its middle comes from: gray where it may hold both colours. Outside everything is white, so what
// comes from beyond the root's border is tested pixel by pixel only where it is near, and near the border no block is
// surely black.
static fr_cell_color block_color(const plane_job *job, int k, int64_t x, int64_t y) {
    const fr_octree_reference *r = job->reference;
    const fr_octree_map *m = job->map;
    int64_t size = (int64_t)1 << block_level[k], n = (int64_t)1 << r->depth, reach = block_reach[k], cell[2];
    bool is_inside = true;
    for (int axis = 0; axis < 2; axis++) {
        int64_t middle = fr__map_image(m, axis, x, y, 0) + (size - 1) * (m->a[axis][0] + m->a[axis][1]) / 2;
        cell[axis] = middle >> m->shift;
        if (cell[axis] < -reach || cell[axis] >= n + reach) { return FR_CELL_WHITE; }
        is_inside = is_inside && cell[axis] >= 0 && cell[axis] < n;
    }
    if (!is_inside) { return FR_CELL_GRAY; }
    if (!bit_at(r->plane_near[k][0], r->row_words, cell[0], cell[1])) { return FR_CELL_WHITE; }
    bool is_far = cell[0] >= reach && cell[1] >= reach && cell[0] < n - reach && cell[1] < n - reach;
    return is_far && !bit_at(r->plane_near[k][1], r->row_words, cell[0], cell[1]) ? FR_CELL_BLACK : FR_CELL_GRAY;
}

// One pixel, as fr_octree_map_meets defines it.
static bool pixel_is_black(const plane_job *job, int32_t x, int32_t y) {
    const fr_octree_map *m = job->map;
    int64_t cx = fr__map_image(m, 0, x, y, 0) >> m->shift, cy = fr__map_image(m, 1, x, y, 0) >> m->shift;
    if (is_black(job->reference, cx, cy)) { return true; }
    const int32_t target[3] = {x, y, 0};
    for (int k = 0; k < 9 && m->rule != FR_OCTREE_CENTER; k++) {
        const int32_t source[3] = {(int32_t)cx + k % 3 - 1, (int32_t)cy + k / 3 - 1, 0};
        if (is_black(job->reference, source[0], source[1]) && fr_octree_map_meets(m, source, target)) { return true; }
    }
    return false;
}

// The pixels of a cell of up to 8 x 8, in Morton order.
static uint64_t pixels_of(plane_job *job, uint32_t level, int32_t x, int32_t y) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < 1u << 2 * level; i++) {
        uint32_t dx = (i & 1) | (i >> 1 & 2) | (i >> 2 & 4), dy = (i >> 1 & 1) | (i >> 2 & 2) | (i >> 3 & 4);
        word |= (uint64_t)pixel_is_black(job, x + (int32_t)dx, y + (int32_t)dy) << i;
    }
    job->mixed++;
    return word;
}

static void fill_cell(plane_job *job, uint32_t level, uint32_t index, int32_t x, int32_t y) {
    fr_octree *t = job->out;
    for (int k = 0; k < FR__PLANE_BLOCKS; k++) {
        if (level != block_level[k]) { continue; }
        fr_cell_color color = block_color(job, k, x, y);
        t->colors[level][index] = (uint8_t)color;
        if (color != FR_CELL_GRAY) { return; }
    }
    if (level == t->word_level) {
        t->words[index] = pixels_of(job, level, x, y);
    } else {
        int32_t half = 1 << (level - 1);
        for (uint32_t c = 0; c < 4; c++) {
            fill_cell(job, level - 1, 4 * index + c, x + (int32_t)(c & 1) * half, y + (int32_t)(c >> 1) * half);
        }
    }
    fr__octree_close(t, level, index);
}

bool fr__plane_motion_is_flat(const fr_octree_motion *m) {
    const fr_vec3 *row = m->rotation.row;
    return row[0].z == 0.0 && row[1].z == 0.0 && row[2].x == 0.0 && row[2].y == 0.0 && row[2].z == 1.0 &&
           m->travel.z == 0.0;
}

uint64_t fr__plane_move(const fr_octree_reference *reference, const fr_octree_map *map, fr_octree *out) {
    plane_job job = {reference, map, out, 0};
    if (out->def.depth < out->word_level) {
        out->words[0] = pixels_of(&job, out->def.depth, 0, 0);
    } else {
        fill_cell(&job, out->def.depth, 0, 0, 0);
    }
    return job.mixed;
}
