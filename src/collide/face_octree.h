// The face octree: four steps over cubes that are never stored (Kitamura ch. 3).
#ifndef FUREAI_COLLIDE_FACE_OCTREE_H
#define FUREAI_COLLIDE_FACE_OCTREE_H

#include "collide/schedule.h"

void fr__octree_memory_make(fr__octree_memory *memory, const fr_allocator *allocator);
void fr__octree_memory_free(fr__octree_memory *memory);

// Steps 1 to 3: lists the pairs of faces that share a cube. Step 4 is the judge's.
bool fr__face_octree_list(fr__question *q);

#endif
