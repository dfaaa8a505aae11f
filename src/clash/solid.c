// One part as a solid: whether it is closed, its corners, and how deep they are in another part.
#include "clash/solid.h"

#include "fureai/base_order.h"

static bool point_is_before(const fr_vec3 *a, const fr_vec3 *b) {
    if (a->x != b->x) { return a->x < b->x; }
    return a->y != b->y ? a->y < b->y : a->z < b->z;
}

FR_SORT_TYPE(sort_points, fr_vec3, point_is_before);

// Files such as STL repeat a vertex for each of its triangles: without this the depth would cost six times as much.
static fr_status list_corners(const fr_mesh *mesh, fr__vec3_array *out) {
    size_t triangle_count = fr_mesh_get(mesh)->triangle_count, count = 0;
    fr_vec3 *corners = fr__vec3_array_push(out, 3 * triangle_count);
    if (corners == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < triangle_count; i++) {
        fr_mesh_corners(mesh, i, &corners[3 * (size_t)i]);
    }
    sort_points(corners, 3 * triangle_count);
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        if (count == 0 || !fr_vec3_equal(corners[count - 1], corners[i])) { corners[count++] = corners[i]; }
    }
    out->count = count;
    return FR_OK;
}

void fr__solid_examine(fr__clash_solid *solid, const fr_mesh *mesh, const fr_control *control,
                       const fr_allocator *allocator) {
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    def.control = control;
    def.allocator = *allocator;
    fr_topology *topology = NULL;
    solid->status = fr_topology_create(mesh, &def, &topology, NULL);
    if (solid->status != FR_OK) { return; }
    solid->is_closed = topology->is_closed;
    fr_topology_destroy(topology);
    solid->status = fr_control_is_stopped(control) ? FR_ERROR_STOPPED : list_corners(mesh, &solid->corners);
}

// Large parts take seconds, so the control is checked every 1024 corners.
fr_status fr__solid_depth(const fr__clash_solid *inner, const fr_mesh *outer, const fr_control *control,
                          double *depth) {
    const fr_vec3 *corners = inner->corners.data;
    fr_bounds bounds = fr_mesh_get(outer)->bounds;
    for (size_t i = 0; i < inner->corners.count; i++) {
        if (i % 1024 == 0 && fr_control_is_stopped(control)) { return FR_ERROR_STOPPED; }
        if (!fr_bounds_contain_point(&bounds, corners[i]) || !fr_mesh_contains(outer, corners[i])) { continue; }
        double distance = fr_mesh_closest(outer, corners[i], (double)INFINITY).distance;
        if (distance > 0.0 && !(distance <= *depth)) { *depth = distance; }
    }
    return FR_OK;
}
