// Meshes in pictures.
#ifndef FUREAI_TOOL_MESH_DRAW_H
#define FUREAI_TOOL_MESH_DRAW_H

#include "fureai/space.h"

// One triangle.
void mesh_draw_triangle(const fr_draw *draw, const fr_vec3 corners[3], fr_color color);

// All triangles of a body's parts at a pose.
void mesh_draw_parts(const fr_draw *draw, const fr_part_def *parts, uint32_t count, const fr_pose *pose,
                     fr_color color);

// All triangles of a mesh, in its own frame.
void mesh_draw(const fr_draw *draw, const fr_mesh *mesh, fr_color color);

#endif
