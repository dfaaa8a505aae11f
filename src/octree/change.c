// What changes a tree: filling, combining, leaving out detail.
#include "octree/octree.h"

// ---------------------------------------------------------------------------------------------------------------
// Filling

typedef struct fill_job {
    fr_octree *tree;
    int64_t low[3], high[3];
    fr_cell_color color;
} fill_job;

static void fill_cell(const fill_job *f, const fr_cell *cell, uint32_t index) {
    int64_t size = (int64_t)1 << cell->level;
    const int64_t at[3] = {cell->x, cell->y, cell->z};
    bool is_whole = true;
    for (uint32_t a = 0; a < f->tree->dimension; a++) {
        if (at[a] >= f->high[a] || at[a] + size <= f->low[a]) { return; }
        is_whole = is_whole && at[a] >= f->low[a] && at[a] + size <= f->high[a];
    }
    if (is_whole) {
        fr__octree_set(f->tree, cell->level, index, f->color);
        return;
    }
    fr__octree_open(f->tree, cell->level, index);
    // On each axis only halves that the box reaches.
    bool is_reached[3][2] = {{true, true}, {true, true}, {true, true}};
    for (uint32_t a = 0; a < f->tree->dimension; a++) {
        is_reached[a][0] = f->low[a] < at[a] + size / 2;
        is_reached[a][1] = f->high[a] > at[a] + size / 2;
    }
    for (uint32_t c = 0; c < fr__octree_children(f->tree); c++) {
        if (!is_reached[0][c & 1] || !is_reached[1][c >> 1 & 1] || !is_reached[2][c >> 2]) { continue; }
        fr_cell child = fr__cell_child(cell, c);
        fill_cell(f, &child, (index << f->tree->dimension) + c);
    }
    fr__octree_close(f->tree, cell->level, index);
}

void fr_octree_fill(fr_octree *t, const int64_t low[3], const int64_t high[3], fr_cell_color color) {
    FR_ASSERT(color != FR_CELL_GRAY);
    fill_job f = {t, {low[0], low[1], low[2]}, {high[0], high[1], high[2]}, color};
    int64_t n = (int64_t)1 << t->def.depth;
    for (uint32_t a = 0; a < t->dimension; a++) {
        f.low[a] = f.low[a] > 0 ? f.low[a] : 0;
        f.high[a] = f.high[a] < n ? f.high[a] : n;
        if (f.low[a] >= f.high[a]) { return; }
    }
    if (t->dimension == 2 && (low[2] > 0 || high[2] < 1)) { return; }
    fr_cell root = {0, 0, 0, t->def.depth, FR_CELL_WHITE};
    fill_cell(&f, &root, 0);
}

// A coordinate in voxels, within what an int64 holds and far outside every root.
static double in_voxels(double x, double min, double voxel) {
    double v = (x - min) / voxel;
    return v > 0x1p+40 ? 0x1p+40 : v < -0x1p+40 ? -0x1p+40 : v;
}

fr_status fr_octree_add_boxes(fr_octree *t, const fr_bounds *boxes, size_t count, fr_error *error) {
    for (size_t i = 0; i < count; i++) {
        const fr_vec3 *min = &boxes[i].min, *max = &boxes[i].max;
        bool is_empty = min->x > max->x || min->y > max->y || min->z > max->z;
        if (!is_empty && !(fr_vec3_is_finite(*min) && fr_vec3_is_finite(*max))) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "box %zu has a number that is not finite", i);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const fr_bounds *b = &boxes[i];
        if (fr_bounds_is_empty(b)) { continue; }
        const double min[3] = {b->min.x, b->min.y, b->min.z}, max[3] = {b->max.x, b->max.y, b->max.z};
        const double root[3] = {t->def.min.x, t->def.min.y, t->def.min.z};
        int64_t low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
        for (uint32_t a = 0; a < t->dimension; a++) {
            low[a] = (int64_t)ceil(in_voxels(min[a], root[a], t->voxel)) - 1;
            high[a] = (int64_t)floor(in_voxels(max[a], root[a], t->voxel)) + 1;
        }
        fr_octree_fill(t, low, high, FR_CELL_BLACK);
    }
    return FR_OK;
}

