// A world of cells: each obstacle's cells as bits, how many obstacles each cell has, the cells that have any as bits,
// and these as a tree.
#include "plan/world.h"

#include "fureai/base_order.h"
#include "plan/world_octree.h"

#include <string.h>

#define WORLD_DEF_COOKIE 0x504c4e57u
#define MARGIN_MAX 64u

typedef struct object {
    uint64_t key;
    fr__plan_bitmap cells; // those in the world
} object;

FR_ARRAY_TYPE(object_array, object);

struct fr_plan_world {
    fr_plan_world_def def;
    fr_allocator allocator;
    uint32_t size, layers, row_words;
    uint64_t *words; // see fr__plan_bits
    size_t word_count;
    uint16_t *counts; // of obstacles, by cell, x fastest
    size_t cell_count;
    fr_octree *octree;
    object_array objects; // by key
    uint64_t version;
    fr__plan_change change;
};

fr_plan_world_def fr_default_plan_world_def(void) {
    fr_plan_world_def def;
    memset(&def, 0, sizeof def);
    def.dimension = 3;
    def.depth = 5;
    def.rule = FR_OCTREE_OVERLAP;
    def.cookie = WORLD_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_plan_world_def *def, fr_error *error) {
    if (def->dimension != 2 && def->dimension != 3) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a world of cells has 2 or 3 dimensions, not %d", def->dimension);
    }
    uint32_t max = def->dimension == 3 ? FR_PLAN_MAX_DEPTH : FR_PLAN_MAX_DEPTH_2D;
    if (def->depth < 1 || def->depth > max) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the depth %u is not in 1 .. %u", (unsigned)def->depth,
                            (unsigned)max);
    }
    if (def->rule != FR_OCTREE_OVERLAP && def->rule != FR_OCTREE_CENTER) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the rule of a world of cells is that of overlap or of centres");
    }
    if (def->margin > MARGIN_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the margin %u is not in 0 .. %u", (unsigned)def->margin,
                            MARGIN_MAX);
    }
    return FR_OK;
}

fr_status fr_plan_world_create(const fr_plan_world_def *def, fr_plan_world **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != WORLD_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_world_def"); }
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_plan_world *w = fr_allocate(&allocator, 1, sizeof *w, _Alignof(fr_plan_world));
    if (w == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a world of cells"); }

    memset(w, 0, sizeof *w);
    w->def = *def;
    w->def.allocator = allocator;
    w->allocator = allocator;
    w->size = 1u << def->depth;
    w->layers = def->dimension == 3 ? w->size : 1;
    w->row_words = (w->size + 63) / 64;
    w->word_count = (size_t)w->layers * w->size * w->row_words;
    w->cell_count = (size_t)w->layers * w->size * w->size;
    w->objects = object_array_make(&allocator);
    w->words = fr_allocate(&allocator, w->word_count, sizeof *w->words, 64);
    w->counts = fr_allocate(&allocator, w->cell_count, sizeof *w->counts, 64);
    fr_octree_def tree = fr_default_octree_def();
    tree.dimension = def->dimension;
    tree.depth = def->depth;
    tree.allocator = allocator;
    status = fr_octree_create(&tree, &w->octree, error);
    if (status != FR_OK || w->words == NULL || w->counts == NULL) {
        fr_plan_world_destroy(w);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a world of cells of depth %u",
                            (unsigned)def->depth);
    }
    memset(w->words, 0, w->word_count * sizeof *w->words);
    memset(w->counts, 0, w->cell_count * sizeof *w->counts);
    *out = w;
    return FR_OK;
}

