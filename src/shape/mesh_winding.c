// The winding number of a surface around a point q, without a sum over all triangles.
//
// Let the border edges of the surface S be extended upwards (r = +z) to infinity: the strips F close S, but for a lid
// that is infinitely far away and seen as the one direction r. The closed surface S + F winds around q a whole number N
// of times: N is the signed number of times that a ray from q straight down crosses S, since it never crosses the
// upright strips. So
//     w(S) = N + sum over the border edges from a to b of area(a, b, r) / 4 pi,
// area being that of the spherical triangle of directions from q. A closed mesh has no border, and its result is exact.
//
// Ties are broken as if q stood at (q.x + e, q.y + e^2) with e > 0 too small to measure: then the vertical line through
// q meets no edge, and the sign of a side is that of the plane determinant, or of its first power of e that does not
// vanish. Crossings and areas use the same sign, so they jump together and their sum does not jump.
#include "shape/mesh_winding.h"

#include "shape/mesh.h"
#include "shape/mesh_border.h"

typedef struct crossing_count {
    const fr_mesh_view *view;
    fr_vec3 point;
    int count;
} crossing_count;

// The sign of (a - q) x (b - q) seen from above, q a little displaced; 0 only when a and b are one point seen from
// above.
static int side_of(fr_vec3 point, fr_vec3 a, fr_vec3 b) {
    const fr_vec2 q = {point.x, point.y}, from = {a.x, a.y}, to = {b.x, b.y};
    int sign = fr_orient2d(q, from, to);
    if (sign != 0) { return sign; }
    if (a.y != b.y) { return a.y > b.y ? 1 : -1; }
    return a.x == b.x ? 0 : (b.x > a.x ? 1 : -1);
}

int fr__winding_crossing(const fr_vec3 c[3], fr_vec3 point) {
    int turn = side_of(point, c[0], c[1]);
    if (turn == 0 || side_of(point, c[1], c[2]) != turn || side_of(point, c[2], c[0]) != turn) { return 0; }
    // Above a triangle that turns counter-clockwise seen from above, orient3d is positive.
    int above = turn * fr_orient3d(c[0], c[1], c[2], point);
    return above > 0 ? -turn : 0;
}

static bool count_triangle(uint32_t triangle, void *context) {
    crossing_count *crossing = context;
    fr_vec3 corners[3];
    fr__mesh_corners(crossing->view, triangle, corners);
    crossing->count += fr__winding_crossing(corners, crossing->point);
    return true;
}

// Crossings of the ray straight down. Only triangles whose boxes meet the ray are looked at.
static int count_crossings(const fr_mesh_view *view, fr_vec3 point) {
    crossing_count crossing = {view, point, 0};
    fr_bounds ray = {fr_vec3_make(point.x, point.y, -INFINITY), point};
    fr_box box = fr_box_of_bounds(&ray, fr_vec3_make(0.0, 0.0, 0.0));
    fr_tree_overlap_box(view->tree, &box, count_triangle, &crossing);
    return crossing.count;
}

// |a| + a.z without cancellation.
static double height_sum(fr_vec3 a) {
    double length = fr_vec3_length(a);
    return a.z >= 0.0 ? length + a.z : (a.x * a.x + a.y * a.y) / (length - a.z);
}

