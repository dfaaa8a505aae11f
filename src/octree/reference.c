// The reference image of an octree that its moves read from.
#include "octree/reference.h"

#include "octree/plane_motion.h"

#include <string.h>

// The bits of a voxel's row, 2 voxels around the root.
enum { PAD = 2 };

// Ors a row of bits, each with the two beside it, into another.
static void spread_bits(const uint8_t *from, uint32_t bytes, uint8_t *to) {
    for (uint32_t i = 0; i < bytes; i++) {
        uint32_t low = i > 0 ? from[i - 1] : 0, high = i + 1 < bytes ? from[i + 1] : 0, own = from[i];
        to[i] |= (uint8_t)(own | own << 1 | low >> 7 | own >> 1 | high << 7);
    }
}

// Four bits of two bytes as one byte: those of `low` in even places, those of `high` in odd ones.
static uint8_t interleave(uint32_t low, uint32_t high) {
    uint32_t code = 0;
    for (uint32_t k = 0; k < 4; k++) {
        code |= (low >> k & 1u) << 2 * k | (high >> k & 1u) << (2 * k + 1);
    }
    return (uint8_t)code;
}

static void fill_black(fr_octree_reference *r) {
    uint32_t n = 1u << r->depth, side = n + 2 * PAD;
    memset(r->black, 0, r->black_count);
    for (uint32_t i = 0; i < n * n; i++) {
        const uint32_t *row = r->rows + (size_t)i * r->row_words;
        uint8_t *bits = r->black + ((size_t)(i / n + PAD) * side + i % n + PAD) * r->row_bytes;
        for (uint32_t x = 0; x < n; x += 4) {
            uint32_t four = (row[x / 32] >> x % 32 & 15u) << (x + PAD) % 8;
            bits[(x + PAD) / 8] |= (uint8_t)four;
            if (four > 255) { bits[(x + PAD) / 8 + 1] |= (uint8_t)(four >> 8); }
        }
    }
}

// The codes, row by row: `about` is a row of bits.
static void fill_near(fr_octree_reference *r, uint8_t *about) {
    uint32_t side = (1u << r->depth) + 2 * PAD;
    memset(r->near, 0, r->near_count);
    for (uint32_t z = 1; z + 1 < side; z++) {
        for (uint32_t y = 1; y + 1 < side; y++) {
            memset(about, 0, r->row_bytes);
            for (uint32_t k = 0; k < 9; k++) {
                size_t row = (size_t)(z - 1 + k / 3) * side + (y - 1 + k % 3);
                spread_bits(r->black + row * r->row_bytes, r->row_bytes, about);
            }
            const uint8_t *black = r->black + ((size_t)z * side + y) * r->row_bytes;
            uint8_t *to = r->near + ((size_t)z * side + y) * r->near_bytes;
            for (uint32_t i = 0; i < r->row_bytes; i++) {
                to[2 * i] = interleave(black[i], about[i]);
                to[2 * i + 1] = interleave(black[i] >> 4, (uint32_t)about[i] >> 4);
            }
        }
    }
}

// Eight voxels of a row from x on, a multiple of 8; white outside.
static uint16_t eight_of_row(const uint32_t *row, int32_t x, int32_t n) {
    return (uint16_t)(x < 0 || x >= n ? 0u : row[x / 32] >> x % 32 & 255u);
}

static void fill_windows(fr_octree_reference *r) {
    int32_t n = 1 << r->depth, wide = n + 2 * FR__WINDOW_PAD;
    memset(r->windows, 0, r->window_count * sizeof *r->windows);
    for (int32_t c = 0; c < (wide + 7) / 8; c++) {
        int32_t x = 8 * c - FR__WINDOW_PAD;
        for (int32_t i = 0; i < n * n; i++) {
            const uint32_t *row = r->rows + (size_t)i * r->row_words;
            size_t at = ((size_t)c * (size_t)wide + (size_t)(i / n + FR__WINDOW_PAD)) * (size_t)wide +
                        (size_t)(i % n + FR__WINDOW_PAD);
            r->windows[at] = (uint16_t)(eight_of_row(row, x, n) | eight_of_row(row, x + 8, n) << 8);
        }
    }
}

