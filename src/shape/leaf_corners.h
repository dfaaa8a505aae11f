// A copy of the corners of a mesh's triangles, in the order of its tree's leaves, for culling a whole leaf at once.
#ifndef FUREAI_SHAPE_LEAF_CORNERS_H
#define FUREAI_SHAPE_LEAF_CORNERS_H

#include "fureai/shape.h"

// Corner, axis, item of the leaf: the positions of the mesh, rounded to the nearest float. Empty lanes repeat item 0.
typedef struct fr__leaf_corners {
    float at[3][3][4];
} fr__leaf_corners;

// One for each leaf, in their order, and one of zeros after them, so that four floats may be read from any on; NULL
// without memory.
fr__leaf_corners *fr__leaf_corners_create(const fr_mesh_view *view, const fr_tree *tree, const fr_allocator *allocator);
void fr__leaf_corners_destroy(fr__leaf_corners *corners, const fr_tree *tree, const fr_allocator *allocator);

#endif
