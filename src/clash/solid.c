// One part as a solid: whether it is closed, its corners, and how deep they are in another part.
#include "clash/solid.h"

#include "fureai/base_order.h"

#include <string.h>

static bool point_is_before(const fr_vec3 *a, const fr_vec3 *b) {
    if (a->x != b->x) { return a->x < b->x; }
    return a->y != b->y ? a->y < b->y : a->z < b->z;
}

FR_SORT_TYPE(sort_points, fr_vec3, point_is_before);

// Files such as STL repeat a vertex for each of its triangles: without this the depth would cost six times as much.
static fr_status list_corners(const fr_mesh *mesh, const fr_allocator *allocator, fr__vec3_array *out) {
    size_t triangle_count = fr_mesh_get(mesh)->triangle_count, count = 0;
    fr_vec3 *corners = fr_allocate(allocator, 3 * triangle_count, sizeof *corners, 64);
    if (corners == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < triangle_count; i++) {
        fr_mesh_corners(mesh, i, &corners[3 * (size_t)i]);
    }
    sort_points(corners, 3 * triangle_count);
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        if (count == 0 || !fr_vec3_equal(corners[count - 1], corners[i])) { corners[count++] = corners[i]; }
    }
    fr_vec3 *different = fr__vec3_array_push(out, count); // a sixth of all in a closed surface
    if (different != NULL) { memcpy(different, corners, count * sizeof *corners); }
    fr_deallocate(allocator, corners, 3 * triangle_count, sizeof *corners);
    return different != NULL ? FR_OK : FR_ERROR_MEMORY;
}

void fr__solid_examine(fr__clash_solid *solid, const fr_control *control, const fr_allocator *allocator) {
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    def.control = control;
    def.allocator = *allocator;
    fr_topology *topology = NULL;
    solid->status = fr_topology_create(solid->mesh, &def, &topology, NULL);
    if (solid->status != FR_OK) { return; }
    solid->is_closed = topology->is_closed;
    fr_topology_destroy(topology);
    solid->status =
        fr_control_is_stopped(control) ? FR_ERROR_STOPPED : list_corners(solid->mesh, allocator, &solid->corners);
}

// A point that is taken back into the frame of a placed part is off by a few roundings of the largest number on its
// path: 64 of them are more than the inverse and its use make.
static double rounding_of(const fr__rest_part *part, fr_vec3 point) {
    if (!part->is_placed) { return 0.0; }
    return 64.0 * 0x1p-53 * (fr_vec3_largest(point) + fr_vec3_largest(part->pose.position));
}

// Whether a point is in a box grown by a margin, or nearly so: quicker than the box itself, and never too strict.
static bool may_be_in(const fr_bounds *b, double margin, fr_vec3 p) {
    double reach = 2.0 * margin;
    return p.x >= b->min.x - reach && p.x <= b->max.x + reach && p.y >= b->min.y - reach && p.y <= b->max.y + reach &&
           p.z >= b->min.z - reach && p.z <= b->max.z + reach;
}

// Large parts take seconds, so the control is checked every 1024 corners.
fr_status fr__solid_depth(const fr__clash_solid *inner, const fr__rest_part *inner_part, const fr__rest_part *outer,
                          const fr_control *control, fr__entry *entry) {
    const fr_vec3 *corners = inner->corners.data;
    const fr_bounds tight = fr_mesh_get(outer->mesh)->bounds;
    const fr_pose back = fr_pose_inverse(&outer->pose);
    const double scale = outer->is_placed ? outer->pose.scale : 1.0;
    for (size_t i = 0; i < inner->corners.count; i++) {
        if (i % 1024 == 0 && fr_control_is_stopped(control)) { return FR_ERROR_STOPPED; }
        fr_vec3 point = inner_part->is_placed ? fr_pose_apply(&inner_part->pose, corners[i]) : corners[i];
        double rounding = rounding_of(outer, point);
        if (outer->is_placed) { point = fr_pose_apply(&back, point); }
        if (!may_be_in(&tight, rounding / scale, point)) { continue; }
        fr_bounds bounds = fr_bounds_grow(&tight, rounding / scale);
        if (!fr_bounds_contain_point(&bounds, point)) { continue; }
        if (!fr_mesh_contains(outer->mesh, point)) {
            bool may_be_on = !entry->has_corner && rounding > 0.0;
            entry->has_corner |= may_be_on && fr_mesh_closest(outer->mesh, point, rounding / scale).triangle != FR_NONE;
            continue;
        }
        entry->has_corner = true;
        double distance = scale * fr_mesh_closest(outer->mesh, point, (double)INFINITY).distance;
        if (distance > rounding && !(distance <= entry->depth)) { entry->depth = distance; }
    }
    return FR_OK;
}
