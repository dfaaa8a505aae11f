// Vertices and polygons of near parts that a point, or its path, meets.
#include "touch/pair_query.h"

#include "fureai/base_order.h"

#include <math.h>

fr__pair_plane fr__pair_plane_of(const fr__pair_part *part, uint32_t triangle, const fr_vec3 corners[3]) {
    const fr_mesh *mesh = part->view.mesh;
    uint32_t first = triangle, end = first + 1;
    uint32_t face = fr_mesh_face(mesh, first), all = fr_mesh_get(mesh)->triangle_count;
    while (first > 0 && fr_mesh_face(mesh, first - 1) == face) {
        first--;
    }
    while (end < all && fr_mesh_face(mesh, end) == face) {
        end++;
    }
    fr_vec3 zero = fr_vec3_make(0.0, 0.0, 0.0), sum = zero, middle = zero;
    for (uint32_t i = first; i < end; i++) {
        fr_vec3 others[3];
        if (i != triangle) { fr__part_corners(part->body, part->piece, i, others); }
        const fr_vec3 *c = i != triangle ? others : corners;
        sum = fr_vec3_add(sum, fr_polygon_area_vector(c, 3));
        for (int k = 0; k < 3; k++) {
            middle = fr_vec3_add(middle, c[k]);
        }
    }
    fr__pair_plane plane = {face, end - first, fr_vec3_unit(sum, zero),
                            fr_vec3_scale(1.0 / (3.0 * (double)(end - first)), middle)};
    return plane;
}

// Vertices are shared by triangles: those that are met are gathered, sorted and reported once.
static bool meet_vertices(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                          const fr__pair_candidates *c, uint32_t pair) {
    double reach = fr__pair_reach(q, pair);
    const fr_mesh_view *mesh = fr_mesh_get(part->view.mesh);
    const fr_object_view *object = fr_object_get(q->input->space, part->object);
    q->vertices.count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t triangle = fr__pair_candidate(c, i);
        fr_vec3 corners[3], on_path;
        fr__part_corners(part->body, part->piece, triangle, corners);
        for (uint32_t k = 0; k < 3; k++) {
            if (fr__element_point_distance(p, corners[k], &on_path) > reach) { continue; }
            uint32_t *vertex = fr_uint32_array_push(&q->vertices, 1);
            if (vertex == NULL) { return false; }
            *vertex = mesh->triangles[3 * (size_t)triangle + k];
        }
    }
    if (q->vertices.count == 0) { return true; }
    const uint32_t *v = q->vertices.data;
    fr_sort_uint32(q->vertices.data, q->vertices.count);
    for (size_t i = 0; i < q->vertices.count; i++) {
        if (i > 0 && v[i] == v[i - 1]) { continue; }
        fr_vec3 local =
            object->vertices != NULL ? object->vertices[part->view.first_vertex + v[i]] : fr__mesh_position(mesh, v[i]);
        fr_touch_hit hit = fr__pair_hit(pair, p->index, part, v[i]);
        hit.foot = fr_pose_apply(&object->pose, fr_pose_apply(&part->view.pose, local));
        hit.distance = fr__element_point_distance(p, hit.foot, &hit.point);
        fr__pair_add_hit(q, &hit);
    }
    return true;
}

// Whether a triangle is met, and then the hit. The plane is that of its polygon, which the last triangle may have had,
// too. Where the foot counts, a triangle that is bent out of its polygon's plane must be near itself.
static bool meet_triangle(const fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                          uint32_t triangle, double reach, fr__pair_plane *plane, fr_touch_hit *hit) {
    fr_vec3 corners[3];
    fr__part_corners(part->body, part->piece, triangle, corners);
    bool has_feet = !q->is_swept && !q->is_closest;
    if (!has_feet) {
        hit->distance = fr__element_triangle_distance(p, corners, hit->normal, corners[0], hit);
        if (!(hit->distance <= reach)) { return false; }
    }
    uint32_t face = fr_mesh_face(part->view.mesh, triangle);
    if (plane->face != face) { *plane = fr__pair_plane_of(part, triangle, corners); }
    if (has_feet) {
        double s = fr_vec3_dot(plane->normal, fr_vec3_sub(p->path[1], plane->origin));
        if (!(fabs(s) <= reach)) { return false; }
        hit->distance = fr__element_triangle_distance(p, corners, plane->normal, plane->origin, hit);
        if (!(hit->distance <= reach)) { return false; }
        bool is_bent = plane->triangle_count > 1;
        if (is_bent && fr_triangle_closest(corners, p->path[1]).distance > reach + 0.5 * FR__ELEMENT_SLACK) {
            return false;
        }
    }
    hit->element = face;
    hit->triangle = part->view.first_triangle + triangle;
    hit->normal = plane->normal;
    hit->side = fr__element_side(p, plane->normal, plane->origin);
    return true;
}

static void meet_faces(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                       const fr__pair_candidates *c, uint32_t pair) {
    double reach = fr__pair_reach(q, pair);
    fr__pair_plane plane = {.face = FR_NONE};
    fr_touch_hit best, hit = fr__pair_hit(pair, p->index, part, 0);
    bool has_best = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!meet_triangle(q, p, part, fr__pair_candidate(c, i), reach, &plane, &hit)) { continue; }
        // The nearest triangle of a polygon stands for it
        if (has_best && best.element != hit.element) { fr__pair_add_hit(q, &best); }
        if (!has_best || best.element != hit.element || hit.distance < best.distance) { best = hit; }
        has_best = true;
    }
    if (has_best) { fr__pair_add_hit(q, &best); }
}

fr_status fr__pair_meet_polygons(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                                 const fr__pair_candidates *c) {
    uint32_t vertices = fr__pair_wanted(q, p->kind, FR__TO_VERTEX), faces = fr__pair_wanted(q, p->kind, FR__TO_FACE);
    if (vertices != 0 && !meet_vertices(q, p, part, c, vertices)) { return FR_ERROR_MEMORY; }
    if (faces != 0) { meet_faces(q, p, part, c, faces); }
    return FR_OK;
}
