// Points of a held model against boxes, vertices and polygons of others. A hit is decided by a function of the point
// and the element alone; strategies only choose which elements are tested, and never too few, so all of them agree.
#include "space/filter.h"
#include "touch/pair_query.h"

#include <math.h>
#include <string.h>

#define TOUCH_COOKIE 0x54434850u
#define BOX_PAIRS                                                                                                      \
    (FR_TOUCH_ORIGIN_BOX_VERTEX | FR_TOUCH_BOX_BOX_VERTEX | FR_TOUCH_ORIGIN_BOX_FACE | FR_TOUCH_BOX_BOX_FACE)

// Which pairs a point of the held model makes with corners, faces, vertices and polygons.
static const uint32_t pair_of[3][4] = {
    {FR_TOUCH_ORIGIN_BOX_VERTEX, FR_TOUCH_ORIGIN_BOX_FACE, FR_TOUCH_ORIGIN_VERTEX, FR_TOUCH_ORIGIN_FACE},
    {FR_TOUCH_BOX_BOX_VERTEX, FR_TOUCH_BOX_BOX_FACE, FR_TOUCH_BOX_VERTEX, FR_TOUCH_BOX_FACE},
    {0, 0, FR_TOUCH_VERTEX_VERTEX, FR_TOUCH_VERTEX_FACE}};

fr_touch_input fr_default_touch_input(void) {
    fr_touch_input input;
    memset(&input, 0, sizeof input);
    input.pose = input.last = fr_pose_identity();
    input.pairs = FR_TOUCH_ORIGIN_FACE;
    input.distance = 0.01;
    input.strategy = FR_TOUCH_COMBINED_NEAR;
    input.allocator = fr_default_allocator();
    input.cookie = TOUCH_COOKIE;
    return input;
}

double fr__pair_reach(const fr__pair_query *q, uint32_t pair) {
    for (int i = 0; i < FR_TOUCH_PAIRS; i++) {
        if (pair == 1u << i && q->input->distances[i] > 0.0) { return q->input->distances[i]; }
    }
    return q->input->distance;
}

uint32_t fr__pair_wanted(const fr__pair_query *q, fr__point_kind kind, fr__pair_to to) {
    return pair_of[kind][to] & q->input->pairs;
}

void fr__pair_add_hit(fr__pair_query *q, const fr_touch_hit *hit) {
    if (q->count < q->input->capacity) { q->input->hits[q->count] = *hit; }
    q->count++;
}

fr_touch_hit fr__pair_hit(uint32_t pair, uint32_t point_index, const fr__pair_part *part, uint32_t element) {
    fr_touch_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.pair = (fr_touch_pair)pair;
    hit.point_index = point_index;
    hit.object = part->object;
    hit.part = part->part;
    hit.element = element;
    hit.triangle = FR_NONE;
    return hit;
}

// ---------------------------------------------------------------------------------------------------------------
// Strategies

// What is done with a part and its candidates. `p` is NULL where the query is about the whole held model.
typedef fr_status part_fn(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                          const fr__pair_candidates *c);

// All items of a shape, in items.
static fr_status find_items(fr__pair_query *q, const fr_overlap_shape *shape) {
    for (;;) {
        uint32_t count = 0, capacity = (uint32_t)q->items.capacity;
        fr_status status =
            fr_space_overlap(q->input->space, shape, q->input->filter, q->items.data, capacity, &count, NULL);
        if (status != FR_OK) { return status; }
        if (count <= capacity) {
            q->items.count = count;
            return FR_OK;
        }
        if (!fr__space_item_array_reserve(&q->items, count)) { return FR_ERROR_MEMORY; }
    }
}

static bool is_item_of(const fr_space_item *item, const fr_space_item *first) {
    return item->object.index1 == first->object.index1 && item->part == first->part;
}

