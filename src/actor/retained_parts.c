// The parts of an object, retained, with their box.
#include "actor/retained_parts.h"

#include <string.h>

bool fr__retained_parts_take(fr__retained_parts *retained, const fr_allocator *allocator, const fr_space *space,
                             fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    *retained = (fr__retained_parts){.allocator = *allocator};
    retained->parts = fr_allocate(allocator, view->part_count, sizeof *retained->parts, _Alignof(fr_part_def));
    if (retained->parts == NULL) { return false; }
    retained->part_count = view->part_count;
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, object, i);
        retained->parts[i] = fr_default_part_def();
        retained->parts[i].mesh = fr_mesh_retain(part.mesh);
        retained->parts[i].pose = part.pose;
    }
    return true;
}

void fr__retained_parts_release(fr__retained_parts *retained) {
    for (uint32_t i = 0; i < retained->part_count; i++) {
        fr_mesh_release(retained->parts[i].mesh);
    }
    if (retained->parts != NULL) {
        fr_deallocate(&retained->allocator, retained->parts, retained->part_count, sizeof *retained->parts);
    }
    memset(retained, 0, sizeof *retained);
}

static fr_vec3 corner_of(const fr_bounds *box, unsigned corner) {
    return fr_vec3_make((corner & 1) != 0 ? box->max.x : box->min.x, (corner & 2) != 0 ? box->max.y : box->min.y,
                        (corner & 4) != 0 ? box->max.z : box->min.z);
}

fr_bounds fr__retained_parts_bounds(const fr__retained_parts *retained, const fr_pose *pose) {
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < retained->part_count; i++) {
        fr_bounds box = fr_mesh_get(retained->parts[i].mesh)->bounds;
        for (unsigned k = 0; k < 8; k++) {
            fr_vec3 point = fr_pose_apply(pose, fr_pose_apply(&retained->parts[i].pose, corner_of(&box, k)));
            bounds = fr_bounds_with_point(&bounds, point);
        }
    }
    return bounds;
}