void fr_plan_world_destroy(fr_plan_world *w) {
    if (w == NULL) { return; }
    fr_allocator allocator = w->allocator;
    object *objects = w->objects.data;
    for (size_t i = 0; i < w->objects.count; i++) {
        fr__plan_bitmap_free(&objects[i].cells, &allocator);
    }
    object_array_destroy(&w->objects);
    fr_octree_destroy(w->octree);
    fr_deallocate(&allocator, w->words, w->word_count, sizeof *w->words);
    fr_deallocate(&allocator, w->counts, w->cell_count, sizeof *w->counts);
    fr_deallocate(&allocator, w, 1, sizeof *w);
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

fr_plan_world_def fr_plan_world_get_def(const fr_plan_world *w) { return w->def; }

uint64_t fr_plan_world_version(const fr_plan_world *w) { return w->version; }

const fr_octree *fr_plan_world_octree(const fr_plan_world *w) { return w->octree; }

bool fr_plan_world_is_black(const fr_plan_world *w, int64_t x, int64_t y, int64_t z) {
    int64_t size = w->size;
    if (w->def.dimension == 2) { z = 0; }
    if (x < 0 || y < 0 || z < 0 || x >= size || y >= size || z >= (int64_t)w->layers) { return true; }
    return (w->words[(size_t)(z * size + y) * w->row_words + (size_t)(x / 64)] >> x % 64 & 1) != 0;
}

fr__plan_bits fr__plan_world_bits(const fr_plan_world *w) {
    fr__plan_bits bits = {w->words, w->size, w->layers, w->row_words};
    return bits;
}

fr__plan_change fr__plan_world_last_change(const fr_plan_world *w) { return w->change; }

// ---------------------------------------------------------------------------------------------------------------
// Changing

static bool object_is_before(const object *o, uint64_t key) { return o->key < key; }

FR_SEARCH_TYPE(find_key, object, uint64_t, object_is_before);

// Where an object is or would be among those sorted by key.
static size_t find_object(const fr_plan_world *w, uint64_t key, bool *is_there) {
    const object *objects = w->objects.data;
    size_t at = find_key(objects, w->objects.count, key);
    *is_there = at < w->objects.count && objects[at].key == key;
    return at;
}

static uint64_t word_of(const fr__plan_bitmap *b, int32_t x, int32_t y, int32_t z) {
    bool is_in = b->words != NULL && x >= b->low[0] && x < b->high[0] && y >= b->low[1] && y < b->high[1] &&
                 z >= b->low[2] && z < b->high[2];
    return is_in ? fr__plan_bitmap_row(b, y, z)[(x - b->low[0]) / 64] : 0;
}

static void note_change(fr__plan_change *c, int32_t x, int32_t y, int32_t z) {
    const int32_t at[3] = {x, y, z};
    for (int a = 0; a < 3; a++) {
        c->low[a] = at[a] < c->low[a] ? at[a] : c->low[a];
        c->high[a] = at[a] >= c->high[a] ? at[a] + 1 : c->high[a];
    }
}

// Counts the cells of `from` that `less` does not have up or down, and colours those that change.
static void count_cells(fr_plan_world *w, const fr__plan_bitmap *from, const fr__plan_bitmap *less, bool up,
                        fr__plan_change *change) {
    for (int32_t z = from->low[2]; z < from->high[2]; z++) {
        for (int32_t y = from->low[1]; y < from->high[1]; y++) {
            size_t row = (size_t)z * w->size + (size_t)y;
            for (int32_t x = from->low[0]; x < from->high[0]; x += 64) {
                uint64_t bits = word_of(from, x, y, z) & ~word_of(less, x, y, z);
                for (; bits != 0; bits &= bits - 1) {
                    int32_t at = x + __builtin_ctzll(bits);
                    uint16_t *count = &w->counts[row * w->size + (size_t)at];
                    bool changes = *count == (up ? 0 : 1);
                    *count = (uint16_t)(up ? *count + 1 : *count - 1);
                    if (!changes) { continue; }
                    w->words[row * w->row_words + (size_t)(at / 64)] ^= (uint64_t)1 << at % 64;
                    change->has_white = change->has_white || !up;
                    note_change(change, at, y, z);
                }
            }
        }
    }
}

// Takes the old cells out and puts the new ones in; what both have is not touched.
static void exchange_cells(fr_plan_world *w, const fr__plan_bitmap *old, const fr__plan_bitmap *new) {
    int32_t n = (int32_t)w->size;
    fr__plan_change change = {{n, n, n}, {0, 0, 0}, false};
    count_cells(w, old, new, false, &change);
    count_cells(w, new, old, true, &change);
    if (change.low[0] >= change.high[0]) { return; }
    w->version++;
    w->change = change;
    fr__plan_bits bits = fr__plan_world_bits(w);
    fr__plan_update_octree(&bits, change.low, change.high, w->octree);
}

// The cells that were made for an object become its own. FR_ERROR_LIMIT and FR_ERROR_MEMORY leave all as it was.
static fr_status keep_cells(fr_plan_world *w, uint64_t key, const fr__plan_bitmap *cells, fr_error *error) {
    bool is_there;
    size_t at = find_object(w, key, &is_there);
    if (!is_there) {
        if (w->objects.count >= FR_PLAN_MAX_OBJECTS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "more than %u objects", (unsigned)FR_PLAN_MAX_OBJECTS);
        }
        if (object_array_push(&w->objects, 1) == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an obstacle");
        }
        object *objects = w->objects.data;
        memmove(objects + at + 1, objects + at, (w->objects.count - 1 - at) * sizeof *objects);
        memset(&objects[at], 0, sizeof objects[at]);
        objects[at].key = key;
    }
    object *o = w->objects.data + at;
    exchange_cells(w, &o->cells, cells);
    fr__plan_bitmap_free(&o->cells, &w->allocator);
    o->cells = *cells;
    return FR_OK;
}

