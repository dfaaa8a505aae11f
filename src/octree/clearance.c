// Where blocks are of one colour.
//
// The voxel centres of a block of B voxels lie within (B - 1) / 2 sqrt 3 of its middle. Where every cell that near to
// any point of the middle's cell is white, the block is white; so for black. Two cells d apart on each axis are
// sqrt(sum max(0, |d| - 1)^2) apart at their nearest points. The fixed point of fr_octree_map moves a centre by less
// than SLACK.
//
// With cells of B / 4 voxels the largest radius is ((B - 1) / 2 sqrt 3 + 1) / (B / 4) < 3.7 cells: a cell 5 outside the
// root is farther than that from all in it, so its code is white, and places farther out may take that of the border.
#include "octree/reference.h"

#include <string.h>

#define SLACK 1e-3

typedef struct plane {
    uint64_t *bits; // rows of `words` words, side x side of them
    uint32_t words;
    uint32_t side;
    size_t count;
} plane;

static uint64_t *row_of(const plane *p, uint32_t y, uint32_t z) {
    return p->bits + ((size_t)z * p->side + y) * p->words;
}

static bool make_plane(const fr_allocator *allocator, uint32_t side, plane *out) {
    out->side = side;
    out->words = (side + 63) / 64;
    out->count = (size_t)side * side * out->words;
    out->bits = fr_allocate(allocator, out->count, sizeof *out->bits, 64);
    if (out->bits != NULL) { memset(out->bits, 0, out->count * sizeof *out->bits); }
    return out->bits != NULL;
}

// Cells of 2^shift voxels that hold black (or white) voxels. Outside the root is white.
static void mark_cells(const fr_octree_reference *r, uint32_t shift, bool black, plane *out) {
    uint32_t n = 1u << r->depth;
    if (!black) { memset(out->bits, 0xff, out->count * sizeof *out->bits); }
    uint32_t cells = n >> shift;
    for (uint32_t i = 0; i < cells * cells && !black; i++) {
        uint64_t *row = row_of(out, i % cells + FR__CLEAR_PAD, i / cells + FR__CLEAR_PAD);
        for (uint32_t x = FR__CLEAR_PAD; x < cells + FR__CLEAR_PAD; x++) {
            row[x / 64] &= ~((uint64_t)1 << x % 64);
        }
    }
    uint32_t flip = black ? 0 : n < 32 ? (1u << n) - 1 : ~0u;
    uint32_t cell_mask = shift >= 5 ? ~0u : (1u << (1u << shift)) - 1;
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t y = 0; y < n; y++) {
            uint64_t *row = row_of(out, (y >> shift) + FR__CLEAR_PAD, (z >> shift) + FR__CLEAR_PAD);
            const uint32_t *words = r->rows + (((size_t)z << r->depth) + y) * r->row_words;
            for (uint32_t w = 0; w < r->row_words; w++) {
                uint32_t bits = words[w] ^ flip;
                for (uint32_t at = 0; bits != 0; at += 1u << shift) {
                    uint32_t cell = ((32 * w + at) >> shift) + FR__CLEAR_PAD;
                    if ((bits & cell_mask) != 0) { row[cell / 64] |= (uint64_t)1 << cell % 64; }
                    bits = shift >= 5 ? 0 : bits >> (1u << shift);
                }
            }
        }
    }
}

// Ors a row, moved by 0 .. k to both sides, into another.
static void spread_row(const uint64_t *from, uint32_t words, uint32_t k, uint64_t *to) {
    for (uint32_t w = 0; w < words; w++) {
        uint64_t before = w > 0 ? from[w - 1] : 0, after = w + 1 < words ? from[w + 1] : 0, all = from[w];
        for (uint32_t s = 1; s <= k; s++) {
            all |= from[w] << s | before >> (64 - s) | from[w] >> s | after << (64 - s);
        }
        to[w] |= all;
    }
}

