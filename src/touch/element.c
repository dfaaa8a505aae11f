// A point, or its path, against one corner, triangle or rectangle: the decision that is the same however the
// element was found.
#include "touch/element.h"

#include <math.h>

double fr__element_point_distance(const fr__element_point *p, fr_vec3 place, fr_vec3 *on_path) {
    (void)fr_segment_closest(p->path, place, on_path);
    return fr_vec3_distance(*on_path, place);
}

int32_t fr__element_side(const fr__element_point *p, fr_vec3 normal, fr_vec3 on_plane) {
    if (fr_vec3_equal(normal, fr_vec3_make(0.0, 0.0, 0.0))) { return 0; }
    return fr_vec3_dot(normal, fr_vec3_sub(p->path[0], on_plane)) < 0.0 ? -1 : 1;
}

// Which side of a triangle's edges a point is on, seen along `normal`: 1 within all of them, -1 beyond one of them by
// clearly more than counts as inside, 0 where neither is sure.
static int side_of_edges(const fr_vec3 corners[3], fr_vec3 normal, fr_vec3 point) {
    fr_vec3 edges[3];
    for (int k = 0; k < 3; k++) {
        edges[k] = fr_vec3_sub(corners[(k + 1) % 3], corners[k]);
    }
    double area = fr_vec3_dot(fr_vec3_cross(edges[0], edges[1]), normal);
    double longest = fmax(fr_vec3_length_squared(edges[0]), fr_vec3_length_squared(edges[1]));
    if (!(fabs(area) > 1e-6 * longest)) { return 0; }
    bool is_within = true;
    for (int k = 0; k < 3; k++) {
        double beyond = fr_vec3_dot(fr_vec3_cross(edges[k], normal), fr_vec3_sub(point, corners[k]));
        if (area < 0.0) { beyond = -beyond; }
        double most = 4.0 * FR__ELEMENT_EDGE * FR__ELEMENT_EDGE * fr_vec3_length_squared(edges[k]);
        if (beyond > 0.0 && beyond * beyond > most) { return -1; }
        is_within = is_within && beyond <= 0.0;
    }
    return is_within ? 1 : 0;
}

// A triangle of a polygon whose plane goes through `origin`. The foot lies in the polygon where it lies in one of its
// triangles, all laid into that plane: corners of a polygon need not be quite flat.
double fr__element_triangle_distance(const fr__element_point *p, const fr_vec3 corners[3], fr_vec3 normal,
                                     fr_vec3 origin, fr_touch_hit *hit) {
    if (p->is_swept) {
        const fr_vec3 path[3] = {p->path[0], p->path[1], p->path[1]};
        return fr_triangle_distance(path, corners, &hit->point, &hit->foot);
    }
    hit->point = p->path[1];
    if (p->is_closest) {
        fr_triangle_point at = fr_triangle_closest(corners, hit->point);
        hit->foot = at.point;
        return at.distance;
    }
    if (fr_vec3_equal(normal, fr_vec3_make(0.0, 0.0, 0.0))) { return INFINITY; }
    double s = fr_vec3_dot(normal, fr_vec3_sub(hit->point, origin));
    hit->foot = fr_vec3_add_scaled(hit->point, -s, normal);
    int side = side_of_edges(corners, normal, hit->foot);
    if (side != 0) { return side > 0 ? fabs(s) : INFINITY; }
    fr_vec3 flat[3];
    for (int k = 0; k < 3; k++) {
        double height = fr_vec3_dot(normal, fr_vec3_sub(corners[k], origin));
        flat[k] = fr_vec3_add_scaled(corners[k], -height, normal);
    }
    return fr_triangle_closest(flat, hit->foot).distance <= FR__ELEMENT_EDGE ? fabs(s) : INFINITY;
}

// A face of a box: its middle, its two half edges.
double fr__element_rectangle_distance(const fr__element_point *p, fr_vec3 middle, const fr_vec3 half_edges[2],
                                      fr_vec3 normal, fr_touch_hit *hit) {
    if (p->is_swept) {
        fr_vec3 corners[4];
        for (int k = 0; k < 4; k++) {
            fr_vec3 v = fr_vec3_add_scaled(middle, (k & 1) != 0 ? 1.0 : -1.0, half_edges[0]);
            corners[k] = fr_vec3_add_scaled(v, (k & 2) != 0 ? 1.0 : -1.0, half_edges[1]);
        }
        fr_touch_hit other = *hit;
        double a = fr__element_triangle_distance(p, corners, normal, middle, hit);
        double b = fr__element_triangle_distance(p, corners + 1, normal, middle, &other);
        if (b < a) { *hit = other; }
        return fmin(a, b);
    }
    hit->point = p->path[1];
    fr_vec3 from = fr_vec3_sub(hit->point, middle), foot = middle;
    for (int k = 0; k < 2; k++) {
        double length = fr_vec3_length(half_edges[k]);
        fr_vec3 along = fr_vec3_unit(half_edges[k], fr_vec3_make(0.0, 0.0, 0.0));
        double at = fr_vec3_dot(from, along);
        if (!p->is_closest && fabs(at) > length + FR__ELEMENT_EDGE) { return INFINITY; }
        if (p->is_closest) { at = fmin(fmax(at, -length), length); }
        foot = fr_vec3_add_scaled(foot, at, along);
    }
    hit->foot = foot;
    return fr_vec3_distance(hit->point, foot);
}
