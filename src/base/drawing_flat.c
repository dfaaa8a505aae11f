// Marks as seen by the camera, and which of two lies in front.
#include "base/drawing_flat.h"

#include <math.h>

// How far lines and points come towards the eye, in half diagonals.
static const double line_lift = 2e-3;
static const double point_lift = 4e-3;

// Overlaps below this many pixels (square pixels for triangles) are what rounding leaves of common edges.
static const double min_overlap = 1e-3;

// Depths that are nearer than this, in half diagonals, are taken as equal.
static const double min_depth = 1e-7;

// A triangle cut by the three edges of another has at most six corners.
enum { CORNERS_MAX = 6 };

typedef struct polygon {
    fr_drawing_place corners[CORNERS_MAX + 1];
    unsigned count;
} polygon;

fr__drawing_flat fr__drawing_flat_make(const fr_drawing_view *view, const fr_drawing_mark *mark,
                                       const fr_drawing_camera *camera) {
    const double *points = view->points + (size_t)3 * mark->first_point;
    fr__drawing_flat flat = {.count = mark->dimension,
                             .is_text = mark->kind == FR_DRAWING_TEXT,
                             .left = INFINITY,
                             .right = -INFINITY,
                             .top = INFINITY,
                             .bottom = -INFINITY};
    double lift = flat.count == 2 ? line_lift : flat.count == 1 ? point_lift : 0.0;
    for (unsigned i = 0; i < flat.count; ++i) {
        fr_drawing_place place = fr_drawing_camera_project(camera, points + (size_t)3 * i);
        place.depth -= lift;
        flat.corners[i] = place;
        flat.left = fmin(flat.left, place.x);
        flat.right = fmax(flat.right, place.x);
        flat.top = fmin(flat.top, place.y);
        flat.bottom = fmax(flat.bottom, place.y);
    }
    return flat;
}

// Twice the signed area of a triangle.
static double signed_area(const fr_drawing_place *a, const fr_drawing_place *b, const fr_drawing_place *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static fr_drawing_place between(const fr_drawing_place *a, const fr_drawing_place *b, double t) {
    return (fr_drawing_place){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), a->depth + t * (b->depth - a->depth)};
}

// Keeps what lies left of the edge from `a` to `b` when `side` is 1, right of it when -1 (Sutherland and Hodgman).
static polygon cut(const polygon *p, const fr_drawing_place *a, const fr_drawing_place *b, double side) {
    polygon kept = {.count = 0};
    for (unsigned i = 0; i < p->count; ++i) {
        const fr_drawing_place *from = &p->corners[i];
        const fr_drawing_place *to = &p->corners[(i + 1) % p->count];
        double from_side = side * signed_area(a, b, from);
        double to_side = side * signed_area(a, b, to);
        bool crosses = (from_side > 0.0 && to_side < 0.0) || (from_side < 0.0 && to_side > 0.0);
        if (from_side >= 0.0 && kept.count < CORNERS_MAX) { kept.corners[kept.count++] = *from; }
        if (crosses && kept.count < CORNERS_MAX) {
            kept.corners[kept.count++] = between(from, to, from_side / (from_side - to_side));
        }
    }
    return kept;
}

// Whether an overlap is more than rounding: by area for a triangle, by length for a line.
static bool is_real(const polygon *p, unsigned corners_before) {
    double size = 0.0;
    if (p->count == 0) { return false; }
    for (unsigned i = 1; i < p->count; ++i) {
        const fr_drawing_place *a = &p->corners[i - 1];
        const fr_drawing_place *b = &p->corners[i];
        size += corners_before == 3 ? signed_area(&p->corners[0], a, b) : hypot(b->x - a->x, b->y - a->y);
    }
    return corners_before == 1 || fabs(size) > min_overlap;
}

static fr_drawing_place middle_of(const polygon *p) {
    fr_drawing_place middle = {0.0, 0.0, 0.0};
    for (unsigned i = 0; i < p->count; ++i) {
        middle.x += p->corners[i].x / p->count;
        middle.y += p->corners[i].y / p->count;
        middle.depth += p->corners[i].depth / p->count;
    }
    return middle;
}

// The depth of a triangle's plane at a pixel; `area` is its signed area, not 0.
static double depth_at(const fr__drawing_flat *triangle, const fr_drawing_place *at, double area) {
    const fr_drawing_place *c = triangle->corners;
    double u = signed_area(at, &c[1], &c[2]) / area;
    double v = signed_area(&c[0], at, &c[2]) / area;
    return u * c[0].depth + v * c[1].depth + (1.0 - u - v) * c[2].depth;
}

// Compares any mark with a triangle, in the middle of what they share.
static int compare_with_triangle(const fr__drawing_flat *a, const fr__drawing_flat *triangle) {
    const fr_drawing_place *c = triangle->corners;
    double area = signed_area(&c[0], &c[1], &c[2]);
    if (fabs(area) < min_overlap) { return 0; } // seen edge-on it hides nothing

    polygon shared = {.count = a->count};
    for (unsigned i = 0; i < a->count; ++i) {
        shared.corners[i] = a->corners[i];
    }
    for (unsigned i = 0; i < 3 && shared.count > 0; ++i) {
        shared = cut(&shared, &c[i], &c[(i + 1) % 3], area > 0.0 ? 1.0 : -1.0);
    }
    if (!is_real(&shared, a->count)) { return 0; }

    fr_drawing_place middle = middle_of(&shared);
    double difference = middle.depth - depth_at(triangle, &middle, area);
    if (fabs(difference) < min_depth) { return 0; }
    return difference > 0.0 ? 1 : -1;
}

int fr__drawing_flat_compare(const fr__drawing_flat *a, const fr__drawing_flat *b) {
    bool apart = a->left > b->right || b->left > a->right || a->top > b->bottom || b->top > a->bottom;
    if (apart || a->is_text || b->is_text) { return 0; }
    if (b->count == 3) { return compare_with_triangle(a, b); }
    return a->count == 3 ? -compare_with_triangle(b, a) : 0;
}
