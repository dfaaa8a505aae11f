// Two faces of closed solids that share points without crossing: whether the insides of the solids overlap there.
#ifndef FUREAI_COLLIDE_SOLID_FACES_H
#define FUREAI_COLLIDE_SOLID_FACES_H

#include "fureai/collide.h"

typedef enum fr__faces_meeting {
    FR__FACES_OUTSIDE, // nothing is proven: apart, or touching from outside as far as these two faces show
    FR__FACES_INSIDE,  // the insides overlap there
    FR__FACES_EDGES    // an edge of one lies on an edge of the other: fr__edge_opens_inside decides
} fr__faces_meeting;

// How a face t of one solid meets a face u of another one. Corners turn counter-clockwise seen from outside the solids.
// Exact.
fr__faces_meeting fr__faces_meet(const fr_vec3 t[3], const fr_vec3 u[3]);

// The edge of u that lies in the plane of t, as the numbers of its corners and of the third; only with FR__FACES_EDGES.
typedef struct fr__face_edge {
    int from, to, third;
} fr__face_edge;

fr__face_edge fr__edge_in_plane(const fr_vec3 t[3], const fr_vec3 u[3]);

// Whether t, which touches an edge of u with an edge, leads from there into the solid of u. `beside` is the other face
// of that solid at the edge. Exact.
bool fr__edge_opens_inside(const fr_vec3 t[3], const fr_vec3 u[3], const fr_vec3 beside[3]);

#endif
