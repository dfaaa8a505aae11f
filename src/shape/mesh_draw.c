// Draws triangles and meshes through the callbacks of a user.
#include "fureai/shape.h"

void fr_triangle_draw(const fr_vec3 corners[3], const fr_draw *draw, fr_color color) {
    FR_ASSERT(corners != NULL);
    double points[9];
    for (int i = 0; i < 3; i++) {
        points[3 * i] = corners[i].x;
        points[3 * i + 1] = corners[i].y;
        points[3 * i + 2] = corners[i].z;
    }
    fr_draw_triangles(draw, points, 1, color);
}

void fr_mesh_draw(const fr_mesh *mesh, const fr_draw *draw, fr_color color) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i, corners);
        fr_triangle_draw(corners, draw, color);
    }
}
