// Whether the polygons that a model shows form a closed surface together, and what it encloses. Nothing is placed but
// one node after another, and a mesh that many nodes share is cut into triangles once. A node whose box no other node
// touches is as closed as its mesh, which is looked at once. The edges of all others are counted by the places of
// their ends, in as many passes as keep the table of edges small.
#include "part_mesh.h"
#include "polygon.h"
#include "work_meter.h"

#include <math.h>
#include <string.h>

#define BOX_SLACK 1e-6 // of a coordinate: more than floats and the transform round
#define SWEEP_WORK 64  // boxes that are compared with one, on average
#define MIN_SLOTS (UINT32_C(1) << 10)
#define MAX_SLOTS (UINT32_C(1) << 23)
#define SAMPLE_EDGES ((uint64_t)1 << 16)
#define PASS_OF_FIRST UINT32_MAX // the part of the edges that the first one belongs to
#define MAX_AGAIN 2 // a table that is too full twice as many passes later has more edges than a closed surface
#define TAKEN 4u    // beside the directions that were met
#define FORWARD 1u  // from the lower end to the higher one
#define BACKWARD 2u // the other direction

typedef struct surface_point {
    float x, y, z;
} surface_point;

// An edge by the places of its ends, the lower one first, and in which directions triangles have it.
typedef struct surface_edge {
    surface_point low, high;
    uint32_t flags; // 0: the slot is free
} surface_edge;

FR_ARRAY_TYPE(surface_point_array, surface_point);

typedef enum surface_state { STATE_UNKNOWN, STATE_OPEN, STATE_CLOSED } surface_state;

// What is known of a mesh that is used.
typedef struct surface_mesh {
    uint32_t first, end;  // of its corners
    uint32_t place_count; // different places of its vertices, in its own frame
    fr_bounds bounds;     // in its own frame
    surface_state state;  // of a node alone that has it
    bool is_cut, has_bounds;
} surface_mesh;

typedef struct surface_node {
    uint32_t node; // of the model
    bool is_near;  // the box of another node touches its own
    fr_bounds box;
} surface_node;

FR_ARRAY_TYPE(surface_mesh_array, surface_mesh);
FR_ARRAY_TYPE(surface_node_array, surface_node);

typedef struct surface_work {
    const fr_model *model;
    const fr_model_mesh_input *input;
    fr__work_meter meter;
    fr_uint32_array corners; // 3 a triangle, of each mesh that is used once
    surface_mesh_array meshes;
    surface_node_array nodes;   // that are used
    fr_uint64_array order;      // of the nodes along an axis
    surface_point_array points; // of the node that is looked at
    uint64_t *hashes;           // of these
    uint32_t *places;           // a table of these
    uint32_t max_points, place_slots;
    surface_edge *edges;
    uint32_t slot_count, max_slots, taken, open; // open: met in one direction
    uint32_t pass, pass_count;
} surface_work;

// What is done with the triangles of a node.
typedef fr_status visit_fn(surface_work *work, const uint32_t *corners, size_t count, bool is_mirrored, void *context);

static bool is_used(const surface_work *work, const fr_model_node *node) { return fr__is_used(node, work->input->use); }

// ---------------------------------------------------------------------------------------------------------------
// Triangles

static fr_status cut_mesh(surface_work *work, fr__cutter *cutter, const fr_model_mesh *mesh) {
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face) - 2;
        uint32_t *corners = fr_uint32_array_push(&work->corners, (size_t)3 * count);
        if (corners == NULL) { return FR_ERROR_MEMORY; }
        fr_status status = fr__cut_polygon(cutter, mesh, face, corners);
        if (status != FR_OK) { return status; }
        if (!fr__meter_on(&work->meter, 4 * (size_t)count)) { return FR_ERROR_STOPPED; }
    }
    return FR_OK;
}

