// Lists of cubes: the black leaves of a tree, and a tree compacted from cubes.
#include "octree/faithful/cube_list.h"

#include <string.h>

static bool add_leaf(const fr_cell *cell, void *context) {
    fr_cube_list *list = context;
    fr_cube *cube = fr_cube_array_push(&list->array, 1);
    if (cube == NULL) { return false; }
    *cube = (fr_cube){(int32_t)cell->x, (int32_t)cell->y, (int32_t)cell->z, 1 << cell->level};
    return true;
}

fr_status fr_cube_list_leaves(const fr_octree *octree, const fr_allocator *allocator, fr_cube_list *out) {
    out->array = fr_cube_array_make(allocator);
    if (fr_octree_leaves(octree, FR_CELL_BLACK, add_leaf, out)) { return FR_OK; }
    fr_cube_array_destroy(&out->array);
    return FR_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------------------------
// Compaction

typedef struct compaction {
    int32_t n;
    uint16_t *largest; // a voxel: the edge of the largest black cube that begins there
    uint8_t *is_used;
    uint16_t most;
} compaction;

static size_t place_of(const compaction *c, int32_t x, int32_t y, int32_t z) {
    return ((size_t)z * (size_t)c->n + (size_t)y) * (size_t)c->n + (size_t)x;
}

static bool blacken(const fr_cell *cell, void *context) {
    compaction *c = context;
    int32_t size = 1 << cell->level;
    for (int32_t z = 0; z < size; z++) {
        for (int32_t y = 0; y < size; y++) {
            for (int32_t x = 0; x < size; x++) {
                c->largest[place_of(c, (int32_t)cell->x + x, (int32_t)cell->y + y, (int32_t)cell->z + z)] = 1;
            }
        }
    }
    return true;
}

// From the far corner on: 1 more than the least of the seven neighbours beyond.
static void find_largest(compaction *c) {
    for (int32_t z = c->n - 1; z >= 0; z--) {
        for (int32_t y = c->n - 1; y >= 0; y--) {
            for (int32_t x = c->n - 1; x >= 0; x--) {
                uint16_t *own = &c->largest[place_of(c, x, y, z)];
                if (*own == 0) { continue; }
                uint16_t least = UINT16_MAX;
                for (int32_t k = 1; k < 8; k++) {
                    int32_t nx = x + (k & 1), ny = y + (k >> 1 & 1), nz = z + (k >> 2);
                    bool is_inside = nx < c->n && ny < c->n && nz < c->n;
                    uint16_t next = is_inside ? c->largest[place_of(c, nx, ny, nz)] : 0;
                    least = next < least ? next : least;
                }
                *own = (uint16_t)(least + 1);
                c->most = *own > c->most ? *own : c->most;
            }
        }
    }
}

static bool is_free(const compaction *c, const fr_cube *cube) {
    for (int32_t z = 0; z < cube->s; z++) {
        for (int32_t y = 0; y < cube->s; y++) {
            const uint8_t *row = c->is_used + place_of(c, cube->x, cube->y + y, cube->z + z);
            for (int32_t x = 0; x < cube->s; x++) {
                if (row[x] != 0) { return false; }
            }
        }
    }
    return true;
}

static void use(const compaction *c, const fr_cube *cube) {
    for (int32_t z = 0; z < cube->s; z++) {
        for (int32_t y = 0; y < cube->s; y++) {
            memset(c->is_used + place_of(c, cube->x, cube->y + y, cube->z + z), 1, (size_t)cube->s);
        }
    }
}

static bool take_cubes(const compaction *c, int32_t s, fr_cube_list *out) {
    for (int32_t z = 0; z < c->n; z++) {
        for (int32_t y = 0; y < c->n; y++) {
            for (int32_t x = 0; x < c->n; x++) {
                fr_cube cube = {x, y, z, s};
                if (c->largest[place_of(c, x, y, z)] < s || !is_free(c, &cube)) { continue; }
                use(c, &cube);
                fr_cube *taken = fr_cube_array_push(&out->array, 1);
                if (taken == NULL) { return false; }
                *taken = cube;
            }
        }
    }
    return true;
}

fr_status fr_cube_list_compact(const fr_octree *octree, const fr_allocator *allocator, fr_cube_list *out) {
    int32_t n = 1 << fr_octree_get_def(octree).depth;
    size_t count = (size_t)n * (size_t)n * (size_t)n;
    compaction c = {.n = n};
    out->array = fr_cube_array_make(allocator);
    c.largest = fr_allocate(allocator, count, sizeof *c.largest, 64);
    c.is_used = fr_allocate(allocator, count, 1, 64);
    bool has_room = c.largest != NULL && c.is_used != NULL;
    if (has_room) {
        memset(c.largest, 0, count * sizeof *c.largest);
        memset(c.is_used, 0, count);
        fr_octree_leaves(octree, FR_CELL_BLACK, blacken, &c);
        find_largest(&c);
        for (int32_t s = c.most; s > 0 && has_room; s--) {
            has_room = take_cubes(&c, s, out);
        }
    }
    fr_deallocate(allocator, c.largest, count, sizeof *c.largest);
    fr_deallocate(allocator, c.is_used, count, 1);
    if (!has_room) { fr_cube_array_destroy(&out->array); }
    return has_room ? FR_OK : FR_ERROR_MEMORY;
}
