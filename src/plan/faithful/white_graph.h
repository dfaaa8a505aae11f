// The white leaves of a tree and which of them share a face: the search space of the source (Kitamura 4.3.3).
#ifndef FUREAI_PLAN_FAITHFUL_WHITE_GRAPH_H
#define FUREAI_PLAN_FAITHFUL_WHITE_GRAPH_H

#include "fureai/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_WHITE_NONE UINT32_MAX

FR_ARRAY_TYPE(fr__cell_array, fr_cell);

typedef struct fr_white_graph {
    int dimension;
    uint32_t size;          // cells an axis
    fr__cell_array leaves;  // depth first
    fr_uint32_array owners; // one a cell, x fastest: the leaf that holds it, FR_WHITE_NONE where it is black
    fr_uint32_array begins; // one a leaf and one more: where its neighbours begin
    fr_uint32_array edges;  // leaves that share more than an edge (in the plane a corner) with it
} fr_white_graph;

// An empty graph, to be made and made again; free it with fr_white_graph_free.
fr_white_graph fr_white_graph_empty(const fr_allocator *allocator);
void fr_white_graph_free(fr_white_graph *graph);

// FR_ERROR_MEMORY. O(cells).
fr_status fr_white_graph_make(fr_white_graph *graph, const fr_octree *octree, fr_error *error);

static inline const fr_cell *fr_white_leaf(const fr_white_graph *g, uint32_t leaf) { return g->leaves.data + leaf; }

// The leaf that holds a point, FR_WHITE_NONE where it is black or outside.
uint32_t fr_white_leaf_at(const fr_white_graph *graph, fr_vec3 point);

// The middle of a leaf, and that of the face that two neighbours share: of the smaller one's face. In the plane z is
// 0.5.
fr_vec3 fr_white_center(const fr_white_graph *graph, uint32_t leaf);
fr_vec3 fr_white_shared_face(const fr_white_graph *graph, uint32_t a, uint32_t b);

// Its cells.
fr_plan_box fr_white_box(const fr_white_graph *graph, uint32_t leaf);

#ifdef __cplusplus
}
#endif

#endif
