// The face octree: four steps over cubes that are never stored (Kitamura ch. 3).
#ifndef FUREAI_COLLIDE_FACE_OCTREE_H
#define FUREAI_COLLIDE_FACE_OCTREE_H

#include "collide/schedule.h"

// The root cube and its smallest cubes.
typedef struct fr__octree_root {
    fr__run *run;
    fr__octree_scratch *scratch;
    fr_vec3 origin; // low corner of the root
    double leaf;    // edge of the smallest cube
    uint32_t depth;
    double growth;  // of cubes, for margin and rounding
    bool has_paths; // a face is the box of its path
} fr__octree_root;

void fr__octree_scratch_make(fr__octree_scratch *scratch, const fr_allocator *allocator);
void fr__octree_scratch_free(fr__octree_scratch *scratch);

// Steps 1 and 2, and the root cube, at most `max_depth` deep. False when the work is to end; no faces are there where
// nothing overlaps.
bool fr__octree_begin(fr__run *run, uint32_t max_depth, fr__octree_root *root);

// The cube with its low corner at smallest cubes `at`, `edge` of them wide, grown.
fr_bounds fr__octree_cube(const fr__octree_root *root, const uint32_t at[3], uint32_t edge);

// Whether a candidate face meets a cube.
bool fr__octree_face_meets(const fr__octree_root *root, uint32_t face, const fr_bounds *cube);

// The index in the plan of the part pair of two members, or FR_NONE where they never meet.
uint32_t fr__octree_find_part_pair(const fr__octree_root *root, uint32_t a, uint32_t b);

// Lists a pair of candidate faces that share a cube, once. False when the work is to end.
bool fr__octree_list_faces(const fr__octree_root *root, uint32_t i, uint32_t j);

// Steps 1 to 3: lists the pairs of faces that share a cube. Step 4 is the judge's.
bool fr__face_octree_list(fr__run *run);

#endif
