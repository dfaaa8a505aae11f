// What is known of one part that clashes.
#ifndef FR_CLASH_SOLID_H
#define FR_CLASH_SOLID_H

#include "math/point_array.h"

#include "fureai/shape.h"

typedef struct fr__clash_solid {
    bool is_clashing;
    bool is_closed;
    fr__vec3_array corners; // of its triangles, each place once
    fr_status status;       // of its examination
} fr__clash_solid;

FR_ARRAY_TYPE(fr__clash_solid_array, fr__clash_solid);

// Fills everything but is_clashing. The control may be NULL.
void fr__solid_examine(fr__clash_solid *solid, const fr_mesh *mesh, const fr_control *control,
                       const fr_allocator *allocator);

// Raises *depth to the greatest distance from the surface of `outer` of a corner of `inner` that lies inside it.
// FR_ERROR_STOPPED when the control says so.
fr_status fr__solid_depth(const fr__clash_solid *inner, const fr_mesh *outer, const fr_control *control, double *depth);

#endif
