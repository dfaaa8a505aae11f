// Any bytes as doubles, and these as triangles, segments, boxes and polygons: every test of shape ends, answers alike
// when its arguments are swapped, and agrees with its neighbours.
#include "fureai/shape.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_POINTS 64

typedef struct input {
    fr_vec3 point[MAX_POINTS];
    size_t count; // at least 12
} input;

static void require(bool holds) {
    if (!holds) { abort(); }
}

// One byte a coordinate, from a table of values that meet each other, or eight bytes taken as they are.
static input read_input(const uint8_t *data, size_t size) {
    input in;
    memset(&in, 0, sizeof in);
    bool whole = size > 0 && (data[0] & 1) != 0;
    size_t bytes = whole ? 8 : 1, numbers = size > 0 ? (size - 1) / bytes : 0;
    numbers = numbers < 3 * MAX_POINTS ? numbers : 3 * MAX_POINTS;
    for (size_t i = 0; i < numbers; i++) {
        double value = 0.0;
        if (whole) {
            memcpy(&value, data + 1 + 8 * i, 8);
        } else {
            value = (double)(int8_t)data[1 + i] * 0.25;
        }
        fr_vec3 *p = &in.point[i / 3];
        *(i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z) = value;
    }
    in.count = (numbers + 2) / 3 < 12 ? 12 : (numbers + 2) / 3;
    return in;
}

// Whether every coordinate is in the range where answers are promised.
static bool is_in_range(const input *in) {
    for (size_t i = 0; i < in->count; i++) {
        double c[3] = {in->point[i].x, in->point[i].y, in->point[i].z};
        for (int k = 0; k < 3; k++) {
            if (!(c[k] == 0.0 || (fabs(c[k]) >= 1e-60 && fabs(c[k]) <= 1e60))) { return false; }
        }
    }
    return true;
}

static void try_triangles(const fr_vec3 *p, bool in_range) {
    const fr_vec3 *a = p, *b = p + 3;
    fr_vec3 turned[3] = {a[2], a[0], a[1]}, on_a, on_b;
    bool overlap = fr_triangle_overlap(a, b);
    fr_section s, t;
    bool shares = fr_triangle_section(a, b, &s), shares_swapped = fr_triangle_section(b, a, &t);
    double distance = fr_triangle_distance(a, b, &on_a, &on_b);
    require(s.count >= 0 && s.count <= 6 && t.count >= 0 && t.count <= 6);
    bool pierced = false;
    for (int i = 0; i < 3; i++) {
        fr_vec3 edge[2] = {a[i], a[(i + 1) % 3]}, other[2] = {b[i], b[(i + 1) % 3]};
        pierced = fr_segment_triangle_overlap(edge, b, &on_a) || pierced;
        pierced = fr_segment_triangle_overlap(other, a, NULL) || pierced;
        (void)fr_segment_distance(edge, other, &on_a, &on_b);
        (void)fr_triangle_closest(a, b[i]);
    }
    if (!in_range) { return; }
    require(fr_triangle_overlap(b, a) == overlap && fr_triangle_overlap(turned, b) == overlap);
    require(shares == overlap && shares_swapped == overlap && pierced == overlap);
    require(s.kind == t.kind && s.count == t.count && s.is_crossing == t.is_crossing && s.is_coplanar == t.is_coplanar);
    require((distance == 0.0) == overlap);
}

static void try_boxes(const fr_vec3 *p, bool in_range) {
    fr_bounds box = {fr_vec3_min(p[3], p[4]), fr_vec3_max(p[3], p[4])};
    bool overlap = fr_triangle_box_overlap(p, &box);
    if (in_range && (fr_bounds_contain_point(&box, p[0]) || fr_bounds_contain_point(&box, p[2]))) { require(overlap); }
    fr_plane plane = {p[5], p[6].x};
    int side = fr_plane_box_side(&plane, &box);
    plane.normal = fr_vec3_negate(plane.normal);
    plane.offset = -plane.offset;
    if (in_range) { require(fr_plane_box_side(&plane, &box) == -side); }
    fr_oriented_box a = {p[0], fr_mat3_identity(), p[1]}, b = {p[2], fr_mat3_identity(), p[3]};
    (void)fr_oriented_box_overlap(&a, &b);
}

static void try_sets(const input *in, bool in_range) {
    fr_hull hull;
    fr_hull_of_points(in->point, in->count, &hull);
    for (int f = 0; f < hull.facet_count && in_range && hull.dimension == 3; f++) {
        const uint8_t *c = hull.facets[f];
        for (size_t i = 0; i < in->count; i++) {
            require(fr_orient3d(in->point[c[0]], in->point[c[1]], in->point[c[2]], in->point[i]) <= 0);
        }
    }
    size_t half = in->count / 2;
    fr_convex a = {in->point, half, 0.0}, b = {in->point + half, in->count - half, 0.0};
    fr_convex_distance d = fr_gjk(&a, &b, in->point[0]);
    require(d.iterations >= 1 && d.iterations <= 1000);

    fr_arena *arena;
    uint32_t triangles[3 * MAX_POINTS];
    if (fr_arena_create(0, NULL, &arena, NULL) != FR_OK) { return; }
    bool clean;
    require(fr_polygon_triangulate(in->point, in->count, arena, triangles, &clean, NULL) == FR_OK);
    for (size_t i = 0; i < 3 * (in->count - 2); i++) {
        require(triangles[i] < in->count);
    }
    fr_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = read_input(data, size);
    bool in_range = is_in_range(&in);
    try_triangles(in.point, in_range);
    try_boxes(in.point, in_range);
    try_sets(&in, in_range);
    return 0;
}
