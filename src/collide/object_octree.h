// Stored octrees of the parts' faces, walked together (Kitamura ch. 2).
#ifndef FUREAI_COLLIDE_OBJECT_OCTREE_H
#define FUREAI_COLLIDE_OBJECT_OCTREE_H

#include "collide/schedule.h"

// Lists the pairs of faces that share an interfering cell.
bool fr__object_octree_list(fr__run *run);

#endif
