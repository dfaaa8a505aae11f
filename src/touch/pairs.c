// Points of a held model against boxes, vertices and polygons of others. A hit is decided by a function of the point
// and the element alone; strategies only choose which elements are asked, and never too few, so all of them agree.
#include "fureai/touch.h"
#include "shape/mesh.h"
#include "space/filter.h"
#include "touch/element.h"
#include "touch/near.h"

#include <math.h>
#include <string.h>

#define TOUCH_COOKIE 0x54434850u
#define SLACK 4e-9     // metres more than a hit needs, where candidates are looked for
#define ROUNDING 1e-12 // of coordinates, likewise
#define BOX_PAIRS                                                                                                      \
    (FR_TOUCH_ORIGIN_BOX_VERTEX | FR_TOUCH_BOX_BOX_VERTEX | FR_TOUCH_ORIGIN_BOX_FACE | FR_TOUCH_BOX_BOX_FACE)

// Which pairs a point of the held model makes with corners, faces, vertices and polygons.
enum { TO_BOX_VERTEX, TO_BOX_FACE, TO_VERTEX, TO_FACE };
static const uint32_t pair_of[3][4] = {
    {FR_TOUCH_ORIGIN_BOX_VERTEX, FR_TOUCH_ORIGIN_BOX_FACE, FR_TOUCH_ORIGIN_VERTEX, FR_TOUCH_ORIGIN_FACE},
    {FR_TOUCH_BOX_BOX_VERTEX, FR_TOUCH_BOX_BOX_FACE, FR_TOUCH_BOX_VERTEX, FR_TOUCH_BOX_FACE},
    {0, 0, FR_TOUCH_VERTEX_VERTEX, FR_TOUCH_VERTEX_FACE}};

// A part of a near object with its box in the world.
typedef struct near_part {
    fr_object_id object;
    uint32_t part;
    fr_part_view view;
    const fr__object *body;
    const fr__part *piece;
    fr_vec3 center, axes[3];
    double half[3];
} near_part;

typedef struct touching {
    const fr_touch_input *input;
    fr_array parts;    // near_part, by object and part
    fr_array items;    // fr_space_item
    fr_array vertices; // uint32_t
    fr__near near;
    uint32_t count;
    bool is_closest, has_way;
} touching;

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

static double reach_of(const touching *t, uint32_t pair) {
    for (int i = 0; i < FR_TOUCH_PAIRS; i++) {
        if (pair == 1u << i && t->input->distances[i] > 0.0) { return t->input->distances[i]; }
    }
    return t->input->distance;
}

// The pair of a point and a kind of element where it is asked for; else 0.
static uint32_t asked(const touching *t, fr__point_kind kind, int to) { return pair_of[kind][to] & t->input->pairs; }

