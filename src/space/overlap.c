// The overlap query: which triangles share a point with a shape.
#include "space/query.h"

#include "space/shortlist.h"

#include <string.h>

static bool item_is_before(const fr_space_item *x, const fr_space_item *y) {
    return fr__comes_before(x->object.index1, x->triangle, y->object.index1, y->triangle);
}

FR__SHORTLIST_TYPE(item_list, fr_space_item, item_is_before);

typedef struct space_overlap_search {
    const fr_space *space;
    const fr_query_filter *filter;
    const fr_overlap_shape *shape;
    fr_pose pose;         // of a mesh, checked
    fr__frame frame;      // of that pose
    fr_pose pose_inverse; // of that pose, for culls
    fr_bounds bounds;     // of the shape in the world, with the tolerance of the exact tests
    double largest;       // coordinate of the bounds
    item_list *list;

    const fr__proxy_set *set;
    fr__visit visit;
    fr_vec3 corners[3]; // of the triangle that is being tested
} space_overlap_search;

// ---------------------------------------------------------------------------------------------------------------
// Exact tests

// The rounding of a distance is 64 e D (fr_triangle_closest, fr_triangle_distance). D is at most the greatest distance
// from a point of the shape to a corner plus the shape's own length.
static double distance_rounding(const space_overlap_search *s, fr_vec3 from, double own) {
    double farthest = 0.0;
    for (int k = 0; k < 3; k++) {
        farthest = fmax(farthest, fr_vec3_distance(s->corners[k], from));
    }
    return 64.0 * 0x1p-53 * 2.0 * (farthest + own);
}

static bool meets_ball(const space_overlap_search *s) {
    fr_vec3 center = s->shape->points[0];
    double distance = fr_triangle_closest(s->corners, center).distance;
    return distance <= s->shape->radius + distance_rounding(s, center, 0.0);
}

static bool meets_capsule(const space_overlap_search *s) {
    const fr_vec3 *ends = s->shape->points;
    const fr_vec3 core[3] = {ends[0], ends[1], ends[1]};
    double distance = fr_triangle_distance(core, s->corners, NULL, NULL);
    return distance <= s->shape->radius + distance_rounding(s, ends[0], fr_vec3_distance(ends[0], ends[1]));
}

// Returns false at a hit, which ends the search: one triangle of the mesh is enough.
static bool misses_mesh_triangle(uint32_t item, void *context) {
    const space_overlap_search *s = context;
    fr_vec3 corners[3];
    fr__mesh_corners(&s->shape->mesh->view, item, corners);
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__frame_apply(&s->frame, corners[k]);
    }
    return !fr_triangle_overlap(corners, s->corners);
}

// Searches the mesh's tree with the triangle's box in the mesh's frame. A point that both share is off by
// fr_pose_rounding in the world and by the rounding of the inverse pose; 2^-40 of the coordinates of both is more than
// the two together.
static bool meets_mesh(const space_overlap_search *s) {
    fr_bounds box = fr_bounds_empty();
    double largest = s->largest + fr_vec3_largest(s->pose.position);
    for (int k = 0; k < 3; k++) {
        box = fr_bounds_with_point(&box, fr_pose_apply(&s->pose_inverse, s->corners[k]));
        largest = fmax(largest, fr_vec3_largest(s->corners[k]));
    }
    const fr_mesh_view *view = &s->shape->mesh->view;
    box = fr_bounds_grow(&box, 0x1p-40 * (largest / s->pose.scale + view->largest));
    fr_box floats = fr_box_of_bounds(&box, fr_vec3_make(0.0, 0.0, 0.0));
    return !fr_tree_overlap_box(view->tree, &floats, misses_mesh_triangle, (void *)(uintptr_t)s);
}