// The part of a bitmap that is in the world, grown by the margin; the bitmap itself reaches as far beyond the world.
static fr_status finish_cells(fr_plan_world *w, fr__plan_bitmap *wide, fr__plan_bitmap *out, fr_error *error) {
    int32_t low[3], high[3], n = (int32_t)w->size;
    for (int a = 0; a < 3; a++) {
        int32_t max = a == 2 ? (int32_t)w->layers : n;
        low[a] = wide->low[a] > 0 ? wide->low[a] : 0;
        high[a] = wide->high[a] < max ? wide->high[a] : max;
    }
    bool has_memory = fr__plan_bitmap_dilate(wide, w->def.dimension, w->def.margin, &w->allocator) &&
                      fr__plan_bitmap_make(low, high, &w->allocator, out);
    if (!has_memory) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of an obstacle"); }
    uint64_t inside = w->size < 64 ? ((uint64_t)1 << w->size) - 1 : ~(uint64_t)0;
    for (int32_t z = out->low[2]; z < out->high[2]; z++) {
        for (int32_t y = out->low[1]; y < out->high[1]; y++) {
            for (int32_t x = out->low[0]; x < out->high[0]; x += 64) {
                fr__plan_bitmap_row(out, y, z)[(x - out->low[0]) / 64] = word_of(wide, x, y, z) & inside;
            }
        }
    }
    return FR_OK;
}

// Makes the wide bitmap of a change, its bounds grown by the margin.
static bool make_wide(const fr_plan_world *w, const int32_t low[3], const int32_t high[3], fr__plan_bitmap *out) {
    int32_t from[3], to[3], margin = (int32_t)w->def.margin;
    for (int a = 0; a < 3; a++) {
        bool grows = a < w->def.dimension && low[a] < high[a];
        from[a] = low[a] - (grows ? margin : 0);
        to[a] = high[a] + (grows ? margin : 0);
    }
    return fr__plan_bitmap_make(from, to, &w->allocator, out);
}

