// A polygon of a model cut into triangles.
#include "polygon.h"

fr_status fr__cutter_create(const fr_allocator *allocator, fr__cutter *cutter) {
    cutter->points = fr__point_array_make(allocator);
    cutter->scratch = NULL;
    cutter->work_left = FR__CUT_WORK;
    return fr_arena_create(0, allocator, &cutter->scratch, NULL);
}

void fr__cutter_destroy(fr__cutter *cutter) {
    fr__point_array_destroy(&cutter->points);
    fr_arena_destroy(cutter->scratch);
}

static void cut_fan(const uint32_t *corners, uint32_t count, uint32_t *triangles) {
    for (uint32_t i = 1; i + 1 < count; i++, triangles += 3) {
        triangles[0] = corners[0];
        triangles[1] = corners[i];
        triangles[2] = corners[i + 1];
    }
}

// Whether there is work left for a polygon; takes it.
static bool takes_work(fr__cutter *cutter, uint32_t count) {
    uint64_t work = count > FR__CUT_LARGE ? (uint64_t)count * count : 0;
    if (work > cutter->work_left) { return false; }
    cutter->work_left -= work;
    return true;
}

fr_status fr__cut_polygon(fr__cutter *cutter, const fr_model_mesh *mesh, uint32_t face, uint32_t *triangles) {
    const uint32_t *corners = mesh->corners + fr_model_face_begin(mesh, face);
    uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face);
    if (count == 3 || !takes_work(cutter, count)) {
        cut_fan(corners, count, triangles);
        return FR_OK;
    }
    cutter->points.count = 0;
    fr_vec3 *points = fr__point_array_push(&cutter->points, count);
    if (points == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < count; i++) {
        points[i] = fr__position(mesh, corners[i]);
    }
    fr_arena_reset(cutter->scratch);
    fr_status status = fr_polygon_triangulate(points, count, cutter->scratch, triangles, NULL, NULL);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < 3 * (count - 2); i++) {
        triangles[i] = corners[triangles[i]];
    }
    return FR_OK;
}