static bool meets_shape(const space_overlap_search *s) {
    switch (s->shape->kind) {
    case FR_OVERLAP_BOX: return fr_triangle_box_overlap(s->corners, &s->shape->box);
    case FR_OVERLAP_BALL: return meets_ball(s);
    case FR_OVERLAP_CAPSULE: return meets_capsule(s);
    default: return meets_mesh(s);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static bool visit_triangle(uint32_t item, void *context) {
    space_overlap_search *s = context;
    fr__part_corners(s->visit.object, s->visit.part, item, s->corners);
    if (!meets_shape(s)) { return true; }
    fr_space_item found = {fr__space_object_id(s->space, s->visit.object_index), s->visit.part_index,
                           s->visit.part->first_triangle + item};
    item_list_offer(s->list, &found);
    return true;
}

// The shape's box in a part's frame: that of the core points and the radius for a ball or capsule, else that of the
// turned bounds.
static fr_bounds bounds_in_part(const space_overlap_search *s, const fr__to_part *to) {
    fr_bounds local = fr_bounds_empty();
    double margin = fr__to_part_margin(to, s->largest);
    bool is_round = s->shape->kind == FR_OVERLAP_BALL || s->shape->kind == FR_OVERLAP_CAPSULE;
    if (is_round) {
        int count = s->shape->kind == FR_OVERLAP_BALL ? 1 : 2;
        for (int i = 0; i < count; i++) {
            local = fr_bounds_with_point(&local, fr__to_part_point(to, s->shape->points[i]));
        }
        return fr_bounds_grow(&local, margin + s->shape->radius * to->to_local * (1.0 + 0x1p-40));
    }
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {(i & 1) != 0 ? s->bounds.max.x : s->bounds.min.x,
                          (i & 2) != 0 ? s->bounds.max.y : s->bounds.min.y,
                          (i & 4) != 0 ? s->bounds.max.z : s->bounds.min.z};
        local = fr_bounds_with_point(&local, fr__to_part_point(to, corner));
    }
    return fr_bounds_grow(&local, margin);
}

static bool visit_part(uint32_t item, void *context) {
    space_overlap_search *s = context;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (!fr__query_accepts(s->space, s->filter, proxy)) { return true; }
    s->visit = fr__visit_proxy(s->space, proxy);
    fr__to_part to = fr__to_part_make(s->visit.object, s->visit.part);
    fr_bounds local = bounds_in_part(s, &to);
    fr_box box = fr_box_of_bounds(&local, fr_vec3_make(0.0, 0.0, 0.0));
    return fr_tree_overlap_box(s->visit.part->tree, &box, visit_triangle, s);
}

// ---------------------------------------------------------------------------------------------------------------
// The call

static fr_bounds bounds_of_points(const fr_overlap_shape *shape, int count) {
    fr_bounds bounds = fr_bounds_of_points(shape->points, (size_t)count);
    return fr_bounds_grow(&bounds, shape->radius);
}

static bool is_round_shape(const fr_overlap_shape *shape, int count) {
    bool is_one = shape->radius >= 0.0 && shape->radius <= FR_LENGTH_MAX;
    for (int i = 0; i < count; i++) {
        is_one = is_one && fr__is_place(shape->points[i]);
    }
    return is_one;
}

// Returns false when the shape is not valid.
static bool prepare(const fr_overlap_shape *shape, space_overlap_search *s) {
    s->shape = shape;
    switch (shape->kind) {
    case FR_OVERLAP_BOX:
        if (!fr__is_place(shape->box.min) || !fr__is_place(shape->box.max)) { return false; }
        s->bounds = shape->box;
        break;
    case FR_OVERLAP_BALL:
    case FR_OVERLAP_CAPSULE: {
        int count = shape->kind == FR_OVERLAP_BALL ? 1 : 2;
        if (!is_round_shape(shape, count)) { return false; }
        s->bounds = bounds_of_points(shape, count);
        break;
    }
    case FR_OVERLAP_MESH: {
        s->pose = shape->pose;
        if (shape->mesh == NULL || fr_pose_check(&s->pose, NULL) != FR_OK) { return false; }
        s->frame = fr__frame_make(&s->pose);
        s->pose_inverse = fr_pose_inverse(&s->pose);
        fr_motion still = fr_motion_still(&s->pose);
        s->bounds = fr_motion_box_bounds(&still, &shape->mesh->view.bounds, 0.0, 0.0);
        break;
    }
    default: return false;
    }
    s->largest = fmax(fr_vec3_largest(s->bounds.min), fr_vec3_largest(s->bounds.max));
    return true;
}

// An empty box overlaps nothing.
static void search(space_overlap_search *s) {
    if (fr_bounds_is_empty(&s->bounds)) { return; }
    for (int i = 0; i < FR__SET_COUNT; i++) {
        s->set = &s->space->sets[i];
        double reach = fmin(fr__set_reach(s->set), 0x1p+128) + fr_vec3_largest(s->space->origin) + s->largest;
        fr_bounds grown = fr_bounds_grow(&s->bounds, 0x1p-40 * reach);
        fr_box box = fr_box_of_bounds(&grown, s->space->origin);
        (void)fr_tree_overlap_box(s->set->tree, &box, visit_part, s);
    }
}

fr_status fr_space_overlap(const fr_space *space, const fr_overlap_shape *shape, const fr_query_filter *filter,
                           fr_space_item *items, uint32_t capacity, uint32_t *count, fr_error *error) {
    FR_ASSERT(space != NULL && shape != NULL && count != NULL && (items != NULL || capacity == 0));
    *count = 0;
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    item_list list = {.items = items, .capacity = capacity};
    space_overlap_search s;
    memset(&s, 0, sizeof s);
    s.space = space;
    s.filter = filter;
    s.list = &list;
    status = prepare(shape, &s)
                 ? FR_OK
                 : fr_error_set(error, FR_ERROR_ARGUMENT, "the shape is not finite, too large or too far away");
    if (status == FR_OK) {
        search(&s);
        item_list_finish(&list);
        *count = list.offered;
    }
    fr__query_end(space, filter);
    return status;
}