fr_status fr_plan_world_set(fr_plan_world *w, uint64_t key, const fr_plan_shape *shape, const fr_plan_place *place,
                            fr_error *error) {
    FR_ASSERT(w != NULL && shape != NULL && place != NULL && (shape->boxes != NULL || shape->box_count == 0));
    fr_status status = fr__plan_check_shape(shape, error);
    if (status == FR_OK) { status = fr__plan_check_place(place, error); }
    if (status != FR_OK) { return status; }

    fr__plan_motion motion = fr__plan_obstacle_motion(w->def.dimension, shape, place);
    int32_t low[3], high[3], margin = (int32_t)w->def.margin;
    fr__plan_raster_bounds(w->def.dimension, shape, &motion, 0.0, -margin, (int32_t)w->size + margin, low, high);
    fr__plan_bitmap wide, cells;
    if (!make_wide(w, low, high, &wide)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of an obstacle");
    }
    fr__plan_raster(w->def.dimension, shape, &motion, w->def.rule, 0.0, &wide);
    status = finish_cells(w, &wide, &cells, error);
    fr__plan_bitmap_free(&wide, &w->allocator);
    if (status == FR_OK) {
        status = keep_cells(w, key, &cells, error);
        if (status != FR_OK) { fr__plan_bitmap_free(&cells, &w->allocator); }
    }
    return status;
}

typedef struct cell_filler {
    const fr_plan_world *world;
    fr__plan_bitmap *bitmap;
} cell_filler;

static bool fill_cell(const fr_cell *cell, void *context) {
    cell_filler *f = context;
    int32_t size = 1 << cell->level, depth = f->world->def.dimension == 3 ? size : 1;
    for (int32_t z = 0; z < depth; z++) {
        for (int32_t y = 0; y < size; y++) {
            uint64_t *row = fr__plan_bitmap_row(f->bitmap, (int32_t)cell->y + y, (int32_t)cell->z + z);
            int32_t from = (int32_t)cell->x - f->bitmap->low[0];
            fr__plan_set_run(row, from, from + size);
        }
    }
    return true;
}

fr_status fr_plan_world_set_cells(fr_plan_world *w, uint64_t key, const fr_octree *tree, fr_error *error) {
    FR_ASSERT(w != NULL && tree != NULL);
    fr_octree_def def = fr_octree_get_def(tree);
    if (def.dimension != w->def.dimension || def.depth != w->def.depth) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "cells of dimension %d and depth %u in a world of %d and %u",
                            def.dimension, (unsigned)def.depth, w->def.dimension, (unsigned)w->def.depth);
    }
    const int32_t low[3] = {0, 0, 0}, high[3] = {(int32_t)w->size, (int32_t)w->size, (int32_t)w->layers};
    fr__plan_bitmap wide, cells;
    if (!make_wide(w, low, high, &wide)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of an obstacle");
    }
    cell_filler filler = {w, &wide};
    fr_octree_leaves(tree, FR_CELL_BLACK, fill_cell, &filler);
    fr_status status = finish_cells(w, &wide, &cells, error);
    fr__plan_bitmap_free(&wide, &w->allocator);
    if (status == FR_OK) {
        status = keep_cells(w, key, &cells, error);
        if (status != FR_OK) { fr__plan_bitmap_free(&cells, &w->allocator); }
    }
    return status;
}

fr_status fr_plan_world_remove(fr_plan_world *w, uint64_t key, fr_error *error) {
    FR_ASSERT(w != NULL);
    bool is_there;
    size_t at = find_object(w, key, &is_there);
    if (!is_there) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "no obstacle has the key %llu", (unsigned long long)key);
    }
    object *objects = w->objects.data;
    fr__plan_bitmap nothing;
    memset(&nothing, 0, sizeof nothing);
    exchange_cells(w, &objects[at].cells, &nothing);
    fr__plan_bitmap_free(&objects[at].cells, &w->allocator);
    memmove(objects + at, objects + at + 1, (w->objects.count - 1 - at) * sizeof *objects);
    w->objects.count--;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

void fr_cell_path_destroy(fr_cell_path *path) {
    if (path == NULL) { return; }
    fr_deallocate(&path->allocator, path->states, path->state_count, sizeof *path->states);
    memset(path, 0, sizeof *path);
}
