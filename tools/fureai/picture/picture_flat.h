// Marks as they lie on the image, and which of two hides the other.
#ifndef FUREAI_TOOL_PICTURE_FLAT_H
#define FUREAI_TOOL_PICTURE_FLAT_H

#include "picture_camera.h"
#include "picture_marks.h"

typedef struct picture_flat {
    picture_place corners[3];
    unsigned count;                  // 1 a point or text, 2 a line, 3 a triangle
    bool is_text;                    // painted last, whatever its depth
    double left, right, top, bottom; // box in pixels
} picture_flat;

// Lines and points are moved a little towards the eye, so that they lie on the faces they belong to.
picture_flat picture_flat_make(const picture_marks *marks, const picture_mark *mark, const picture_camera *camera);

// 1 when `a` is behind `b` where they overlap, -1 when it is in front, 0 when they do not overlap, are equally deep
// there, or neither is a triangle.
int picture_flat_compare(const picture_flat *a, const picture_flat *b);

#endif
