// A point of a held model against one element of a near one.
#ifndef FUREAI_TOUCH_ELEMENT_H
#define FUREAI_TOUCH_ELEMENT_H

#include "fureai/touch.h"

#define FR__ELEMENT_EDGE 1e-9      // metres: a foot this near to an edge is inside, so that shared edges leave no crack
#define FR__ELEMENT_SLACK 4e-9     // metres more than a hit needs, where candidates are looked for
#define FR__ELEMENT_ROUNDING 1e-12 // of coordinates, likewise

typedef enum fr__point_kind { FR__POINT_ORIGIN, FR__POINT_BOX, FR__POINT_VERTEX } fr__point_kind;

typedef struct fr__element_point {
    fr__point_kind kind;
    uint32_t index;
    bool is_closest, is_swept; // of the options; a path always has the closest points
    fr_vec3 path[2];           // from, to; both are the point where it is not swept
} fr__element_point;

// The distances to a corner, to a triangle of a polygon whose plane goes through `origin`, and to a face of a box by
// its middle and its two half edges; infinite where the foot is not in the element. Point and foot of the hit are set.
double fr__element_point_distance(const fr__element_point *p, fr_vec3 place, fr_vec3 *on_path);
double fr__element_triangle_distance(const fr__element_point *p, const fr_vec3 corners[3], fr_vec3 normal,
                                     fr_vec3 origin, fr_touch_hit *hit);
double fr__element_rectangle_distance(const fr__element_point *p, fr_vec3 middle, const fr_vec3 half_edges[2],
                                      fr_vec3 normal, fr_touch_hit *hit);

// The side of a plane that the path begins on; 0 without a normal.
int32_t fr__element_side(const fr__element_point *p, fr_vec3 normal, fr_vec3 on_plane);

#endif
