// A mesh inside of another: each corner moves until it lies behind the planes of all faces around it. Faces are
// around a corner where one comes to them over common edges, so that two solids that share an edge stay two.
#include "shape/mesh_inset.h"

#include "fureai/base_order.h"
#include "shape/place_table.h"

#include <string.h>

#define ROUNDS 64     // over the faces around a corner
#define SLACK 1e-3    // of the depth: what a corner may lack of it
#define FLAT 1e-9     // a wedge with less between its faces has nothing inside
#define FULL_TURN 4.0 // of a turn's measure, below

// Edge e = 3 t + k goes from corner k to corner k + 1 of triangle t. Corner e is where it begins.
typedef struct inset_edge {
    uint32_t low, high; // the places that it joins
    uint32_t edge;
} inset_edge;

typedef struct inset {
    const fr_mesh *mesh;
    const fr_mesh_view *view;
    double depth, side; // side: 1, or -1 where the faces look inside
    uint32_t edge_count;
    uint32_t *place;   // of each vertex: the first one at the same position
    uint32_t *moved;   // of each place: a corner there that was moved, or FR_NONE
    inset_edge *edges; // by the places they join
    uint32_t *twin;    // of each edge: the one on the other side of the solid's wedge there; FR_NONE: a border
    fr_vec3 *normal;   // of each triangle, outwards; zero for a degenerate one
    fr_vec3 *corner;   // the moved corners
    bool *is_moved;    // of each corner
} inset;

static uint32_t next_edge(uint32_t e) { return e % 3 == 2 ? e - 2 : e + 1; }
static uint32_t previous_edge(uint32_t e) { return e % 3 == 0 ? e + 2 : e - 1; }
static uint32_t place_of(const inset *s, uint32_t corner) { return s->place[s->view->triangles[corner]]; }

static fr_vec3 corner_at(const inset *s, uint32_t corner) {
    fr_vec3 corners[3];
    fr_mesh_corners(s->mesh, corner / 3, corners);
    return corners[corner % 3];
}

static fr_vec3 direction_of(const inset *s, uint32_t e) {
    fr_vec3 along = fr_vec3_sub(corner_at(s, next_edge(e)), corner_at(s, e));
    return fr_vec3_unit(along, fr_vec3_make(0.0, 0.0, 0.0));
}

// ---------------------------------------------------------------------------------------------------------------
// Which face follows over an edge

// From an edge into its triangle, at right angles to it; `side` turns all normals, and so this too.
static fr_vec3 into_face(const inset *s, uint32_t e) {
    return fr_vec3_scale(s->side, fr_vec3_cross(s->normal[e / 3], direction_of(s, e)));
}

// How far one turns about edge e, from its face through the solid, to the face of another edge: 0 .. FULL_TURN, in a
// measure that grows with the angle.
static double turn_between(const inset *s, uint32_t e, uint32_t other) {
    fr_vec3 to = into_face(s, other);
    double x = fr_vec3_dot(to, into_face(s, e)), y = -fr_vec3_dot(to, s->normal[e / 3]);
    double part = x / (fabs(x) + fabs(y)), turn = y >= 0.0 ? 1.0 - part : 3.0 + part;
    return turn < FLAT ? FULL_TURN : turn;
}

// The edge of a group, in the other direction, whose face comes first.
static uint32_t first_across(const inset *s, uint32_t e, const inset_edge *group, size_t count) {
    uint32_t first = FR_NONE, from = place_of(s, e);
    double least = 2.0 * FULL_TURN;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = group[i].edge;
        if (place_of(s, other) == from) { continue; }
        double turn = count == 2 ? 0.0 : turn_between(s, e, other);
        if (!(turn < least)) { continue; }
        least = turn;
        first = other;
    }
    return first;
}

static bool edge_is_before(const inset_edge *a, const inset_edge *b) {
    if (a->low != b->low) { return a->low < b->low; }
    return a->high != b->high ? a->high < b->high : a->edge < b->edge;
}

FR_SORT_TYPE(sort_edges, inset_edge, edge_is_before);

// Whether two corners of an edge's triangle are at one place: it takes no part.
static bool is_collapsed(const inset *s, uint32_t e) {
    uint32_t a = place_of(s, e), b = place_of(s, next_edge(e)), c = place_of(s, previous_edge(e));
    return a == b || b == c || c == a;
}

