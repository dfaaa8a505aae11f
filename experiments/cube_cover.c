// Covers of the black cells of a tree by cubes.
#include "cube_cover.h"

#include <stdlib.h>

typedef struct cover {
    int32_t n;
    uint16_t *largest; // a voxel: the edge of the largest black cube that begins there
    uint16_t *times;   // how many cubes cover it
    uint64_t left;     // black voxels that none covers
} cover;

static size_t place_of(const cover *c, int32_t x, int32_t y, int32_t z) {
    return ((size_t)z * (size_t)c->n + (size_t)y) * (size_t)c->n + (size_t)x;
}

static void measure(cover *c, const fr_octree *octree) {
    for (int32_t z = c->n - 1; z >= 0; z--) {
        for (int32_t y = c->n - 1; y >= 0; y--) {
            for (int32_t x = c->n - 1; x >= 0; x--) {
                if (fr_octree_color(octree, 0, x, y, z) != FR_CELL_BLACK) { continue; }
                uint16_t least = UINT16_MAX;
                for (int32_t k = 1; k < 8; k++) {
                    int32_t nx = x + (k & 1), ny = y + (k >> 1 & 1), nz = z + (k >> 2);
                    bool is_inside = nx < c->n && ny < c->n && nz < c->n;
                    uint16_t next = is_inside ? c->largest[place_of(c, nx, ny, nz)] : 0;
                    least = next < least ? next : least;
                }
                c->largest[place_of(c, x, y, z)] = (uint16_t)(least + 1);
                c->left++;
            }
        }
    }
}

// Voxels of a cube that no cube covers; or with `change`, covers (1) or uncovers (-1) all of them.
static uint64_t visit(cover *c, const fr_cube *cube, int change) {
    uint64_t uncovered = 0;
    for (int32_t z = cube->z; z < cube->z + cube->s; z++) {
        for (int32_t y = cube->y; y < cube->y + cube->s; y++) {
            uint16_t *row = c->times + place_of(c, cube->x, y, z);
            for (int32_t x = 0; x < cube->s; x++) {
                uncovered += row[x] == 0;
                row[x] = (uint16_t)(row[x] + change);
            }
        }
    }
    return uncovered;
}

// The cube that covers most of what is left.
static fr_cube best_cube(cover *c) {
    fr_cube best = {0, 0, 0, 0};
    uint64_t most = 0;
    for (int32_t z = 0; z < c->n; z++) {
        for (int32_t y = 0; y < c->n; y++) {
            for (int32_t x = 0; x < c->n; x++) {
                fr_cube cube = {x, y, z, c->largest[place_of(c, x, y, z)]};
                uint64_t volume = (uint64_t)cube.s * (uint64_t)cube.s * (uint64_t)cube.s;
                if (volume < most || volume == 0) { continue; }
                uint64_t gain = visit(c, &cube, 0);
                if (gain > most || (gain == most && cube.s > best.s)) {
                    most = gain;
                    best = cube;
                }
            }
        }
    }
    return best;
}

// Whether every voxel of a cube is covered by another too.
static bool is_redundant(const cover *c, const fr_cube *cube) {
    for (int32_t z = cube->z; z < cube->z + cube->s; z++) {
        for (int32_t y = cube->y; y < cube->y + cube->s; y++) {
            const uint16_t *row = c->times + place_of(c, cube->x, y, z);
            for (int32_t x = 0; x < cube->s; x++) {
                if (row[x] < 2) { return false; }
            }
        }
    }
    return true;
}

static void drop_redundant(cover *c, fr_cube_list *list) {
    fr_cube *cubes = list->array.data;
    for (size_t i = list->array.count; i > 0; i--) {
        if (!is_redundant(c, &cubes[i - 1])) { continue; }
        visit(c, &cubes[i - 1], -1);
        for (size_t k = i; k < list->array.count; k++) {
            cubes[k - 1] = cubes[k];
        }
        list->array.count--;
    }
}

fr_status cube_cover_greedy(const fr_octree *octree, fr_cube_list *out) {
    cover c = {.n = 1 << fr_octree_get_def(octree).depth};
    size_t count = (size_t)c.n * (size_t)c.n * (size_t)c.n;
    out->array = fr_cube_array_make(NULL);
    c.largest = calloc(count, sizeof *c.largest);
    c.times = calloc(count, sizeof *c.times);
    bool has_room = c.largest != NULL && c.times != NULL;
    if (has_room) { measure(&c, octree); }
    while (has_room && c.left > 0) {
        fr_cube *place = fr_cube_array_push(&out->array, 1);
        has_room = place != NULL;
        if (!has_room) { break; }
        *place = best_cube(&c);
        c.left -= visit(&c, place, 1);
    }
    if (has_room) { drop_redundant(&c, out); }
    free(c.largest);
    free(c.times);
    if (!has_room) { fr_cube_array_destroy(&out->array); }
    return has_room ? FR_OK : FR_ERROR_MEMORY;
}
