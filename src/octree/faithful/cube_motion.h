// Octrees moved cube by cube, as Weng and Ahuja print it and as Kitamura ch. 5 improves it: every black cube is moved,
// the octree of the moved cube is built from the root down by testing cells against it, all these are joined and
// condensed. All of these methods give the voxels of fr_octree_move, bit for bit.
#ifndef FUREAI_OCTREE_FAITHFUL_CUBE_MOTION_H
#define FUREAI_OCTREE_FAITHFUL_CUBE_MOTION_H

#include "octree/faithful/cube_list.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a cell is tested against a moved cube.
typedef enum fr_cube_method {
    FR_CUBE_PRINTED,   // by spheres and their boxes, eight corners first (eqs. 5.3 and 5.4); the rule of centres alone
    FR_CUBE_STAGED,    // exactly, by stages
    FR_CUBE_AXES,      // exactly, by 15 axes
    FR_CUBE_PLANES,    // without turning: six planes a cell
    FR_CUBE_AXIS_TREES // without turning: three trees of one axis each, combined (5.5)
} fr_cube_method;

typedef struct fr_cube_motion_input {
    const fr_cube *cubes;
    size_t cube_count;
    uint32_t depth; // 1 .. FR_OCTREE_MAX_DEPTH
    fr_octree_motion motion;
    fr_octree_rule rule;
    fr_cube_method method;
    bool in_one_tree; // cells go into one tree, and what is black there is not looked at again; default false: a
                      // tree for each cube, as printed
    const fr_tasks
        *tasks; // worker i of N takes cubes i, i + N, ...; then one joins the trees. NULL: the calling thread
} fr_cube_motion_input;

typedef struct fr_cube_motion_output {
    uint64_t tests;       // of a cell against a cube
    uint64_t comparisons; // PLANES and AXIS_TREES: of a plane with a coordinate
} fr_cube_motion_output;

// The memory of one mover. One thread at a time.
typedef struct fr_cube_motion fr_cube_motion;

fr_status fr_cube_motion_create(const fr_allocator *allocator, fr_cube_motion **out, fr_error *error);
void fr_cube_motion_destroy(fr_cube_motion *mover);

// Moves. FR_ERROR_ARGUMENT for a rule or a turn that the method does not do, a motion that is none, or a tree of
// another depth; FR_ERROR_MEMORY. On failure the tree is white. Without a tree (NULL) the linked cells are made and no
// more: what the source does, to be timed.
fr_status fr_cube_motion_run(fr_cube_motion *mover, const fr_cube_motion_input *input, fr_octree *out,
                             fr_cube_motion_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