// Every part with all its triangles: of those whose box is near, or of all.
static fr_status visit_whole(fr__pair_query *q, fr_vec3 center, double radius, part_fn *visit,
                             const fr__element_point *p) {
    const fr__pair_part *parts = q->parts.data;
    fr_status status = FR_OK;
    for (size_t i = 0; i < q->parts.count && status == FR_OK; i++) {
        bool is_near = q->input->strategy == FR_TOUCH_POLYGON_ALL || fr__pair_box_is_near(&parts[i], center, radius);
        fr__pair_candidates c = {NULL, fr_mesh_get(parts[i].view.mesh)->triangle_count};
        if (is_near) { status = visit(q, p, &parts[i], &c); }
    }
    return status;
}

// Polygon against polygon: every part that has triangles in a box, with these.
static fr_status visit_box(fr__pair_query *q, const fr_overlap_shape *box) {
    fr_status status = find_items(q, box);
    const fr_space_item *items = q->items.data;
    for (size_t i = 0, end = 0; status == FR_OK && i < q->items.count; i = end) {
        fr__pair_part part = fr__pair_part_of(q->input->space, items[i].object, items[i].part);
        q->vertices.count = 0;
        for (end = i; end < q->items.count && is_item_of(&items[end], &items[i]); end++) {
            uint32_t *number = fr_uint32_array_push(&q->vertices, 1);
            if (number == NULL) { return FR_ERROR_MEMORY; }
            *number = items[end].triangle - part.view.first_triangle;
        }
        fr__pair_candidates c = {q->vertices.data, (uint32_t)q->vertices.count};
        status = fr__pair_meet_faces(q, &part, &c);
    }
    return status;
}

// The polygons near a point, part by part.
static fr_status meet_near(fr__pair_query *q, const fr__element_point *p, double reach) {
    fr__near *near = &q->near;
    bool has_feet = fr__pair_wanted(q, p->kind, FR__TO_VERTEX) == 0 && !q->is_closest;
    near->kind = q->is_swept ? FR__NEAR_SEGMENT : has_feet ? FR__NEAR_FEET : FR__NEAR_BALL;
    near->points[0] = p->path[0];
    near->points[1] = p->path[1];
    near->reach = reach + FR__ELEMENT_SLACK;
    near->edge = FR__ELEMENT_EDGE;
    fr_status status = fr__near_parts(near);
    for (uint32_t i = 0; status == FR_OK && i < near->part_count; i++) {
        const fr__near_part *at = &near->parts[i];
        if (!fr__near_triangles(near, at)) { return FR_ERROR_MEMORY; }
        if (near->number_count == 0) { continue; }
        fr__pair_part part =
            fr__pair_part_of(q->input->space, fr__space_object_id(q->input->space, at->object), at->part);
        fr__pair_candidates c = {near->numbers, near->number_count};
        status = fr__pair_meet_polygons(q, p, &part, &c);
    }
    return status;
}

static fr_status meet(fr__pair_query *q, const fr__element_point *p) {
    if (fr_control_is_stopped(q->input->control)) { return FR_ERROR_STOPPED; }
    const fr__pair_part *parts = q->parts.data;
    if ((fr__pair_wanted(q, p->kind, FR__TO_BOX_VERTEX) | fr__pair_wanted(q, p->kind, FR__TO_BOX_FACE)) != 0) {
        for (size_t i = 0; i < q->parts.count; i++) {
            fr__pair_meet_box(q, p, &parts[i]);
        }
    }
    uint32_t vertices = fr__pair_wanted(q, p->kind, FR__TO_VERTEX), faces = fr__pair_wanted(q, p->kind, FR__TO_FACE);
    if (q->input->strategy == FR_TOUCH_BOX || (vertices | faces) == 0) { return FR_OK; }
    double reach = fmax(vertices != 0 ? fr__pair_reach(q, vertices) : 0.0, faces != 0 ? fr__pair_reach(q, faces) : 0.0);
    if (q->input->strategy == FR_TOUCH_COMBINED_NEAR) { return meet_near(q, p, reach); }
    fr_vec3 center = fr_vec3_lerp(p->path[0], p->path[1], 0.5);
    double radius = reach + 0.5 * fr_vec3_distance(p->path[0], p->path[1]);
    return visit_whole(q, center, radius, fr__pair_meet_polygons, p);
}

