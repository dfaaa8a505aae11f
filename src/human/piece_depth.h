// How deep a rigid piece of a body and one object of a space are in one another.
#ifndef FUREAI_HUMAN_PIECE_DEPTH_H
#define FUREAI_HUMAN_PIECE_DEPTH_H

#include "fureai/collide.h"

// A convex piece at a pose, and the object that it is looked at against.
typedef struct fr__placed_piece {
    const fr_space *space;
    const fr_mesh *mesh;
    fr_pose pose;
    fr_object_id object;
} fr__placed_piece;

// The corner i of a piece, in its own axes.
fr_vec3 fr__piece_corner(const fr_mesh_view *mesh, uint32_t i);

// Whether a face of the piece is within `margin` metres of a face of the object.
bool fr__piece_meets(const fr__placed_piece *piece, double margin);

// Whether a point of the piece is inside the object. Where no face of the piece meets a face of the object, all of the
// piece is inside then.
bool fr__piece_is_inside(const fr__placed_piece *piece);

// How deep they are in one another, metres: the corners of the piece in the object, and the edges of the object in the
// piece; INFINITY where the space is stale.
double fr__piece_depth(const fr__placed_piece *piece);

#endif
