// The black part of an octree as cubes: its leaves, or fewer and larger cubes that need not lie on the octree's grid
// (Kitamura 5.3.2).
#ifndef FUREAI_OCTREE_FAITHFUL_CUBE_LIST_H
#define FUREAI_OCTREE_FAITHFUL_CUBE_LIST_H

#include "fureai/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

// Voxels x .. x + s - 1, and so on.
typedef struct fr_cube {
    int32_t x, y, z, s;
} fr_cube;

FR_ARRAY_TYPE(fr_cube_array, fr_cube);

// A list of cubes; free `array` with fr_cube_array_destroy.
typedef struct fr_cube_list {
    fr_cube_array array;
} fr_cube_list;

static inline const fr_cube *fr_cubes_of(const fr_cube_list *list) { return list->array.data; }

// The black leaves of a 3-D tree, depth first. FR_ERROR_MEMORY.
fr_status fr_cube_list_leaves(const fr_octree *octree, const fr_allocator *allocator, fr_cube_list *out);

// Compaction: from the largest size to 1, over all places (z outer, y, x inner, ascending), every cube that is all
// black and overlaps none taken before. The cubes are disjoint and cover all that is black. O(8^depth (largest + 1)).
fr_status fr_cube_list_compact(const fr_octree *octree, const fr_allocator *allocator, fr_cube_list *out);

#ifdef __cplusplus
}
#endif

#endif
