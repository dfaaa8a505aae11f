// The closest points of two sets of one to three corners, quickly: a hint, on which no proof stands. Where the answer
// is used as a direction, what is said about the direction is proven apart; where it is used as a distance, both points
// are points of the sets.
#ifndef FUREAI_SHAPE_GAP_H
#define FUREAI_SHAPE_GAP_H

#include "fureai/shape.h"

// What of a set the closest point is inside of: nothing but a corner, the edge that begins at i or j, or the face.
typedef enum fr__support { FR__CORNER, FR__EDGE, FR__FACE } fr__support;

typedef struct fr__gap {
    fr_vec3 on_a, on_b;
    double squared; // distance
    fr_feature feature;
    int i, j; // the edges (from these corners), or the corner of one set and 0
    fr__support support_a, support_b;
} fr__gap;

// Of two triangles that do not overlap, near the origin, by the features that `gap` comes with. False where these are
// unknown, or not seen to be the closest. Without them: gap_lanes.h.
bool fr__gap_by_features(const fr_vec3 a[3], const fr_vec3 b[3], fr__gap *gap);

// Of two edges, and of a corner and a triangle.
void fr__gap_of_edges(const fr_vec3 a[2], const fr_vec3 b[2], fr__gap *gap);
void fr__gap_of_vertex(const fr_vec3 *a, const fr_vec3 b[3], fr__gap *gap);

#endif