// Two edges are twins where each is the first across the other.
static void find_twins(inset *s) {
    size_t count = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        uint32_t a = place_of(s, e), b = place_of(s, next_edge(e));
        s->twin[e] = FR_NONE;
        if (is_collapsed(s, e)) { continue; }
        s->edges[count++] = (inset_edge){a < b ? a : b, a < b ? b : a, e};
    }
    sort_edges(s->edges, count);
    for (size_t i = 0, end; i < count; i = end) {
        const inset_edge *group = s->edges + i;
        for (end = i + 1; end < count && s->edges[end].low == group->low && s->edges[end].high == group->high;) {
            end++;
        }
        for (size_t k = 0; k < end - i; k++) {
            s->twin[group[k].edge] = first_across(s, group[k].edge, group, end - i);
        }
        for (size_t k = 0; k < end - i; k++) {
            uint32_t e = group[k].edge, twin = s->twin[e];
            if (twin != FR_NONE && s->twin[twin] != e) { s->twin[e] = FR_NONE; }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Where a corner goes

// The corner at the same place in the triangle beyond the edge that begins, or ends, at a corner.
static uint32_t next_corner(const inset *s, uint32_t corner) {
    uint32_t twin = s->twin[corner];
    return twin == FR_NONE ? FR_NONE : next_edge(twin);
}

static uint32_t previous_corner(const inset *s, uint32_t corner) { return s->twin[previous_edge(corner)]; }

// Moves a displacement behind a plane; whether it was not.
static bool go_behind(const inset *s, fr_vec3 normal, fr_vec3 *u) {
    double lacking = fr_vec3_dot(normal, *u) + s->depth * fr_vec3_length_squared(normal);
    if (!(lacking > SLACK * s->depth)) { return false; }
    *u = fr_vec3_add_scaled(*u, -lacking, normal);
    return true;
}

// The displacement of the corners around a place, from the first of them to the last, or all around.
static fr_vec3 displacement(const inset *s, uint32_t first) {
    fr_vec3 u = {0.0, 0.0, 0.0};
    bool is_done = false;
    for (int round = 0; round < ROUNDS && !is_done; round++) {
        uint32_t corner = first, last;
        is_done = true;
        do {
            is_done = !go_behind(s, s->normal[corner / 3], &u) && is_done;
            last = corner;
            corner = next_corner(s, corner);
        } while (corner != FR_NONE && corner != first);
        if (corner == first) { continue; }
        is_done = !go_behind(s, fr_vec3_negate(into_face(s, previous_edge(first))), &u) && is_done;
        is_done = !go_behind(s, fr_vec3_negate(into_face(s, last)), &u) && is_done;
    }
    double length = fr_vec3_length(u), max = FR__INSET_MAX * s->depth;
    return length > max ? fr_vec3_scale(max / length, u) : u;
}

// The corners of collapsed triangles go with others at their places.
static void move_collapsed(inset *s) {
    for (uint32_t e = 0; e < s->edge_count; e++) {
        if (!is_collapsed(s, e)) { continue; }
        uint32_t corner = s->moved[place_of(s, e)];
        s->corner[e] = corner == FR_NONE ? corner_at(s, e) : s->corner[corner];
    }
}

static void move_corners(inset *s) {
    memset(s->is_moved, 0, s->edge_count * sizeof *s->is_moved);
    memset(s->moved, 0xff, s->view->vertex_count * sizeof *s->moved);
    for (uint32_t e = 0; e < s->edge_count; e++) {
        if (s->is_moved[e] || is_collapsed(s, e)) { continue; }
        uint32_t first = e;
        for (uint32_t at = previous_corner(s, e); at != FR_NONE && at != e; at = previous_corner(s, at)) {
            first = at;
        }
        fr_vec3 to = fr_vec3_add(corner_at(s, e), displacement(s, first));
        s->moved[place_of(s, e)] = e;
        uint32_t corner = first;
        do {
            s->corner[corner] = to;
            s->is_moved[corner] = true;
            corner = next_corner(s, corner);
        } while (corner != FR_NONE && corner != first);
    }
    move_collapsed(s);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static void find_normals(inset *s) {
    fr_vec3 corners[3], middle = fr_bounds_center(&s->view->bounds);
    double volume = 0.0;
    for (uint32_t t = 0; t < s->view->triangle_count; t++) {
        fr_mesh_corners(s->mesh, t, corners);
        fr_vec3 area = fr_vec3_cross(fr_vec3_sub(corners[1], corners[0]), fr_vec3_sub(corners[2], corners[0]));
        volume += fr_vec3_dot(area, fr_vec3_sub(corners[0], middle));
        s->normal[t] = fr_vec3_unit(area, fr_vec3_make(0.0, 0.0, 0.0));
        if (fr_mesh_is_degenerate(s->mesh, t)) { s->normal[t] = fr_vec3_make(0.0, 0.0, 0.0); }
    }
    s->side = volume < 0.0 ? -1.0 : 1.0;
    for (uint32_t t = 0; t < s->view->triangle_count; t++) {
        s->normal[t] = fr_vec3_scale(s->side, s->normal[t]);
    }
}

static fr_status find_places(inset *s, const fr_allocator *allocator) {
    fr__place_table table;
    if (!fr__place_table_take(s->view, s->view->vertex_count, allocator, &table)) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < s->view->vertex_count; i++) {
        s->place[i] = fr__place_table_first(&table, i);
    }
    fr__place_table_release(&table);
    return FR_OK;
}

static fr_status make_mesh(inset *s, const fr_allocator *allocator, fr_mesh **out, fr_error *error) {
    uint32_t *numbers = s->twin; // not needed any more
    for (uint32_t e = 0; e < s->edge_count; e++) {
        numbers[e] = e;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &s->corner->x;
    def.vertex_count = s->edge_count;
    def.triangles = numbers;
    def.triangle_count = s->view->triangle_count;
    def.faces = s->view->faces;
    def.is_double = true;
    def.allocator = *allocator;
    return fr_mesh_create(&def, out, error);
}

_Static_assert(sizeof(fr_vec3) == 3 * sizeof(double), "an array of vectors is an array of numbers");

fr_status fr__mesh_inset(const fr_mesh *mesh, double depth, const fr_allocator *allocator, fr_mesh **out,
                         fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    inset s = {.mesh = mesh, .view = view, .depth = depth, .edge_count = 3 * view->triangle_count};
    const uint32_t vertices = view->vertex_count, triangles = view->triangle_count;
    fr_status status = FR_ERROR_MEMORY;
    *out = NULL;
    s.place = fr_allocate(allocator, vertices, sizeof *s.place, _Alignof(uint32_t));
    s.moved = fr_allocate(allocator, vertices, sizeof *s.moved, _Alignof(uint32_t));
    s.edges = fr_allocate(allocator, s.edge_count, sizeof *s.edges, _Alignof(inset_edge));
    s.twin = fr_allocate(allocator, s.edge_count, sizeof *s.twin, _Alignof(uint32_t));
    s.normal = fr_allocate(allocator, triangles, sizeof *s.normal, _Alignof(fr_vec3));
    s.corner = fr_allocate(allocator, s.edge_count, sizeof *s.corner, _Alignof(fr_vec3));
    s.is_moved = fr_allocate(allocator, s.edge_count, sizeof *s.is_moved, 1);
    bool has_room = s.place != NULL && s.moved != NULL && s.edges != NULL && s.twin != NULL && s.normal != NULL &&
                    s.corner != NULL && s.is_moved != NULL;
    if (has_room) { status = find_places(&s, allocator); }
    if (status == FR_OK) {
        find_normals(&s);
        find_twins(&s);
        move_corners(&s);
        status = make_mesh(&s, allocator, out, error);
    } else {
        (void)fr_error_set(error, status, "no memory for the inside of a mesh of %u triangles", triangles);
    }
    fr_deallocate(allocator, s.place, vertices, sizeof *s.place);
    fr_deallocate(allocator, s.moved, vertices, sizeof *s.moved);
    fr_deallocate(allocator, s.edges, s.edge_count, sizeof *s.edges);
    fr_deallocate(allocator, s.twin, s.edge_count, sizeof *s.twin);
    fr_deallocate(allocator, s.normal, triangles, sizeof *s.normal);
    fr_deallocate(allocator, s.corner, s.edge_count, sizeof *s.corner);
    fr_deallocate(allocator, s.is_moved, s.edge_count, sizeof *s.is_moved);
    return status;
}
