// Proofs that moving sets meet, from rounded positions: signs that no error of the positions can change.
#ifndef FUREAI_SHAPE_CROSSING_H
#define FUREAI_SHAPE_CROSSING_H

#include "fureai/shape.h"

// Whether an edge of one triangle passes through the other for every displacement of the corners within `error`.
// `error` is no less than 9 * 2^-53 of the distance between any two corners.
bool fr__triangles_cross(const fr_vec3 a[3], const fr_vec3 b[3], double error);

// The positions of a pair at two times, each known within `error`. No corner moved farther than `moved` between the two
// times.
typedef struct fr__passage {
    const fr_vec3 *a_before, *b_before, *a_after, *b_after;
    double moved, error;
} fr__passage;

// Whether a vertex a[0] must have met the face b, or the edge a[0] a[1] the edge b[0] b[1], between the two moments.
bool fr__vertex_passes_face(const fr__passage *passage);
bool fr__edge_passes_edge(const fr__passage *passage);

#endif
