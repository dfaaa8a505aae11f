// Meshes in pictures.
#ifndef FUREAI_TOOL_MESH_DRAW_H
#define FUREAI_TOOL_MESH_DRAW_H

#include "fureai/shape.h"

// One triangle.
void mesh_draw_triangle(const fr_draw *draw, const fr_vec3 corners[3], fr_color color);

// All triangles of a mesh, in its own frame.
void mesh_draw(const fr_draw *draw, const fr_mesh *mesh, fr_color color);

#endif
