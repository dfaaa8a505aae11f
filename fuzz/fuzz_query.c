// Any bytes as two meshes, a point, a ray, a box and a ball: closest points, rays, boxes and distances are those that
// all triangles one after another give, and a ball that goes is never late.
#include "geometry_bytes.h"

static bool is_nearly(double a, double b, double reach) { return fabs(a - b) <= 1e-9 * (1.0 + reach); }

static bool count_item(uint32_t item, void *context) {
    (void)item;
    ++*(uint32_t *)context;
    return true;
}

static void query_mesh(const fr_mesh *mesh, source *s) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 point = fr_vec3_make(take_number(s), take_number(s), take_number(s)), corner = point, corners[3];
    fr_ray ray = {point, fr_vec3_make(take_number(s), take_number(s), take_number(s)), 1.0 + take(s)};
    corner.x += take(s) / 32.0;
    corner.y += take(s) / 32.0;
    corner.z += take(s) / 32.0;
    fr_bounds box = {point, corner};

    double nearest = (double)INFINITY;
    uint32_t in_box = 0, found = 0;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_mesh_corners(mesh, i, corners);
        double distance = fr_triangle_closest(corners, point).distance;
        if (distance < nearest) { nearest = distance; }
        if (fr_triangle_box_overlap(corners, &box)) { in_box++; }
    }
    fr_closest closest = fr_mesh_closest(mesh, point, (double)INFINITY);
    require(closest.triangle < view->triangle_count && is_nearly(closest.distance, nearest, nearest));
    (void)fr_mesh_overlap_bounds(mesh, &box, count_item, &found);
    require(found == in_box);
    fr_ray_hit hit = fr_mesh_ray(mesh, &ray);
    require(fr_mesh_ray_any(mesh, &ray) == (hit.triangle != FR_NONE));
    if (hit.triangle != FR_NONE) { require(hit.distance >= 0.0 && hit.distance <= ray.limit); }
    (void)fr_mesh_contains(mesh, point);
}

// The corners of a triangle of an object of one part, in the world.
static void place(const fr_space *space, fr_object_id id, const fr_mesh *mesh, uint32_t triangle, fr_vec3 out[3]) {
    const fr_object_view *object = fr_object_get(space, id);
    fr_part_view part = fr_object_part(space, id, 0);
    fr_mesh_corners(mesh, triangle, out);
    for (int i = 0; i < 3; i++) {
        out[i] = fr_pose_apply(&object->pose, fr_pose_apply(&part.pose, out[i]));
    }
}

static void query_distance(const fr_space *space, const fr_object_id ids[2], fr_mesh *const meshes[2]) {
    double nearest = (double)INFINITY;
    for (uint32_t i = 0; i < fr_mesh_get(meshes[0])->triangle_count; i++) {
        for (uint32_t k = 0; k < fr_mesh_get(meshes[1])->triangle_count; k++) {
            fr_vec3 a[3], b[3];
            place(space, ids[0], meshes[0], i, a);
            place(space, ids[1], meshes[1], k, b);
            double distance = fr_triangle_distance(a, b, NULL, NULL);
            if (distance < nearest) { nearest = distance; }
        }
    }
    fr_object_distance distance;
    require(fr_space_distance(space, ids[0], ids[1], (double)INFINITY, &distance, NULL) == FR_OK);
    require(is_nearly(distance.distance, nearest, nearest));
}

// Where the ball is before it is said to touch, it does not reach into anything.
static void query_ball(const fr_space *space, source *s) {
    fr_vec3 from = fr_vec3_make(take_number(s), take_number(s), take_number(s));
    fr_vec3 displacement = fr_vec3_make(take_number(s), take_number(s), take_number(s));
    double radius = take(s) / 64.0;
    fr_space_hit hit;
    require(fr_space_cast_ball(space, from, displacement, radius, NULL, &hit, NULL) == FR_OK);
    double reach = fr_vec3_largest(from) + fr_vec3_largest(displacement) + radius;
    for (int i = 0; i <= 8; i++) {
        double t = i / 8.0;
        fr_space_closest closest;
        fr_vec3 centre = fr_vec3_add(from, fr_vec3_scale(t, displacement));
        require(fr_space_closest_point(space, centre, (double)INFINITY, false, NULL, &closest, NULL) == FR_OK);
        bool is_inside = closest.distance < radius - 1e-9 * (1.0 + reach + closest.distance);
        if (is_inside) { require(hit.object.index1 != 0 && hit.distance <= t); }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    source s = {data, size};
    fr_mesh *meshes[2] = {take_mesh(&s), take_mesh(&s)};
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    require(fr_space_create(&def, &space, NULL) == FR_OK);
    fr_object_id ids[2] = {add_object(space, meshes[0], &s), add_object(space, meshes[1], &s)};
    require(fr_space_update(space, NULL, NULL) == FR_OK);
    query_mesh(meshes[0], &s);
    query_distance(space, ids, meshes);
    query_ball(space, &s);
    fr_space_destroy(space);
    fr_mesh_release(meshes[0]);
    fr_mesh_release(meshes[1]);
    return 0;
}