// Lists the nodes that are used and cuts each mesh of theirs, once.
static fr_status list_nodes(surface_work *work, fr__cutter *cutter) {
    const fr_model_view *view = &work->model->view;
    surface_mesh *meshes = surface_mesh_array_push(&work->meshes, view->mesh_count);
    if (meshes == NULL && view->mesh_count > 0) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        meshes[i] = (surface_mesh){.is_cut = false};
    }
    size_t used = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        used += is_used(work, &view->nodes[i]);
    }
    if (!surface_node_array_reserve(&work->nodes, used)) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (!fr__meter_on(&work->meter, 1)) { return FR_ERROR_STOPPED; }
        if (!is_used(work, &view->nodes[i])) { continue; }
        const fr_model_mesh *mesh = &view->meshes[view->nodes[i].mesh];
        surface_mesh *known = &meshes[view->nodes[i].mesh];
        if (!known->is_cut) {
            known->is_cut = true;
            known->first = (uint32_t)work->corners.count;
            fr_status status = cut_mesh(work, cutter, mesh);
            if (status != FR_OK) { return status; }
            known->end = (uint32_t)work->corners.count;
            if (mesh->vertex_count > work->max_points) { work->max_points = mesh->vertex_count; }
        }
        if (known->end == known->first) { continue; }
        surface_node *node = surface_node_array_push(&work->nodes, 1);
        if (node == NULL) { return FR_ERROR_MEMORY; }
        *node = (surface_node){.node = i};
    }
    return FR_OK;
}

static uint64_t mix(uint64_t h) {
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ (h >> 32);
}

static uint64_t hash_point(const surface_point *p) {
    uint32_t bits[3];
    memcpy(bits, p, sizeof bits);
    return mix((uint64_t)bits[0] << 32 ^ bits[1]) + mix(bits[2] + UINT64_C(0x9e3779b97f4a7c15));
}

