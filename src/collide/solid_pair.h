// Two objects whose faces share points, as solids: whether the insides of their closed parts overlap.
#ifndef FUREAI_COLLIDE_SOLID_PAIR_H
#define FUREAI_COLLIDE_SOLID_PAIR_H

#include "collide/run.h"

typedef struct fr__solid_pair {
    const fr__run *run;
    uint32_t object_a, object_b;
    const fr__found *hits; // of these two objects, sorted by triangles
    size_t count;

    // The parts of the hit that was opened last.
    fr__pair_geometry geometry; // object FR_NONE before the first
    double facing_a, facing_b;  // 1: faces look outwards; -1: inwards; 0: the part is not closed
} fr__solid_pair;

void fr__solid_pair_make(fr__solid_pair *pair, const fr__run *run, uint32_t object_a, uint32_t object_b,
                         const fr__found *hits, size_t count);

// Whether the insides overlap at the beginning (t = 0; at an instant too), or at the next poses (t = 1), by the faces
// that share points then. Exact. A solid that is inside the other and touches it in single points may not be found.
bool fr__solid_pair_overlaps(fr__solid_pair *pair, double t);

// A time of the step at which the insides are proven to overlap, about the earliest; FR_UNKNOWN: none was found.
// Objects that deform are looked at when they arrive only.
double fr__solid_pair_time(fr__solid_pair *pair);

#endif
