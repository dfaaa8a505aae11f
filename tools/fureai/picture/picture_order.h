// The painter's order: from far to near.
#ifndef FUREAI_TOOL_PICTURE_ORDER_H
#define FUREAI_TOOL_PICTURE_ORDER_H

#include "picture_camera.h"
#include "picture_marks.h"

// All marks' indices in the order of painting, in memory of fr_allocate for one element more than there are marks;
// NULL when there is none.
//
// Sorting by depth alone paints a large face over a small one that stands before it. So marks that overlap in the
// image are compared where they overlap, and what is behind is painted first; the sorting decides the rest. Faces that
// pierce each other or hide each other in a circle have no right order and get some. From 100,000 marks on, when each
// is small, or when more overlap than memory should hold, the sorting decides alone.
uint32_t *picture_order_make(const picture_marks *marks, const picture_camera *camera);

#endif
