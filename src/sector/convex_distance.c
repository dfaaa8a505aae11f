// The distance of boxes, triangles and hulls from a sector.
//
// When the two are apart, the least distance is reached on an edge of the polytope, where the distance of a segment
// gives it, or inside one of its faces. There the distance of the sector's points from the face's plane is a linear
// function, so it is reached where that is locally least on the sector: at one of its corners or on the outer arc in
// the direction of the face's normal. (On the inner arc a linear function has no such place but at the arc's ends.)
#include "sector/plane.h"

// Distance of a point from a polytope; the point and the polytope are in one frame.
typedef double point_distance_fn(const void *polytope, fr_vec3 point);

// Tries a point of the planar figure at both faces of the slab.
static double try_points(const fr_sector *s, double x, double y, const void *polytope, point_distance_fn *distance,
                         double best) {
    for (int k = -1; k <= 1; k += 2) {
        double d = distance(polytope, fr__sector_world(s, x, y, k * s->half_thickness));
        best = fr__least(d, best);
    }
    return best;
}

// All corners of the sector.
static double try_corners(const fr_sector *s, const void *polytope, point_distance_fn *distance, double best) {
    double c = s->cosine, e = s->sine;
    best = try_points(s, s->outer * c, s->outer * e, polytope, distance, best);
    best = try_points(s, s->outer * c, -s->outer * e, polytope, distance, best);
    best = try_points(s, s->inner * c, s->inner * e, polytope, distance, best);
    return try_points(s, s->inner * c, -s->inner * e, polytope, distance, best);
}

// Where the outer arc goes farthest along a face's normal, either way.
static double try_arc(const fr_sector *s, fr_vec3 normal, const void *polytope, point_distance_fn *distance,
                      double best) {
    double x = fr_vec3_dot(s->bisector, normal), y = fr_vec3_dot(s->side, normal), length = sqrt(x * x + y * y);
    if (!(length > 0.0)) { return best; }
    for (int k = -1; k <= 1; k += 2) {
        double ux = k * x / length, uy = k * y / length;
        if (ux * s->sine - fabs(uy) * s->cosine > 0.0 || fr__sector_is_full(s)) {
            best = try_points(s, s->outer * ux, s->outer * uy, polytope, distance, best);
        }
    }
    return best;
}

static double edge_distance(const fr_sector *s, fr_vec3 a, fr_vec3 b) {
    return sqrt(fr__segment_distance2(s, fr__sector_local(s, a), fr__sector_local(s, b), 0.0));
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static double box_point_distance(const void *polytope, fr_vec3 point) {
    const fr_oriented_box *box = polytope;
    fr_vec3 d = fr_vec3_sub(point, box->center);
    double x = fr__outside(fabs(fr_vec3_dot(box->axes.row[0], d)), 0.0, box->half.x);
    double y = fr__outside(fabs(fr_vec3_dot(box->axes.row[1], d)), 0.0, box->half.y);
    double z = fr__outside(fabs(fr_vec3_dot(box->axes.row[2], d)), 0.0, box->half.z);
    return sqrt(x * x + y * y + z * z);
}

double fr_sector_box_distance(const fr_sector *sector, const fr_oriented_box *box) {
    if (!fr__box_is_valid(box)) { return (double)NAN; }
    if (fr_sector_overlap_box(sector, box)) { return 0.0; }
    fr_vec3 corners[8];
    fr__box_corners(box, corners);
    double best = try_corners(sector, box, box_point_distance, INFINITY);
    for (int i = 0; i < 3; i++) {
        best = try_arc(sector, box->axes.row[i], box, box_point_distance, best);
    }
    for (int i = 0; i < 12; i++) {
        double d = edge_distance(sector, corners[fr__box_edges[i][0]], corners[fr__box_edges[i][1]]);
        best = fr__least(d, best);
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

static double triangle_point_distance(const void *polytope, fr_vec3 point) {
    return fr_triangle_closest((const fr_vec3 *)polytope, point).distance;
}

// The least distance of a triangle that does not meet the sector.
static double distance_of_triangle(const fr_sector *s, const fr_vec3 t[3], double best) {
    best = try_corners(s, t, triangle_point_distance, best);
    fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    best = try_arc(s, normal, t, triangle_point_distance, best);
    for (int i = 0; i < 3; i++) {
        double d = edge_distance(s, t[i], t[(i + 1) % 3]);
        best = fr__least(d, best);
    }
    return best;
}

double fr_sector_triangle_distance(const fr_sector *sector, const fr_vec3 triangle[3]) {
    for (int i = 0; i < 3; i++) {
        if (!fr_vec3_is_finite(triangle[i])) { return (double)NAN; }
    }
    return fr_sector_overlap_triangle(sector, triangle) ? 0.0 : distance_of_triangle(sector, triangle, INFINITY);
}

// ---------------------------------------------------------------------------------------------------------------
// Hulls

// Whether a point is inside a hull in space.
static bool hull_contains(const fr_hull *hull, const fr_vec3 *points, fr_vec3 point) {
    for (int i = 0; i < hull->facet_count; i++) {
        const uint8_t *f = hull->facets[i];
        if (fr_orient3d(points[f[0]], points[f[1]], points[f[2]], point) > 0) { return false; }
    }
    return hull->dimension == 3;
}

static double hull_distance(const fr_sector *s, const fr_hull *hull, const fr_vec3 *points) {
    const uint8_t *v = hull->vertices;
    if (hull->facet_count == 0) { return edge_distance(s, points[v[0]], points[v[hull->vertex_count - 1]]); }
    double best = INFINITY;
    for (int i = 0; i < hull->facet_count; i++) {
        const uint8_t *f = hull->facets[i];
        fr_vec3 t[3] = {points[f[0]], points[f[1]], points[f[2]]};
        if (fr_sector_overlap_triangle(s, t)) { return 0.0; }
        best = distance_of_triangle(s, t, best);
    }
    // No face meets it: then it is wholly inside or wholly outside.
    return hull_contains(hull, points, fr__sector_world(s, s->outer, 0.0, 0.0)) ? 0.0 : best;
}

double fr_sector_convex_distance(const fr_sector *sector, const fr_convex *set) {
    if (set->count < 1 || set->count > FR_HULL_MAX_POINTS || !(set->radius >= 0.0)) { return (double)NAN; }
    for (size_t i = 0; i < set->count; i++) {
        if (!fr_vec3_is_finite(set->points[i])) { return (double)NAN; }
    }
    double core;
    if (set->count <= 2) {
        core = edge_distance(sector, set->points[0], set->points[set->count - 1]);
    } else {
        fr_hull hull;
        fr_hull_of_points(set->points, set->count, &hull);
        core = hull_distance(sector, &hull, set->points);
    }
    return core > set->radius ? core - set->radius : 0.0;
}

bool fr_sector_overlap_convex(const fr_sector *sector, const fr_convex *set) {
    if (set->count == 1) { return fr_sector_overlap_sphere(sector, set->points[0], set->radius); }
    if (set->count == 2) { return fr_sector_overlap_capsule(sector, set->points, set->radius); }
    return fr_sector_convex_distance(sector, set) <= 0.0;
}