static void report(touching *t, const fr_touch_hit *hit) {
    if (t->count < t->input->capacity) { t->input->hits[t->count] = *hit; }
    t->count++;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static near_part view_part(const fr_space *space, fr_object_id id, uint32_t part) {
    near_part p = {.object = id, .part = part, .view = fr_object_part(space, id, part)};
    p.body = fr__space_object(space, id.index1 - 1);
    p.piece = &p.body->parts[part];
    return p;
}

static fr_bounds part_bounds(const fr_object_view *object, const fr_part_view *part) {
    const fr_mesh_view *mesh = fr_mesh_get(part->mesh);
    if (object->vertices == NULL) { return mesh->bounds; }
    return fr_bounds_of_points(object->vertices + part->first_vertex, mesh->vertex_count);
}

static void place_box(near_part *p, const fr_object_view *object) {
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

static fr_vec3 box_corner(const near_part *p, uint32_t corner) {
    fr_vec3 v = p->center;
    for (uint32_t k = 0; k < 3; k++) {
        v = fr_vec3_add_scaled(v, (corner >> k & 1u) != 0 ? p->half[k] : -p->half[k], p->axes[k]);
    }
    return v;
}

// Whether anything of a part may be within a distance of a ball.
static bool box_is_near(const near_part *p, fr_vec3 center, double radius) {
    fr_vec3 from = fr_vec3_sub(center, p->center);
    double sum = 0.0, largest = fr_vec3_largest(center) + fr_vec3_largest(p->center);
    for (int k = 0; k < 3; k++) {
        double out = fmax(fabs(fr_vec3_dot(from, p->axes[k])) - p->half[k], 0.0);
        sum += out * out;
    }
    return sqrt(sum) <= radius + SLACK + ROUNDING * largest;
}

static fr_touch_hit hit_of(uint32_t pair, const fr__element_point *p, const near_part *part, uint32_t element) {
    fr_touch_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.pair = (fr_touch_pair)pair;
    hit.point_index = p->index;
    hit.object = part->object;
    hit.part = part->part;
    hit.element = element;
    hit.triangle = FR_NONE;
    return hit;
}

static void meet_box(touching *t, const fr__element_point *p, const near_part *part) {
    uint32_t pair = asked(t, p->kind, TO_BOX_VERTEX);
    for (uint32_t k = 0; pair != 0 && k < 8; k++) {
        fr_touch_hit hit = hit_of(pair, p, part, k);
        hit.foot = box_corner(part, k);
        hit.distance = fr__element_point_distance(p, hit.foot, &hit.point);
        if (hit.distance <= reach_of(t, pair)) { report(t, &hit); }
    }
    pair = asked(t, p->kind, TO_BOX_FACE);
    for (uint32_t k = 0; pair != 0 && k < 6; k++) {
        fr_touch_hit hit = hit_of(pair, p, part, k);
        uint32_t axis = k / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double sign = k % 2 == 0 ? -1.0 : 1.0;
        fr_vec3 middle = fr_vec3_add_scaled(part->center, sign * part->half[axis], part->axes[axis]);
        const fr_vec3 edges[2] = {fr_vec3_scale(part->half[u], part->axes[u]),
                                  fr_vec3_scale(part->half[v], part->axes[v])};
        hit.normal = fr_vec3_scale(sign, part->axes[axis]);
        hit.side = fr__element_side(p, hit.normal, middle);
        hit.distance = fr__element_rectangle_distance(p, middle, edges, hit.normal, &hit);
        if (hit.distance <= reach_of(t, pair)) { report(t, &hit); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Polygons

// Triangles of one part to be asked, by their numbers in it: those listed, or all.
typedef struct candidates {
    const uint32_t *numbers; // NULL: all
    uint32_t count;
} candidates;

static uint32_t candidate(const candidates *c, uint32_t i) { return c->numbers != NULL ? c->numbers[i] : i; }

// A polygon's plane: normal by Newell's sum, which is that of its triangles, and a point.
typedef struct polygon_plane {
    uint32_t face, triangle_count;
    fr_vec3 normal, origin;
} polygon_plane;

// The plane of the polygon of a triangle of the part, whose corners are known.
static polygon_plane plane_of(const near_part *part, uint32_t triangle, const fr_vec3 corners[3]) {
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
    polygon_plane plane = {face, end - first, fr_vec3_unit(sum, zero),
                           fr_vec3_scale(1.0 / (3.0 * (double)(end - first)), middle)};
    return plane;
}

// Vertices are shared by triangles: those that are met are gathered, sorted and told once.
static bool meet_vertices(touching *t, const fr__element_point *p, const near_part *part, const candidates *c,
                          uint32_t pair) {
    double reach = reach_of(t, pair);
    const fr_mesh_view *mesh = fr_mesh_get(part->view.mesh);
    const fr_object_view *object = fr_object_get(t->input->space, part->object);
    t->vertices.count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t triangle = candidate(c, i);
        fr_vec3 corners[3], on_way;
        fr__part_corners(part->body, part->piece, triangle, corners);
        for (uint32_t k = 0; k < 3; k++) {
            if (fr__element_point_distance(p, corners[k], &on_way) > reach) { continue; }
            uint32_t *vertex = fr_array_push(&t->vertices, 1);
            if (vertex == NULL) { return false; }
            *vertex = mesh->triangles[3 * (size_t)triangle + k];
        }
    }
    if (t->vertices.count == 0) { return true; }
    const uint32_t *v = t->vertices.data;
    fr__near_sort(t->vertices.data, t->vertices.count);
    for (size_t i = 0; i < t->vertices.count; i++) {
        if (i > 0 && v[i] == v[i - 1]) { continue; }
        fr_vec3 local =
            object->vertices != NULL ? object->vertices[part->view.first_vertex + v[i]] : fr__mesh_position(mesh, v[i]);
        fr_touch_hit hit = hit_of(pair, p, part, v[i]);
        hit.foot = fr_pose_apply(&object->pose, fr_pose_apply(&part->view.pose, local));
        hit.distance = fr__element_point_distance(p, hit.foot, &hit.point);
        report(t, &hit);
    }
    return true;
}

// Whether a triangle is met, and then the hit. The plane is that of its polygon, which the last triangle may have had,
// too. Where the foot counts, a triangle that is bent out of its polygon's plane must be near itself.
static bool meet_triangle(const touching *t, const fr__element_point *p, const near_part *part, uint32_t triangle,
                          double reach, polygon_plane *plane, fr_touch_hit *hit) {
    fr_vec3 corners[3];
    fr__part_corners(part->body, part->piece, triangle, corners);
    bool has_feet = !t->has_way && !t->is_closest;
    if (!has_feet) {
        hit->distance = fr__element_triangle_distance(p, corners, hit->normal, corners[0], hit);
        if (!(hit->distance <= reach)) { return false; }
    }
    uint32_t face = fr_mesh_face(part->view.mesh, triangle);
    if (plane->face != face) { *plane = plane_of(part, triangle, corners); }
    if (has_feet) {
        double s = fr_vec3_dot(plane->normal, fr_vec3_sub(p->way[1], plane->origin));
        if (!(fabs(s) <= reach)) { return false; }
        hit->distance = fr__element_triangle_distance(p, corners, plane->normal, plane->origin, hit);
        if (!(hit->distance <= reach)) { return false; }
        bool is_bent = plane->triangle_count > 1;
        if (is_bent && fr_triangle_closest(corners, p->way[1]).distance > reach + 0.5 * SLACK) { return false; }
    }
    hit->element = face;
    hit->triangle = part->view.first_triangle + triangle;
    hit->normal = plane->normal;
    hit->side = fr__element_side(p, plane->normal, plane->origin);
    return true;
}

static void meet_faces(touching *t, const fr__element_point *p, const near_part *part, const candidates *c,
                       uint32_t pair) {
    double reach = reach_of(t, pair);
    polygon_plane plane = {.face = FR_NONE};
    fr_touch_hit best, hit = hit_of(pair, p, part, 0);
    bool has_best = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!meet_triangle(t, p, part, candidate(c, i), reach, &plane, &hit)) { continue; }
        // The nearest triangle of a polygon stands for it
        if (has_best && best.element != hit.element) { report(t, &best); }
        if (!has_best || best.element != hit.element || hit.distance < best.distance) { best = hit; }
        has_best = true;
    }
    if (has_best) { report(t, &best); }
}

static bool meet_polygons(touching *t, const fr__element_point *p, const near_part *part, const candidates *c) {
    uint32_t vertices = asked(t, p->kind, TO_VERTEX), faces = asked(t, p->kind, TO_FACE);
    if (vertices != 0 && !meet_vertices(t, p, part, c, vertices)) { return false; }
    if (faces != 0) { meet_faces(t, p, part, c, faces); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Strategies

typedef bool part_fn(touching *t, const near_part *part, const candidates *c, void *context);

// All items of a shape, in items.
static fr_status find_items(touching *t, const fr_overlap_shape *shape) {
    for (;;) {
        uint32_t count = 0, capacity = (uint32_t)t->items.capacity;
        fr_status status = fr_space_overlap(t->input->space, shape, t->input->filter, t->items.data, capacity, &count);
        if (status != FR_OK) { return status; }
        if (count <= capacity) {
            t->items.count = count;
            return FR_OK;
        }
        if (!fr_array_reserve(&t->items, count)) { return FR_ERROR_MEMORY; }
    }
}

static bool is_item_of(const fr_space_item *item, const fr_space_item *first) {
    return item->object.index1 == first->object.index1 && item->part == first->part;
}

// Every part with all its triangles: of those whose box is near, or of all.
static fr_status visit_whole(touching *t, fr_vec3 center, double radius, part_fn *visit, void *context) {
    const near_part *parts = t->parts.data;
    for (size_t i = 0; i < t->parts.count; i++) {
        bool is_near = t->input->strategy == FR_TOUCH_POLYGON_ALL || box_is_near(&parts[i], center, radius);
        candidates c = {NULL, fr_mesh_get(parts[i].view.mesh)->triangle_count};
        if (is_near && !visit(t, &parts[i], &c, context)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

// Every part that has triangles in a box, with these.
static fr_status visit_box(touching *t, const fr_overlap_shape *box, part_fn *visit, void *context) {
    fr_status status = find_items(t, box);
    const fr_space_item *items = t->items.data;
    for (size_t i = 0, end = 0; status == FR_OK && i < t->items.count; i = end) {
        near_part part = view_part(t->input->space, items[i].object, items[i].part);
        t->vertices.count = 0;
        for (end = i; end < t->items.count && is_item_of(&items[end], &items[i]); end++) {
            uint32_t *number = fr_array_push(&t->vertices, 1);
            if (number == NULL) { return FR_ERROR_MEMORY; }
            *number = items[end].triangle - part.view.first_triangle;
        }
        candidates c = {t->vertices.data, (uint32_t)t->vertices.count};
        if (!visit(t, &part, &c, context)) { return FR_ERROR_MEMORY; }
    }
    return status;
}

// The polygons near a point, part by part.
static fr_status meet_near(touching *t, const fr__element_point *p, double reach) {
    fr__near *near = &t->near;
    bool has_feet = asked(t, p->kind, TO_VERTEX) == 0 && !t->is_closest;
    near->kind = t->has_way ? FR__NEAR_WAY : has_feet ? FR__NEAR_FEET : FR__NEAR_BALL;
    near->points[0] = p->way[0];
    near->points[1] = p->way[1];
    near->reach = reach + SLACK;
    near->edge = FR__ELEMENT_EDGE;
    fr_status status = fr__near_parts(near);
    for (uint32_t i = 0; status == FR_OK && i < near->part_count; i++) {
        const fr__near_part *at = &near->parts[i];
        if (!fr__near_triangles(near, at)) { return FR_ERROR_MEMORY; }
        if (near->number_count == 0) { continue; }
        near_part part = view_part(t->input->space, fr__space_object_id(t->input->space, at->object), at->part);
        candidates c = {near->numbers, near->number_count};
        if (!meet_polygons(t, p, &part, &c)) { return FR_ERROR_MEMORY; }
    }
    return status;
}

static bool visit_polygons(touching *t, const near_part *part, const candidates *c, void *context) {
    return meet_polygons(t, context, part, c);
}

static fr_status meet(touching *t, fr__element_point *p) {
    const near_part *parts = t->parts.data;
    if ((asked(t, p->kind, TO_BOX_VERTEX) | asked(t, p->kind, TO_BOX_FACE)) != 0) {
        for (size_t i = 0; i < t->parts.count; i++) {
            meet_box(t, p, &parts[i]);
        }
    }
    uint32_t vertices = asked(t, p->kind, TO_VERTEX), faces = asked(t, p->kind, TO_FACE);
    if (t->input->strategy == FR_TOUCH_BOX || (vertices | faces) == 0) { return FR_OK; }
    double reach = fmax(vertices != 0 ? reach_of(t, vertices) : 0.0, faces != 0 ? reach_of(t, faces) : 0.0);
    if (t->input->strategy == FR_TOUCH_COMBINED_NEAR) { return meet_near(t, p, reach); }
    fr_vec3 center = fr_vec3_lerp(p->way[0], p->way[1], 0.5);
    double radius = reach + 0.5 * fr_vec3_distance(p->way[0], p->way[1]);
    return visit_whole(t, center, radius, visit_polygons, p);
}

// ---------------------------------------------------------------------------------------------------------------
// Polygon against polygon

// A near triangle against those of one held part.
typedef struct facing {
    const fr_touch_input *input;
    const fr_part_def *held;
    uint32_t first_triangle; // of the held part
    fr_vec3 corners[3];      // of the near triangle
    fr_touch_hit hit;
    bool has_hit;
} facing;

static bool face_triangle(uint32_t item, void *context) {
    facing *f = context;
    fr_vec3 c[3], on_held, on_near;
    fr_mesh_corners(f->held->mesh, item, c);
    for (int k = 0; k < 3; k++) {
        c[k] = fr_pose_apply(&f->input->pose, fr_pose_apply(&f->held->pose, c[k]));
    }
    double distance = fr_triangle_distance(c, f->corners, &on_held, &on_near);
    uint32_t index = f->first_triangle + item;
    bool is_nearer =
        !f->has_hit || distance < f->hit.distance || (distance == f->hit.distance && index < f->hit.point_index);
    if (!is_nearer) { return true; }
    f->has_hit = true;
    f->hit.distance = distance;
    f->hit.point = on_held;
    f->hit.foot = on_near;
    f->hit.point_index = index;
    return true;
}

static void face_parts(facing *f, double reach) {
    const fr_touch_input *in = f->input;
    f->has_hit = false;
    f->first_triangle = 0;
    for (uint32_t i = 0; i < in->part_count; i++) {
        f->held = &in->parts[i];
        fr_pose held_to_world = fr_pose_compose(&in->pose, &f->held->pose);
        fr_pose back = fr_pose_inverse(&held_to_world);
        fr_vec3 local[3];
        for (int k = 0; k < 3; k++) {
            local[k] = fr_pose_apply(&back, f->corners[k]);
        }
        fr_bounds b = fr_bounds_of_points(local, 3);
        double largest = fmax(fr_vec3_largest(b.min), fr_vec3_largest(b.max)) + fr_vec3_largest(back.position);
        b = fr_bounds_grow(&b, (reach + SLACK) * back.scale + ROUNDING * largest);
        (void)fr_mesh_overlap_bounds(f->held->mesh, &b, face_triangle, f);
        f->first_triangle += fr_mesh_get(f->held->mesh)->triangle_count;
    }
}

static bool visit_faces(touching *t, const near_part *part, const candidates *c, void *context) {
    (void)context;
    double reach = reach_of(t, FR_TOUCH_FACE_FACE);
    fr_touch_hit best;
    bool has_best = false;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t triangle = candidate(c, i);
        const fr__element_point none = {.kind = FR__POINT_ORIGIN};
        uint32_t face = fr_mesh_face(part->view.mesh, triangle);
        facing f = {.input = t->input, .hit = hit_of(FR_TOUCH_FACE_FACE, &none, part, face)};
        fr__part_corners(part->body, part->piece, triangle, f.corners);
        face_parts(&f, reach);
        if (!f.has_hit || !(f.hit.distance <= reach)) { continue; }
        polygon_plane plane = plane_of(part, triangle, f.corners);
        f.hit.triangle = part->view.first_triangle + triangle;
        f.hit.normal = plane.normal;
        fr__element_point at = {.way = {f.hit.point, f.hit.point}};
        f.hit.side = fr__element_side(&at, f.hit.normal, plane.origin);
        if (has_best && best.element != face) { report(t, &best); }
        if (!has_best || best.element != face || f.hit.distance < best.distance) { best = f.hit; }
        has_best = true;
    }
    if (has_best) { report(t, &best); }
    return true;
}

static fr_vec3 bounds_corner(const fr_bounds *b, uint32_t k) {
    return fr_vec3_make((k & 1u) != 0 ? b->max.x : b->min.x, (k & 2u) != 0 ? b->max.y : b->min.y,
                        (k & 4u) != 0 ? b->max.z : b->min.z);
}

static fr_status meet_face_face(touching *t) {
    const fr_touch_input *in = t->input;
    if ((in->pairs & FR_TOUCH_FACE_FACE) == 0 || in->strategy == FR_TOUCH_BOX || in->part_count == 0) { return FR_OK; }
    fr_bounds held = fr_bounds_empty();
    for (uint32_t i = 0; i < in->part_count; i++) {
        const fr_bounds *b = &fr_mesh_get(in->parts[i].mesh)->bounds;
        for (uint32_t k = 0; k < 8; k++) {
            fr_vec3 v = bounds_corner(b, k);
            held = fr_bounds_with_point(&held, fr_pose_apply(&in->pose, fr_pose_apply(&in->parts[i].pose, v)));
        }
    }
    double reach = reach_of(t, FR_TOUCH_FACE_FACE);
    double largest = fmax(fr_vec3_largest(held.min), fr_vec3_largest(held.max));
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_BOX;
    shape.box = fr_bounds_grow(&held, reach + SLACK + ROUNDING * largest);
    double radius = reach + 0.5 * fr_vec3_distance(held.min, held.max);
    if (in->strategy == FR_TOUCH_COMBINED_NEAR) { return visit_box(t, &shape, visit_faces, NULL); }
    return visit_whole(t, fr_bounds_center(&held), radius, visit_faces, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// The question

static bool filter_takes(const fr_touch_input *in, fr_object_id id, const fr_object_view *object) {
    const fr_query_filter *f = in->filter;
    if (f == NULL) { return true; }
    if ((object->filter.layers & f->mask) == 0 || fr_object_id_equal(id, f->ignore)) { return false; }
    return f->accept == NULL || f->accept(in->space, id, (fr_object_id){0}, f->context);
}

// The near parts, where a strategy or a pair goes over them.
static fr_status gather_parts(touching *t) {
    const fr_touch_input *in = t->input;
    if (in->strategy == FR_TOUCH_COMBINED_NEAR && (in->pairs & BOX_PAIRS) == 0) { return FR_OK; }
    fr_status status = fr__query_begin(in->space, in->filter);
    if (status != FR_OK) { return status; }
    uint32_t places = fr_space_object_places(in->space);
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(in->space, i);
        const fr_object_view *object = fr_object_get(in->space, id);
        if (object == NULL || !filter_takes(in, id, object)) { continue; }
        for (uint32_t k = 0; k < object->part_count && status == FR_OK; k++) {
            near_part *part = fr_array_push(&t->parts, 1);
            if (part == NULL) {
                status = FR_ERROR_MEMORY;
                break;
            }
            *part = view_part(in->space, id, k);
            place_box(part, object);
        }
    }
    fr__query_end(in->space, in->filter);
    return status;
}

static fr_status meet_held(touching *t, fr__point_kind kind, uint32_t index, const fr_pose *part, fr_vec3 local) {
    const fr_touch_input *in = t->input;
    fr__element_point p = {.kind = kind, .index = index, .is_closest = t->is_closest, .has_way = t->has_way};
    fr_vec3 v = part != NULL ? fr_pose_apply(part, local) : local;
    p.way[1] = fr_pose_apply(&in->pose, v);
    p.way[0] = t->has_way ? fr_pose_apply(&in->last, v) : p.way[1];
    return meet(t, &p);
}

// Points of the held model: the operating point, the corners of its boxes, its vertices.
static fr_status meet_all(touching *t) {
    const fr_touch_input *in = t->input;
    fr_status status = meet_held(t, FR__POINT_ORIGIN, 0, NULL, in->origin_local);
    uint32_t box_pairs = 0, vertex_pairs = 0, first_vertex = 0;
    for (int i = 0; i < 4; i++) {
        box_pairs |= pair_of[FR__POINT_BOX][i];
        vertex_pairs |= pair_of[FR__POINT_VERTEX][i];
    }
    for (uint32_t i = 0; (in->pairs & box_pairs) != 0 && i < in->part_count; i++) {
        const fr_bounds *b = &fr_mesh_get(in->parts[i].mesh)->bounds;
        for (uint32_t k = 0; k < 8 && status == FR_OK; k++) {
            fr_vec3 v = bounds_corner(b, k);
            status = meet_held(t, FR__POINT_BOX, 8 * i + k, &in->parts[i].pose, v);
        }
    }
    for (uint32_t i = 0; (in->pairs & vertex_pairs) != 0 && i < in->part_count; i++) {
        const fr_mesh_view *mesh = fr_mesh_get(in->parts[i].mesh);
        for (uint32_t k = 0; k < mesh->vertex_count && status == FR_OK; k++) {
            fr_vec3 v = fr__mesh_position(mesh, k);
            status = meet_held(t, FR__POINT_VERTEX, first_vertex + k, &in->parts[i].pose, v);
        }
        first_vertex += mesh->vertex_count;
    }
    return status == FR_OK ? meet_face_face(t) : status;
}

static fr_status check_input(const fr_touch_input *in, fr_error *error) {
    if (in->cookie != TOUCH_COOKIE || in->space == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the input was not made by fr_default_touch_input");
    }
    if (!fr_space_is_current(in->space)) { return fr_error_set(error, FR_ERROR_STALE_DATA, "the space is stale"); }
    bool is_right = in->distance >= 0.0 && in->distance <= FR_LENGTH_MAX;
    for (int i = 0; i < FR_TOUCH_PAIRS; i++) {
        is_right = is_right && in->distances[i] >= 0.0 && in->distances[i] <= FR_LENGTH_MAX;
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a distance is outside its limits"); }
    if ((in->pairs & ~FR_TOUCH_ALL_PAIRS) != 0 || (in->options & ~(uint32_t)(FR_TOUCH_CLOSEST | FR_TOUCH_WAY)) != 0 ||
        (int)in->strategy < FR_TOUCH_BOX || (int)in->strategy > FR_TOUCH_COMBINED_NEAR) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such pair, option or strategy");
    }
    if (!fr_vec3_is_finite(in->origin_local) || (in->part_count > 0 && in->parts == NULL) ||
        (in->capacity > 0 && in->hits == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the operating point, parts or hits are missing");
    }
    fr_pose pose = in->pose, last = in->last;
    fr_status status = fr_pose_check(&pose, error);
    return status == FR_OK ? fr_pose_check(&last, error) : status;
}

fr_status fr_touch_pairs(const fr_touch_input *input, uint32_t *count, fr_error *error) {
    FR_ASSERT(input != NULL && count != NULL);
    *count = 0;
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    touching t;
    t.input = input;
    t.count = 0;
    t.has_way = (input->options & FR_TOUCH_WAY) != 0;
    t.is_closest = t.has_way || (input->options & FR_TOUCH_CLOSEST) != 0;
    t.parts = fr_array_make(sizeof(near_part), &input->allocator);
    t.items = fr_array_make(sizeof(fr_space_item), &input->allocator);
    t.vertices = fr_array_make(sizeof(uint32_t), &input->allocator);
    fr__near_open(&t.near, input->space, input->filter, &input->allocator);
    status = gather_parts(&t);
    if (status == FR_OK) { status = meet_all(&t); }
    fr_array_free(&t.parts);
    fr_array_free(&t.items);
    fr_array_free(&t.vertices);
    fr__near_close(&t.near);
    if (status != FR_OK) { return fr_error_set(error, status, "the pairs of the held model were not found"); }
    *count = t.count;
    return FR_OK;
}