// The signed area of the spherical triangle of the directions to a and b and r. With the polar angles s, t of a and b
// from r and their difference p in azimuth,
//     tan(area / 2) = sin p / (cot(s/2) cot(t/2) + cos p),   cot(s/2) = (|a| + a.z) / |a.xy|.
static double strip_area(fr_vec3 point, fr_vec3 from, fr_vec3 to) {
    int sign = side_of(point, from, to);
    if (sign == 0) { return 0.0; }
    fr_vec3 a = fr_vec3_sub(from, point), b = fr_vec3_sub(to, point);
    double scale = fmax(fr_vec3_largest(a), fr_vec3_largest(b));
    if (!(scale > 0.0)) { return 0.0; }
    a = fr_vec3_scale(1.0 / scale, a);
    b = fr_vec3_scale(1.0 / scale, b);
    double sum_a = height_sum(a), sum_b = height_sum(b);
    // A point straight below the displaced q lies in the direction (-1, 0) seen from above.
    bool below_a = a.x == 0.0 && a.y == 0.0 && a.z <= 0.0, below_b = b.x == 0.0 && b.y == 0.0 && b.z <= 0.0;
    if (below_a) {
        a = fr_vec3_make(-1.0, 0.0, 0.0);
        sum_a = 0.0;
    }
    if (below_b) {
        b = fr_vec3_make(-1.0, 0.0, 0.0);
        sum_b = 0.0;
    }
    double sine = fabs(a.x * b.y - a.y * b.x), cosine = a.x * b.x + a.y * b.y;
    return sign * 2.0 * fr_atan2(sine, sum_a * sum_b + cosine);
}

// The solid angle of a triangle (van Oosterom and Strackee 1983).
static double triangle_area(const fr_mesh_view *view, uint32_t triangle, fr_vec3 point) {
    fr_vec3 c[3];
    fr__mesh_corners(view, triangle, c);
    for (int k = 0; k < 3; k++) {
        c[k] = fr_vec3_unit(fr_vec3_sub(c[k], point), fr_vec3_make(0.0, 0.0, 0.0));
    }
    double volume = fr_vec3_dot(c[0], fr_vec3_cross(c[1], c[2]));
    double sum = 1.0 + fr_vec3_dot(c[0], c[1]) + fr_vec3_dot(c[1], c[2]) + fr_vec3_dot(c[2], c[0]);
    return 2.0 * fr_atan2(volume, sum);
}

static double winding_of_border(const fr_mesh *mesh, fr_vec3 point, int crossings) {
    double area = 0.0;
    for (size_t i = 0; i < mesh->border.count; i++) {
        fr_vec3 from = fr__mesh_position(&mesh->view, mesh->border.edges[2 * i]);
        fr_vec3 to = fr__mesh_position(&mesh->view, mesh->border.edges[2 * i + 1]);
        area += strip_area(point, from, to);
    }
    return (double)crossings + area / (4.0 * FR_PI);
}

double fr_mesh_winding(const fr_mesh *mesh, fr_vec3 point) {
    FR_ASSERT(mesh != NULL);
    if (!fr_vec3_is_finite(point)) { return 0.0; }
    // Loose triangles have more border than faces: then the plain sum is shorter.
    if (mesh->border.count > mesh->view.triangle_count) {
        double area = 0.0;
        for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
            area += triangle_area(&mesh->view, t, point);
        }
        return area / (4.0 * FR_PI);
    }
    return winding_of_border(mesh, point, count_crossings(&mesh->view, point));
}

// Ends the search at a triangle that the point lies on.
static bool misses_point(uint32_t triangle, void *context) {
    const crossing_count *crossing = context;
    const fr_vec3 twice[2] = {crossing->point, crossing->point};
    fr_vec3 corners[3];
    fr__mesh_corners(crossing->view, triangle, corners);
    return !fr_segment_triangle_overlap(twice, corners, NULL);
}

bool fr_mesh_contains(const fr_mesh *mesh, fr_vec3 point) {
    FR_ASSERT(mesh != NULL);
    if (!fr_vec3_is_finite(point)) { return false; }
    crossing_count crossing = {&mesh->view, point, 0};
    fr_bounds place = {point, point};
    fr_box box = fr_box_of_bounds(&place, fr_vec3_make(0.0, 0.0, 0.0));
    if (!fr_tree_overlap_box(mesh->view.tree, &box, misses_point, &crossing)) { return true; }
    return fabs(fr_mesh_winding(mesh, point)) > 0.5;
}
