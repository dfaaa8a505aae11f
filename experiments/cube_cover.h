// Fewer cubes than compaction: since the results are joined, cubes may overlap (the future work of Kitamura 5.3.2).
#ifndef FUREAI_EXPERIMENTS_CUBE_COVER_H
#define FUREAI_EXPERIMENTS_CUBE_COVER_H

#include "octree/faithful/cube_list.h"

// Covers what is black by cubes that lie in it: of the largest cube at each voxel, always the one that covers most of
// what is not covered yet (the larger, then the first, among equals); then those that the others cover are dropped,
// smallest first. FR_ERROR_MEMORY.
fr_status cube_cover_greedy(const fr_octree *octree, fr_cube_list *out);

#endif
