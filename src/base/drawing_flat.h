// Marks as they lie on the image, and which of two hides the other.
#ifndef FUREAI_SRC_BASE_DRAWING_FLAT_H
#define FUREAI_SRC_BASE_DRAWING_FLAT_H

#include "fureai/base_drawing.h"

typedef struct fr__drawing_flat {
    fr_drawing_place corners[3];
    unsigned count;                  // 1 a point or text, 2 a line, 3 a triangle
    bool is_text;                    // painted last, whatever its depth
    double left, right, top, bottom; // box in pixels
} fr__drawing_flat;

// Lines and points are moved a little towards the eye, so that they lie on the faces they belong to.
fr__drawing_flat fr__drawing_flat_make(const fr_drawing_view *view, const fr_drawing_mark *mark,
                                       const fr_drawing_camera *camera);

// 1 when `a` is behind `b` where they overlap, -1 when it is in front, 0 when they do not overlap, are equally deep
// there, or neither is a triangle.
int fr__drawing_flat_compare(const fr__drawing_flat *a, const fr__drawing_flat *b);

// The allocator of a drawing, which its order uses too.
const fr_allocator *fr__drawing_allocator(const fr_drawing *drawing);

#endif