// Places the vertices of a node as a mesh of floats has them; those of its own frame with `is_own`.
static fr__placed place_points(surface_work *work, uint32_t node, bool is_own) {
    fr__placed placed = fr__place_node(work->model, node);
    if (is_own) { placed.is_moved = false; }
    for (uint32_t v = 0; v < placed.mesh->vertex_count; v++) {
        fr_vec3 p = fr__placed_position(&placed, v);
        // -0 becomes 0: they are one place.
        surface_point point = {(float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f};
        work->points.data[v] = point;
        work->hashes[v] = hash_point(&point);
    }
    return placed;
}

static fr_status visit_node(surface_work *work, uint32_t node, visit_fn *visit, void *context) {
    const surface_mesh *mesh = &work->meshes.data[work->model->view.nodes[node].mesh];
    size_t cost = 64 + 4 * (size_t)work->model->view.meshes[work->model->view.nodes[node].mesh].vertex_count;
    if (!fr__meter_on(&work->meter, cost)) { return FR_ERROR_STOPPED; }
    fr__placed placed = place_points(work, node, false);
    return visit(work, work->corners.data + mesh->first, mesh->end - mesh->first, placed.is_mirrored, context);
}

// Which nodes are visited: one, those that are near others, or all.
typedef enum surface_choice { CHOICE_NEAR, CHOICE_ALL } surface_choice;

static fr_status visit_nodes(surface_work *work, surface_choice choice, visit_fn *visit, void *context) {
    for (size_t i = 0; i < work->nodes.count; i++) {
        const surface_node *node = &work->nodes.data[i];
        if (choice == CHOICE_NEAR && !node->is_near) { continue; }
        fr_status status = visit_node(work, node->node, visit, context);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static bool is_same(const surface_point *a, const surface_point *b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool is_lower(const surface_point *a, const surface_point *b) {
    if (a->x != b->x) { return a->x < b->x; }
    return a->y != b->y ? a->y < b->y : a->z < b->z;
}

// Counts an edge of this pass. False where it makes the surface open for certain: met twice in one direction.
static bool count_edge(surface_work *work, uint32_t from, uint32_t to) {
    const surface_point *low = &work->points.data[from], *high = &work->points.data[to];
    uint64_t low_hash = work->hashes[from], high_hash = work->hashes[to];
    uint32_t direction = FORWARD;
    if (!is_lower(low, high)) {
        const surface_point *other = low;
        uint64_t other_hash = low_hash;
        low = high;
        high = other;
        low_hash = high_hash;
        high_hash = other_hash;
        direction = BACKWARD;
    }
    uint64_t hash = mix(low_hash * 3 + high_hash);
    if (work->pass_count > 1) {
        uint32_t part = (uint32_t)((hash >> 32) % work->pass_count);
        if (work->pass == PASS_OF_FIRST) { work->pass = part; }
        if (part != work->pass) { return true; }
    }
    uint32_t slot = (uint32_t)hash & (work->slot_count - 1);
    surface_edge *edge = &work->edges[slot];
    while (edge->flags != 0 && (!is_same(&edge->low, low) || !is_same(&edge->high, high))) {
        slot = (slot + 1) & (work->slot_count - 1);
        edge = &work->edges[slot];
    }
    if (edge->flags == 0) {
        *edge = (surface_edge){*low, *high, TAKEN | direction};
        work->taken++;
        work->open++;
        return true;
    }
    if ((edge->flags & direction) != 0) { return false; }
    edge->flags |= direction;
    work->open--;
    return true;
}

// `context` is a bool that becomes true where the surface is open for certain.
static fr_status count_edges(surface_work *work, const uint32_t *corners, size_t count, bool is_mirrored,
                             void *context) {
    bool *is_open = context;
    const surface_point *points = work->points.data;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t a = corners[i], b = corners[i + (is_mirrored ? 2 : 1)], c = corners[i + (is_mirrored ? 1 : 2)];
        if (!fr__meter_on(&work->meter, 8)) { return FR_ERROR_STOPPED; }
        // A triangle with two corners at one place takes no part.
        if (is_same(&points[a], &points[b]) || is_same(&points[b], &points[c]) || is_same(&points[c], &points[a])) {
            continue;
        }
        // Room for these three; a table that is too full is begun again in more passes.
        if (work->taken + 3 > work->slot_count / 4 * 3) { return FR_ERROR_LIMIT; }
        if (!count_edge(work, a, b) || !count_edge(work, b, c) || !count_edge(work, c, a)) {
            *is_open = true;
            return FR_ERROR_LIMIT;
        }
    }
    return FR_OK;
}

static fr_status visit_choice(surface_work *work, uint32_t only, bool *is_open) {
    return only != FR_NONE ? visit_node(work, only, count_edges, is_open)
                           : visit_nodes(work, CHOICE_NEAR, count_edges, is_open);
}

static bool take_edges(surface_work *work, uint64_t expected) {
    work->slot_count = MIN_SLOTS;
    while (work->slot_count < MAX_SLOTS && work->slot_count / 3 * 2 < expected) {
        work->slot_count *= 2;
    }
    if (work->slot_count <= work->max_slots) { return true; }
    const fr_allocator *allocator = &work->input->allocator;
    fr_deallocate(allocator, work->edges, work->max_slots, sizeof *work->edges);
    work->edges = fr_allocate(allocator, work->slot_count, sizeof *work->edges, _Alignof(surface_edge));
    work->max_slots = work->edges != NULL ? work->slot_count : 0;
    return work->edges != NULL;
}

// Counts one of many parts of the edges of the nodes that are near others, in a small table: most surfaces that are
// open show it there, such as instances that lie in one another.
static fr_status count_sample(surface_work *work, uint64_t expected, bool *is_open) {
    if (!take_edges(work, SAMPLE_EDGES)) { return FR_ERROR_MEMORY; }
    work->pass_count = (uint32_t)(expected / (work->slot_count / 3 * 2)) + 1;
    work->pass = PASS_OF_FIRST;
    memset(work->edges, 0, work->slot_count * sizeof *work->edges);
    work->taken = work->open = 0;
    fr_status status = visit_nodes(work, CHOICE_NEAR, count_edges, is_open);
    if (status == FR_ERROR_LIMIT) { return FR_OK; }
    *is_open = *is_open || work->open > 0;
    return status;
}

// Whether the nodes that are near others are closed together, or the node `only` alone where it is not FR_NONE.
static fr_status find_closed(surface_work *work, uint32_t only, uint64_t triangle_count, bool *is_closed) {
    // A closed surface has 3 edges for 2 triangles.
    uint64_t expected = triangle_count / 2 * 3 + 3;
    if (only == FR_NONE && expected > 16 * SAMPLE_EDGES) {
        bool is_sample_open = false;
        *is_closed = false;
        fr_status status = count_sample(work, expected, &is_sample_open);
        if (status != FR_OK || is_sample_open) { return status; }
    }
    if (!take_edges(work, expected)) { return FR_ERROR_MEMORY; }
    work->pass_count = (uint32_t)(expected / (work->slot_count / 3 * 2)) + 1;
    *is_closed = false;
    bool is_open = false;
    int again = 0;
    for (work->pass = 0; work->pass < work->pass_count; work->pass++) {
        memset(work->edges, 0, work->slot_count * sizeof *work->edges);
        work->taken = work->open = 0;
        fr_status status = visit_choice(work, only, &is_open);
        if (is_open) { return FR_OK; }
        if (status == FR_ERROR_LIMIT) {
            if (again++ == MAX_AGAIN) { return FR_OK; }
            work->pass_count *= 2;
            work->pass = UINT32_MAX;
            continue;
        }
        if (status != FR_OK) { return status; }
        if (work->open > 0) { return FR_OK; }
    }
    *is_closed = true;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes alone

// The different places among the points that were placed last.
static uint32_t count_places(surface_work *work, uint32_t point_count) {
    uint32_t slots = 16, count = 0;
    while (slots < 2 * point_count) {
        slots *= 2;
    }
    memset(work->places, 0xff, slots * sizeof *work->places);
    for (uint32_t i = 0; i < point_count; i++) {
        uint32_t slot = (uint32_t)work->hashes[i] & (slots - 1);
        while (work->places[slot] != FR_NONE &&
               !is_same(&work->points.data[work->places[slot]], &work->points.data[i])) {
            slot = (slot + 1) & (slots - 1);
        }
        if (work->places[slot] != FR_NONE) { continue; }
        work->places[slot] = i;
        count++;
    }
    return count;
}

// Whether a node is closed by itself: as its mesh is, where rounding joins no two of its vertices.
static fr_status find_alone(surface_work *work, uint32_t node, bool *is_closed) {
    uint32_t index = work->model->view.nodes[node].mesh;
    surface_mesh *mesh = &work->meshes.data[index];
    uint32_t vertex_count = work->model->view.meshes[index].vertex_count;
    if (mesh->place_count == 0) {
        place_points(work, node, true);
        mesh->place_count = count_places(work, vertex_count);
    }
    place_points(work, node, false);
    bool is_like_mesh = count_places(work, vertex_count) == mesh->place_count && !work->model->store.is_double;
    *is_closed = mesh->state == STATE_CLOSED;
    if (is_like_mesh && mesh->state != STATE_UNKNOWN) { return FR_OK; }
    fr_status status = find_closed(work, node, (mesh->end - mesh->first) / 3, is_closed);
    if (is_like_mesh && status == FR_OK) { mesh->state = *is_closed ? STATE_CLOSED : STATE_OPEN; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static double axis_of(fr_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// The same for a node whose vertices are not those of its mesh.
static fr_bounds box_of_shaped(const fr__placed *placed) {
    fr_bounds box = fr_bounds_empty();
    for (uint32_t v = 0; v < placed->mesh->vertex_count; v++) {
        box = fr_bounds_with_point(&box, fr__placed_position(placed, v));
    }
    return fr_bounds_grow(&box, BOX_SLACK * fmax(fr_vec3_largest(box.min), fr_vec3_largest(box.max)));
}

// A box that holds all points of a node, with room for what is rounded.
static fr_bounds box_of(const surface_work *work, uint32_t node) {
    fr__placed placed = fr__place_node(work->model, node);
    if (placed.is_shaped) { return box_of_shaped(&placed); }
    const fr_bounds *own = &work->meshes.data[work->model->view.nodes[node].mesh].bounds;
    fr_vec3 c = fr_bounds_center(own), h = fr_vec3_scale(0.5, fr_vec3_sub(own->max, own->min));
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        const double *m = placed.matrix + (ptrdiff_t)4 * i;
        double middle = m[0] * c.x + m[1] * c.y + m[2] * c.z + m[3];
        double half = fabs(m[0]) * h.x + fabs(m[1]) * h.y + fabs(m[2]) * h.z;
        double size = fabs(m[0] * c.x) + fabs(m[1] * c.y) + fabs(m[2] * c.z) + fabs(m[3]) + half;
        low[i] = middle - half - BOX_SLACK * size;
        high[i] = middle + half + BOX_SLACK * size;
    }
    return (fr_bounds){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static bool is_apart(const fr_bounds *a, const fr_bounds *b) {
    return a->max.x < b->min.x || b->max.x < a->min.x || a->max.y < b->min.y || b->max.y < a->min.y ||
           a->max.z < b->min.z || b->max.z < a->min.z;
}

// A whole number in the order of the floats.
static uint64_t order_key(double value, uint32_t index) {
    float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    bits = (bits >> 31) != 0 ? ~bits : bits | UINT32_C(0x80000000);
    return (uint64_t)bits << 32 | index;
}

// The boxes of all nodes, and the longest axis over them.
static int measure_boxes(surface_work *work) {
    fr_bounds all = fr_bounds_empty();
    for (size_t i = 0; i < work->nodes.count && fr__meter_on(&work->meter, 32); i++) {
        surface_node *node = &work->nodes.data[i];
        uint32_t index = work->model->view.nodes[node->node].mesh;
        const fr_model_mesh *mesh = &work->model->view.meshes[index];
        surface_mesh *known = &work->meshes.data[index];
        if (!known->has_bounds) {
            known->has_bounds = true;
            known->bounds = fr_bounds_empty();
            for (uint32_t v = 0; v < mesh->vertex_count && fr__meter_on(&work->meter, 1); v++) {
                known->bounds = fr_bounds_with_point(&known->bounds, fr__position(mesh, v));
            }
        }
        node->box = box_of(work, node->node);
        all = fr_bounds_with_point(&all, node->box.min);
        all = fr_bounds_with_point(&all, node->box.max);
    }
    fr_vec3 size = fr_vec3_sub(all.max, all.min);
    if (size.x >= size.y && size.x >= size.z) { return 0; }
    return size.y >= size.z ? 1 : 2;
}

// Sorts keys, which are in the order of their lower halves, by the upper ones, byte by byte; there is room for as many
// again behind them. False when the caller wants the call to end.
static bool sort_order(surface_work *work, uint64_t *order, uint32_t count) {
    uint64_t *from = order, *to = order + count;
    for (int shift = 32; shift < 64; shift += 8) {
        uint32_t starts[257] = {0};
        for (uint32_t i = 0; i < count; i++) {
            starts[(from[i] >> shift & 255) + 1]++;
        }
        for (int b = 0; b < 256; b++) {
            starts[b + 1] += starts[b];
        }
        for (uint32_t i = 0; i < count && fr__meter_on(&work->meter, 1); i++) {
            to[starts[from[i] >> shift & 255]++] = from[i];
        }
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    return !work->meter.is_stopped;
}

// Finds the nodes whose boxes touch. Where very many do along the axis, those that are left count as near.
static fr_status find_near(surface_work *work) {
    int axis = measure_boxes(work);
    surface_node *nodes = work->nodes.data;
    uint32_t count = (uint32_t)work->nodes.count;
    if (work->meter.is_stopped) { return FR_ERROR_STOPPED; }
    if (!fr_uint64_array_reserve(&work->order, 2 * (size_t)count)) { return FR_ERROR_MEMORY; }
    uint64_t *order = work->order.data;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = order_key(axis_of(nodes[i].box.min, axis), i);
    }
    if (!sort_order(work, order, count)) { return FR_ERROR_STOPPED; }
    uint64_t work_left = (uint64_t)SWEEP_WORK * count + 1024;
    for (uint32_t i = 0; i < count; i++) {
        surface_node *a = &nodes[(uint32_t)order[i]];
        // Keys are rounded: equal ones may be in any order.
        uint64_t last = order_key(axis_of(a->box.max, axis), UINT32_MAX);
        for (uint32_t k = i + 1; k < count && order[k] <= last && work_left > 0; k++, work_left--) {
            surface_node *b = &nodes[(uint32_t)order[k]];
            if (!is_apart(&a->box, &b->box)) { a->is_near = b->is_near = true; }
            if (!fr__meter_on(&work->meter, 1)) { return FR_ERROR_STOPPED; }
        }
        a->is_near = a->is_near || work_left == 0;
        if (!fr__meter_on(&work->meter, 1)) { return FR_ERROR_STOPPED; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Volume

typedef struct volume_sum {
    fr_bounds bounds; // of what triangles use
    double volume6;
} volume_sum;

static fr_vec3 corner_at(const surface_work *work, uint32_t corner) {
    const surface_point *p = &work->points.data[corner];
    return fr_vec3_make((double)p->x, (double)p->y, (double)p->z);
}

static fr_status add_bounds(surface_work *work, const uint32_t *corners, size_t count, bool is_mirrored,
                            void *context) {
    (void)is_mirrored;
    volume_sum *sum = context;
    for (size_t i = 0; i < count; i++) {
        sum->bounds = fr_bounds_with_point(&sum->bounds, corner_at(work, corners[i]));
    }
    return FR_OK;
}

// The sum of fr_mesh_mass, in its order: tetrahedra from the middle of the bounds.
static fr_status add_volume(surface_work *work, const uint32_t *corners, size_t count, bool is_mirrored,
                            void *context) {
    volume_sum *sum = context;
    fr_vec3 reference = fr_bounds_center(&sum->bounds);
    for (size_t i = 0; i < count; i += 3) {
        fr_vec3 a = fr_vec3_sub(corner_at(work, corners[i]), reference);
        fr_vec3 b = fr_vec3_sub(corner_at(work, corners[i + (is_mirrored ? 2 : 1)]), reference);
        fr_vec3 c = fr_vec3_sub(corner_at(work, corners[i + (is_mirrored ? 1 : 2)]), reference);
        sum->volume6 += fr_vec3_dot(a, fr_vec3_cross(b, c));
    }
    return fr__meter_on(&work->meter, count) ? FR_OK : FR_ERROR_STOPPED;
}

static bool take_scratch(surface_work *work) {
    const fr_allocator *allocator = &work->input->allocator;
    work->place_slots = 16;
    while (work->place_slots < 2 * work->max_points) {
        work->place_slots *= 2;
    }
    work->hashes = fr_allocate(allocator, work->max_points, sizeof *work->hashes, _Alignof(uint64_t));
    work->places = fr_allocate(allocator, work->place_slots, sizeof *work->places, _Alignof(uint32_t));
    return work->hashes != NULL && work->places != NULL && surface_point_array_reserve(&work->points, work->max_points);
}

static fr_status find_all_closed(surface_work *work, bool *is_closed) {
    uint64_t near_triangles = 0;
    *is_closed = true;
    for (size_t i = 0; i < work->nodes.count && *is_closed; i++) {
        const surface_node *node = &work->nodes.data[i];
        const surface_mesh *mesh = &work->meshes.data[work->model->view.nodes[node->node].mesh];
        if (node->is_near) {
            near_triangles += (mesh->end - mesh->first) / 3;
            continue;
        }
        fr_status status = find_alone(work, node->node, is_closed);
        if (status != FR_OK) { return status; }
    }
    return *is_closed && near_triangles > 0 ? find_closed(work, FR_NONE, near_triangles, is_closed) : FR_OK;
}

static fr_status find_surface(surface_work *work, fr_model_surface_output *output) {
    fr__cutter cutter;
    fr_status status = fr__cutter_create(&work->input->allocator, &cutter);
    if (status == FR_OK) { status = list_nodes(work, &cutter); }
    fr__cutter_destroy(&cutter);
    if (status != FR_OK || work->nodes.count == 0) { return status; }
    if (!take_scratch(work)) { return FR_ERROR_MEMORY; }
    status = find_near(work);
    if (status == FR_OK) { status = find_all_closed(work, &output->is_closed); }
    if (status != FR_OK || !output->is_closed) { return status; }
    volume_sum sum = {.bounds = fr_bounds_empty()};
    status = visit_nodes(work, CHOICE_ALL, add_bounds, &sum);
    if (status == FR_OK) { status = visit_nodes(work, CHOICE_ALL, add_volume, &sum); }
    output->volume = sum.volume6 / 6.0;
    return status;
}

fr_status fr_model_surface(const fr_model *model, const fr_model_mesh_input *input, fr_model_surface_output *output,
                           fr_error *error) {
    fr_model_mesh_input defaults = fr_default_model_mesh_input();
    if (input == NULL) { input = &defaults; }
    *output = (fr_model_surface_output){.is_closed = false};
    if (input->cookie != defaults.cookie) { return fr_error_set_cookie(error, "fr_default_model_mesh_input"); }
    surface_work work = {.model = model,
                         .input = input,
                         .meter = {.control = input->control},
                         .corners = fr_uint32_array_make(&input->allocator),
                         .meshes = surface_mesh_array_make(&input->allocator),
                         .nodes = surface_node_array_make(&input->allocator),
                         .order = fr_uint64_array_make(&input->allocator),
                         .points = surface_point_array_make(&input->allocator)};
    fr_status status = find_surface(&work, output);
    fr_deallocate(&input->allocator, work.edges, work.max_slots, sizeof *work.edges);
    fr_deallocate(&input->allocator, work.places, work.place_slots, sizeof *work.places);
    fr_deallocate(&input->allocator, work.hashes, work.max_points, sizeof *work.hashes);
    fr_uint32_array_destroy(&work.corners);
    surface_mesh_array_destroy(&work.meshes);
    surface_node_array_destroy(&work.nodes);
    fr_uint64_array_destroy(&work.order);
    surface_point_array_destroy(&work.points);
    if (status == FR_OK) { return FR_OK; }
    *output = (fr_model_surface_output){.is_closed = false};
    return fr_error_set(error, status, "%s", fr_status_text(status));
}
