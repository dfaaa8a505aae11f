// Boxes of near parts: where they are in the world, and the corners and faces that a point meets.
#include "touch/pair_query.h"

#include <math.h>

fr__pair_part fr__pair_part_of(const fr_space *space, fr_object_id id, uint32_t part) {
    fr__pair_part p = {.object = id, .part = part, .view = fr_object_part(space, id, part)};
    p.body = fr__space_object(space, id.index1 - 1);
    p.piece = &p.body->parts[part];
    return p;
}

static fr_bounds part_bounds(const fr_object_view *object, const fr_part_view *part) {
    const fr_mesh_view *mesh = fr_mesh_get(part->mesh);
    if (object->vertices == NULL) { return mesh->bounds; }
    return fr_bounds_of_points(object->vertices + part->first_vertex, mesh->vertex_count);
}

void fr__pair_place_box(fr__pair_part *p, const fr_object_view *object) {
    fr_bounds b = part_bounds(object, &p->view);
    double scale = object->pose.scale * p->view.pose.scale;
    p->center = fr_pose_apply(&object->pose, fr_pose_apply(&p->view.pose, fr_bounds_center(&b)));
    const fr_vec3 units[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double size[3] = {b.max.x - b.min.x, b.max.y - b.min.y, b.max.z - b.min.z};
    for (int k = 0; k < 3; k++) {
        p->axes[k] = fr_pose_turn(&object->pose, fr_pose_turn(&p->view.pose, units[k]));
        p->half[k] = 0.5 * scale * size[k];
    }
}

static fr_vec3 box_corner(const fr__pair_part *p, uint32_t corner) {
    fr_vec3 v = p->center;
    for (uint32_t k = 0; k < 3; k++) {
        v = fr_vec3_add_scaled(v, (corner >> k & 1u) != 0 ? p->half[k] : -p->half[k], p->axes[k]);
    }
    return v;
}

bool fr__pair_box_is_near(const fr__pair_part *p, fr_vec3 center, double radius) {
    fr_vec3 from = fr_vec3_sub(center, p->center);
    double sum = 0.0, largest = fr_vec3_largest(center) + fr_vec3_largest(p->center);
    for (int k = 0; k < 3; k++) {
        double out = fmax(fabs(fr_vec3_dot(from, p->axes[k])) - p->half[k], 0.0);
        sum += out * out;
    }
    return sqrt(sum) <= radius + FR__ELEMENT_SLACK + FR__ELEMENT_ROUNDING * largest;
}

void fr__pair_meet_box(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part) {
    uint32_t pair = fr__pair_wanted(q, p->kind, FR__TO_BOX_VERTEX);
    for (uint32_t k = 0; pair != 0 && k < 8; k++) {
        fr_touch_hit hit = fr__pair_hit(pair, p->index, part, k);
        hit.foot = box_corner(part, k);
        hit.distance = fr__element_point_distance(p, hit.foot, &hit.point);
        if (hit.distance <= fr__pair_reach(q, pair)) { fr__pair_add_hit(q, &hit); }
    }
    pair = fr__pair_wanted(q, p->kind, FR__TO_BOX_FACE);
    for (uint32_t k = 0; pair != 0 && k < 6; k++) {
        fr_touch_hit hit = fr__pair_hit(pair, p->index, part, k);
        uint32_t axis = k / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double sign = k % 2 == 0 ? -1.0 : 1.0;
        fr_vec3 middle = fr_vec3_add_scaled(part->center, sign * part->half[axis], part->axes[axis]);
        const fr_vec3 edges[2] = {fr_vec3_scale(part->half[u], part->axes[u]),
                                  fr_vec3_scale(part->half[v], part->axes[v])};
        hit.normal = fr_vec3_scale(sign, part->axes[axis]);
        hit.side = fr__element_side(p, hit.normal, middle);
        hit.distance = fr__element_rectangle_distance(p, middle, edges, hit.normal, &hit);
        if (hit.distance <= fr__pair_reach(q, pair)) { fr__pair_add_hit(q, &hit); }
    }
}