// The words of the 27 about each voxel.
static void fill_about(fr_octree_reference *r) {
    uint32_t side = (1u << r->depth) + 2 * PAD;
    memset(r->about, 0, r->about_count * sizeof *r->about);
    for (uint32_t z = 1; z + 1 < side; z++) {
        for (uint32_t y = 1; y + 1 < side; y++) {
            uint32_t *words = r->about + ((size_t)z * side + y) * side;
            for (uint32_t k = 0; k < 9; k++) {
                size_t row = (size_t)(z - 1 + k / 3) * side + (y - 1 + k % 3);
                const uint8_t *bits = r->black + row * r->row_bytes;
                for (uint32_t x = 0; x < side; x++) {
                    // The voxel before, at, and after x.
                    uint32_t next = x + 1 < side ? (uint32_t)bits[(x + 1) / 8] >> (x + 1) % 8 & 1u : 0;
                    uint32_t own = (uint32_t)bits[x / 8] >> x % 8 & 1u;
                    uint32_t before = x > 0 ? (uint32_t)bits[(x - 1) / 8] >> (x - 1) % 8 & 1u : 0;
                    words[x] |= (before | own << 1 | next << 2) << 3 * k;
                }
            }
        }
    }
}

static bool take_memory(fr_octree_reference *r) {
    size_t n = (size_t)1 << r->depth, side = n + 2 * PAD;
    r->row_words = fr__row_words(r->depth);
    r->row_count = fr__rows_count(r->depth);
    r->row_bytes = (uint32_t)((side + 7) / 8);
    r->near_bytes = 2 * r->row_bytes;
    // A word may be read at the last byte.
    r->black_count = side * side * r->row_bytes + 8;
    r->near_count = side * side * r->near_bytes + 8;
    r->rows = fr_allocate(&r->allocator, r->row_count, sizeof *r->rows, 64);
    r->black = fr_allocate(&r->allocator, r->black_count, 1, 64);
    if (r->depth > FR__ABOUT_DEPTH) {
        r->near = fr_allocate(&r->allocator, r->near_count, 1, 64);
    } else {
        r->about_count = side * side * side;
        r->about = fr_allocate(&r->allocator, r->about_count, sizeof *r->about, 64);
    }
    if (r->depth <= FR__WINDOW_DEPTH) {
        size_t wide = ((size_t)1 << r->depth) + 2 * FR__WINDOW_PAD;
        r->window_count = (wide + 7) / 8 * wide * wide;
        r->windows = fr_allocate(&r->allocator, r->window_count, sizeof *r->windows, 64);
        if (r->windows == NULL) { return false; }
    }
    return r->rows != NULL && r->black != NULL && (r->near != NULL || r->about != NULL);
}

fr_status fr_octree_reference_create(const fr_octree *octree, const fr_allocator *allocator, fr_octree_reference **out,
                                     fr_error *error) {
    *out = NULL;
    if (octree->dimension == 3 && octree->def.depth < 2) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a reference is an octree of depth 2 or more, or a quadtree");
    }
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_octree_reference *r = fr_allocate(&from, 1, sizeof *r, _Alignof(fr_octree_reference));
    if (r == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a reference"); }
    memset(r, 0, sizeof *r);
    r->allocator = from;
    r->depth = octree->def.depth;
    r->dimension = octree->dimension;
    bool is_flat = r->dimension == 2;
    bool has_room = is_flat ? fr__plane_reference_fill(r, octree) : take_memory(r);
    if (has_room && !is_flat) {
        fr__octree_to_rows(octree, r->rows);
        fill_black(r);
        if (r->windows != NULL) { fill_windows(r); }
        if (r->about != NULL) {
            fill_about(r);
        } else {
            uint8_t row[((1u << FR_OCTREE_MAX_DEPTH) + 2 * PAD + 7) / 8];
            fill_near(r, row);
        }
        fr__reference_bound(r);
    }
    for (uint32_t k = 0; k < fr__clearance_levels(r->depth) && has_room && !is_flat; k++) {
        // The image of a voxel reaches sqrt(3) / 2 from its middle.
        has_room = fr__clearance_make(r, k, 0.0, &r->center[k]) && fr__clearance_make(r, k, 0.867, &r->overlap[k]);
    }
    if (!has_room) {
        fr_octree_reference_destroy(r);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a reference of depth %u",
                            (unsigned)octree->def.depth);
    }
    *out = r;
    return FR_OK;
}

void fr_octree_reference_destroy(fr_octree_reference *r) {
    if (r == NULL) { return; }
    for (uint32_t k = 0; k < FR__CLEARANCES; k++) {
        fr__clearance_free(r, &r->center[k]);
        fr__clearance_free(r, &r->overlap[k]);
    }
    fr__plane_reference_free(r);
    fr_deallocate(&r->allocator, r->rows, r->row_count, sizeof *r->rows);
    fr_deallocate(&r->allocator, r->black, r->black_count, 1);
    fr_deallocate(&r->allocator, r->near, r->near_count, 1);
    fr_deallocate(&r->allocator, r->about, r->about_count, sizeof *r->about);
    fr_deallocate(&r->allocator, r->windows, r->window_count, sizeof *r->windows);
    fr_allocator allocator = r->allocator;
    fr_deallocate(&allocator, r, 1, sizeof *r);
}

