// The private structure of a tree: a handle, and one block of memory that holds everything else by offsets, so that the
// block can be written to a file and used where it is read back.
//
//     header | nodes (256 bytes each) | leaves (128 bytes each) | segments
//
// Node 0 is the root. The inner children of a node stand side by side after it, so walking the nodes backwards meets
// every child before its parent. A segment is a run of nodes whose children lie in the same run: segments can be
// refitted at once. Segment 0 is the top of the tree and is refitted last.
#ifndef FUREAI_SHAPE_TREE_H
#define FUREAI_SHAPE_TREE_H

#include "fureai/shape.h"

#define FR__TREE_VERSION 1u
#define FR__TREE_ALIGN 64u

// Children of a node and items of a leaf.
#define FR__TREE_WIDTH 8u
#define FR__TREE_LEAF_ITEMS 4u

// Nodes on the longest path down. The builder keeps to it and validation refuses more, so every walker's stack is
// bounded. Eight equal pieces a node need 9 levels for FR_TREE_MAX_ITEMS, so a tree of any order of items fits.
#define FR__TREE_MAX_DEPTH 16u

// A reference to a child: the index of a node, or this bit and the index of a leaf.
#define FR__TREE_LEAF 0x80000000u

typedef struct fr__tree_node {
    union {
        struct {
            float min_x[8], min_y[8], min_z[8]; // box of each child; +infinity in empty lanes
            float max_x[8], max_y[8], max_z[8]; // -infinity in empty lanes
        };
        float side[6][8]; // the same by number
    };
    uint32_t child[8];  // FR_NONE in empty lanes
    uint32_t lanes;     // bit k: lane k is in use; the used lanes come first
    uint32_t unused[7]; // zero
} fr__tree_node;

// Lanes of a leaf are filled from 0; empty ones hold boxes like a node's and FR_NONE.
typedef struct fr__tree_leaf {
    union {
        struct {
            float min_x[4], max_x[4], min_y[4], max_y[4], min_z[4], max_z[4];
        };
        struct {
            float x[8], y[8], z[8]; // the same by axes: one 8-wide operation tests an axis of all items
        };
    };
    uint32_t item[4];
    uint32_t count;     // 1 .. 4
    uint32_t unused[3]; // zero
} fr__tree_leaf;

typedef struct fr__tree_header {
    uint32_t version;
    uint32_t item_count;
    uint32_t node_count; // 0 only without items
    uint32_t leaf_count;
    uint32_t segment_count; // at least 1: segment s holds the nodes from segments[s] to segments[s + 1]
    uint32_t depth;
    uint64_t bytes; // of the whole block
    uint64_t nodes_offset;
    uint64_t leaves_offset;
    uint64_t segments_offset;
    double build_cost;   // fr__tree_cost just after the build
    fr_box bounds;       // of all items; empty without items
    uint32_t unused[10]; // zero
} fr__tree_header;

_Static_assert(sizeof(fr__tree_node) == 256, "a node is four cache lines");
_Static_assert(sizeof(fr__tree_leaf) == 128, "a leaf is two cache lines");
_Static_assert(sizeof(fr__tree_header) == 128, "the header of a tree has a fixed layout");

struct fr_tree {
    fr__tree_header *header; // the block
    fr__tree_node *nodes;
    fr__tree_leaf *leaves;
    const uint32_t *segments;
    bool owns_block;
    fr_allocator allocator;
};

static inline bool fr__tree_is_leaf(uint32_t child) { return (child & FR__TREE_LEAF) != 0; }
static inline uint32_t fr__tree_leaf_index(uint32_t child) { return child & ~FR__TREE_LEAF; }

// Where the parts of a block lie; false when it does not fit in memory.
bool fr__tree_lay_out(fr__tree_header *header);

// Takes memory for a block with the counts of `counts` and points the tree at it, giving back the block it had. Nodes,
// leaves and `segments`, which has one entry more than segments, are for the caller to fill. False, and nothing
// changed, without memory.
bool fr__tree_take_block(fr_tree *tree, const fr__tree_header *counts, uint32_t **segments);

// Builds the tree's block from boxes that were checked; the tree is unchanged on failure.
fr_status fr__tree_build(fr_tree *tree, const fr_tree_def *def, fr_error *error);

// Takes over new boxes, one an item, that were checked.
void fr__tree_refit_boxes(fr_tree *tree, const fr_box *boxes, const fr_tasks *tasks);

// A vertex rounded outwards, with the high side negated: the least of several holds them all.
typedef struct fr__corner_box {
    _Alignas(32) float side[8]; // min x y z, 0, -max x y z, 0
} fr__corner_box;

// The same for a tree whose items are triangles, from the boxes of their vertices, all finite. `joined` is scratch, one
// a leaf.
void fr__tree_refit_triangles(fr_tree *tree, const uint32_t *triangles, const fr__corner_box *vertices,
                              fr__corner_box *joined, const fr_tasks *tasks);

// FR_ERROR_NOT_FINITE for a box that is empty, NaN or infinitely far away.
fr_status fr__tree_check_boxes(const fr_box *boxes, uint32_t count, fr_error *error);

// Expected boxes tested by a random ray that meets the root.
double fr__tree_cost(const fr_tree *tree);

// The block of a tree: header->bytes bytes to be copied to any place aligned to FR__TREE_ALIGN.
static inline const void *fr__tree_block(const fr_tree *tree) { return tree->header; }
static inline size_t fr__tree_block_bytes(const fr_tree *tree) { return (size_t)tree->header->bytes; }

// Reads and checks the header of a block of at least its own size; FR_ERROR_VERSION or FR_ERROR_CORRUPT.
fr_status fr__tree_check_header(const void *block, size_t bytes, fr__tree_header *out, fr_error *error);

// Checks all the rest; FR_ERROR_CORRUPT, or FR_ERROR_MEMORY for the marks it needs.
fr_status fr__tree_check_structure(const fr_tree *tree, fr_error *error);

// Makes a tree from the bytes of a block, checked in full as fr_tree_validate does. With `in_place` the bytes (aligned
// to FR__TREE_ALIGN) are used where they are, are only read, and must outlive the tree; such a tree must not be
// refitted.
fr_status fr__tree_from_block(const void *block, size_t bytes, bool in_place, const fr_allocator *allocator,
                              fr_tree **out, fr_error *error);

#endif
