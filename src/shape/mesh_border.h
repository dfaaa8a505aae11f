// The border of a mesh: its edges that no other edge cancels.
#ifndef FUREAI_SHAPE_MESH_BORDER_H
#define FUREAI_SHAPE_MESH_BORDER_H

#include "fureai/shape.h"

// Directed edges as pairs of vertices. Edges from and to the same two places, in opposite directions, cancel one
// another; what is left, as often as it is left, is the border. None: the surface is closed for the winding number.
typedef struct fr__mesh_border {
    uint32_t *edges; // 2 a border edge; NULL when there is none
    uint32_t count;
    size_t capacity; // edges that the memory holds
} fr__mesh_border;

// Finds the border in O(n). Vertices are compared by number first; only those of the remaining edges are compared by
// position. FR_ERROR_MEMORY, FR_ERROR_STOPPED by the control, which may be NULL.
fr_status fr__mesh_border_find(const fr_mesh_view *view, const fr_control *control, const fr_allocator *allocator,
                               fr__mesh_border *out, fr_error *error);
void fr__mesh_border_release(fr__mesh_border *border, const fr_allocator *allocator);

#endif
