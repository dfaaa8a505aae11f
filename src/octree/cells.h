// Cells that know their faces: a tree of shared nodes that never change. A change makes new nodes from the root to the
// voxels it touches and shares the rest with the tree before, so that whoever holds an older tree keeps all of it.
#ifndef FUREAI_OCTREE_CELLS_H
#define FUREAI_OCTREE_CELLS_H

#include "octree/octree.h"

#include <stdatomic.h>

// A voxel's faces where `count` is not 0, else eight children, some of them NULL.
typedef struct fr__cell_node {
    atomic_uint references;
    uint32_t count;
} fr__cell_node;

typedef struct fr__cell_branch {
    fr__cell_node node;
    fr__cell_node *child[8];
} fr__cell_branch;

typedef struct fr__cell_leaf {
    fr__cell_node node;
    fr_cell_face faces[];
} fr__cell_leaf;

struct fr_cells {
    atomic_uint references;
    fr_allocator allocator;
    fr_octree_def def;
    fr__cell_node *root; // NULL: nothing
    uint64_t cells, faces;
};

// A face that comes into a voxel or leaves it.
typedef struct fr__cell_edit {
    uint32_t voxel; // Morton index
    uint32_t triangle;
    bool is_added;
} fr__cell_edit;

// The cells after an owner's edits, sorted by voxel, then triangle; NULL without memory. Counts the voxels changed.
fr_cells *fr__cells_edit(const fr_cells *cells, uint64_t owner, const fr__cell_edit *edits, size_t count,
                         uint64_t *changed);

// Cells with nothing in them; NULL without memory.
fr_cells *fr__cells_make(const fr_octree_def *def);

#endif
