// Polygons by their inclination: normals are points of a ball, sorted by the cell of a grid that they lie in. Those
// within an angle of one are in its cell or in the ones beside it, whose rows along x stand together.
#include "fureai/base_order.h"
#include "fureai/touch.h"
#include "shape/mesh.h"

#include <string.h>

#define BLINK_COOKIE 0x424c4e4bu
#define MOST_CELLS 114u // along an axis: about a degree
#define DIGIT 2048u     // two of them hold a cell's number

struct fr_blink_groups {
    fr_blink_def def;
    const fr_mesh *mesh;
    double chord;   // between unit normals that are the angle apart
    uint32_t cells; // along an axis
    uint32_t polygon_count;
    fr_vec3 *normals; // of each polygon, unit; zero without an area
    uint32_t *first;  // triangle of each polygon, and one more: the number of triangles
    uint32_t *of;     // polygon of each triangle
    uint32_t *sorted; // polygons by cell, then by number
    uint32_t *keys;   // the cells of these; all of the last for those without an area
};

bool fr_blink_is_whole(fr_touch_pair pair) {
    const uint32_t faces = FR_TOUCH_ORIGIN_FACE | FR_TOUCH_BOX_FACE | FR_TOUCH_VERTEX_FACE | FR_TOUCH_FACE_FACE;
    return ((uint32_t)pair & faces) == 0;
}

fr_blink_def fr_default_blink_def(void) {
    fr_blink_def def;
    memset(&def, 0, sizeof def);
    def.angle = FR_PI / 180.0;
    def.allocator = fr_default_allocator();
    def.cookie = BLINK_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static uint32_t cell_of(const fr_blink_groups *g, double coordinate) {
    double at = 0.5 * (coordinate + 1.0) * (double)g->cells;
    return at <= 0.0 ? 0 : at >= (double)g->cells ? g->cells - 1 : (uint32_t)at;
}

static uint32_t key_of(const fr_blink_groups *g, fr_vec3 normal) {
    if (fr_vec3_equal(normal, fr_vec3_make(0.0, 0.0, 0.0))) { return UINT32_MAX; }
    return (cell_of(g, normal.z) * g->cells + cell_of(g, normal.y)) * g->cells + cell_of(g, normal.x);
}

// Polygons are the triangles of one number one after another.
static uint32_t count_polygons(const fr_mesh *mesh) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
        count += t == 0 || fr_mesh_face(mesh, t) != fr_mesh_face(mesh, t - 1);
    }
    return count;
}

static void measure(fr_blink_groups *g) {
    const fr_mesh_view *view = &g->mesh->view;
    uint32_t polygon = FR_NONE;
    fr_vec3 zero = fr_vec3_make(0.0, 0.0, 0.0);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        if (t == 0 || fr_mesh_face(g->mesh, t) != fr_mesh_face(g->mesh, t - 1)) {
            g->first[++polygon] = t;
            g->normals[polygon] = zero;
        }
        fr_vec3 c[3];
        fr__mesh_corners(view, t, c);
        g->of[t] = polygon;
        g->normals[polygon] = fr_vec3_add(g->normals[polygon], fr_polygon_area_vector(c, 3));
    }
    g->first[g->polygon_count] = view->triangle_count;
    for (uint32_t i = 0; i < g->polygon_count; i++) {
        g->normals[i] = fr_vec3_unit(g->normals[i], zero);
    }
}

// One pass of a sort by digits: `from` by the digit of their cells at `shift`, those with the same digit as they were.
static void sort_by_digit(const fr_blink_groups *g, const uint32_t *from, uint32_t *to, uint32_t divisor) {
    uint32_t begin[DIGIT + 1] = {0};
    for (uint32_t i = 0; i < g->polygon_count; i++) {
        begin[key_of(g, g->normals[from[i]]) / divisor % DIGIT + 1]++;
    }
    for (uint32_t i = 0; i < DIGIT; i++) {
        begin[i + 1] += begin[i];
    }
    for (uint32_t i = 0; i < g->polygon_count; i++) {
        to[begin[key_of(g, g->normals[from[i]]) / divisor % DIGIT]++] = from[i];
    }
}

