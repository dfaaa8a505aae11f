// The directions of the triangles below each child of a node (a cone of normals). The foot of a point on a triangle
// lies along the triangle's normal, so a point whose foot is on one of them is near the axis that they have in common,
// however far its reach.
#ifndef FUREAI_SHAPE_NODE_LEAN_H
#define FUREAI_SHAPE_NODE_LEAN_H

#include "fureai/shape.h"

// Of each child: an axis of length 1 through the middle of its box, how far from it any corner is, and the largest sine
// of the angle between it and a normal, of either sign. 1 for normals that mean little: of a triangle that is lower
// than FR__LEAN_LOW of the mesh's largest coordinate, or of its own longest edge.
typedef struct fr__node_lean {
    float axis[3][8];
    float radius[8];
    float lean[8];
} fr__node_lean;

#define FR__LEAN_LOW 0x1p-19

// One for each node of the mesh's tree, in their order; NULL without memory.
fr__node_lean *fr__node_lean_create(const fr_mesh_view *view, const fr_tree *tree, const fr_allocator *allocator);
void fr__node_lean_destroy(fr__node_lean *leans, const fr_tree *tree, const fr_allocator *allocator);

#endif
