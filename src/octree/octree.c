// The octree itself: creation, copies, counts and colours of cells.
#include "octree/octree.h"

#include <string.h>

#define OCTREE_DEF_COOKIE 0x4f435452u

fr_octree_def fr_default_octree_def(void) {
    fr_octree_def def;
    memset(&def, 0, sizeof def);
    def.dimension = 3;
    def.depth = 5;
    def.cookie = OCTREE_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

#define EDGE_MIN 0x1p-300

static double edge_of(const fr_octree_def *def) { return def->edge == 0.0 ? ldexp(1.0, (int)def->depth) : def->edge; }

static fr_status check_def(const fr_octree_def *def, fr_error *error) {
    if (def->dimension != 2 && def->dimension != 3) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an octree has 3 dimensions, a quadtree 2, not %d",
                            def->dimension);
    }
    uint32_t most = def->dimension == 3 ? FR_OCTREE_MAX_DEPTH : FR_QUADTREE_MAX_DEPTH;
    if (def->depth < 1 || def->depth > most) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the depth %u is not in 1 .. %u", (unsigned)def->depth,
                            (unsigned)most);
    }
    if (!fr_vec3_is_finite(def->min) || !isfinite(def->edge)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the root of an octree has a number that is not finite");
    }
    double largest = fr_vec3_largest(def->min);
    if (def->edge != 0.0 && !(def->edge >= EDGE_MIN && def->edge <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the root's edge %g is not in 2^-300 .. 2^300", def->edge);
    }
    if (largest > FR_LENGTH_MAX || ldexp(edge_of(def), -(int)def->depth) < 0x1p-40 * largest) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the root is too far away for voxels as small as its own");
    }
    return FR_OK;
}

// Where the colours of each level begin; all of them in one block.
static size_t lay_out_colors(const fr_octree *t, size_t begin[FR__OCTREE_LEVELS]) {
    size_t bytes = 0;
    for (uint32_t level = t->word_level; level <= t->def.depth; level++) {
        begin[level] = bytes;
        bytes += (((size_t)1 << t->dimension * (t->def.depth - level)) + 63) & ~(size_t)63;
    }
    return bytes == 0 ? 64 : bytes;
}

