// A part at rest: its mesh, where it is, and what that makes of the mesh's points.
#ifndef FR_CLASH_PLACED_PART_H
#define FR_CLASH_PLACED_PART_H

#include "fureai/clash.h"

typedef struct fr__rest_part {
    fr_mesh *mesh;           // retained; NULL: not made at the moment
    fr_pose pose;            // checked and normalised
    bool is_placed;          // the pose is not the identity
    bool is_current;         // it is compared with all others that are current, and with those of lower ranks
    uint32_t rank;           // of parts of which some are not current; 0 for the others
    uint32_t triangle_count; // of the mesh
    uint32_t solid;          // of its mesh, in the finder
    uint32_t twin; // the lowest number of the parts that are the same in the same place; its own where there is none
} fr__rest_part;

FR_ARRAY_TYPE(fr__rest_part_array, fr__rest_part);

// The corners of a triangle in the world.
static inline void fr__placed_corners(const fr__rest_part *part, uint32_t triangle, fr_vec3 corners[3]) {
    fr_mesh_corners(part->mesh, triangle, corners);
    for (int i = 0; part->is_placed && i < 3; i++) {
        corners[i] = fr_pose_apply(&part->pose, corners[i]);
    }
}

// The length of the diagonal of its mesh's bounds, in the world.
static inline double fr__placed_size(const fr__rest_part *part) {
    const fr_bounds *b = &fr_mesh_get(part->mesh)->bounds;
    return fr_vec3_distance(b->min, b->max) * part->pose.scale;
}

#endif