// Everything within `radius` (in cells) of a marked cell.
static void spread_plane(const plane *from, double radius, plane *out) {
    int reach = (int)radius + 1;
    memset(out->bits, 0, out->count * sizeof *out->bits);
    for (int dz = -reach; dz <= reach; dz++) {
        for (int dy = -reach; dy <= reach; dy++) {
            double y = fmax(fabs((double)dy) - 1.0, 0.0), z = fmax(fabs((double)dz) - 1.0, 0.0);
            double left = radius * radius - y * y - z * z;
            if (left < 0.0) { continue; }
            uint32_t k = (uint32_t)sqrt(left) + 1;
            for (int sz = 0; sz < (int)from->side; sz++) {
                int tz = sz + dz;
                if (tz < 0 || tz >= (int)from->side) { continue; }
                for (int sy = 0; sy < (int)from->side; sy++) {
                    int ty = sy + dy;
                    if (ty < 0 || ty >= (int)from->side) { continue; }
                    spread_row(row_of(from, (uint32_t)sy, (uint32_t)sz), from->words, k,
                               row_of(out, (uint32_t)ty, (uint32_t)tz));
                }
            }
        }
    }
}

static void write_codes(const plane *near_black, const plane *near_white, fr__block_map *out) {
    for (uint32_t z = 0; z < out->side; z++) {
        for (uint32_t y = 0; y < out->side; y++) {
            const uint64_t *black = row_of(near_black, y, z), *white = row_of(near_white, y, z);
            uint32_t *codes = out->codes + ((size_t)z * out->side + y) * out->row_words;
            for (uint32_t x = 0; x < out->side; x++) {
                uint32_t code = !(black[x / 64] >> x % 64 & 1)   ? FR_CELL_WHITE
                                : !(white[x / 64] >> x % 64 & 1) ? FR_CELL_BLACK
                                                                 : FR_CELL_GRAY;
                codes[x / 16] |= code << 2 * (x % 16);
            }
        }
    }
}

bool fr__clearance_make(const fr_octree_reference *r, uint32_t k, double reach, fr__block_map *out) {
    uint32_t shift = 2 * k;
    double cell = ldexp(1.0, (int)shift), half = 0.5 * (4.0 * cell - 1.0) * sqrt(3.0) + SLACK;
    uint32_t root = r->depth > shift ? 1u << (r->depth - shift) : 1;
    out->side = root + 2 * FR__CLEAR_PAD;
    out->row_words = (out->side + 15) / 16;
    out->count = (size_t)out->side * out->side * out->row_words;
    out->codes = fr_allocate(&r->allocator, out->count, sizeof *out->codes, 64);
    plane marked = {NULL, 0, 0, 0}, black = {NULL, 0, 0, 0}, white = {NULL, 0, 0, 0};
    bool has_room = out->codes != NULL && make_plane(&r->allocator, out->side, &marked) &&
                    make_plane(&r->allocator, out->side, &black) && make_plane(&r->allocator, out->side, &white);
    if (has_room) {
        memset(out->codes, 0, out->count * sizeof *out->codes);
        mark_cells(r, shift, true, &marked);
        spread_plane(&marked, (half + reach) / cell, &black);
        mark_cells(r, shift, false, &marked);
        spread_plane(&marked, half / cell, &white);
        write_codes(&black, &white, out);
    } else {
        fr__clearance_free(r, out);
    }
    fr_deallocate(&r->allocator, marked.bits, marked.count, sizeof *marked.bits);
    fr_deallocate(&r->allocator, black.bits, black.count, sizeof *black.bits);
    fr_deallocate(&r->allocator, white.bits, white.count, sizeof *white.bits);
    return has_room;
}

void fr__clearance_free(const fr_octree_reference *r, fr__block_map *clearance) {
    fr_deallocate(&r->allocator, clearance->codes, clearance->count, sizeof *clearance->codes);
    clearance->codes = NULL;
}
