// Boxes of vertices, from which the trees of deformed parts are refitted.
#ifndef FUREAI_SPACE_VERTEX_BOX_H
#define FUREAI_SPACE_VERTEX_BOX_H

#include "math/simd.h"
#include "shape/tree.h"
#include "space/part.h"

// How vertices at the end of the step are seen from the part's present frame.
typedef struct fr__next_view {
    fr__frame part, object; // that place the vertices at the end
    fr__to_part to_part;    // of the object now
} fr__next_view;

typedef struct fr__vertex_box_kernel_table {
    // Lets the boxes of vertices also hold where `next` puts them, rounding included.
    void (*join_next)(const fr__next_view *view, const fr_vec3 *next, size_t count, fr__corner_box *boxes);
} fr__vertex_box_kernel_table;

FR__KERNEL_TABLE(fr__vertex_box_kernel_table, fr__vertex_box_kernel)

#endif