fr_status fr_octree_create(const fr_octree_def *def, fr_octree **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != OCTREE_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_octree_def"); }
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_octree *t = fr_allocate(&allocator, 1, sizeof *t, _Alignof(fr_octree));
    if (t == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an octree"); }

    memset(t, 0, sizeof *t);
    t->def = *def;
    t->def.allocator = allocator;
    t->def.edge = edge_of(def);
    t->voxel = ldexp(t->def.edge, -(int)def->depth);
    t->dimension = (uint32_t)def->dimension;
    t->word_level = t->dimension == 3 ? 2 : 3;
    uint32_t above = def->depth > t->word_level ? def->depth - t->word_level : 0;
    t->word_count = (size_t)1 << t->dimension * above;
    size_t begin[FR__OCTREE_LEVELS];
    t->block_bytes = lay_out_colors(t, begin);
    t->words = fr_allocate(&allocator, t->word_count, sizeof *t->words, 64);
    t->block = fr_allocate(&allocator, t->block_bytes, 1, 64);
    if (t->words == NULL || t->block == NULL) {
        fr_octree_destroy(t);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an octree of depth %u", (unsigned)def->depth);
    }
    memset(t->words, 0, t->word_count * sizeof *t->words);
    memset(t->block, 0, t->block_bytes);
    for (uint32_t level = t->word_level; level <= def->depth; level++) {
        t->colors[level] = t->block + begin[level];
    }
    *out = t;
    return FR_OK;
}

void fr_octree_destroy(fr_octree *t) {
    if (t == NULL) { return; }
    fr_allocator allocator = t->def.allocator;
    fr_deallocate(&allocator, t->words, t->word_count, sizeof *t->words);
    fr_deallocate(&allocator, t->block, t->block_bytes, 1);
    fr_deallocate(&allocator, t, 1, sizeof *t);
}

fr_octree_def fr_octree_get_def(const fr_octree *t) { return t->def; }

void fr_octree_clear(fr_octree *t, fr_cell_color color) {
    FR_ASSERT(color != FR_CELL_GRAY);
    fr__octree_set(t, t->def.depth, 0, color);
}

fr_status fr_octree_copy(const fr_octree *from, fr_octree *to, fr_error *error) {
    if (!fr__octree_alike(from, to)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the trees differ in dimension or depth");
    }
    if (from == to) { return FR_OK; }
    memcpy(to->words, from->words, from->word_count * sizeof *from->words);
    memcpy(to->block, from->block, from->block_bytes);
    return FR_OK;
}

void fr__octree_close_above(fr_octree *t, uint32_t level) {
    for (uint32_t l = level + 1; l <= t->def.depth; l++) {
        const uint8_t *below = t->colors[l - 1];
        uint8_t *colors = t->colors[l];
        size_t count = (size_t)1 << 3 * (t->def.depth - l);
        for (size_t i = 0; i < count; i++) {
            colors[i] = fr__color_of_eight(below + 8 * i);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Whole trees

static bool same_cells(const fr_octree *a, const fr_octree *b, uint32_t level, uint32_t index) {
    fr_cell_color color = fr__octree_node(a, level, index);
    if (color != fr__octree_node(b, level, index)) { return false; }
    if (color != FR_CELL_GRAY) { return true; }
    if (level <= a->word_level) {
        uint32_t shift = a->dimension * (a->word_level - level);
        return a->words[index >> shift] == b->words[index >> shift];
    }
    for (uint32_t c = 0; c < fr__octree_children(a); c++) {
        if (!same_cells(a, b, level - 1, (index << a->dimension) + c)) { return false; }
    }
    return true;
}

bool fr_octree_equal(const fr_octree *a, const fr_octree *b) {
    return fr__octree_alike(a, b) && same_cells(a, b, a->def.depth, 0);
}

static void count_cells(const fr_octree *t, uint32_t level, uint32_t index, fr_octree_counts *counts) {
    fr_cell_color color = fr__octree_node(t, level, index);
    if (color == FR_CELL_WHITE) {
        counts->white++;
    } else if (color == FR_CELL_BLACK) {
        counts->black++;
        counts->black_voxels += (uint64_t)1 << t->dimension * level;
    } else {
        counts->gray++;
        for (uint32_t c = 0; c < fr__octree_children(t); c++) {
            count_cells(t, level - 1, (index << t->dimension) + c, counts);
        }
    }
}

fr_octree_counts fr_octree_count(const fr_octree *t) {
    fr_octree_counts counts = {0, 0, 0, 0};
    count_cells(t, t->def.depth, 0, &counts);
    return counts;
}

static bool check_cell(const fr_octree *t, uint32_t level, uint32_t index, fr_error *error) {
    if (level < t->word_level) { return true; }
    uint8_t color = t->colors[level][index];
    if (color > FR_CELL_GRAY) {
        fr_error_set(error, FR_ERROR_CORRUPT, "cell %u of level %u has the colour %u", (unsigned)index, (unsigned)level,
                     (unsigned)color);
        return false;
    }
    if (color != FR_CELL_GRAY) { return true; }
    uint8_t closed =
        level == t->word_level
            ? (uint8_t)fr__color_of_bits(t->words[index], ~(uint64_t)0)
            : fr__color_of_children(t->colors[level - 1] + ((size_t)index << t->dimension), fr__octree_children(t));
    if (closed != FR_CELL_GRAY) {
        fr_error_set(error, FR_ERROR_CORRUPT, "gray cell %u of level %u has children of one colour", (unsigned)index,
                     (unsigned)level);
        return false;
    }
    for (uint32_t c = 0; c < fr__octree_children(t); c++) {
        if (!check_cell(t, level - 1, (index << t->dimension) + c, error)) { return false; }
    }
    return true;
}

bool fr_octree_validate(const fr_octree *t, fr_error *error) {
    if (t->def.depth < t->word_level && (t->words[0] & ~fr__octree_mask(t, t->def.depth)) != 0) {
        fr_error_set(error, FR_ERROR_CORRUPT, "bits are set outside the root");
        return false;
    }
    return check_cell(t, t->def.depth, 0, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

typedef struct leaf_walk {
    const fr_octree *tree;
    fr_cell_color color;
    fr_cell_fn *found;
    void *context;
} leaf_walk;

static bool walk_leaves(const leaf_walk *w, fr_cell cell, uint32_t index) {
    cell.color = fr__octree_node(w->tree, cell.level, index);
    if (cell.color != FR_CELL_GRAY) {
        return (w->color != FR_CELL_GRAY && w->color != cell.color) || w->found(&cell, w->context);
    }
    for (uint32_t c = 0; c < fr__octree_children(w->tree); c++) {
        if (!walk_leaves(w, fr__cell_child(&cell, c), (index << w->tree->dimension) + c)) { return false; }
    }
    return true;
}

bool fr_octree_leaves(const fr_octree *t, fr_cell_color color, fr_cell_fn *found, void *context) {
    leaf_walk w = {t, color, found, context};
    return walk_leaves(&w, (fr_cell){0, 0, 0, t->def.depth, FR_CELL_WHITE}, 0);
}

// Whether a voxel is inside the root.
static bool is_inside(const fr_octree *t, int64_t x, int64_t y, int64_t z) {
    int64_t n = (int64_t)1 << t->def.depth;
    return x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < (t->dimension == 3 ? n : 1);
}

// The leaf that holds a voxel, or the cell of `least` level where it is not smaller.
static fr_cell find_cell(const fr_octree *t, uint32_t least, int64_t x, int64_t y, int64_t z) {
    if (!is_inside(t, x, y, z)) { return (fr_cell){0, 0, 0, 0, FR_CELL_WHITE}; }
    uint32_t voxel = fr__octree_index(t, (uint32_t)x, (uint32_t)y, (uint32_t)z);
    uint32_t level = t->def.depth;
    fr_cell_color color = fr__octree_node(t, level, 0);
    while (color == FR_CELL_GRAY && level > least) {
        level--;
        color = fr__octree_node(t, level, voxel >> t->dimension * level);
    }
    uint32_t mask = ~0u << level;
    return (fr_cell){(uint32_t)x & mask, (uint32_t)y & mask, (uint32_t)z & mask, level, color};
}

fr_cell fr_octree_leaf(const fr_octree *t, int64_t x, int64_t y, int64_t z) {
    fr_cell cell = find_cell(t, 0, x, y, z);
    if (!is_inside(t, x, y, z)) { cell.x = (uint32_t)x, cell.y = (uint32_t)y, cell.z = (uint32_t)z; }
    return cell;
}

fr_cell_color fr_octree_color(const fr_octree *t, uint32_t level, int64_t x, int64_t y, int64_t z) {
    return find_cell(t, level, x, y, z).color;
}

bool fr_octree_neighbor(const fr_octree *t, const fr_cell *leaf, int axis, int direction, fr_cell *out) {
    FR_ASSERT(axis >= 0 && axis < (int)t->dimension && (direction == 1 || direction == -1));
    int64_t at[3] = {leaf->x, leaf->y, leaf->z};
    at[axis] += direction > 0 ? (int64_t)1 << leaf->level : -1;
    if (!is_inside(t, at[0], at[1], at[2])) { return false; }
    *out = find_cell(t, leaf->level, at[0], at[1], at[2]);
    return true;
}

fr_bounds fr_octree_cell_bounds(const fr_octree *t, const fr_cell *cell) {
    const fr_vec3 *min = &t->def.min;
    double v = t->voxel;
    uint32_t size = 1u << cell->level;
    uint32_t deep = t->dimension == 3 ? size : 0;
    fr_bounds b = {{min->x + v * cell->x, min->y + v * cell->y, min->z + v * cell->z},
                   {min->x + v * (cell->x + size), min->y + v * (cell->y + size), min->z + v * (cell->z + deep)}};
    return b;
}