// Cells are fewer than DIGIT squared; those without an area have the last digit twice and come last.
static void sort(fr_blink_groups *g) {
    _Static_assert(MOST_CELLS * MOST_CELLS * MOST_CELLS < (DIGIT - 1) * DIGIT, "a cell's number has two digits");
    for (uint32_t i = 0; i < g->polygon_count; i++) {
        g->keys[i] = i;
    }
    sort_by_digit(g, g->keys, g->sorted, 1);
    sort_by_digit(g, g->sorted, g->keys, DIGIT);
    memcpy(g->sorted, g->keys, (size_t)g->polygon_count * sizeof *g->sorted);
    for (uint32_t i = 0; i < g->polygon_count; i++) {
        g->keys[i] = key_of(g, g->normals[g->sorted[i]]);
    }
}

static bool take_memory(fr_blink_groups *g) {
    const fr_allocator *a = &g->def.allocator;
    g->normals = fr_allocate(a, g->polygon_count, sizeof *g->normals, _Alignof(fr_vec3));
    g->first = fr_allocate(a, (size_t)g->polygon_count + 1, sizeof *g->first, _Alignof(uint32_t));
    g->of = fr_allocate(a, g->mesh->view.triangle_count, sizeof *g->of, _Alignof(uint32_t));
    g->sorted = fr_allocate(a, g->polygon_count, sizeof *g->sorted, _Alignof(uint32_t));
    g->keys = fr_allocate(a, g->polygon_count, sizeof *g->keys, _Alignof(uint32_t));
    return g->normals != NULL && g->first != NULL && g->of != NULL && g->sorted != NULL && g->keys != NULL;
}

fr_status fr_blink_groups_create(const fr_mesh *mesh, const fr_blink_def *def, fr_blink_groups **out, fr_error *error) {
    FR_ASSERT(mesh != NULL && out != NULL);
    *out = NULL;
    const fr_blink_def standard = fr_default_blink_def();
    if (def == NULL) { def = &standard; }
    if (def->cookie != BLINK_COOKIE) { return fr_error_set_cookie(error, "fr_default_blink_def"); }
    bool is_right = def->angle >= 0.0 && def->angle <= 0.25 * FR_PI;
    if (!is_right || (def->connected != NULL && def->connected->edge_count != 3 * mesh->view.triangle_count)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the angle must be 0 .. pi / 4, and the topology that of the mesh");
    }
    fr_blink_groups *g = fr_allocate(&def->allocator, 1, sizeof *g, _Alignof(fr_blink_groups));
    if (g != NULL) {
        memset(g, 0, sizeof *g);
        g->def = *def;
        g->mesh = fr_mesh_retain(mesh);
        g->chord = 2.0 * fr_sin(0.5 * def->angle) + 0x1p-50;
        double cells = 2.0 / (g->chord + 0x1p-40);
        g->cells = cells < (double)MOST_CELLS ? (uint32_t)cells : MOST_CELLS;
        g->polygon_count = count_polygons(mesh);
    }
    if (g == NULL || !take_memory(g)) {
        fr_blink_groups_destroy(g);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the inclinations of %u triangles",
                            mesh->view.triangle_count);
    }
    measure(g);
    sort(g);
    *out = g;
    return FR_OK;
}

