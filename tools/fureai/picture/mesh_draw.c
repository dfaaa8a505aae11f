// Draws meshes and the parts of objects.
#include "mesh_draw.h"

void mesh_draw_triangle(const fr_draw *draw, const fr_vec3 corners[3], fr_color color) {
    double points[9];
    for (int i = 0; i < 3; i++) {
        points[3 * i] = corners[i].x;
        points[3 * i + 1] = corners[i].y;
        points[3 * i + 2] = corners[i].z;
    }
    fr_draw_triangles(draw, points, 1, color);
}

void mesh_draw(const fr_draw *draw, const fr_mesh *mesh, fr_color color) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i, corners);
        mesh_draw_triangle(draw, corners, color);
    }
}

void mesh_draw_parts(const fr_draw *draw, const fr_part_def *parts, uint32_t count, const fr_pose *pose,
                     fr_color color) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t triangles = fr_mesh_get(parts[i].mesh)->triangle_count;
        for (uint32_t k = 0; k < triangles; k++) {
            fr_vec3 corners[3];
            fr_mesh_corners(parts[i].mesh, k, corners);
            for (int c = 0; c < 3; c++) {
                corners[c] = fr_pose_apply(pose, fr_pose_apply(&parts[i].pose, corners[c]));
            }
            mesh_draw_triangle(draw, corners, color);
        }
    }
}
