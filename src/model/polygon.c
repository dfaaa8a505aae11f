#include "polygon.h"

#include <string.h>

fr_status fr__cutter_create(const fr_allocator *allocator, fr__cutter *cutter) {
    cutter->points = fr_array_make(sizeof(fr_vec3), allocator);
    cutter->scratch = NULL;
    return fr_arena_create(0, allocator, &cutter->scratch);
}

void fr__cutter_destroy(fr__cutter *cutter) {
    fr_array_free(&cutter->points);
    fr_arena_destroy(cutter->scratch);
}

fr_status fr__cut_polygon(fr__cutter *cutter, const fr_model_mesh *mesh, uint32_t face, uint32_t *triangles) {
    const uint32_t *corners = mesh->corners + fr_model_face_begin(mesh, face);
    uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face);
    if (count == 3) {
        memcpy(triangles, corners, 3 * sizeof *triangles);
        return FR_OK;
    }
    cutter->points.count = 0;
    fr_vec3 *points = fr__push(&cutter->points, count);
    if (points == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < count; i++) {
        points[i] = fr__position(mesh, corners[i]);
    }
    fr_arena_reset(cutter->scratch);
    fr_status status = fr_polygon_triangulate(points, count, cutter->scratch, triangles, NULL);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < 3 * (count - 2); i++) {
        triangles[i] = corners[triangles[i]];
    }
    return FR_OK;
}
