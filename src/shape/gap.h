// The closest points of two sets of one to three corners, quickly. They are a hint, on which no proof depends. A
// direction from them gets a proof of its own; for a distance, both points are points of the sets.
#ifndef FUREAI_SHAPE_GAP_H
#define FUREAI_SHAPE_GAP_H

#include "fureai/shape.h"

// The feature of a set that holds the closest point: a corner, the edge that begins at i or j, or the face.
typedef enum fr__support { FR__CORNER, FR__EDGE, FR__FACE } fr__support;

typedef struct fr__gap {
    fr_vec3 on_a, on_b;
    double squared; // distance
    fr_feature feature;
    int i, j; // the edges (from these corners), or the corner of one set and 0
    fr__support support_a, support_b;
} fr__gap;

// The gap of two triangles that do not overlap, near the origin, by the features stored in `gap`. False where these are
// unknown or not verified to be the closest; gap_lanes.h tries all features.
bool fr__gap_by_features(const fr_vec3 a[3], const fr_vec3 b[3], fr__gap *gap);

// The gaps of two edges, and of a corner and a triangle.
void fr__gap_of_edges(const fr_vec3 a[2], const fr_vec3 b[2], fr__gap *gap);
void fr__gap_of_vertex(const fr_vec3 *a, const fr_vec3 b[3], fr__gap *gap);

#endif
