// Faces of one mesh that have corners in common: whether and when they share a point beyond those.
//
// Corners are common when they are at the same place, over a step at both ends of it: those of one vertex, and those of
// vertices that a file repeats along a seam.
#ifndef FUREAI_COLLIDE_NEIGHBOUR_FACES_H
#define FUREAI_COLLIDE_NEIGHBOUR_FACES_H

#include "fureai/collide.h"

// The common corners of two faces a and b come first in both orders, in pairs.
typedef struct fr__neighbours {
    int count; // of common corners; 0: the faces are no neighbours
    int order_a[3], order_b[3];
} fr__neighbours;

fr__neighbours fr__neighbours_at(const fr_vec3 a[3], const fr_vec3 b[3]);
fr__neighbours fr__neighbours_over(const fr_triangle_path *a, const fr_triangle_path *b);

// Whether neighbours share a point beyond their common corners and the edge between those. Exact.
bool fr__neighbours_overlap(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3]);

// How near their elements without a common corner are, a vertex and a face or two edges, and where (either may be
// NULL); 0 exactly when fr__neighbours_overlap holds.
double fr__neighbours_distance(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a,
                               fr_vec3 *on_b);

// When neighbours first share such a point, or come within the separation of the options. What goes with one motion
// keeps its shape: the ends of the step decide. Of corners that go straight, a vertex meets a face that it is not of,
// or two edges without a common corner meet. What ends is not looked for: time_end is 1 where it is wanted.
bool fr__neighbours_time(const fr__neighbours *n, const fr_triangle_path *a, const fr_triangle_path *b,
                         const fr_time_input *options, fr_time_output *out);

// fr_triangle_overlap, fr_triangle_distance and fr_triangle_time, of neighbours the above where `is_one_part`. `out`
// may be NULL.
bool fr__faces_overlap(bool is_one_part, const fr_vec3 a[3], const fr_vec3 b[3]);
double fr__faces_distance(bool is_one_part, const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b);
bool fr__faces_time(bool is_one_part, const fr_triangle_path *a, const fr_triangle_path *b,
                    const fr_time_input *options, fr_time_output *out);

#endif
