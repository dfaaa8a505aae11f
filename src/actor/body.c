// The parts of an object, retained, with their box.
#include "actor/body.h"

#include <string.h>

bool fr__body_take(fr__body *body, const fr_allocator *allocator, const fr_space *space, fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    *body = (fr__body){.allocator = *allocator};
    body->parts = fr_allocate(allocator, view->part_count, sizeof *body->parts, _Alignof(fr_part_def));
    if (body->parts == NULL) { return false; }
    body->part_count = view->part_count;
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, object, i);
        body->parts[i] = fr_default_part_def();
        body->parts[i].mesh = fr_mesh_retain(part.mesh);
        body->parts[i].pose = part.pose;
    }
    return true;
}

void fr__body_release(fr__body *body) {
    for (uint32_t i = 0; i < body->part_count; i++) {
        fr_mesh_release(body->parts[i].mesh);
    }
    if (body->parts != NULL) { fr_deallocate(&body->allocator, body->parts, body->part_count, sizeof *body->parts); }
    memset(body, 0, sizeof *body);
}

static fr_vec3 corner_of(const fr_bounds *box, unsigned corner) {
    return fr_vec3_make((corner & 1) != 0 ? box->max.x : box->min.x, (corner & 2) != 0 ? box->max.y : box->min.y,
                        (corner & 4) != 0 ? box->max.z : box->min.z);
}

fr_bounds fr__body_bounds(const fr__body *body, const fr_pose *pose) {
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < body->part_count; i++) {
        fr_bounds box = fr_mesh_get(body->parts[i].mesh)->bounds;
        for (unsigned k = 0; k < 8; k++) {
            fr_vec3 point = fr_pose_apply(pose, fr_pose_apply(&body->parts[i].pose, corner_of(&box, k)));
            bounds = fr_bounds_with_point(&bounds, point);
        }
    }
    return bounds;
}
