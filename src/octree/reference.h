// The reference made ready to be moved.
#ifndef FUREAI_OCTREE_REFERENCE_H
#define FUREAI_OCTREE_REFERENCE_H

#include "octree/octree.h"

// Cells that every map has around the root: beyond them everything is clear, see clearance.c.
#define FR__CLEAR_PAD 5u

// Which blocks of target voxels are of one colour, found by where the middle of the block comes from. The map of blocks
// of 4 voxels has cells of 1 voxel, that of 16 cells of 4, that of 64 cells of 16. Two bits a cell, a colour: gray says
// that the block may hold both.
typedef struct fr__block_map {
    uint32_t *codes;
    uint32_t side;      // cells an axis, with the pad
    uint32_t row_words; // 16 cells a word
    size_t count;       // words
} fr__block_map;

enum { FR__CLEARANCES = 3 };

// Deeper references would take more memory than their words are worth.
enum { FR__ABOUT_DEPTH = 7 };

// Deeper references have more fraction than a window's arithmetic.
enum { FR__WINDOW_DEPTH = 8 };

// White voxels around the root, so that eight voxels from any one of them on, on each axis, can be read at once.
enum { FR__WINDOW_PAD = 8 };

// Blocks of 8 and of 64 pixels of a quadtree are tested as one.
enum { FR__PLANE_BLOCKS = 2 };

struct fr_octree_reference {
    fr_allocator allocator;
    uint32_t dimension; // of a quadtree: rows, bounds and plane_near alone; of an octree all but plane_near
    uint32_t depth;
    uint32_t row_words;
    uint32_t *rows; // see octree.h; of a quadtree, bit x of row y
    size_t row_count;
    // Voxels and 2 around the root. Black ones, a bit each, rows of row_bytes. And two bits each, rows of near_bytes:
    // the low one for black, the high one where it or one of its 26 neighbours is black.
    uint8_t *black, *near;
    uint32_t row_bytes, near_bytes;
    size_t black_count, near_count;
    // Up to depth FR__ABOUT_DEPTH in place of `near`, a word a voxel: the 27 about it, as fr_octree_map numbers them.
    uint32_t *about;
    size_t about_count;
    // Up to depth FR__WINDOW_DEPTH: 16 voxels along x from every 8th one on, by x / 8, z and y, with the pad around.
    uint16_t *windows;
    size_t window_count;
    fr__block_map center[FR__CLEARANCES];      // by blocks of 4, 16, 64
    fr__block_map overlap[FR__CLEARANCES];     // the same with a voxel's reach more
    uint32_t *plane_near[FR__PLANE_BLOCKS][2]; // as rows: what has a black, and a white, pixel in a block's reach
    fr_bounds tiles[64];                       // the same of rows, an eighth of the root wide in y and z
    fr_bounds bounds;                          // of the black voxels, in voxels; empty where all is white
};

// How many of the maps a depth has.
static inline uint32_t fr__clearance_levels(uint32_t depth) { return depth <= 5 ? 1 : depth <= 7 ? 2 : 3; }

// Makes map number `k` of a reference whose rows are there, for blocks of 4^(k + 1) voxels; `reach` more voxels must be
// clear of black. False without memory.
bool fr__clearance_make(const fr_octree_reference *reference, uint32_t k, double reach, fr__block_map *out);
void fr__clearance_free(const fr_octree_reference *reference, fr__block_map *clearance);

// Finds the bounds of the black voxels, of all and by tiles, from the rows.
void fr__reference_bound(fr_octree_reference *reference);

// Whether some of the moved black voxels reach outside the root.
bool fr__reference_is_clipped(const fr_octree_reference *reference, const fr_octree_motion *motion);

#endif