// ---------------------------------------------------------------------------------------------------------------
// The held model

static fr_vec3 bounds_corner(const fr_bounds *b, uint32_t k) {
    return fr_vec3_make((k & 1u) != 0 ? b->max.x : b->min.x, (k & 2u) != 0 ? b->max.y : b->min.y,
                        (k & 4u) != 0 ? b->max.z : b->min.z);
}

static fr_status meet_faces(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                            const fr__pair_candidates *c) {
    (void)p;
    return fr__pair_meet_faces(q, part, c);
}

static fr_status meet_face_face(fr__pair_query *q) {
    const fr_touch_input *in = q->input;
    if ((in->pairs & FR_TOUCH_FACE_FACE) == 0 || in->strategy == FR_TOUCH_BOX || in->part_count == 0) { return FR_OK; }
    fr_bounds held = fr_bounds_empty();
    for (uint32_t i = 0; i < in->part_count; i++) {
        const fr_bounds *b = &fr_mesh_get(in->parts[i].mesh)->bounds;
        for (uint32_t k = 0; k < 8; k++) {
            fr_vec3 v = bounds_corner(b, k);
            held = fr_bounds_with_point(&held, fr_pose_apply(&in->pose, fr_pose_apply(&in->parts[i].pose, v)));
        }
    }
    double reach = fr__pair_reach(q, FR_TOUCH_FACE_FACE);
    double largest = fmax(fr_vec3_largest(held.min), fr_vec3_largest(held.max));
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_BOX;
    shape.box = fr_bounds_grow(&held, reach + FR__ELEMENT_SLACK + FR__ELEMENT_ROUNDING * largest);
    double radius = reach + 0.5 * fr_vec3_distance(held.min, held.max);
    if (in->strategy == FR_TOUCH_COMBINED_NEAR) { return visit_box(q, &shape); }
    return visit_whole(q, fr_bounds_center(&held), radius, meet_faces, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// The query

// The near parts, where a strategy or a pair goes over them.
static fr_status gather_parts(fr__pair_query *q) {
    const fr_touch_input *in = q->input;
    if (in->strategy == FR_TOUCH_COMBINED_NEAR && (in->pairs & BOX_PAIRS) == 0) { return FR_OK; }
    fr_status status = fr__query_begin(in->space, in->filter, NULL);
    if (status != FR_OK) { return status; }
    uint32_t places = fr_space_object_places(in->space);
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(in->space, i);
        const fr_object_view *object = fr_object_get(in->space, id);
        if (!fr__query_accepts_object(in->space, in->filter, id)) { continue; }
        for (uint32_t k = 0; k < object->part_count && status == FR_OK; k++) {
            fr__pair_part *part = fr__pair_part_array_push(&q->parts, 1);
            if (part == NULL) {
                status = FR_ERROR_MEMORY;
                break;
            }
            *part = fr__pair_part_of(in->space, id, k);
            fr__pair_place_box(part, object);
        }
    }
    fr__query_end(in->space, in->filter);
    return status;
}

static fr_status meet_held(fr__pair_query *q, fr__point_kind kind, uint32_t index, const fr_pose *part, fr_vec3 local) {
    const fr_touch_input *in = q->input;
    fr__element_point p = {.kind = kind, .index = index, .is_closest = q->is_closest, .is_swept = q->is_swept};
    fr_vec3 v = part != NULL ? fr_pose_apply(part, local) : local;
    p.path[1] = fr_pose_apply(&in->pose, v);
    p.path[0] = q->is_swept ? fr_pose_apply(&in->last, v) : p.path[1];
    return meet(q, &p);
}

// Points of the held model: the operating point, the corners of its boxes, its vertices.
static fr_status meet_all(fr__pair_query *q) {
    const fr_touch_input *in = q->input;
    fr_status status = meet_held(q, FR__POINT_ORIGIN, 0, NULL, in->origin_local);
    uint32_t box_pairs = 0, vertex_pairs = 0, first_vertex = 0;
    for (int i = 0; i < 4; i++) {
        box_pairs |= pair_of[FR__POINT_BOX][i];
        vertex_pairs |= pair_of[FR__POINT_VERTEX][i];
    }
    for (uint32_t i = 0; (in->pairs & box_pairs) != 0 && i < in->part_count; i++) {
        const fr_bounds *b = &fr_mesh_get(in->parts[i].mesh)->bounds;
        for (uint32_t k = 0; k < 8 && status == FR_OK; k++) {
            fr_vec3 v = bounds_corner(b, k);
            status = meet_held(q, FR__POINT_BOX, 8 * i + k, &in->parts[i].pose, v);
        }
    }
    for (uint32_t i = 0; (in->pairs & vertex_pairs) != 0 && i < in->part_count; i++) {
        const fr_mesh_view *mesh = fr_mesh_get(in->parts[i].mesh);
        for (uint32_t k = 0; k < mesh->vertex_count && status == FR_OK; k++) {
            fr_vec3 v = fr__mesh_position(mesh, k);
            status = meet_held(q, FR__POINT_VERTEX, first_vertex + k, &in->parts[i].pose, v);
        }
        first_vertex += mesh->vertex_count;
    }
    return status == FR_OK ? meet_face_face(q) : status;
}

fr_status fr__touch_settings_check(const fr_touch_input *in, fr_error *error) {
    bool is_right = in->distance >= 0.0 && in->distance <= FR_LENGTH_MAX;
    for (int i = 0; i < FR_TOUCH_PAIRS; i++) {
        is_right = is_right && in->distances[i] >= 0.0 && in->distances[i] <= FR_LENGTH_MAX;
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a distance is outside its limits"); }
    if ((in->pairs & ~FR_TOUCH_ALL_PAIRS) != 0 || (in->flags & ~(uint32_t)(FR_TOUCH_CLOSEST | FR_TOUCH_SWEPT)) != 0 ||
        (int)in->strategy < FR_TOUCH_BOX || (int)in->strategy > FR_TOUCH_COMBINED_NEAR) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such pair, option or strategy");
    }
    if (fr_vec3_is_finite(in->origin_local)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the operating point is not finite");
}

static fr_status check_input(const fr_touch_input *in, fr_error *error) {
    if (in->cookie != TOUCH_COOKIE) { return fr_error_set_cookie(error, "fr_default_touch_input"); }
    if (in->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no space"); }
    if (!fr_space_is_current(in->space)) { return fr_error_set(error, FR_ERROR_STALE_DATA, "the space is stale"); }
    fr_status status = fr__touch_settings_check(in, error);
    if (status != FR_OK) { return status; }
    if ((in->part_count > 0 && in->parts == NULL) || (in->capacity > 0 && in->hits == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "parts or hits are missing");
    }
    fr_pose pose = in->pose, last = in->last;
    status = fr_pose_check(&pose, error);
    return status == FR_OK ? fr_pose_check(&last, error) : status;
}

fr_status fr_touch_pairs(const fr_touch_input *input, uint32_t *count, fr_error *error) {
    FR_ASSERT(input != NULL && count != NULL);
    *count = 0;
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__pair_query q;
    q.input = input;
    q.count = 0;
    q.is_swept = (input->flags & FR_TOUCH_SWEPT) != 0;
    q.is_closest = q.is_swept || (input->flags & FR_TOUCH_CLOSEST) != 0;
    q.parts = fr__pair_part_array_make(&input->allocator);
    q.items = fr__space_item_array_make(&input->allocator);
    q.vertices = fr_uint32_array_make(&input->allocator);
    fr__near_open(&q.near, input->space, input->filter, &input->allocator);
    status = gather_parts(&q);
    if (status == FR_OK) { status = meet_all(&q); }
    fr__pair_part_array_destroy(&q.parts);
    fr__space_item_array_destroy(&q.items);
    fr_uint32_array_destroy(&q.vertices);
    fr__near_close(&q.near);
    if (status == FR_ERROR_STOPPED) { return fr_error_set(error, status, "stopped"); }
    if (status != FR_OK) { return fr_error_set(error, status, "the pairs of the held model were not found"); }
    *count = q.count;
    return FR_OK;
}
