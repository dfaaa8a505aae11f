// Quadtrees that move: the same rules and the same map as in space, in the plane z = 0.
#ifndef FUREAI_OCTREE_PLANE_MOTION_H
#define FUREAI_OCTREE_PLANE_MOTION_H

#include "octree/reference.h"

// Makes the rows and maps of a reference from a quadtree of its depth. False without memory; what was taken is freed
// with the reference.
bool fr__plane_reference_fill(fr_octree_reference *reference, const fr_octree *quadtree);
void fr__plane_reference_free(const fr_octree_reference *reference);

// Whether a motion leaves everything in the plane.
bool fr__plane_motion_is_flat(const fr_octree_motion *motion);

// Fills a quadtree of the reference's depth; the map is not away. Returns the blocks that were looked at.
uint64_t fr__plane_move(const fr_octree_reference *reference, const fr_octree_map *map, fr_octree *out);

#endif