void fr_blink_groups_destroy(fr_blink_groups *g) {
    if (g == NULL) { return; }
    fr_allocator a = g->def.allocator;
    fr_deallocate(&a, g->normals, g->polygon_count, sizeof *g->normals);
    fr_deallocate(&a, g->first, (size_t)g->polygon_count + 1, sizeof *g->first);
    fr_deallocate(&a, g->of, g->mesh->view.triangle_count, sizeof *g->of);
    fr_deallocate(&a, g->sorted, g->polygon_count, sizeof *g->sorted);
    fr_deallocate(&a, g->keys, g->polygon_count, sizeof *g->keys);
    fr_mesh_release(g->mesh);
    fr_deallocate(&a, g, 1, sizeof *g);
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

static bool is_same(const fr_blink_groups *g, uint32_t polygon, fr_vec3 normal) {
    fr_vec3 own = g->normals[polygon];
    if (fr_vec3_distance(own, normal) <= g->chord) { return !fr_vec3_equal(own, fr_vec3_make(0.0, 0.0, 0.0)); }
    return g->def.is_either_side && fr_vec3_distance(fr_vec3_negate(own), normal) <= g->chord;
}

static bool is_below(const uint32_t *cell, uint32_t key) { return *cell < key; }

FR_SEARCH_TYPE(find_cell, uint32_t, uint32_t, is_below);

// The first place in the list whose cell is not below `key`.
static uint32_t place_of(const fr_blink_groups *g, uint32_t key) {
    return (uint32_t)find_cell(g->keys, g->polygon_count, key);
}

// The polygons about a normal, in no order; only the first `capacity` are written. At up to pi / 4 none is about both a
// normal and the one against it.
static uint32_t find_side(const fr_blink_groups *g, fr_vec3 side, uint32_t *out, uint32_t count, uint32_t capacity) {
    const int64_t n = g->cells, x = cell_of(g, side.x), y = cell_of(g, side.y), z = cell_of(g, side.z);
    for (int64_t row = 0; row < 9; row++) {
        int64_t at_y = y + row % 3 - 1, at_z = z + row / 3 - 1;
        if (at_y < 0 || at_y >= n || at_z < 0 || at_z >= n) { continue; }
        int64_t begin = (at_z * n + at_y) * n, from = x > 0 ? x - 1 : 0, to = x + 1 < n ? x + 1 : n - 1;
        uint32_t end = place_of(g, (uint32_t)(begin + to) + 1);
        for (uint32_t i = place_of(g, (uint32_t)(begin + from)); i < end; i++) {
            if (fr_vec3_distance(g->normals[g->sorted[i]], side) > g->chord) { continue; }
            if (count < capacity) { out[count] = g->sorted[i]; }
            count++;
        }
    }
    return count;
}

static uint32_t put_polygon(const fr_blink_groups *g, uint32_t polygon, uint32_t *out, uint32_t count) {
    for (uint32_t t = g->first[polygon]; t < g->first[polygon + 1]; t++) {
        out[count++] = t;
    }
    return count;
}

// Few polygons are put in order one by one; where there are many, all are looked at in their order.
static uint32_t find_everywhere(const fr_blink_groups *g, fr_vec3 normal, uint32_t *out) {
    enum { FEW = 256 };
    uint32_t few[FEW], count = find_side(g, normal, few, 0, FEW), written = 0;
    if (g->def.is_either_side) { count = find_side(g, fr_vec3_negate(normal), few, count, FEW); }
    for (uint32_t i = 0; count > FEW && i < g->polygon_count; i++) {
        if (is_same(g, i, normal)) { written = put_polygon(g, i, out, written); }
    }
    if (count > FEW) { return written; }
    fr_sort_uint32(few, count);
    for (uint32_t i = 0; i < count; i++) {
        written = put_polygon(g, few[i], out, written);
    }
    return written;
}

// `out` first holds, for every triangle, the one below it on a stack, or that it was not seen.
static uint32_t find_connected(const fr_blink_groups *g, uint32_t polygon, fr_vec3 normal, uint32_t *out) {
    const uint32_t unseen = FR_NONE, last = FR_NONE - 1;
    uint32_t all = g->mesh->view.triangle_count, top = last, count = 0;
    memset(out, 0xff, (size_t)all * sizeof *out);
    for (uint32_t t = g->first[polygon]; t < g->first[polygon + 1]; t++) {
        out[t] = top;
        top = t;
    }
    while (top != last) {
        uint32_t current = top;
        top = out[current];
        for (uint32_t edge = 3 * current; edge < 3 * current + 3; edge++) {
            uint32_t twin = g->def.connected->twin[edge];
            if (twin == FR_NONE || out[twin / 3] != unseen || !is_same(g, g->of[twin / 3], normal)) { continue; }
            // The whole polygon comes with it
            for (uint32_t t = g->first[g->of[twin / 3]]; t < g->first[g->of[twin / 3] + 1]; t++) {
                out[t] = top;
                top = t;
            }
        }
    }
    for (uint32_t t = 0; t < all; t++) {
        if (out[t] != unseen) { out[count++] = t; }
    }
    return count;
}

uint32_t fr_blink_triangles(const fr_blink_groups *groups, uint32_t triangle, uint32_t *out) {
    FR_ASSERT(groups != NULL && out != NULL && triangle < groups->mesh->view.triangle_count);
    uint32_t polygon = groups->of[triangle];
    fr_vec3 normal = groups->normals[polygon];
    if (fr_vec3_equal(normal, fr_vec3_make(0.0, 0.0, 0.0))) { return put_polygon(groups, polygon, out, 0); }
    return groups->def.connected != NULL ? find_connected(groups, polygon, normal, out)
                                         : find_everywhere(groups, normal, out);
}