fr_status fr_octree_add_points(fr_octree *t, const fr_vec3 *points, size_t count, fr_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!fr_vec3_is_finite(points[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "point %zu has a number that is not finite", i);
        }
    }
    for (size_t i = 0; i < count; i++) {
        int64_t low[3] = {(int64_t)floor(in_voxels(points[i].x, t->def.min.x, t->voxel)),
                          (int64_t)floor(in_voxels(points[i].y, t->def.min.y, t->voxel)), 0};
        if (t->dimension == 3) { low[2] = (int64_t)floor(in_voxels(points[i].z, t->def.min.z, t->voxel)); }
        int64_t high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
        fr_octree_fill(t, low, high, FR_CELL_BLACK);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Combining

typedef struct combining {
    const fr_octree *a, *b;
    fr_octree *out;
    uint32_t truth; // bit 2 a + b: the result
} combining;

static uint64_t combine_bits(uint32_t truth, uint64_t a, uint64_t b) {
    uint64_t r = 0;
    if (truth & 1u) { r |= ~a & ~b; }
    if (truth & 2u) { r |= ~a & b; }
    if (truth & 4u) { r |= a & ~b; }
    if (truth & 8u) { r |= a & b; }
    return r;
}

static uint64_t word_of(const fr_octree *t, fr_cell_color color, uint32_t index) {
    return color == FR_CELL_GRAY ? t->words[index] : color == FR_CELL_BLACK ? ~(uint64_t)0 : 0;
}

// Whether the colours decide, and what. A gray one counts as both.
static bool decides(uint32_t truth, fr_cell_color a, fr_cell_color b, fr_cell_color *out) {
    bool can_be[2] = {false, false};
    for (uint32_t i = 0; i < 4; i++) {
        bool fits = (a == FR_CELL_GRAY || (uint32_t)a == i >> 1) && (b == FR_CELL_GRAY || (uint32_t)b == (i & 1u));
        if (fits) { can_be[truth >> i & 1u] = true; }
    }
    *out = can_be[1] ? FR_CELL_BLACK : FR_CELL_WHITE;
    return can_be[0] != can_be[1];
}

// `a` and `b` are the colours of the cell in both trees, that of an ancestor where this is not divided. The output may
// be one of the trees: a cell is read before it is written.
static void combine_cell(const combining *m, uint32_t level, uint32_t index, fr_cell_color a, fr_cell_color b) {
    fr_octree *out = m->out;
    fr_cell_color color;
    if (decides(m->truth, a, b, &color)) {
        fr__octree_set(out, level, index, color);
        return;
    }
    if (level == out->word_level) {
        out->words[index] = combine_bits(m->truth, word_of(m->a, a, index), word_of(m->b, b, index));
    } else {
        for (uint32_t c = 0; c < fr__octree_children(out); c++) {
            uint32_t child = (index << out->dimension) + c;
            combine_cell(m, level - 1, child, a == FR_CELL_GRAY ? fr__octree_node(m->a, level - 1, child) : a,
                         b == FR_CELL_GRAY ? fr__octree_node(m->b, level - 1, child) : b);
        }
    }
    fr__octree_close(out, level, index);
}

fr_status fr_octree_combine(fr_octree_operation operation, const fr_octree *a, const fr_octree *b, fr_octree *out,
                            fr_error *error) {
    static const uint32_t truths[] = {14, 8, 4, 6};
    if (!fr__octree_alike(a, b) || !fr__octree_alike(a, out)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the trees differ in dimension or depth");
    }
    if ((uint32_t)operation >= 4) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no operation with number %u", (unsigned)operation);
    }
    combining m = {a, b, out, truths[operation]};
    uint32_t depth = a->def.depth;
    if (depth < a->word_level) {
        out->words[0] = combine_bits(m.truth, a->words[0], b->words[0]) & fr__octree_mask(a, depth);
    } else {
        combine_cell(&m, depth, 0, fr__octree_node(a, depth, 0), fr__octree_node(b, depth, 0));
    }
    return FR_OK;
}

static void invert_cell(fr_octree *t, uint32_t level, uint32_t index) {
    fr_cell_color color = fr__octree_node(t, level, index);
    if (color != FR_CELL_GRAY) {
        fr__octree_set(t, level, index, color == FR_CELL_BLACK ? FR_CELL_WHITE : FR_CELL_BLACK);
    } else if (level == t->word_level) {
        t->words[index] = ~t->words[index];
    } else {
        for (uint32_t c = 0; c < fr__octree_children(t); c++) {
            invert_cell(t, level - 1, (index << t->dimension) + c);
        }
    }
}

void fr_octree_invert(fr_octree *t) { invert_cell(t, t->def.depth, 0); }

static void coarsen_cell(fr_octree *t, uint32_t level, uint32_t index, uint32_t least, bool whole) {
    if (fr__octree_node(t, level, index) != FR_CELL_GRAY) { return; }
    if (level <= least) {
        fr__octree_set(t, level, index, whole ? FR_CELL_WHITE : FR_CELL_BLACK);
        return;
    }
    for (uint32_t c = 0; c < fr__octree_children(t); c++) {
        coarsen_cell(t, level - 1, (index << t->dimension) + c, least, whole);
    }
    fr__octree_close(t, level, index);
}

fr_status fr_octree_coarsen(const fr_octree *t, uint32_t level, bool is_whole, fr_octree *out, fr_error *error) {
    if (level > t->def.depth) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the level is above the depth of the tree");
    }
    fr_status status = fr_octree_copy(t, out, error);
    if (status == FR_OK) { coarsen_cell(out, out->def.depth, 0, level, is_whole); }
    return status;
}
