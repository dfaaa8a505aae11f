// Draws the parts of an object at any pose.
#include "fureai/space.h"

void fr_parts_draw(const fr_part_def *parts, uint32_t count, const fr_pose *pose, const fr_draw *draw, fr_color color) {
    FR_ASSERT((parts != NULL || count == 0) && pose != NULL);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t triangles = fr_mesh_get(parts[i].mesh)->triangle_count;
        for (uint32_t k = 0; k < triangles; k++) {
            fr_vec3 corners[3];
            fr_mesh_corners(parts[i].mesh, k, corners);
            for (int c = 0; c < 3; c++) {
                corners[c] = fr_pose_apply(pose, fr_pose_apply(&parts[i].pose, corners[c]));
            }
            fr_triangle_draw(corners, draw, color);
        }
    }
}
