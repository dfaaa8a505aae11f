// What is known of the mesh of a part that clashes.
#ifndef FR_CLASH_SOLID_H
#define FR_CLASH_SOLID_H

#include "clash/placed_part.h"
#include "math/point_array.h"

typedef struct fr__clash_solid {
    bool is_clashing;
    bool is_closed;
    const fr_mesh *mesh;
    fr__vec3_array corners; // of its triangles, each place once, in the mesh's frame
    fr_status status;       // of its examination
} fr__clash_solid;

FR_ARRAY_TYPE(fr__clash_solid_array, fr__clash_solid);

// Fills is_closed, corners and status. The control may be NULL.
void fr__solid_examine(fr__clash_solid *solid, const fr_control *control, const fr_allocator *allocator);

// How far a part is in another one.
typedef struct fr__entry {
    bool has_corner; // a corner is inside or on the surface
    double depth;    // the greatest distance from the surface of a corner inside; FR_UNKNOWN: there is none
} fr__entry;

// Adds the corners of `inner` that are in `outer`, which is closed. Where `outer` has another pose than the identity,
// corners within the rounding of its inverse are on its surface. FR_ERROR_STOPPED when the control says so.
fr_status fr__solid_depth(const fr__clash_solid *inner, const fr__rest_part *inner_part, const fr__rest_part *outer,
                          const fr_control *control, fr__entry *entry);

#endif