// ---------------------------------------------------------------------------------------------------------------
// Clipping

typedef struct outside {
    const fr_octree_motion *motion;
    double half;
} outside;

// Whether the moved box reaches outside: the box's middle goes somewhere, and on each axis its half sizes add up.
static bool box_is_outside(const outside *o, const fr_bounds *b) {
    fr_vec3 middle = fr_vec3_scale(0.5, fr_vec3_add(b->min, b->max)), half = fr_vec3_sub(b->max, middle);
    fr_vec3 c = fr_vec3_make(o->half, o->half, o->half);
    fr_vec3 at = fr_vec3_add(fr_mat3_apply(o->motion->rotation, fr_vec3_sub(middle, c)), o->motion->travel);
    const double place[3] = {at.x, at.y, at.z};
    for (int a = 0; a < 3; a++) {
        const fr_vec3 *row = &o->motion->rotation.row[a];
        double reach = fabs(row->x) * half.x + fabs(row->y) * half.y + fabs(row->z) * half.z;
        if (fabs(place[a]) + reach > o->half + 1e-9) { return true; }
    }
    return false;
}

// The first and the last black voxel of a row; false where there is none.
static bool row_ends(const fr_octree_reference *r, uint32_t y, uint32_t z, double ends[2]) {
    const uint32_t *row = r->rows + (((size_t)z << r->depth) + y) * r->row_words;
    bool is_there = false;
    for (uint32_t w = 0; w < r->row_words; w++) {
        if (row[w] == 0) { continue; }
        if (!is_there) { ends[0] = 32.0 * w + __builtin_ctz(row[w]); }
        ends[1] = 32.0 * w + 32 - __builtin_clz(row[w]);
        is_there = true;
    }
    return is_there;
}

// What the rows of a tile hold.
static fr_bounds bound_tile(const fr_octree_reference *r, uint32_t tile) {
    uint32_t n = 1u << r->depth, side = n < 8 ? 1 : n / 8;
    uint32_t y0 = tile % 8 * side, z0 = tile / 8 * side;
    fr_bounds all = fr_bounds_empty();
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t y = y0 + i % side, z = z0 + i / side;
        double ends[2] = {0.0, 0.0};
        if (y >= n || z >= n || !row_ends(r, y, z, ends)) { continue; }
        fr_bounds row = {{ends[0], y, z}, {ends[1], y + 1.0, z + 1.0}};
        all = fr_bounds_union(&all, &row);
    }
    return all;
}

void fr__reference_bound(fr_octree_reference *r) {
    r->bounds = fr_bounds_empty();
    for (uint32_t y = 0; y < 1u << r->depth && r->dimension == 2; y++) {
        double ends[2] = {0.0, 0.0};
        if (!row_ends(r, y, 0, ends)) { continue; }
        fr_bounds row = {{ends[0], y, 0.0}, {ends[1], y + 1.0, 1.0}};
        r->bounds = fr_bounds_union(&r->bounds, &row);
    }
    for (uint32_t i = 0; i < 64 && r->dimension == 3; i++) {
        r->tiles[i] = bound_tile(r, i);
        r->bounds = fr_bounds_union(&r->bounds, &r->tiles[i]);
    }
}

static bool tile_is_outside(const fr_octree_reference *r, const outside *o, const fr_bounds *tile) {
    for (double z = tile->min.z; z < tile->max.z; z += 1.0) {
        for (double y = tile->min.y; y < tile->max.y; y += 1.0) {
            double ends[2] = {0.0, 0.0};
            if (!row_ends(r, (uint32_t)y, (uint32_t)z, ends)) { continue; }
            fr_bounds row = {{ends[0], y, z}, {ends[1], y + 1.0, z + 1.0}};
            if (box_is_outside(o, &row)) { return true; }
        }
    }
    return false;
}

// First all of it at once, then tile by tile, and only in tiles that reach the border row by row: a row is a box.
bool fr__reference_is_clipped(const fr_octree_reference *r, const fr_octree_motion *motion) {
    outside o = {motion, ldexp(0.5, (int)r->depth)};
    if (fr_bounds_is_empty(&r->bounds) || !box_is_outside(&o, &r->bounds)) { return false; }
    if (r->dimension == 2) { return tile_is_outside(r, &o, &r->bounds); }
    for (uint32_t i = 0; i < 64; i++) {
        const fr_bounds *tile = &r->tiles[i];
        if (fr_bounds_is_empty(tile) || !box_is_outside(&o, tile)) { continue; }
        if (tile_is_outside(r, &o, tile)) { return true; }
    }
    return false;
}
