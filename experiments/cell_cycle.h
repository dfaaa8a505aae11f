// One cycle of the source's first method (Kitamura ch. 2): every object's octree is moved from its reference, the
// octrees are walked together, the faces in each interfering cell are tested pair by pair by their swept hulls.
#ifndef FUREAI_EXPERIMENTS_CELL_CYCLE_H
#define FUREAI_EXPERIMENTS_CELL_CYCLE_H

#include "fureai/octree.h"

enum { CELL_CYCLE_OBJECTS = 8 };

typedef struct cell_object {
    const fr_mesh *mesh;
    fr_vec3 *points; // three runs of vertex_count: local, at the start, at the end
    uint32_t vertex_count, triangle_count;
    const uint32_t *triangles;
    fr_pose first; // where the reference stands
    fr_octree *tree, *moved;
    fr_octree_reference *reference;
} cell_object;

typedef struct cell_cycle {
    cell_object objects[CELL_CYCLE_OBJECTS];
    uint32_t count;
    fr_array faces; // uint32_t: of the objects in one cell, object after object
    fr_array found; // uint64_t: colliding pairs, sorted in the end
    fr_octree_reading reading;
    bool has_failed;
    uint64_t nodes, in_nodes, tested; // of the cycle that runs
} cell_cycle;

typedef struct cell_cycle_output {
    uint64_t nodes;  // interfering cells
    uint64_t faces;  // in them, each counted once a cell and object
    uint64_t tested; // pairs of faces, each counted once a cell
    uint64_t pairs;  // that collide, each once
    double ms_octree, ms_total;
} cell_cycle_output;

// Objects of meshes (retained) at their first poses, in a root of an edge from 0 on. The octrees are those of all
// voxels that the objects touch or fill. On failure nothing is left behind.
fr_status cell_cycle_create(const fr_mesh *const *meshes, const fr_pose *first, uint32_t count, double edge,
                            uint32_t depth, cell_cycle *out, fr_error *error);
void cell_cycle_destroy(cell_cycle *cycle);

// Runs one cycle in which the objects go from one pose to the next. Times are processor time of the calling thread.
fr_status cell_cycle_run(cell_cycle *cycle, const fr_pose *start, const fr_pose *end, cell_cycle_output *output,
                         fr_error *error);

// Tests every face with every face of every other object by the same test, where the last cycle left them. Returns how
// many pairs collide; *ms is the processor time that this takes without octrees.
uint64_t cell_cycle_polyhedra_only(const cell_cycle *cycle, double *ms);

#endif
