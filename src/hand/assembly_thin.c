// A mesh made thinner: what touches its place on all sides must still come through, but for the slack.
#include "hand/assembly.h"

#include "fureai/base_order.h"
#include "shape/mesh.h"

#include <string.h>

#define FARTHEST 4.0 // slacks that a corner goes, however sharp it is

typedef struct corner {
    fr_vec3 place;
    uint32_t vertex;
} corner;

// The faces at a corner: sum of n n^T by their angles there, and of n.
typedef struct corner_sum {
    double xx, xy, xz, yy, yz, zz;
    fr_vec3 normal;
} corner_sum;

static bool corner_is_before(const corner *a, const corner *b) {
    if (a->place.x != b->place.x) { return a->place.x < b->place.x; }
    if (a->place.y != b->place.y) { return a->place.y < b->place.y; }
    return a->place.z != b->place.z ? a->place.z < b->place.z : a->vertex < b->vertex;
}

FR_SORT_TYPE(sort_corners, corner, corner_is_before);

// Files such as STL repeat the vertices of each triangle: those at one position go together, under the lowest number.
static void weld(const fr_mesh_view *view, corner *corners, uint32_t *same) {
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        corners[i] = (corner){fr__mesh_position(view, i), i};
    }
    sort_corners(corners, view->vertex_count);
    uint32_t first = 0;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        if (!fr_vec3_equal(corners[i].place, corners[first].place)) { first = i; }
        same[corners[i].vertex] = corners[first].vertex;
    }
}

static void add_face(corner_sum *sum, fr_vec3 n, double weight) {
    sum->xx += weight * n.x * n.x;
    sum->xy += weight * n.x * n.y;
    sum->xz += weight * n.x * n.z;
    sum->yy += weight * n.y * n.y;
    sum->yz += weight * n.y * n.z;
    sum->zz += weight * n.z * n.z;
    sum->normal = fr_vec3_add_scaled(sum->normal, weight, n);
}

static void sum_faces(const fr_mesh *mesh, const fr_mesh_view *view, const uint32_t *same, corner_sum *sums) {
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_vec3 c[3], zero = {0.0, 0.0, 0.0};
        if (fr_mesh_is_degenerate(mesh, t)) { continue; }
        fr_mesh_corners(mesh, t, c);
        fr_vec3 n = fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0])), zero);
        for (int k = 0; k < 3; k++) {
            fr_vec3 a = fr_vec3_sub(c[(k + 1) % 3], c[k]), b = fr_vec3_sub(c[(k + 2) % 3], c[k]);
            double angle = fr_atan2(fr_vec3_length(fr_vec3_cross(a, b)), fr_vec3_dot(a, b));
            add_face(&sums[same[view->triangles[3 * (size_t)t + (size_t)k]]], n, angle);
        }
    }
}

// The displacement d with n . d = -1 for all faces at a corner, or as nearly as there is one: least squares, and the
// shortest of equals but for a millionth. Two faces give a displacement in their bisector, three meet again in one
// point.
static fr_vec3 inwards(const corner_sum *s) {
    double trace = s->xx + s->yy + s->zz, ridge = 1e-6 * trace;
    if (!(trace > 0.0)) { return fr_vec3_make(0.0, 0.0, 0.0); }
    fr_vec3 x = {s->xx + ridge, s->xy, s->xz}, y = {s->xy, s->yy + ridge, s->yz}, z = {s->xz, s->yz, s->zz + ridge};
    fr_vec3 b = fr_vec3_negate(s->normal), yz = fr_vec3_cross(y, z);
    double determinant = fr_vec3_dot(x, yz);
    if (!(determinant > 0.0)) { return fr_vec3_make(0.0, 0.0, 0.0); }
    fr_vec3 d = fr_vec3_scale(b.x, yz);
    d = fr_vec3_add_scaled(d, b.y, fr_vec3_cross(z, x));
    d = fr_vec3_add_scaled(d, b.z, fr_vec3_cross(x, y));
    d = fr_vec3_scale(1.0 / determinant, d);
    double length = fr_vec3_length(d);
    return length > FARTHEST ? fr_vec3_scale(FARTHEST / length, d) : d;
}

fr_status fr__assembly_thin(const fr_mesh *mesh, double slack, const fr_allocator *allocator, fr_mesh **out,
                            fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    size_t count = view->vertex_count;
    fr_status status = FR_OK;
    corner *corners = fr_allocate(allocator, count, sizeof *corners, _Alignof(corner));
    uint32_t *same = fr_allocate(allocator, count, sizeof *same, _Alignof(uint32_t));
    corner_sum *sums = fr_allocate(allocator, count, sizeof *sums, _Alignof(corner_sum));
    double *positions = fr_allocate(allocator, 3 * count, sizeof *positions, _Alignof(double));
    if (corners == NULL || same == NULL || sums == NULL || positions == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part of the assembly");
        goto done;
    }
    memset(sums, 0, count * sizeof *sums);
    weld(view, corners, same);
    sum_faces(mesh, view, same, sums);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        fr_vec3 p = fr_vec3_add_scaled(fr__mesh_position(view, i), slack, inwards(&sums[same[i]]));
        positions[3 * (size_t)i] = p.x;
        positions[3 * (size_t)i + 1] = p.y;
        positions[3 * (size_t)i + 2] = p.z;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = view->vertex_count;
    def.triangles = view->triangles;
    def.triangle_count = view->triangle_count;
    def.is_double = true;
    def.allocator = *allocator;
    status = fr_mesh_create(&def, out, error);
done:
    fr_deallocate(allocator, positions, 3 * count, sizeof *positions);
    fr_deallocate(allocator, sums, count, sizeof *sums);
    fr_deallocate(allocator, same, count, sizeof *same);
    fr_deallocate(allocator, corners, count, sizeof *corners);
    return status;
}
