// The potential field as the source makes it: every black node against every cell (Kitamura 4.3.2, 4.5.1).
#ifndef FUREAI_PLAN_FAITHFUL_NODE_FIELD_H
#define FUREAI_PLAN_FAITHFUL_NODE_FIELD_H

#include "fureai/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// How several workers share the work.
typedef enum fr_node_split {
    FR_NODE_BY_NODES, // worker i of N takes nodes i, i + N, ... into a field of its own; the largest counts (4.5.1)
    FR_NODE_BY_ROWS   // all nodes, for some of the rows of cells each: nothing to join
} fr_node_split;

FR_ARRAY_TYPE(fr_node_box_array, fr_plan_box);

typedef struct fr_node_field_input {
    int dimension;
    uint32_t depth;
    const fr_plan_box *nodes; // black leaves, or the cubes that compaction makes of them
    size_t node_count;
    double pmax, attraction;
    fr_vec3 goal;
    fr_node_split split;
    const fr_tasks *tasks; // NULL: the calling thread
} fr_node_field_input;

// P at the centre of every cell, x fastest. FR_ERROR_MEMORY. O(nodes x cells).
fr_status fr_node_field_run(const fr_node_field_input *input, const fr_allocator *allocator, double *out,
                            fr_error *error);

// The black leaves of a tree as boxes (fr_plan_box), depth first, after what the array has. FR_ERROR_MEMORY.
fr_status fr_black_nodes(const fr_octree *octree, fr_node_box_array *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
